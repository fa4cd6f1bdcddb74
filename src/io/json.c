#include "io/json.h"

#include "io/json_write.h"
#include "io/problem.h"

#include <actuary/estimators.h>
#include <actuary/field.h>
#include <actuary/timeline.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

/* ---- values; jansson's setters refuse NULL, so a lack of memory shows in `failed` ---- */

struct builder {
    bool failed;
};

static json_t *keep(struct builder *builder, json_t *value)
{
    if (!value)
        builder->failed = true;
    return value;
}

static void set(struct builder *builder, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) < 0)
        builder->failed = true;
}

static void append(struct builder *builder, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) < 0)
        builder->failed = true;
}

static void set_real(struct builder *builder, json_t *object, const char *key, double value)
{
    /* What is not finite has no number in JSON, and does not apply. */
    if (isfinite(value))
        set(builder, object, key, json_real(value));
}

static void set_integer(struct builder *builder, json_t *object, const char *key, double value)
{
    if (fabs(value) < 9e18)
        set(builder, object, key, json_integer((json_int_t)llround(value)));
    else
        set_real(builder, object, key, value);
}

static json_t *text_value(const char *text)
{
    json_t *value = json_string(text);
    if (value)
        return value;
    char clean[1024]; /* not UTF-8 */
    act_printable(text, strlen(text), clean, sizeof clean);
    return json_string(clean);
}

static void set_text(struct builder *builder, json_t *object, const char *key, const char *text)
{
    set(builder, object, key, text_value(text));
}

/* ---- the parts of the contract's object ---- */

static json_t *parameters_of(struct builder *builder, const struct act_result *result)
{
    json_t *object = keep(builder, json_object());
    double per_gpu = 0;
    for (int i = 0; i < result->memory.stages; i++)
        per_gpu = fmax(per_gpu, result->memory.stage[i].parameters);
    set_integer(builder, object, "total", result->parameters.total);
    set_integer(builder, object, "active", result->parameters.active);
    set_integer(builder, object, "trainable", result->parameters.trainable);
    set_integer(builder, object, "per_gpu", per_gpu);
    return object;
}

/* Integers that add up as the figures do: `figure` may differ from the sum of its rounded parts
 * by the roundings. */
static double sum_of_parts(double parts, double figure)
{
    return fabs(parts - figure) < ACT_COMPONENT_COUNT ? parts : round(figure);
}

/* The same rounding for a stage's device figure and for the peak. */
struct rounded {
    double component[ACT_COMPONENT_COUNT];
    double allocated, reserved, device;
};

static struct rounded round_stage(const struct act_stage *stage)
{
    struct rounded rounded = {0};
    double sum = 0;
    for (int i = 0; i < ACT_COMPONENT_COUNT; i++) {
        rounded.component[i] = round(stage->component[i]);
        if (i < ACT_FRAGMENTATION)
            sum += rounded.component[i];
    }
    rounded.allocated = sum_of_parts(sum, stage->allocated);
    rounded.reserved =
        sum_of_parts(rounded.allocated + rounded.component[ACT_FRAGMENTATION], stage->reserved);
    rounded.device = sum_of_parts(rounded.reserved + rounded.component[ACT_CONTEXT], stage->device);
    return rounded;
}

static json_t *stage_of(struct builder *builder, const struct act_stage *stage, int index)
{
    json_t *object = keep(builder, json_object());
    struct rounded rounded = round_stage(stage);
    set_integer(builder, object, "stage", index);
    set_integer(builder, object, "layers", (double)stage->layers);
    set_real(builder, object, "in_flight", stage->in_flight);
    set_integer(builder, object, "parameters", stage->parameters);
    for (int i = 0; i < ACT_FRAGMENTATION; i++)
        set_integer(builder, object, act_component_name((enum act_component)i),
                    rounded.component[i]);
    set_integer(builder, object, "allocated", rounded.allocated);
    set_integer(builder, object, act_component_name(ACT_FRAGMENTATION),
                rounded.component[ACT_FRAGMENTATION]);
    set_integer(builder, object, "reserved", rounded.reserved);
    set_integer(builder, object, act_component_name(ACT_CONTEXT), rounded.component[ACT_CONTEXT]);
    set_integer(builder, object, "device", rounded.device);
    return object;
}

/* One step of the worst stage; the largest figure is the stage's allocated one. */
static json_t *timeline_of(struct builder *builder, const struct act_plan *plan,
                           const struct act_result *result)
{
    const struct act_stage *worst = &result->memory.stage[result->memory.worst];
    json_t *points = keep(builder, json_array());
    struct act_timeline timeline;

    act_timeline_of(plan, &result->layout, worst, &timeline);
    for (int i = 0; i < timeline.count; i++) {
        const struct act_point *point = &timeline.point[i];
        json_t *object = keep(builder, json_object());
        bool peak = point->allocated == worst->allocated;
        set_text(builder, object, "span", act_span_name(point->span));
        set_text(builder, object, "phase", act_moment_name(point->moment));
        set_real(builder, object, "alive", point->alive);
        set_integer(builder, object, "allocated",
                    peak ? round_stage(worst).allocated : round(point->allocated));
        append(builder, points, object);
    }
    return points;
}

