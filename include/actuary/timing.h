/* Seconds and days of training: from a given MFU, or from an estimated step (engine.md 5). */
#ifndef ACTUARY_TIMING_H
#define ACTUARY_TIMING_H

#include <actuary/layout.h>
#include <actuary/model.h>
#include <actuary/plan.h>
#include <actuary/timing_model.h>

/* What most of a step waits for. */
enum act_binding {
    ACT_BOUND_GPU,
    ACT_BOUND_LAUNCH,
    ACT_BOUND_NETWORK,
    ACT_BOUND_PIPELINE, /* stages idle in the bubble */
    ACT_BOUND_HOST,     /* states cross between host memory and GPU */
};

const char *act_binding_name(enum act_binding binding); /* "launch" */
const char *act_binding_text(enum act_binding binding); /* "CPU launch bound" */

struct act_time {
    bool estimated; /* hardware.mfu is auto; else it was given, and layout does not move days */
    double step_seconds;
    double step_tokens;   /* estimated: m b d s; given: global_batch s, whole or not */
    double steps;         /* tokens / step_tokens: fractional; round up for display */
    double days;          /* pure computing */
    double calendar_days; /* days / goodput */
    double mfu, hfu;
    double error_bar; /* share of step_seconds that four of five runs stay within; 0 when given */
    double tokens_per_second, tokens_per_second_per_gpu;
    double tflops_per_gpu; /* model FLOP/s a GPU, in units of 1e12 */
    double peak;           /* FLOP/s a GPU, dense, of the precision in use */
    bool lacks_precision;  /* the card lists no peak for this precision: a wider one is used */
    /* Seconds, sum to step_seconds. Given: the hardware FLOPs' shares of compute and recompute. */
    double part[ACT_TIME_PARTS];
    double share_recompute; /* of step_seconds */
    /* Estimated only. */
    enum act_binding binding;
    struct act_step_time step;
};

/* Dense peak of a GPU in the precision in use: hardware.peak_tflops, else the card's own for it,
 * else of the nearest precision it has that is no narrower, which is then in *ret_precision (V55).
 * 0 when the card lists none of them. */
double act_time_peak(const struct act_plan *plan, enum act_precision *ret_precision);

/* What of a plan lies apart from all runs that were compared. */
struct act_untested {
    const char *what; /* "CP above 8" */
    enum act_field_id field;
};
/* False, and *ret untouched, when nothing does. Cards and frameworks have a field for it. */
bool act_time_untested(const struct act_plan *plan, struct act_untested *ret);

/* The error bar of an estimated step, a share. */
double act_time_error(const struct act_plan *plan);

/* The band of planning practice that an MFU falls in: poor, average, good or excellent. */
const char *act_mfu_band(double mfu);

void act_time_of(const struct act_plan *plan, const struct act_parameters *parameters,
                 const struct act_flops *flops, const struct act_layout *layout,
                 struct act_time *ret);

#endif
