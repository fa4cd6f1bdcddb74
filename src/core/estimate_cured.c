/* The one call: what comes of the plan, and what would make it fit. */
#include <actuary/estimate.h>

#include "core/cure.h"

void act_estimate_cured(const struct act_plan *plan, struct act_result *ret)
{
    act_estimate(plan, ret);
    act_cure(plan, ret);
}
