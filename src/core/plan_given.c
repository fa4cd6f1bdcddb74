/* What of a plan the user gave. Apart from plan.c, which asks rooms that ask this. */
#include <actuary/plan.h>

bool act_plan_given(const struct act_plan *plan, enum act_field_id id)
{
    return (plan->given[id / 64] >> (id % 64) & 1) != 0;
}

void act_plan_set_given(struct act_plan *plan, enum act_field_id id, bool given)
{
    uint64_t bit = (uint64_t)1 << (id % 64);

    if (given)
        plan->given[id / 64] |= bit;
    else
        plan->given[id / 64] &= ~bit;
}
