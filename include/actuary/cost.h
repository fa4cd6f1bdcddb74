/* What the run costs (engine.md 6): rent, or servers of one's own with their energy; staff.
 *
 * Money is in cost.currency, never converted. NAN: does not apply, or is not known; a price that
 * is missing is missing in what is made of it, never taken as 0. */
#ifndef ACTUARY_COST_H
#define ACTUARY_COST_H

#include <actuary/facility.h>
#include <actuary/goodput.h>
#include <actuary/plan.h>
#include <actuary/timing.h>

/* Where the goodput in use comes from. */
enum act_goodput_source {
    ACT_GOODPUT_GIVEN,    /* cost.goodput is typed */
    ACT_GOODPUT_FAILURES, /* computed, since cost.failures_per_1000_gpu_days is typed */
    ACT_GOODPUT_USUAL     /* 90 % from 1,000 GPUs, 97 % below */
};

/* "given", "failures", "usual". */
const char *act_goodput_source_name(enum act_goodput_source source);

struct act_cost {
    bool known;         /* total is */
    double total;       /* rent, or purchase and energy as far as its price is known; and staff */
    double price;       /* of a GPU-hour */
    double gpu_hours;   /* GPUs x calendar days x 24; NAN, with all that follows, without a time */
    double rent;        /* gpu_hours x price; known beside an owned cluster too, to compare */
    double outlay;      /* owned: servers x price x (1 + network share) */
    double purchase;    /* owned: the run's part of the outlay, by calendar days of the years in
                           use; never more than the outlay */
    double energy_mwh;  /* GPUs x hours x TDP x load x node overhead x PUE */
    double energy;      /* owned: energy_mwh at the price of a kWh; rent includes it */
    double staff;       /* staff_per_year x calendar days / 365 */
    double checkpoints; /* of the whole run: days of training over the interval */
    double goodput_in_use; /* cost.goodput of the resolved plan */
    enum act_goodput_source goodput_source;
    struct act_goodput goodput; /* computed, also where another one is in use */
    struct act_facility facility;
};

/* Fills `ret` for a resolved plan. */
void act_cost_of(const struct act_plan *plan, const struct act_parameters *parameters,
                 const struct act_layout *layout, const struct act_time *time,
                 struct act_cost *ret);

#endif
