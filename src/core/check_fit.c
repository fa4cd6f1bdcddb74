/* Memory and deadline: whether the plan does what it is for. What would mend memory is found by
 * cure.c, which looks at estimates. */
#include "check_rules.h"

#include "core/deadline.h"

#include <actuary/field.h>
#include <actuary/units.h>

static void names_layout(struct act_check *check)
{
    act_rule_names(check, ACT_F_hardware_usable_memory);
    act_rule_names(check, ACT_F_parallel_tensor);
    act_rule_names(check, ACT_F_parallel_pipeline);
    act_rule_names(check, ACT_F_parallel_recompute);
}

bool act_rule_fit(const struct act_case *at, struct act_check *check)
{
    const struct act_memory *memory = at->memory;
    char peak[32], usable[32];

    if (act_memory_fit(memory) != ACT_DOES_NOT_FIT) {
        return false;
    }
    act_rule_says(check, ACT_ERROR, "stage %d needs %s GiB of %s usable", memory->worst,
                  act_rule_gib(memory->peak, peak), act_rule_gib(memory->usable, usable));
    names_layout(check);
    return true;
}

bool act_rule_tight(const struct act_case *at, struct act_check *check)
{
    const struct act_memory *memory = at->memory;

    if (act_memory_fit(memory) != ACT_TIGHT) {
        return false;
    }
    act_rule_says(check, ACT_WARNING,
                  "tight: stage %d takes %d %% of usable memory; below 90 %% is "
                  "safe",
                  memory->worst, (int)(memory->peak / memory->usable * 100));
    names_layout(check);
    return true;
}

bool act_rule_deadline(const struct act_case *at, struct act_check *check)
{
    double deadline = at->plan->training.deadline_days, days = at->time->calendar_days;
    char late[32], due[32];

    if (deadline <= 0 || days <= deadline) {
        return false;
    }
    int64_t data = act_deadline_data(at, deadline, true);
    act_number_format(days, days < 10, true, late, sizeof late);
    act_number_format(deadline, deadline < 10, true, due, sizeof due);
    if (data > 0) {
        act_rule_says(check, ACT_WARNING,
                      "%s days miss the deadline of %s days; DP %lld would make it", late, due,
                      (long long)data);
        act_rule_mends(check, ACT_F_parallel_data, data);
    } else {
        act_rule_says(check, ACT_WARNING, "%s days miss the deadline of %s days", late, due);
    }
    act_rule_names(check, ACT_F_training_deadline_days);
    act_rule_names(check, ACT_F_parallel_data);
    return true;
}
