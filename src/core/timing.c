/* Time from a given MFU: how busy the peak is taken to be decides everything else. */
#include <actuary/timing.h>

#include <stddef.h>

static const double seconds_per_day = 86400;
static const double tera = 1e12;

/* Peaks of hardware presets, and which of them stands in for which (V55): the next wider type
 * first, since a card without a narrow type computes in a wider one; then whatever is left. */
enum peak { PEAK_FP32, PEAK_TF32, PEAK_FP16, PEAK_BF16, PEAK_FP8, PEAK_FP4, PEAK_COUNT };

static const enum peak nearest_peaks[PEAK_COUNT][PEAK_COUNT] = {
    [PEAK_FP32] = {PEAK_FP32, PEAK_TF32, PEAK_BF16, PEAK_FP16, PEAK_FP8, PEAK_FP4},
    [PEAK_TF32] = {PEAK_TF32, PEAK_FP32, PEAK_BF16, PEAK_FP16, PEAK_FP8, PEAK_FP4},
    [PEAK_FP16] = {PEAK_FP16, PEAK_BF16, PEAK_FP32, PEAK_TF32, PEAK_FP8, PEAK_FP4},
    [PEAK_BF16] = {PEAK_BF16, PEAK_FP16, PEAK_FP32, PEAK_TF32, PEAK_FP8, PEAK_FP4},
    [PEAK_FP8] = {PEAK_FP8, PEAK_BF16, PEAK_FP16, PEAK_FP32, PEAK_TF32, PEAK_FP4},
    [PEAK_FP4] = {PEAK_FP4, PEAK_FP8, PEAK_BF16, PEAK_FP16, PEAK_FP32, PEAK_TF32},
};

static const enum act_precision precision_of_peak[PEAK_COUNT] = {
    [PEAK_FP32] = ACT_FP32, [PEAK_TF32] = ACT_TF32, [PEAK_FP16] = ACT_FP16,
    [PEAK_BF16] = ACT_BF16, [PEAK_FP8] = ACT_FP8,   [PEAK_FP4] = ACT_NVFP4,
};

static enum peak peak_of_precision(int64_t precision)
{
    switch (precision) {
    case ACT_FP32:
        return PEAK_FP32;
    case ACT_TF32:
        return PEAK_TF32;
    case ACT_FP16:
        return PEAK_FP16;
    case ACT_FP8:
    case ACT_FP8_ROWWISE:
    case ACT_MXFP8:
        return PEAK_FP8;
    case ACT_NVFP4:
        return PEAK_FP4;
    default:
        return PEAK_BF16;
    }
}

double act_time_peak(const struct act_plan *plan, enum act_precision *ret_precision)
{
    const struct act_hardware_fields *card = &plan->hardware;
    const double peaks[PEAK_COUNT] = {
        [PEAK_FP32] = card->peak_fp32, [PEAK_TF32] = card->peak_tf32, [PEAK_FP16] = card->peak_fp16,
        [PEAK_BF16] = card->peak_bf16, [PEAK_FP8] = card->peak_fp8,   [PEAK_FP4] = card->peak_fp4,
    };
    enum peak wanted = peak_of_precision(plan->training.precision);

    *ret_precision = (enum act_precision)plan->training.precision;
    if (card->peak_tflops > 0) {
        return card->peak_tflops;
    }
    for (int i = 0; i < PEAK_COUNT; i++) {
        enum peak peak = nearest_peaks[wanted][i];
        if (peaks[peak] > 0) {
            if (peak != wanted) {
                *ret_precision = precision_of_peak[peak];
            }
            return peaks[peak];
        }
    }
    return 0;
}

void act_time_of(const struct act_plan *plan, const struct act_flops *flops,
                 const struct act_layout *layout, struct act_time *ret)
{
    double recomputed = flops->per_token > 0 ? flops->per_token_hardware / flops->per_token : 1;
    double batch_tokens = (double)plan->training.global_batch * (double)plan->training.sequence;
    double goodput = plan->cost.goodput > 0 ? plan->cost.goodput : 1;
    double mfu = plan->hardware.mfu;
    enum act_precision used;
    struct act_time time = {.mfu = mfu, .hfu = mfu * recomputed};

    time.peak = act_time_peak(plan, &used);
    time.lacks_precision = time.peak <= 0 || (int64_t)used != plan->training.precision;
    time.steps = plan->training.tokens / batch_tokens;
    time.share_compute = 1 / recomputed;
    time.share_recompute = 1 - time.share_compute;
    /* engine.md 5: step = model FLOPs / (peak GPUs MFU). Without any peak there is no time. */
    double speed = time.peak * layout->gpus * mfu;
    if (speed > 0) {
        time.step_seconds = flops->per_token * batch_tokens / speed;
        time.days = time.steps * time.step_seconds / seconds_per_day;
        time.calendar_days = time.days / goodput;
        time.tflops_per_gpu = time.peak * mfu / tera;
    }
    if (time.step_seconds > 0) {
        time.tokens_per_second = batch_tokens / time.step_seconds;
        time.tokens_per_second_per_gpu = time.tokens_per_second / layout->gpus;
    }
    *ret = time;
}
