/* Servers, racks, power, storage bandwidth and the fabric. */
#include <actuary/facility.h>

#include <math.h>

double act_racks(double servers, double power, double rack_power)
{
    double fit = floor(rack_power / power);

    return fit >= 1 ? ceil(servers / fit) : ceil(servers * power / rack_power);
}

double act_fat_tree_switches(double ports, double radix)
{
    double half = floor(radix / 2);
    double reach = radix; /* end points of a tree of so many tiers */
    double tiers = 1;

    if (ports <= radix)
        return 1;
    while (reach < ports) {
        reach *= half;
        tiers++;
    }
    /* Every tier but the top has half its ports down; the top has all of them. */
    return (tiers - 1) * ceil(ports / half) + ceil(ports / radix);
}

/* Average draw of a GPU with its part of the host. A card without a TDP has the one that its
 * server's rating would come from. */
static double average_of(const struct act_plan *plan, double node_power)
{
    double tdp = plan->hardware.tdp;

    if (tdp <= 0)
        tdp = node_power / (double)plan->hardware.gpus_per_node / ACT_RATED_OVERHEAD;
    return tdp * plan->cost.power_load * plan->cost.node_overhead;
}

void act_facility_of(const struct act_plan *plan, const struct act_layout *layout,
                     double checkpoint_bytes, struct act_facility *ret)
{
    const struct act_hardware_fields *hardware = &plan->hardware;
    struct act_facility facility = {.servers = layout->nodes};

    facility.node_power = hardware->node_power > 0 ? hardware->node_power : NAN;
    facility.computing_power = facility.servers * facility.node_power;
    facility.building_power = facility.computing_power * plan->cost.pue;
    facility.average_power = average_of(plan, facility.node_power);
    if (facility.node_power > 0) {
        facility.servers_per_rack = floor(hardware->rack_power / facility.node_power);
        facility.racks = act_racks(facility.servers, facility.node_power, hardware->rack_power);
    } else {
        facility.servers_per_rack = NAN;
        facility.racks = NAN;
    }
    if (facility.servers > 1) {
        facility.ports = facility.servers * (double)hardware->gpus_per_node;
        facility.switches = act_fat_tree_switches(facility.ports, (double)plan->cost.switch_ports);
        facility.bisection = facility.ports * hardware->nic_bandwidth / 2;
    }
    facility.storage_bandwidth = checkpoint_bytes / plan->cost.checkpoint_stall;
    *ret = facility;
}
