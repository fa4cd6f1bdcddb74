#include "io/json.h"

#include "io/json_build.h"
#include "io/json_cost.h"
#include "io/json_field.h"
#include "io/json_write.h"
#include "io/problem.h"

#include <actuary/calibrate.h>
#include <actuary/estimators.h>
#include <actuary/field.h>
#include <actuary/timeline.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

/* ---- the parts of the contract's object ---- */

static json_t *parameters_of(struct act_json_builder *builder, const struct act_result *result)
{
    json_t *object = act_json_keep(builder, json_object());
    double per_gpu = 0;
    for (int i = 0; i < result->memory.stages; i++)
        per_gpu = fmax(per_gpu, result->memory.stage[i].parameters);
    act_json_set_integer(builder, object, "total", result->parameters.total);
    act_json_set_integer(builder, object, "active", result->parameters.active);
    act_json_set_integer(builder, object, "trainable", result->parameters.trainable);
    act_json_set_integer(builder, object, "per_gpu", per_gpu);
    return object;
}

static json_t *stage_of(struct act_json_builder *builder, const struct act_stage *stage, int index)
{
    json_t *object = act_json_keep(builder, json_object());
    struct act_stage whole;
    act_stage_whole(stage, &whole);
    act_json_set_integer(builder, object, "stage", index);
    act_json_set_integer(builder, object, "layers", (double)stage->layers);
    act_json_set_real(builder, object, "in_flight", stage->in_flight);
    act_json_set_integer(builder, object, "parameters", stage->parameters);
    for (int i = 0; i < ACT_FRAGMENTATION; i++)
        act_json_set_integer(builder, object, act_component_name((enum act_component)i),
                             whole.component[i]);
    act_json_set_integer(builder, object, "allocated", whole.allocated);
    act_json_set_integer(builder, object, act_component_name(ACT_FRAGMENTATION),
                         whole.component[ACT_FRAGMENTATION]);
    act_json_set_integer(builder, object, "reserved", whole.reserved);
    act_json_set_integer(builder, object, act_component_name(ACT_CONTEXT),
                         whole.component[ACT_CONTEXT]);
    act_json_set_integer(builder, object, "device", whole.device);
    return object;
}

/* One step of the worst stage; the largest figure is the stage's allocated one. */
static json_t *timeline_of(struct act_json_builder *builder, const struct act_plan *plan,
                           const struct act_result *result)
{
    const struct act_stage *worst = &result->memory.stage[result->memory.worst];
    json_t *points = act_json_keep(builder, json_array());
    struct act_timeline timeline;
    struct act_stage whole;

    act_stage_whole(worst, &whole);
    act_timeline_of(plan, &result->layout, worst, &timeline);
    for (int i = 0; i < timeline.count; i++) {
        const struct act_point *point = &timeline.point[i];
        json_t *object = act_json_keep(builder, json_object());
        bool peak = point->allocated == worst->allocated;
        act_json_set_text(builder, object, "span", act_span_name(point->span));
        act_json_set_text(builder, object, "phase", act_moment_name(point->moment));
        act_json_set_real(builder, object, "alive", point->alive);
        act_json_set_integer(builder, object, "allocated",
                             peak ? whole.allocated : round(point->allocated));
        act_json_append(builder, points, object);
    }
    return points;
}

static json_t *memory_of(struct act_json_builder *builder, const struct act_plan *plan,
                         const struct act_result *result)
{
    const struct act_memory *memory = &result->memory;
    json_t *object = act_json_keep(builder, json_object());
    const struct act_stage *worst = &memory->stage[memory->worst];
    struct act_stage whole;
    act_stage_whole(worst, &whole);
    /* Of a card that the allocator fills the parts may round to a byte more than the whole. */
    double peak = whole.device;
    if (memory->peak <= memory->usable)
        peak = fmin(peak, round(memory->usable));
    act_json_set_integer(builder, object, "usable_bytes", memory->usable);
    act_json_set_integer(builder, object, "marketed_bytes", memory->marketed);
    act_json_set_integer(builder, object, "peak_bytes", peak);
    act_json_set_integer(builder, object, "headroom_bytes", round(memory->usable) - peak);
    act_json_set_integer(builder, object, "worst_stage", memory->worst);
    act_json_set_text(builder, object, "phase", act_phase_name(worst->phase));
    act_json_set_real(builder, object, "error_bar", memory->error);
    act_json_set_real(builder, object, "error_bar_allocated", memory->error_allocated);
    json_t *stages = act_json_keep(builder, json_array());
    for (int i = 0; i < memory->stages; i++)
        act_json_append(builder, stages, stage_of(builder, &memory->stage[i], i));
    act_json_set(builder, object, "stages", stages);
    act_json_set(builder, object, "timeline", timeline_of(builder, plan, result));
    act_json_set_integer(builder, object, "host_bytes", memory->host);
    return object;
}

