/* The end of a stage: the largest of its phases, and what the counters add. */
#include "core/memory_parts.h"

bool act_drops_module(const struct act_plan *plan, enum act_recompute_module module)
{
    return plan->parallel.recompute == ACT_RECOMPUTE_MODULES &&
           (plan->parallel.recompute_modules & (int64_t)module) != 0;
}

static double sum_of(const double component[ACT_ALLOCATED_COUNT])
{
    double sum = 0;
    for (int i = 0; i < ACT_ALLOCATED_COUNT; i++)
        sum += component[i];
    return sum;
}

void act_stage_peak(const struct act_parts *parts,
                    double phase[ACT_PHASE_COUNT][ACT_ALLOCATED_COUNT], struct act_stage *ret)
{
    const struct act_profile *profile = &parts->profile;

    ret->phase = ACT_PHASE_LOSS;
    for (int k = 0; k < ACT_PHASE_COUNT; k++) {
        /* fp8 and fp4 hold copies of weights and their transposes (decisions 4). */
        if (profile->low_precision > 0)
            phase[k][ACT_BUFFERS] += profile->low_precision * sum_of(phase[k]);
        ret->phases[k] = sum_of(phase[k]);
        for (int i = 0; i < ACT_ALLOCATED_COUNT; i++)
            ret->contents[k][i] = phase[k][i];
        if (ret->phases[k] > ret->phases[ret->phase])
            ret->phase = (enum act_phase)k;
    }
    for (int i = 0; i < ACT_ALLOCATED_COUNT; i++)
        ret->component[i] = phase[ret->phase][i];
    ret->allocated = ret->phases[ret->phase];
}

void act_stage_finish(const struct act_parts *parts,
                      double phase[ACT_PHASE_COUNT][ACT_ALLOCATED_COUNT], struct act_stage *ret)
{
    const struct act_profile *profile = &parts->profile;

    act_stage_peak(parts, phase, ret);
    ret->reserved = profile->slack * ret->allocated;
    ret->component[ACT_FRAGMENTATION] = ret->reserved - ret->allocated;
    ret->component[ACT_CONTEXT] =
        profile->context + profile->context_per_group * parts->layout->groups;
    ret->device = ret->reserved + ret->component[ACT_CONTEXT];
}
