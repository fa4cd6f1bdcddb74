/* Rent (engine.md 6): GPUs x calendar days x 24 x price. */
#ifndef ACTUARY_COST_H
#define ACTUARY_COST_H

#include <actuary/plan.h>
#include <actuary/timing.h>

struct act_cost {
    bool known; /* a price is given or comes with the hardware preset */
    double price, gpu_hours, rent;
};

void act_cost_of(const struct act_plan *plan, const struct act_time *time, double gpus,
                 struct act_cost *ret);

#endif
