/* Days: how busy the peak is decides everything else, be it given or estimated. */
#include <actuary/timing.h>

#include "core/timing_parts.h"

#include <math.h>
#include <stddef.h>

static const double seconds_per_day = 86400;
static const double tera = 1e12;

const char *act_binding_name(enum act_binding binding)
{
    static const char *const names[] = {[ACT_BOUND_GPU] = "gpu",
                                        [ACT_BOUND_LAUNCH] = "launch",
                                        [ACT_BOUND_NETWORK] = "network",
                                        [ACT_BOUND_PIPELINE] = "pipeline",
                                        [ACT_BOUND_HOST] = "host"};

    return names[binding];
}

const char *act_binding_text(enum act_binding binding)
{
    static const char *const texts[] = {[ACT_BOUND_GPU] = "GPU bound",
                                        [ACT_BOUND_LAUNCH] = "CPU launch bound",
                                        [ACT_BOUND_NETWORK] = "network bound",
                                        [ACT_BOUND_PIPELINE] = "pipeline bound",
                                        [ACT_BOUND_HOST] = "host transfer bound"};

    return texts[binding];
}

/* The chapter's bands. */
const char *act_mfu_band(double mfu)
{
    return mfu >= 0.50 ? "excellent" : mfu >= 0.30 ? "good" : mfu >= 0.20 ? "average" : "poor";
}

static enum act_binding binding_of(const struct act_time *time)
{
    const double *part = time->part;
    double launched = time->step.launched;
    double gpu = part[ACT_TIME_COMPUTE] + part[ACT_TIME_RECOMPUTE] + part[ACT_TIME_OPTIMIZER];
    const double waits[] = {
        /* A layer that is as long as the CPU needs hides its own traffic as well as its work. */
        [ACT_BOUND_GPU] = fmax(0, gpu - launched),
        [ACT_BOUND_LAUNCH] = launched,
        [ACT_BOUND_NETWORK] = part[ACT_TIME_TENSOR] + part[ACT_TIME_CONTEXT] +
                              part[ACT_TIME_EXPERT] + part[ACT_TIME_PIPELINE] + part[ACT_TIME_DATA],
        [ACT_BOUND_PIPELINE] = part[ACT_TIME_BUBBLE],
        [ACT_BOUND_HOST] = part[ACT_TIME_OFFLOAD],
    };
    enum act_binding most = ACT_BOUND_GPU;

    for (int i = 0; i < (int)(sizeof waits / sizeof *waits); i++)
        if (waits[i] > waits[most])
            most = (enum act_binding)i;
    return most;
}

/* engine.md 5: step = model FLOPs / (peak GPUs MFU). Without any peak there is no time. */
static void give(const struct act_plan *plan, double batch_flops, double gpus, double recomputed,
                 struct act_time *time)
{
    double speed = time->peak * gpus * plan->hardware.mfu;

    time->mfu = plan->hardware.mfu;
    if (speed > 0)
        time->step_seconds = batch_flops / speed;
    time->part[ACT_TIME_COMPUTE] = time->step_seconds / recomputed;
    time->part[ACT_TIME_RECOMPUTE] = time->step_seconds - time->part[ACT_TIME_COMPUTE];
    time->share_recompute = 1 - 1 / recomputed;
}

static void estimate(const struct act_plan *plan, const struct act_parameters *parameters,
                     const struct act_layout *layout, double batch_flops, struct act_time *time)
{
    time->estimated = true;
    if (!(time->peak > 0))
        return;
    act_step_of(plan, parameters, layout, &time->step);
    act_step_scale(plan->calibration.time_factor, &time->step);
    /* A field of 0 bandwidth or efficiency would make a step without end: there is no time. */
    if (!isfinite(time->step.seconds) || !(time->step.seconds > 0))
        return;
    time->step_seconds = time->step.seconds;
    for (int i = 0; i < ACT_TIME_PARTS; i++)
        time->part[i] = time->step.part[i];
    time->mfu = batch_flops / (time->step_seconds * time->peak * layout->gpus);
    time->error_bar = act_time_error(plan);
    time->binding = binding_of(time);
    time->share_recompute = time->part[ACT_TIME_RECOMPUTE] / time->step_seconds;
}

void act_time_of(const struct act_plan *plan, const struct act_parameters *parameters,
                 const struct act_flops *flops, const struct act_layout *layout,
                 struct act_time *ret)
{
    double recomputed = flops->per_token > 0 ? flops->per_token_hardware / flops->per_token : 1;
    bool estimated = plan->hardware.mfu == ACT_AUTO;
    /* The step that is estimated runs whole micro batches, whatever the global batch says. */
    double sequences = estimated ? layout->sequences : (double)plan->training.global_batch;
    double batch_tokens = sequences * (double)plan->training.sequence;
    double batch_flops = flops->per_token * batch_tokens;
    double goodput = plan->cost.goodput > 0 ? plan->cost.goodput : 1;
    enum act_precision used;
    struct act_time time = {0};

    time.peak = act_time_peak(plan, &used);
    time.lacks_precision = time.peak <= 0 || (int64_t)used != plan->training.precision;
    time.step_tokens = batch_tokens;
    time.steps = plan->training.tokens / batch_tokens;
    if (estimated)
        estimate(plan, parameters, layout, batch_flops, &time);
    else
        give(plan, batch_flops, layout->gpus, recomputed, &time);
    time.hfu = time.mfu * recomputed;
    if (time.step_seconds > 0) {
        time.days = time.steps * time.step_seconds / seconds_per_day;
        time.calendar_days = time.days / goodput;
        time.tflops_per_gpu = time.peak * time.mfu / tera;
        time.tokens_per_second = batch_tokens / time.step_seconds;
        time.tokens_per_second_per_gpu = time.tokens_per_second / layout->gpus;
    }
    *ret = time;
}
