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
};

/* Resolves `plan` and fills in everything: a few microseconds. */
void act_estimate(const struct act_plan *plan, struct act_result *ret);

/* The same, and where the plan does not fit (or hardly) the repair of "memory" and "memory-tight":
 * the cheapest change that would make it fit. That takes estimates of some fifty other plans, so
 * what looks at many plans leaves it out. */
void act_estimate_cured(const struct act_plan *plan, struct act_result *ret);

#endif
