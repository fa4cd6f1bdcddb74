/* The one call: plan in, result out. Pure, no allocation, no I/O. */
#ifndef ACTUARY_ESTIMATE_H
#define ACTUARY_ESTIMATE_H

#include <actuary/check.h>
#include <actuary/cost.h>
#include <actuary/layout.h>
#include <actuary/memory.h>
#include <actuary/model.h>
#include <actuary/plan.h>
#include <actuary/timing.h>

struct act_result {
    struct act_parameters parameters;
    struct act_flops flops;
    struct act_layout layout;
    struct act_memory memory;
    struct act_time time;
    struct act_cost cost;
    struct act_checks checks;
    enum act_fit fit;
    int errors, warnings; /* among checks */
    bool late;            /* calendar days exceed training.deadline_days */
    bool over_budget;     /* a known total exceeds cost.budget */
};

/* What it comes down to in one word; what weighs more comes later. */
enum act_outcome {
    ACT_OUTCOME_FITS,
    ACT_OUTCOME_TIGHT,
    ACT_OUTCOME_OVER_BUDGET,
    ACT_OUTCOME_LATE,
    ACT_OUTCOME_BREAKS_RULES,
    ACT_OUTCOME_DOES_NOT_FIT
};
enum act_outcome act_outcome_of(const struct act_result *result);
/* "fits", "tight", "over budget", "late", "breaks rules", "does not fit". */
const char *act_outcome_name(enum act_outcome outcome);
/* Fits, breaks no rule, is in time and within the budget: an exit status of 0. */
bool act_result_sound(const struct act_result *result);

/* Resolves `plan` and fills in everything: a few microseconds. */
void act_estimate(const struct act_plan *plan, struct act_result *ret);

/* The same, and where the plan does not fit (or hardly) the repair of "memory" and "memory-tight":
 * the cheapest change that would make it fit. That takes estimates of some fifty other plans, so
 * what looks at many plans leaves it out. */
void act_estimate_cured(const struct act_plan *plan, struct act_result *ret);

#endif