/* A given MFU says nothing of what the GPUs wait for: then only compute and recompute are told. */
static json_t *breakdown_of(struct act_json_builder *builder, const struct act_time *time)
{
    json_t *object = act_json_keep(builder, json_object());
    int parts = time->estimated ? ACT_TIME_PARTS : ACT_TIME_RECOMPUTE + 1;
    for (int i = 0; i < parts; i++)
        act_json_set_real(builder, object, act_time_part_name((enum act_time_part)i),
                          time->part[i]);
    return object;
}

static json_t *time_of(struct act_json_builder *builder, const struct act_plan *plan,
                       const struct act_result *result)
{
    const struct act_time *time = &result->time;
    json_t *object = act_json_keep(builder, json_object());
    act_json_set_real(builder, object, "step_seconds", time->step_seconds);
    act_json_set_real(builder, object, "steps", time->steps);
    act_json_set_real(builder, object, "days", time->days);
    act_json_set_real(builder, object, "calendar_days", time->calendar_days);
    act_json_set_real(builder, object, "mfu", time->mfu);
    act_json_set_real(builder, object, "hfu", time->hfu);
    act_json_set_text(builder, object, "mfu_source", act_mfu_source(plan, time));
    act_json_set_text(builder, object, "mfu_band", act_mfu_band(time->mfu));
    if (time->error_bar > 0)
        act_json_set_real(builder, object, "error_bar", time->error_bar);
    act_json_set_real(builder, object, "tokens_per_second", time->tokens_per_second);
    act_json_set_real(builder, object, "tokens_per_second_per_gpu",
                      time->tokens_per_second_per_gpu);
    act_json_set_real(builder, object, "tflops_per_gpu", time->tflops_per_gpu);
    act_json_set_real(builder, object, "flops_per_token", result->flops.per_token);
    act_json_set_real(builder, object, "flops_total", result->flops.total);
    act_json_set_real(builder, object, "flops_6pd", result->flops.six_pd);
    act_json_set(builder, object, "breakdown_seconds", breakdown_of(builder, time));
    if (time->estimated && time->step_seconds > 0) {
        act_json_set_text(builder, object, "binding", act_binding_name(time->binding));
        act_json_set_real(builder, object, "layer_seconds", time->step.layer);
        act_json_set_real(builder, object, "head_seconds", time->step.head);
        act_json_set_real(builder, object, "transfer_seconds", time->step.transfer);
        act_json_set_real(builder, object, "body_seconds", time->step.body);
        act_json_set_real(builder, object, "launch_seconds", time->step.launch);
    }
    return object;
}

static json_t *check_of(struct act_json_builder *builder, const struct act_check *check)
{
    json_t *object = act_json_keep(builder, json_object());
    act_json_set_text(builder, object, "level", act_level_name(check->level));
    act_json_set_text(builder, object, "rule", check->rule);
    act_json_set_text(builder, object, "message", check->message);
    json_t *fields = act_json_keep(builder, json_array());
    for (int i = 0; i < check->fields; i++)
        act_json_append(builder, fields, json_string(act_field(check->field[i])->key));
    act_json_set(builder, object, "fields", fields);
    if (check->repairs > 0 || check->preset != NULL) {
        json_t *repair = act_json_keep(builder, json_object());
        if (check->preset != NULL)
            act_json_set_text(builder, repair, act_field(check->field[0])->key, check->preset);
        for (int i = 0; i < check->repairs; i++)
            act_json_set(builder, repair, act_field(check->repair[i].field)->key,
                         act_json_field_number(check->repair[i].field, check->repair[i].value));
        act_json_set(builder, object, "repair", repair);
    }
    return object;
}

/* What other tools would print, and ours less theirs. */
static json_t *tools_of(struct act_json_builder *builder, const struct act_plan *plan,
                        const struct act_result *result)
{
    json_t *array = act_json_keep(builder, json_array());
    struct act_tool tools[ACT_TOOLS_MAX];
    int count = act_tools_of(plan, &result->parameters, &result->layout, &result->memory, tools);

    for (int i = 0; i < count; i++) {
        const struct act_tool *tool = &tools[i];
        json_t *object = act_json_keep(builder, json_object());
        json_t *less = act_json_keep(builder, json_object());
        act_json_set_text(builder, object, "name", tool->name);
        act_json_set_text(builder, object, "source", tool->source);
        act_json_set_integer(builder, object, "states_bytes", tool->states);
        if (!tool->states_only)
            act_json_set_integer(builder, object, "activation_bytes", tool->activations);
        if (tool->host > 0)
            act_json_set_integer(builder, object, "host_bytes", tool->host);
        act_json_set_integer(builder, less, "states", tool->less_states);
        act_json_set_integer(builder, less, "activations", tool->less_activations);
        act_json_set_integer(builder, less, "other", tool->less_other);
        act_json_set(builder, object, "difference_bytes", less);
        act_json_append(builder, array, object);
    }
    return array;
}

