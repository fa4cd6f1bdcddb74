/* What must hold for any plan in range: parts sum to the whole, every figure is finite and not
 * negative, and more tensor parallel never raises the weights of a GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "core/memory_fsdp.h"

#include <actuary/field.h>
#include <actuary/layout.h>
#include <actuary/memory.h>
#include <actuary/model.h>
#include <actuary/plan.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

enum { PLANS = 20000 };

static uint64_t seed, random_state;
static struct act_memory memory, other;

static uint64_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static double uniform(void)
{
    return (double)(next_random() >> 11) / 9007199254740992.0;
}

/* A value in range: an end of it now and then, else even on a logarithmic scale. */
static double random_number(const struct act_field *field)
{
    switch (next_random() % 8) {
    case 0:
        return field->min;
    case 1:
        return field->max;
    default:
        break;
    }
    double low = field->min > 1 ? field->min : 1;
    if (field->max <= 1)
        return field->min + uniform() * (field->max - field->min);
    return low * exp(uniform() * log(field->max / low));
}

static void randomise_field(struct act_plan *plan, enum act_field_id id)
{
    const struct act_field *field = act_field(id);
    int names = 0;

    if ((field->flags & ACT_FIELD_AUTO) != 0 && field->kind != ACT_KIND_LIST &&
        next_random() % 3 == 0) {
        act_field_set_number(plan, id, ACT_AUTO);
        return;
    }
    switch (field->kind) {
    case ACT_KIND_INT:
        act_field_set_number(plan, id, floor(random_number(field)));
        break;
    case ACT_KIND_REAL:
        act_field_set_number(plan, id, random_number(field));
        break;
    case ACT_KIND_BOOL:
        act_field_set_number(plan, id, (double)(next_random() % 2));
        break;
    case ACT_KIND_ENUM:
    case ACT_KIND_SET:
        while (field->names[names])
            names++;
        act_field_set_number(
            plan, id,
            (double)(next_random() % (uint64_t)(field->kind == ACT_KIND_SET ? 1 << names : names)));
        break;
    case ACT_KIND_LIST:
    case ACT_KIND_TEXT:
    case ACT_KIND_GPUS:
        break;
    }
}

static void randomise_list(struct act_plan *plan)
{
    struct act_list *list = &plan->parallel.layers_per_stage;
    int64_t count = plan->parallel.pipeline * (next_random() % 2 ? plan->parallel.interleave : 1);

    if (count > ACT_LIST_MAX || next_random() % 4 != 0)
        return;
    list->count = (int32_t)count;
    for (int64_t i = 0; i < count; i++)
        list->item[i] = (uint16_t)(next_random() % 1025);
}

/* Either every field is random, or a few are changed on the default plan. */
static void random_plan(struct act_plan *plan)
{
    act_plan_init(plan);
    if (next_random() % 2 == 0) {
        for (int id = 0; id < ACT_FIELD_COUNT; id++)
            randomise_field(plan, (enum act_field_id)id);
    } else {
        for (int i = 0; i < 12; i++)
            randomise_field(plan, (enum act_field_id)(next_random() % ACT_FIELD_COUNT));
    }
    randomise_list(plan);
}

static void estimate(const struct act_plan *plan, struct act_memory *ret)
{
    struct act_parameters parameters;
    struct act_layout layout;

    act_model_count(plan, &parameters);
    act_layout_of(plan, &layout);
    act_memory_of(plan, &parameters, &layout, ret);
}

static void hold(bool ok, const char *what, int plan, int stage)
{
    if (!ok)
        fail_msg("seed %llu, plan %d, stage %d: %s", (unsigned long long)seed, plan, stage, what);
}

static bool sane(double value)
{
    return isfinite(value) && value >= 0;
}

static void check_stage(const struct act_stage *stage, int plan, int index)
{
    double sum = 0, peak = 0;

    for (int i = 0; i < ACT_FRAGMENTATION; i++) {
        hold(sane(stage->component[i]), act_component_name((enum act_component)i), plan, index);
        sum += stage->component[i];
    }
    hold(sum == stage->allocated, "components do not sum to allocated", plan, index);
    for (int k = 0; k < ACT_PHASE_COUNT; k++)
        peak = fmax(peak, stage->phases[k]);
    hold(peak == stage->allocated, "allocated is not the largest phase", plan, index);
    hold(stage->phases[stage->phase] == peak, "the phase is not the largest", plan, index);
    hold(sane(stage->component[ACT_FRAGMENTATION]), "fragmentation", plan, index);
    hold(sane(stage->component[ACT_CONTEXT]), "context", plan, index);
    hold(stage->reserved >= stage->allocated, "reserved is below allocated", plan, index);
    hold(stage->device == stage->reserved + stage->component[ACT_CONTEXT],
         "device is not reserved + context", plan, index);
    hold(sane(stage->device), "device", plan, index);
    hold(sane(stage->in_flight), "in flight", plan, index);
    hold(sane(stage->parameters), "parameters", plan, index);
    hold(stage->layers >= 0, "layers", plan, index);
}

