/* The one table of result figures that comparisons, CSV and reports are made of.
 *
 * A row's key is the figure's name in the JSON of a plan, flattened with dots. A row is
 *
 *   X(key, label, UNIT, BETTER, flags, value)
 *
 * UNIT    suffix of enum act_metric_unit
 * BETTER  LOWER, HIGHER, or NEITHER where more is neither good nor bad
 * flags   M: a headline, shown where only the main figures are
 * value   expression of `r`, the result; NAN where the figure does not apply or is not known
 *
 * Values are in base units: bytes, seconds, days, shares, the scenario's currency. */
#ifndef ACTUARY_METRICS_H
#define ACTUARY_METRICS_H

#include <actuary/estimate.h>
#include <stdbool.h>
#include <stddef.h>

#define ACT_METRICS(X)                                                                             \
    X("gpus", "GPUs", WHOLE, NEITHER, M, r->layout.gpus)                                           \
    X("nodes", "nodes", WHOLE, NEITHER, 0, ceil(r->layout.nodes))                                  \
    X("errors", "broken rules", WHOLE, LOWER, M, r->errors)                                        \
    X("warnings", "warnings", WHOLE, LOWER, 0, r->warnings)                                        \
    X("parameters.total", "parameters", COUNT, NEITHER, 0, r->parameters.total)                    \
    X("parameters.active", "parameters a token", COUNT, NEITHER, 0, r->parameters.active)          \
    X("parameters.trainable", "parameters trained", COUNT, NEITHER, 0, r->parameters.trainable)    \
    X("memory.usable_bytes", "usable memory", BYTES, HIGHER, 0, r->memory.usable)                  \
    X("memory.peak_bytes", "fullest GPU", BYTES, LOWER, M, peak_of(r))                             \
    X("memory.headroom_bytes", "headroom", BYTES, HIGHER, 0, round(r->memory.usable) - peak_of(r)) \
    X("memory.host_bytes", "host memory", BYTES, LOWER, 0, r->memory.host)                         \
    X("time.step_seconds", "step", SECONDS, LOWER, M, r->time.step_seconds)                        \
    X("time.steps", "steps", UPWARD, NEITHER, 0, r->time.steps)                                    \
    X("time.days", "days of computing", DAYS, LOWER, 0, r->time.days)                              \
    X("time.calendar_days", "calendar days", DAYS, LOWER, M, r->time.calendar_days)                \
    X("time.mfu", "MFU", SHARE, HIGHER, M, r->time.mfu)                                            \
    X("time.hfu", "HFU", SHARE, NEITHER, 0, r->time.hfu)                                           \
    X("time.tokens_per_second", "tokens/s", WHOLE, HIGHER, 0, r->time.tokens_per_second)           \
    X("time.tokens_per_second_per_gpu", "tokens/s a GPU", WHOLE, HIGHER, M,                        \
      r->time.tokens_per_second_per_gpu)                                                           \
    X("time.tflops_per_gpu", "TFLOP/s a GPU", TENTHS, HIGHER, 0, r->time.tflops_per_gpu)           \
    X("time.flops_total", "FLOPs", POWER, NEITHER, 0, r->flops.total)                              \
    X("cost.gpu_hours", "GPU-hours", WHOLE, LOWER, M, r->cost.gpu_hours)                           \
    X("cost.rent", "rent", MONEY, LOWER, 0, r->cost.rent)                                          \
    X("cost.purchase", "purchase", MONEY, LOWER, 0, r->cost.purchase)                              \
    X("cost.energy", "energy", MONEY, LOWER, 0, r->cost.energy)                                    \
    X("cost.staff", "staff", MONEY, LOWER, 0, r->cost.staff)                                       \
    X("cost.total", "cost", MONEY, LOWER, M, r->cost.known ? r->cost.total : NAN)                  \
    X("cost.energy_mwh", "energy, MWh", TENTHS, LOWER, M, r->cost.energy_mwh)

enum act_metric_unit {
    ACT_METRIC_WHOLE,  /* "1,024" */
    ACT_METRIC_UPWARD, /* the same, rounded up */
    ACT_METRIC_TENTHS, /* "187.2" */
    ACT_METRIC_COUNT,  /* "69.0 B" */
    ACT_METRIC_POWER,  /* "8.5e23" */
    ACT_METRIC_BYTES,  /* "66.8 GiB" */
    ACT_METRIC_SECONDS,
    ACT_METRIC_DAYS, /* "26.7" */
    ACT_METRIC_SHARE,
    ACT_METRIC_MONEY, /* without the currency, which is the plan's */
};

enum act_better { ACT_BETTER_NEITHER, ACT_BETTER_LOWER, ACT_BETTER_HIGHER };

struct act_metric {
    const char *key, *label;
    enum act_metric_unit unit;
    enum act_better better;
    bool main;
};

/* The i-th row, NULL past the end. */
const struct act_metric *act_metric_at(int index);
/* Its value; NAN where it does not apply or is not known. */
double act_metric_value(int index, const struct act_result *result);

/* A value for eyes, with its unit; "-" for NAN. Length as snprintf returns it. */
size_t act_metric_text(enum act_metric_unit unit, double value, char *out, size_t size);

/* What a difference is worth: judged by the row, so that a sign is never left to be guessed. */
enum act_verdict { ACT_VERDICT_NONE, ACT_VERDICT_BETTER, ACT_VERDICT_WORSE };
const char *act_verdict_name(enum act_verdict verdict); /* "", "better", "worse" */

struct act_change {
    bool known;   /* both values are */
    bool differs; /* by more than rounding: 1e-9 of the larger */
    double by;    /* value - base */
    double share; /* by / |base|; NAN where base is 0 */
    enum act_verdict verdict;
};
struct act_change act_metric_change(const struct act_metric *metric, double base, double value);

/* "-12 %", "+0.4 %", "x 12" and "1/12" (from ten times on), "+8 pt" for shares, "+3" for rules and
 * warnings and where base is 0; "" when nothing differs or a value is not known. */
size_t act_change_text(const struct act_metric *metric, const struct act_change *change, char *out,
                       size_t size);

#endif