static json_t *memory_of(struct builder *builder, const struct act_plan *plan,
                         const struct act_result *result)
{
    const struct act_memory *memory = &result->memory;
    json_t *object = keep(builder, json_object());
    const struct act_stage *worst = &memory->stage[memory->worst];
    double peak = round_stage(worst).device;
    set_integer(builder, object, "usable_bytes", memory->usable);
    set_integer(builder, object, "marketed_bytes", memory->marketed);
    set_integer(builder, object, "peak_bytes", peak);
    set_integer(builder, object, "headroom_bytes", round(memory->usable) - peak);
    set_integer(builder, object, "worst_stage", memory->worst);
    set_text(builder, object, "phase", act_phase_name(worst->phase));
    set_real(builder, object, "error_bar", memory->error);
    json_t *stages = keep(builder, json_array());
    for (int i = 0; i < memory->stages; i++)
        append(builder, stages, stage_of(builder, &memory->stage[i], i));
    set(builder, object, "stages", stages);
    set(builder, object, "timeline", timeline_of(builder, plan, result));
    set_integer(builder, object, "host_bytes", memory->host);
    return object;
}

static json_t *time_of(struct builder *builder, const struct act_result *result)
{
    const struct act_time *time = &result->time;
    json_t *object = keep(builder, json_object());
    set_real(builder, object, "step_seconds", time->step_seconds);
    set_real(builder, object, "steps", time->steps);
    set_real(builder, object, "days", time->days);
    set_real(builder, object, "calendar_days", time->calendar_days);
    set_real(builder, object, "mfu", time->mfu);
    set_real(builder, object, "hfu", time->hfu);
    set_text(builder, object, "mfu_source", "given");
    set_real(builder, object, "tokens_per_second", time->tokens_per_second);
    set_real(builder, object, "tokens_per_second_per_gpu", time->tokens_per_second_per_gpu);
    set_real(builder, object, "tflops_per_gpu", time->tflops_per_gpu);
    set_real(builder, object, "flops_per_token", result->flops.per_token);
    set_real(builder, object, "flops_total", result->flops.total);
    set_real(builder, object, "flops_6pd", result->flops.six_pd);
    json_t *breakdown = keep(builder, json_object());
    set_real(builder, breakdown, "compute", time->share_compute * time->step_seconds);
    set_real(builder, breakdown, "recompute", time->share_recompute * time->step_seconds);
    set(builder, object, "breakdown_seconds", breakdown);
    return object;
}

static json_t *goodput_of(struct builder *builder, const struct act_cost *cost)
{
    const struct act_goodput *goodput = &cost->goodput;
    json_t *object = keep(builder, json_object());
    set_real(builder, object, "share", cost->goodput_in_use);
    set_text(builder, object, "source", act_goodput_source_name(cost->goodput_source));
    set_real(builder, object, "computed", goodput->share);
    set_real(builder, object, "failures_per_1000_gpu_days", goodput->failures);
    set_real(builder, object, "seconds_between_failures", goodput->mean_time_between_failures);
    set_integer(builder, object, "checkpoint_bytes", goodput->checkpoint_bytes);
    set_real(builder, object, "checkpoint_seconds", goodput->checkpoint_seconds);
    set_real(builder, object, "interval_seconds", goodput->interval);
    set_integer(builder, object, "checkpoints", floor(cost->checkpoints));
    set_real(builder, object, "restart_seconds", goodput->restart_seconds);
    set_real(builder, object, "lost_to_checkpoints", goodput->lost_to_checkpoints);
    set_real(builder, object, "lost_to_rework", goodput->lost_to_rework);
    set_real(builder, object, "lost_to_restarts", goodput->lost_to_restarts);
    return object;
}

static json_t *facility_of(struct builder *builder, const struct act_facility *facility)
{
    json_t *object = keep(builder, json_object());
    set_integer(builder, object, "servers", facility->servers);
    set_real(builder, object, "server_watts", facility->node_power);
    set_real(builder, object, "computing_watts", facility->computing_power);
    set_real(builder, object, "building_watts", facility->building_power);
    set_real(builder, object, "average_watts_per_gpu", facility->average_power);
    set_integer(builder, object, "racks", facility->racks);
    if (facility->ports > 0) {
        set_integer(builder, object, "network_ports", facility->ports);
        set_integer(builder, object, "switches", facility->switches);
        set_integer(builder, object, "bisection_bytes_per_second", facility->bisection);
    }
    set_integer(builder, object, "storage_bytes_per_second", facility->storage_bandwidth);
    return object;
}

