/* Which peak of a card a precision computes at. */
#include "core/peak.h"

#include <actuary/timing.h>
#include <stddef.h>

/* Peaks of hardware presets, and which of them stands in for which (V55): the same width, then
 * wider types, since a card without a narrow type computes in a wider one. A narrower one never
 * does. */
enum peak { PEAK_NONE, PEAK_FP32, PEAK_TF32, PEAK_FP16, PEAK_BF16, PEAK_FP8, PEAK_FP4, PEAK_COUNT };

static const enum peak nearest_peaks[PEAK_COUNT][PEAK_COUNT] = {
    [PEAK_FP32] = {PEAK_FP32},
    [PEAK_TF32] = {PEAK_TF32, PEAK_FP32},
    [PEAK_FP16] = {PEAK_FP16, PEAK_BF16, PEAK_FP32, PEAK_TF32},
    [PEAK_BF16] = {PEAK_BF16, PEAK_FP16, PEAK_FP32, PEAK_TF32},
    [PEAK_FP8] = {PEAK_FP8, PEAK_BF16, PEAK_FP16, PEAK_FP32, PEAK_TF32},
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

static double listed(const struct act_hardware_fields *card, enum peak peak)
{
    switch (peak) {
    case PEAK_FP32:
        return card->peak_fp32;
    case PEAK_TF32:
        return card->peak_tf32;
    case PEAK_FP16:
        return card->peak_fp16;
    case PEAK_BF16:
        return card->peak_bf16;
    case PEAK_FP8:
        return card->peak_fp8;
    case PEAK_FP4:
        return card->peak_fp4;
    case PEAK_NONE:
    case PEAK_COUNT:
        break;
    }
    return ACT_AUTO;
}

double act_peak_of(const struct act_hardware_fields *card, int64_t precision)
{
    return listed(card, peak_of_precision(precision));
}

bool act_peak_widest(const struct act_hardware_fields *card, enum act_precision *ret)
{
    static const enum peak widest[] = {PEAK_FP32, PEAK_TF32, PEAK_BF16,
                                       PEAK_FP16, PEAK_FP8,  PEAK_FP4};

    for (size_t i = 0; i < sizeof widest / sizeof *widest; i++) {
        if (listed(card, widest[i]) > 0) {
            *ret = precision_of_peak[widest[i]];
            return true;
        }
    }
    return false;
}

double act_time_peak(const struct act_plan *plan, enum act_precision *ret_precision)
{
    const struct act_hardware_fields *card = &plan->hardware;
    enum peak wanted = peak_of_precision(plan->training.precision);

    *ret_precision = (enum act_precision)plan->training.precision;
    if (card->peak_tflops > 0) {
        return card->peak_tflops;
    }
    for (int i = 0; nearest_peaks[wanted][i] != PEAK_NONE; i++) {
        enum peak peak = nearest_peaks[wanted][i];
        if (listed(card, peak) > 0) {
            if (peak != wanted) {
                *ret_precision = precision_of_peak[peak];
            }
            return listed(card, peak);
        }
    }
    return 0;
}
