/* Seconds and days from a given MFU (engine.md 5). */
#ifndef ACTUARY_TIMING_H
#define ACTUARY_TIMING_H

#include <actuary/layout.h>
#include <actuary/model.h>
#include <actuary/plan.h>

struct act_time {
    double step_seconds;
    double steps;         /* fractional; round up for display */
    double days;          /* pure computing */
    double calendar_days; /* days / goodput */
    double mfu, hfu;
    double tokens_per_second, tokens_per_second_per_gpu;
    double tflops_per_gpu;                 /* model FLOP/s a GPU, in units of 1e12 */
    double peak;                           /* FLOP/s a GPU, dense, of the precision in use */
    double share_compute, share_recompute; /* of the hardware FLOPs of a step */
    bool lacks_precision; /* the card lists no peak for this precision: the nearest one is used */
};

/* Dense peak of a GPU in the precision in use: hardware.peak_tflops, else the card's own for it,
 * else of the nearest precision it has, which is then in *ret_precision (V55). 0 when the card
 * lists none at all. */
double act_time_peak(const struct act_plan *plan, enum act_precision *ret_precision);

void act_time_of(const struct act_plan *plan, const struct act_flops *flops,
                 const struct act_layout *layout, struct act_time *ret);

#endif
