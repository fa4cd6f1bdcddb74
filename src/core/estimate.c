/* Each room is asked once, in the order in which they stand on each other. */
#include <actuary/estimate.h>

void act_estimate(const struct act_plan *plan, struct act_result *ret)
{
    struct act_plan resolved;

    act_plan_resolve(plan, &resolved);
    act_model_count(&resolved, &ret->parameters);
    act_model_flops(&resolved, &ret->parameters, &ret->flops);
    act_layout_of(&resolved, &ret->layout);
    act_memory_of(&resolved, &ret->parameters, &ret->layout, &ret->memory);
    act_time_of(&resolved, &ret->parameters, &ret->flops, &ret->layout, &ret->time);
    act_cost_of(&resolved, &ret->parameters, &ret->layout, &ret->time, &ret->cost);
    act_check_plan(plan, &resolved, &ret->layout, &ret->memory, &ret->time, &ret->cost,
                   &ret->checks);

    ret->fit = act_memory_fit(&ret->memory);
    ret->errors = 0;
    ret->warnings = 0;
    for (int i = 0; i < ret->checks.count; i++) {
        ret->errors += ret->checks.check[i].level == ACT_ERROR;
        ret->warnings += ret->checks.check[i].level == ACT_WARNING;
    }
}
