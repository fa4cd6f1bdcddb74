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

/* Resolves `plan` and fills in everything. */
void act_estimate(const struct act_plan *plan, struct act_result *ret);

/* The same but for the repair of "memory" and "memory-tight", which takes estimates of other
 * plans: for what looks at many plans. */
void act_estimate_brief(const struct act_plan *plan, struct act_result *ret);

#endif