/* The factors in use; without a measured run there is no such object. */
static json_t *calibration_of(struct act_json_builder *builder, const struct act_plan *plan)
{
    const struct act_calibration_fields *calibration = &plan->calibration;
    const char *from = calibration->from, *memory_from = calibration->memory_from;
    json_t *object = act_json_keep(builder, json_object());
    if (act_calibrated(plan, ACT_PIN_TIME))
        act_json_set_real(builder, object, "time_factor", calibration->time_factor);
    if (act_calibrated(plan, ACT_PIN_MEMORY)) {
        const char *const *names = act_field(ACT_F_calibration_counter)->names;
        act_json_set_real(builder, object, "memory_factor", calibration->memory_factor);
        act_json_set_text(builder, object, "counter", names[calibration->counter]);
    }
    if (from[0] != '\0')
        act_json_set_text(builder, object, "from", from);
    if (memory_from[0] != '\0')
        act_json_set_text(builder, object, "memory_from", memory_from);
    return object;
}

/* What was planned, as it is computed with: fields by their own names, without the group;
 * the first `always` of them also where they do not apply and are 1. */
static json_t *fields_of(struct act_json_builder *builder, const struct act_plan *plan,
                         const enum act_field_id *ids, int count, int always)
{
    json_t *object = act_json_keep(builder, json_object());

    for (int i = 0; i < count; i++) {
        const char *dot = strchr(act_field(ids[i])->key, '.');
        if (i < always || act_field_applies(plan, ids[i]))
            act_json_set_field(builder, object, dot ? dot + 1 : act_field(ids[i])->key, plan,
                               ids[i]);
    }
    return object;
}

static void set_planned(struct act_json_builder *builder, json_t *object,
                        const struct act_plan *plan)
{
    static const enum act_field_id parallel[] = {ACT_F_parallel_tensor,
                                                 ACT_F_parallel_pipeline,
                                                 ACT_F_parallel_context,
                                                 ACT_F_parallel_expert,
                                                 ACT_F_parallel_data,
                                                 ACT_F_parallel_zero,
                                                 ACT_F_parallel_sequence_parallel,
                                                 ACT_F_parallel_schedule,
                                                 ACT_F_parallel_interleave,
                                                 ACT_F_parallel_recompute,
                                                 ACT_F_parallel_offload};
    static const enum act_field_id training[] = {
        ACT_F_training_method,      ACT_F_training_tokens,       ACT_F_training_sequence,
        ACT_F_training_micro_batch, ACT_F_training_global_batch, ACT_F_training_precision,
        ACT_F_training_optimizer};

    act_json_set_text(builder, object, "model", plan->model.preset);
    act_json_set_text(builder, object, "hardware", plan->hardware.preset);
    act_json_set_text(builder, object, "framework", plan->framework.preset);
    act_json_set(builder, object, "parallel",
                 fields_of(builder, plan, parallel, sizeof parallel / sizeof *parallel, 6));
    act_json_set(builder, object, "training",
                 fields_of(builder, plan, training, sizeof training / sizeof *training, 0));
}

static json_t *plan_of(struct act_json_builder *builder, const struct act_plan *plan,
                       const struct act_result *result)
{
    json_t *object = act_json_keep(builder, json_object());
    act_json_set_integer(builder, object, "schema", 1);
    act_json_set_text(builder, object, "name", plan->scenario.name);
    act_json_set(builder, object, "fits", json_boolean(result->fit != ACT_DOES_NOT_FIT));
    act_json_set(builder, object, "tight", json_boolean(result->fit == ACT_TIGHT));
    act_json_set(builder, object, "late", json_boolean(result->late));
    act_json_set(builder, object, "over_budget", json_boolean(result->over_budget));
    act_json_set_text(builder, object, "verdict", act_outcome_name(act_outcome_of(result)));
    act_json_set_integer(builder, object, "gpus", result->layout.gpus);
    act_json_set_integer(builder, object, "nodes", ceil(result->layout.nodes));
    set_planned(builder, object, plan);
    act_json_set(builder, object, "parameters", parameters_of(builder, result));
    act_json_set(builder, object, "memory", memory_of(builder, plan, result));
    act_json_set(builder, object, "time", time_of(builder, plan, result));
    if (act_calibrated(plan, ACT_PIN_TIME) || act_calibrated(plan, ACT_PIN_MEMORY))
        act_json_set(builder, object, "calibration", calibration_of(builder, plan));
    act_json_set(builder, object, "cost", act_json_cost(builder, plan, &result->cost));
    json_t *checks = act_json_keep(builder, json_array());
    for (int i = 0; i < result->checks.count; i++)
        act_json_append(builder, checks, check_of(builder, &result->checks.check[i]));
    act_json_set(builder, object, "checks", checks);
    act_json_set(builder, object, "tools", tools_of(builder, plan, result));
    return object;
}

int act_json_plan(const struct act_plan *plan, const struct act_result *result,
                  struct act_buffer *out)
{
    struct act_json_builder builder = {0};
    struct act_plan resolved; /* "auto" is what it came to: tools ask for ZeRO and the like */

    act_plan_resolve(plan, &resolved);
    json_t *object = plan_of(&builder, &resolved, result);
    if (!builder.failed)
        builder.failed = act_json_write(object, out) < 0;
    json_decref(object);
    return builder.failed ? -1 : 0;
}
