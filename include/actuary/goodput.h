/* Goodput (engine.md 6): the share of calendar time that trains, from failures, checkpoints and
 * restarts; and how often to write a checkpoint. */
#ifndef ACTUARY_GOODPUT_H
#define ACTUARY_GOODPUT_H

#include <actuary/model.h>
#include <actuary/plan.h>

/* Interruptions in 1,000 GPU-days that the interval is reckoned with when none are given: a
 * well-run, dedicated cluster (Llama 3, 2024: 419 in 54 days on 16,384 GPUs = 0.47). */
#define ACT_USUAL_FAILURES 0.5

/* Times in seconds, shares of calendar time from 0 to 1. */
struct act_goodput {
    double share;                      /* that trains */
    double failures;                   /* in 1,000 GPU-days: given, or ACT_USUAL_FAILURES */
    double mean_time_between_failures; /* of the whole run; INFINITY without failures */
    double checkpoint_bytes;
    double checkpoint_seconds; /* to write one, training waits */
    double interval;           /* training between two checkpoints; INFINITY: none is needed */
    double restart_seconds;
    double lost_to_checkpoints, lost_to_rework, lost_to_restarts; /* add up to 1 - share */
};

/* Bytes of a checkpoint a trained parameter: weights, fp32 master and the optimizer's states as
 * memory counts them, 14 with AdamW and a 16-bit copy; 14 of the textbook. Of a plan resolved but
 * for its costs. */
double act_checkpoint_width(const struct act_plan *plan);

/* Bytes of one checkpoint: cost.checkpoint_bytes_per_parameter for each trained parameter, and 2
 * for each frozen one unless only adapters are trained, whose base is never written. That field
 * must be resolved. */
double act_checkpoint_bytes(const struct act_plan *plan, const struct act_parameters *parameters);

/* Training between two checkpoints that loses least: sqrt(2 write M) (Young 1974), or M where
 * writing takes 2 M and more (Daly 2006); at least a second. M is the mean time between failures;
 * INFINITY gives INFINITY. */
double act_checkpoint_interval(double write, double mean_time_between_failures);

/* Share of calendar time that trains when failures come at random: of `interval` seconds of
 * training it takes M e^(restart/M) (e^((interval + write)/M) - 1) of calendar (Daly 2006,
 * eq. 20 for a restart). From 0, when nothing is ever finished, to 1. */
double act_goodput_share(double interval, double write, double restart,
                         double mean_time_between_failures);

/* Fills `ret` for a plan on `gpus` GPUs, whatever cost.goodput says: that may be typed. */
void act_goodput_of(const struct act_plan *plan, const struct act_parameters *parameters,
                    double gpus, struct act_goodput *ret);

#endif
