/* The end of a stage: the largest of its phases, and what the counters add. */
#include "core/memory_parts.h"

#include <math.h>

bool act_drops_module(const struct act_plan *plan, enum act_recompute_module module)
{
    return plan->parallel.recompute == ACT_RECOMPUTE_MODULES &&
           (plan->parallel.recompute_modules & (int64_t)module) != 0;
}

void act_stage_clear(struct act_stage *ret)
{
    for (int k = 0; k < ACT_PHASE_COUNT; k++)
        for (int i = 0; i < ACT_ALLOCATED_COUNT; i++)
            ret->contents[k][i] = 0;
}

void act_stage_peak(struct act_stage *ret)
{
    ret->phase = ACT_PHASE_LOSS;
    for (int k = 0; k < ACT_PHASE_COUNT; k++) {
        ret->phases[k] = 0;
        for (int i = 0; i < ACT_ALLOCATED_COUNT; i++)
            ret->phases[k] += ret->contents[k][i];
        if (ret->phases[k] > ret->phases[ret->phase])
            ret->phase = (enum act_phase)k;
    }
    for (int i = 0; i < ACT_ALLOCATED_COUNT; i++)
        ret->component[i] = ret->contents[ret->phase][i];
    ret->allocated = ret->phases[ret->phase];
}

void act_stage_counters(double reserved, double context, struct act_stage *ret)
{
    /* The sheet adds the parts up in another order: without slack it may be a bit below. */
    ret->reserved = fmax(reserved, ret->allocated);
    ret->component[ACT_FRAGMENTATION] = ret->reserved - ret->allocated;
    ret->component[ACT_CONTEXT] = context;
    ret->device = ret->reserved + context;
}

void act_stage_layers_of(const struct act_stage_layers *layers, struct act_stage *ret)
{
    double alive = 0;

    ret->layers = 0;
    for (int kind = 0; kind < ACT_LAYER_KINDS; kind++) {
        ret->layers += layers->kind[kind];
        alive += layers->live_kept[kind] + layers->live_full[kind];
    }
    ret->in_flight = ret->layers > 0 ? alive / (double)ret->layers : layers->live_first;
}
