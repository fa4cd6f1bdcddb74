/* What a result comes down to. */
#include "core/outcome.h"

#include <actuary/estimate.h>

bool act_is_late(const struct act_plan *resolved, const struct act_time *time)
{
    double deadline = resolved->training.deadline_days;
    return deadline > 0 && time->calendar_days > deadline;
}

bool act_is_over_budget(const struct act_plan *resolved, const struct act_cost *cost)
{
    double budget = resolved->cost.budget;
    return budget >= 0 && cost->known && cost->total > budget;
}

enum act_outcome act_outcome_of(const struct act_result *result)
{
    if (result->fit == ACT_DOES_NOT_FIT)
        return ACT_OUTCOME_DOES_NOT_FIT;
    if (result->errors > 0)
        return ACT_OUTCOME_BREAKS_RULES;
    if (result->late)
        return ACT_OUTCOME_LATE;
    if (result->over_budget)
        return ACT_OUTCOME_OVER_BUDGET;
    return result->fit == ACT_TIGHT ? ACT_OUTCOME_TIGHT : ACT_OUTCOME_FITS;
}

const char *act_outcome_name(enum act_outcome outcome)
{
    static const char *const names[] = {
        [ACT_OUTCOME_FITS] = "fits",
        [ACT_OUTCOME_TIGHT] = "tight",
        [ACT_OUTCOME_OVER_BUDGET] = "over budget",
        [ACT_OUTCOME_LATE] = "late",
        [ACT_OUTCOME_BREAKS_RULES] = "breaks rules",
        [ACT_OUTCOME_DOES_NOT_FIT] = "does not fit",
    };
    return names[outcome];
}

bool act_result_sound(const struct act_result *result)
{
    return act_outcome_of(result) <= ACT_OUTCOME_TIGHT;
}
