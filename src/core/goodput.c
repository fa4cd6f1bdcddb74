/* Failures, checkpoints and what they leave of the calendar. */
#include <actuary/goodput.h>
#include <actuary/profile.h>

#include <math.h>

static const double seconds_per_day = 86400;
static const double frozen_bytes = 2; /* bf16, without gradients and moments */

double act_checkpoint_width(const struct act_plan *plan)
{
    const double textbook = 14;
    struct act_profile profile;

    if (plan->framework.family == ACT_TEXTBOOK)
        return textbook;
    act_profile_of(plan, &profile);
    return profile.weight + profile.optimizer_matrix;
}

double act_checkpoint_bytes(const struct act_plan *plan, const struct act_parameters *parameters)
{
    double trained = plan->cost.checkpoint_bytes_per_parameter * parameters->trainable;

    if (plan->training.method != ACT_FREEZE)
        return trained;
    return trained + frozen_bytes * fmax(0, parameters->total - parameters->trainable);
}

double act_checkpoint_interval(double write, double mean_time_between_failures)
{
    double between = mean_time_between_failures;

    return fmax(1, write < 2 * between ? sqrt(2 * write * between) : between);
}

double act_goodput_share(double interval, double write, double restart,
                         double mean_time_between_failures)
{
    double between = mean_time_between_failures;

    if (isinf(interval)) /* no checkpoint: sensible only when nothing fails */
        return isinf(between) ? 1 : 0;
    if (isinf(between))
        return interval / (interval + write);
    return interval / (between * exp(restart / between) * expm1((interval + write) / between));
}

/* Splits what is lost. Restarts: one a failure, cut short by the next. Checkpoints: those that
 * are kept. The rest is training that is done again, with the checkpoints it wrote. */
static void split_loss(struct act_goodput *goodput)
{
    double between = goodput->mean_time_between_failures;
    double kept = isinf(goodput->interval)
                      ? 0
                      : goodput->share * goodput->checkpoint_seconds / goodput->interval;

    goodput->lost_to_restarts = isinf(between) ? 0 : -expm1(-goodput->restart_seconds / between);
    goodput->lost_to_checkpoints = kept;
    goodput->lost_to_rework = fmax(0, 1 - goodput->share - kept - goodput->lost_to_restarts);
}

void act_goodput_of(const struct act_plan *plan, const struct act_parameters *parameters,
                    double gpus, struct act_goodput *ret)
{
    const struct act_cost_fields *cost = &plan->cost;
    bool counted = cost->failures_per_1000_gpu_days >= 0;
    struct act_goodput goodput = {.failures = counted ? cost->failures_per_1000_gpu_days
                                                      : ACT_USUAL_FAILURES,
                                  .restart_seconds = cost->restart_minutes * 60};

    goodput.mean_time_between_failures =
        goodput.failures > 0 ? 1000 / (goodput.failures * gpus) * seconds_per_day : INFINITY;
    goodput.checkpoint_bytes = act_checkpoint_bytes(plan, parameters);
    /* Storage is bought for the stall that is allowed, unless its bandwidth is known. */
    goodput.checkpoint_seconds = cost->checkpoint_bandwidth > 0
                                     ? goodput.checkpoint_bytes / cost->checkpoint_bandwidth
                                     : cost->checkpoint_stall;
    goodput.interval = cost->checkpoint_minutes > 0
                           ? cost->checkpoint_minutes * 60
                           : act_checkpoint_interval(goodput.checkpoint_seconds,
                                                     goodput.mean_time_between_failures);
    goodput.share = act_goodput_share(goodput.interval, goodput.checkpoint_seconds,
                                      goodput.restart_seconds, goodput.mean_time_between_failures);
    split_loss(&goodput);
    *ret = goodput;
}