static void test_any_plan(void **state)
{
    struct act_plan plan;

    (void)state;
    for (int i = 0; i < PLANS; i++) {
        int64_t layers = 0;

        random_plan(&plan);
        act_plan_resolve(&plan, &plan);
        estimate(&plan, &memory);
        hold(memory.stages == plan.parallel.pipeline, "stages", i, -1);
        for (int r = 0; r < memory.stages; r++) {
            check_stage(&memory.stage[r], i, r);
            hold(memory.stage[r].device <= memory.stage[memory.worst].device, "worst", i, r);
            layers += memory.stage[r].layers;
        }
        hold(layers == plan.model.layers, "layers of all stages", i, -1);
        hold(memory.peak == memory.stage[memory.worst].device, "peak", i, -1);
        hold(sane(memory.host) && sane(memory.error), "host or error", i, -1);
    }
}

static void test_tensor_never_raises_weights(void **state)
{
    struct act_plan plan;

    (void)state;
    for (int i = 0; i < PLANS; i++) {
        random_plan(&plan);
        if (plan.parallel.tensor > 512)
            plan.parallel.tensor = 512;
        act_plan_resolve(&plan, &plan);
        estimate(&plan, &memory);
        plan.parallel.tensor *= 2;
        estimate(&plan, &other);
        /* A peak that moved from a phase with offloaded weights to loading them is no raise. */
        for (int r = 0; r < memory.stages; r++)
            hold(other.stage[r].phase != memory.stage[r].phase ||
                     other.stage[r].component[ACT_WEIGHTS] <=
                         memory.stage[r].component[ACT_WEIGHTS] * (1 + 1e-12),
                 "twice the tensor parallel has more weights", i, r);
    }
}

/* What the optimizer step holds is states alone: of a given plan they never grow with the shard
 * group under ZeRO-3. */
static void test_data_never_raises_states(void **state)
{
    struct act_plan plan, resolved;

    (void)state;
    for (int i = 0; i < PLANS; i++) {
        random_plan(&plan);
        plan.framework.family = ACT_FSDP;
        plan.parallel.zero = 3;
        plan.parallel.shard_group = ACT_AUTO;
        if (plan.parallel.data > 1048576 / 2)
            plan.parallel.data = 1048576 / 2;
        act_plan_resolve(&plan, &resolved);
        estimate(&resolved, &memory);
        plan.parallel.data *= 2;
        act_plan_resolve(&plan, &resolved);
        estimate(&resolved, &other);
        for (int r = 0; r < memory.stages; r++)
            hold(other.stage[r].phases[ACT_PHASE_STEP] <=
                     memory.stage[r].phases[ACT_PHASE_STEP] * (1 + 1e-12),
                 "twice the data parallel has larger states", i, r);
    }
}

static bool close_to(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

/* What can be printed of a stage is what was computed of it. */
static void check_fsdp_sheets(const struct act_plan *plan, int index)
{
    struct act_parameters parameters;
    struct act_layout layout;
    struct act_parts parts;
    struct act_fsdp_sheets sheets;

    act_model_count(plan, &parameters);
    act_layout_of(plan, &layout);
    act_parts_of(plan, &parameters, &layout, &parts);
    for (int kind = 0; kind < ACT_LAYER_KINDS; kind++)
        act_fsdp_layer_sheet(&parts, (enum act_layer_kind)kind, &sheets.layer[kind]);
    for (int r = 0; r < memory.stages; r++) {
        const struct act_stage *stage = &memory.stage[r];
        struct act_stage_layers layers;
        act_stage_walk(&parts, r, &layers);
        act_fsdp_stage_sheets(&parts, r, &layers, &sheets);
        const double phases[ACT_PHASE_COUNT] = {sheets.stage.loss, sheets.stage.backward,
                                                sheets.stage.step, sheets.stage.load};
        for (int k = 0; k < ACT_PHASE_COUNT; k++)
            hold(close_to(phases[k], stage->phases[k]), "a phase of the sheet", index, r);
        hold(close_to(sheets.stage.reserved, stage->reserved), "reserved of the sheet", index, r);
        hold(close_to(sheets.stage.device, stage->device), "device of the sheet", index, r);
    }
}

/* The FSDP family has most switches: as any plan, and recomputing a part keeps no more. */
static void test_any_fsdp_plan(void **state)
{
    struct act_plan plan;

    (void)state;
    for (int i = 0; i < PLANS; i++) {
        random_plan(&plan);
        plan.framework.family = ACT_FSDP;
        act_plan_resolve(&plan, &plan);
        estimate(&plan, &memory);
        check_fsdp_sheets(&plan, i);
        bool part = plan.parallel.recompute == ACT_RECOMPUTE_ATTENTION ||
                    plan.parallel.recompute == ACT_RECOMPUTE_OP ||
                    plan.parallel.recompute == ACT_RECOMPUTE_MODULES;
        plan.parallel.recompute = ACT_RECOMPUTE_NONE;
        estimate(&plan, &other);
        for (int r = 0; r < memory.stages; r++) {
            check_stage(&memory.stage[r], i, r);
            hold(!part || memory.stage[r].phases[ACT_PHASE_LOSS] <=
                              other.stage[r].phases[ACT_PHASE_LOSS] * (1 + 1e-12),
                 "recomputing keeps more", i, r);
        }
        hold(sane(memory.host) && sane(memory.error), "host or error", i, -1);
    }
}

int main(void)
{
    const char *given = getenv("ACTUARY_SEED");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_plan),
        cmocka_unit_test(test_tensor_never_raises_weights),
        cmocka_unit_test(test_any_fsdp_plan),
        cmocka_unit_test(test_data_never_raises_states),
    };

    seed = given ? strtoull(given, NULL, 10) : 20261130;
    random_state = seed != 0 ? seed : 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
