/* Limits of a plan's own that what comes of it may miss. */
#ifndef ACTUARY_CORE_OUTCOME_H
#define ACTUARY_CORE_OUTCOME_H

#include <actuary/cost.h>
#include <actuary/plan.h>
#include <actuary/timing.h>
#include <stdbool.h>

/* There is a deadline or budget, the figure is known, and it exceeds it. */
bool act_is_late(const struct act_plan *resolved, const struct act_time *time);
bool act_is_over_budget(const struct act_plan *resolved, const struct act_cost *cost);

#endif