/* What is not known, or does not apply, is NAN there and absent here. */
static json_t *cost_of(struct builder *builder, const struct act_plan *plan,
                       const struct act_cost *cost)
{
    json_t *object = keep(builder, json_object());
    set_text(builder, object, "currency", plan->cost.currency);
    set_text(builder, object, "basis", act_field(ACT_F_cost_basis)->names[plan->cost.basis]);
    set_real(builder, object, "gpu_hours", cost->gpu_hours);
    set_real(builder, object, "price_per_gpu_hour", cost->price);
    set_real(builder, object, "rent", cost->rent);
    set_real(builder, object, "outlay", cost->outlay);
    set_real(builder, object, "purchase", cost->purchase);
    set_real(builder, object, "energy_mwh", cost->energy_mwh);
    set_real(builder, object, "energy", cost->energy);
    set_real(builder, object, "staff", cost->staff);
    set_real(builder, object, "total", cost->total);
    set(builder, object, "goodput", goodput_of(builder, cost));
    set(builder, object, "facility", facility_of(builder, &cost->facility));
    return object;
}

/* A field's value as a file would have it: names as text, numbers as numbers. */
static json_t *field_value(enum act_field_id id, double value)
{
    const struct act_field *field = act_field(id);
    if ((field->flags & ACT_FIELD_AUTO) && value < 0)
        return json_string("auto");
    if (field->kind == ACT_KIND_ENUM && field->names)
        return json_string(field->names[(int)value]);
    if (field->kind == ACT_KIND_BOOL)
        return json_boolean(value > 0);
    if (field->kind == ACT_KIND_REAL)
        return json_real(value);
    return json_integer((json_int_t)llround(value));
}

static json_t *check_of(struct builder *builder, const struct act_check *check)
{
    json_t *object = keep(builder, json_object());
    set_text(builder, object, "level", act_level_name(check->level));
    set_text(builder, object, "rule", check->rule);
    set_text(builder, object, "message", check->message);
    json_t *fields = keep(builder, json_array());
    for (int i = 0; i < check->fields; i++)
        append(builder, fields, json_string(act_field(check->field[i])->key));
    set(builder, object, "fields", fields);
    if (check->repairs > 0) {
        json_t *repair = keep(builder, json_object());
        for (int i = 0; i < check->repairs; i++)
            set(builder, repair, act_field(check->repair[i].field)->key,
                field_value(check->repair[i].field, check->repair[i].value));
        set(builder, object, "repair", repair);
    }
    return object;
}

/* What other tools would print, and ours less theirs. */
static json_t *tools_of(struct builder *builder, const struct act_plan *plan,
                        const struct act_result *result)
{
    json_t *array = keep(builder, json_array());
    struct act_tool tools[ACT_TOOLS_MAX];
    int count = act_tools_of(plan, &result->parameters, &result->layout, &result->memory, tools);

    for (int i = 0; i < count; i++) {
        const struct act_tool *tool = &tools[i];
        json_t *object = keep(builder, json_object());
        json_t *less = keep(builder, json_object());
        set_text(builder, object, "name", tool->name);
        set_text(builder, object, "source", tool->source);
        set_integer(builder, object, "states_bytes", tool->states);
        if (!tool->states_only)
            set_integer(builder, object, "activation_bytes", tool->activations);
        if (tool->host > 0)
            set_integer(builder, object, "host_bytes", tool->host);
        set_integer(builder, less, "states", tool->less_states);
        set_integer(builder, less, "activations", tool->less_activations);
        set_integer(builder, less, "other", tool->less_other);
        set(builder, object, "difference_bytes", less);
        append(builder, array, object);
    }
    return array;
}

static json_t *plan_of(struct builder *builder, const struct act_plan *plan,
                       const struct act_result *result)
{
    json_t *object = keep(builder, json_object());
    set_integer(builder, object, "schema", 1);
    set_text(builder, object, "name", plan->scenario.name);
    set(builder, object, "fits", json_boolean(result->fit != ACT_DOES_NOT_FIT));
    set(builder, object, "tight", json_boolean(result->fit == ACT_TIGHT));
    set_integer(builder, object, "gpus", result->layout.gpus);
    set_integer(builder, object, "nodes", ceil(result->layout.nodes));
    set_text(builder, object, "framework", plan->framework.preset);
    set(builder, object, "parameters", parameters_of(builder, result));
    set(builder, object, "memory", memory_of(builder, plan, result));
    set(builder, object, "time", time_of(builder, result));
    set(builder, object, "cost", cost_of(builder, plan, &result->cost));
    json_t *checks = keep(builder, json_array());
    for (int i = 0; i < result->checks.count; i++)
        append(builder, checks, check_of(builder, &result->checks.check[i]));
    set(builder, object, "checks", checks);
    set(builder, object, "tools", tools_of(builder, plan, result));
    return object;
}

int act_json_plan(const struct act_plan *plan, const struct act_result *result,
                  struct act_buffer *out)
{
    struct builder builder = {0};
    json_t *object = plan_of(&builder, plan, result);
    if (!builder.failed)
        builder.failed = act_json_write(object, out) < 0;
    json_decref(object);
    return builder.failed ? -1 : 0;
}
