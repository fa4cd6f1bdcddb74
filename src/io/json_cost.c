#include "io/json_cost.h"

#include <actuary/field.h>
#include <math.h>

static json_t *goodput_of(struct act_json_builder *builder, const struct act_cost *cost)
{
    const struct act_goodput *goodput = &cost->goodput;
    json_t *object = act_json_keep(builder, json_object());
    act_json_set_real(builder, object, "share", cost->goodput_in_use);
    act_json_set_text(builder, object, "source", act_goodput_source_name(cost->goodput_source));
    act_json_set_real(builder, object, "computed", goodput->share);
    act_json_set_real(builder, object, "failures_per_1000_gpu_days", goodput->failures);
    act_json_set_real(builder, object, "seconds_between_failures",
                      goodput->mean_time_between_failures);
    act_json_set_integer(builder, object, "checkpoint_bytes", goodput->checkpoint_bytes);
    act_json_set_real(builder, object, "checkpoint_seconds", goodput->checkpoint_seconds);
    act_json_set_real(builder, object, "interval_seconds", goodput->interval);
    act_json_set_integer(builder, object, "checkpoints", floor(cost->checkpoints));
    act_json_set_real(builder, object, "restart_seconds", goodput->restart_seconds);
    act_json_set_real(builder, object, "lost_to_checkpoints", goodput->lost_to_checkpoints);
    act_json_set_real(builder, object, "lost_to_rework", goodput->lost_to_rework);
    act_json_set_real(builder, object, "lost_to_restarts", goodput->lost_to_restarts);
    return object;
}

static json_t *facility_of(struct act_json_builder *builder, const struct act_facility *facility)
{
    json_t *object = act_json_keep(builder, json_object());
    act_json_set_integer(builder, object, "servers", facility->servers);
    act_json_set_real(builder, object, "server_watts", facility->node_power);
    act_json_set_real(builder, object, "computing_watts", facility->computing_power);
    act_json_set_real(builder, object, "building_watts", facility->building_power);
    act_json_set_real(builder, object, "average_watts_per_gpu", facility->average_power);
    act_json_set_integer(builder, object, "racks", facility->racks);
    if (facility->ports > 0) {
        act_json_set_integer(builder, object, "network_ports", facility->ports);
        act_json_set_integer(builder, object, "switches", facility->switches);
        act_json_set_integer(builder, object, "bisection_bytes_per_second", facility->bisection);
    }
    act_json_set_integer(builder, object, "storage_bytes_per_second", facility->storage_bandwidth);
    return object;
}

/* What is not known, or does not apply, is NAN there and absent here. */
json_t *act_json_cost(struct act_json_builder *builder, const struct act_plan *plan,
                      const struct act_cost *cost)
{
    json_t *object = act_json_keep(builder, json_object());
    act_json_set_text(builder, object, "currency", plan->cost.currency);
    act_json_set_text(builder, object, "basis",
                      act_field(ACT_F_cost_basis)->names[plan->cost.basis]);
    act_json_set_real(builder, object, "gpu_hours", cost->gpu_hours);
    act_json_set_real(builder, object, "price_per_gpu_hour", cost->price);
    act_json_set_real(builder, object, "rent", cost->rent);
    act_json_set_real(builder, object, "outlay", cost->outlay);
    act_json_set_real(builder, object, "purchase", cost->purchase);
    act_json_set_real(builder, object, "energy_mwh", cost->energy_mwh);
    act_json_set_real(builder, object, "energy", cost->energy);
    act_json_set_real(builder, object, "staff", cost->staff);
    act_json_set_real(builder, object, "total", cost->total);
    act_json_set(builder, object, "goodput", goodput_of(builder, cost));
    act_json_set(builder, object, "facility", facility_of(builder, &cost->facility));
    return object;
}
