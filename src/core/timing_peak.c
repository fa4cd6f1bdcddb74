/* Which peak of a card a precision computes at. */
#include <actuary/timing.h>

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
