/* Rent, purchase, energy and staff. Every GPU is paid for every hour of the calendar. */
#include <actuary/cost.h>

#include <math.h>

static const double days_per_year = 365, seconds_per_day = 86400;
static const double watts_per_megawatt = 1e6, kilowatts_per_megawatt = 1e3;

/* A price that is not given is ACT_AUTO. */
static double price_of(double field)
{
    return field >= 0 ? field : NAN;
}

const char *act_goodput_source_name(enum act_goodput_source source)
{
    static const char *const names[] = {"given", "failures", "usual"};
    return names[source];
}

static enum act_goodput_source source_of(const struct act_plan *plan)
{
    if (act_plan_given(plan, ACT_F_cost_goodput))
        return ACT_GOODPUT_GIVEN;
    return plan->cost.failures_per_1000_gpu_days >= 0 ? ACT_GOODPUT_FAILURES : ACT_GOODPUT_USUAL;
}

static void count_own(const struct act_plan *plan, double calendar_days, struct act_cost *cost)
{
    const struct act_cost_fields *fields = &plan->cost;
    double life = fields->amortise_years * days_per_year;

    cost->outlay =
        cost->facility.servers * price_of(fields->server_price) * (1 + fields->network_share);
    cost->purchase = isnan(calendar_days) ? NAN : cost->outlay * fmin(1, calendar_days / life);
    cost->energy = cost->energy_mwh * kilowatts_per_megawatt * price_of(fields->electricity_price);
}

void act_cost_of(const struct act_plan *plan, const struct act_parameters *parameters,
                 const struct act_layout *layout, const struct act_time *time, struct act_cost *ret)
{
    const struct act_cost_fields *fields = &plan->cost;
    bool owned = fields->basis == ACT_OWN;
    /* Without a peak there is no time, and so no cost. */
    double days = time->step_seconds > 0 ? time->calendar_days : NAN;
    struct act_cost cost = {.outlay = NAN, .purchase = NAN, .energy = NAN, .staff = NAN};

    cost.goodput_in_use = fields->goodput;
    cost.goodput_source = source_of(plan);
    act_goodput_of(plan, parameters, layout->gpus, &cost.goodput);
    act_facility_of(plan, layout, cost.goodput.checkpoint_bytes, &cost.facility);
    cost.gpu_hours = layout->gpus * days * 24;
    cost.price = price_of(fields->price_per_gpu_hour);
    cost.rent = cost.gpu_hours * cost.price;
    cost.energy_mwh =
        cost.gpu_hours * cost.facility.average_power * fields->pue / watts_per_megawatt;
    cost.checkpoints = time->days * seconds_per_day / cost.goodput.interval;
    if (owned)
        count_own(plan, days, &cost);
    cost.total = owned ? cost.purchase : cost.rent;
    if (owned && !isnan(cost.energy))
        cost.total += cost.energy;
    if (fields->staff_per_year > 0) {
        cost.staff = fields->staff_per_year * days / days_per_year;
        cost.total += cost.staff;
    }
    cost.known = !isnan(cost.total);
    *ret = cost;
}
