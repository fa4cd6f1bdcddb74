/* What would make a plan fit, or faster: single changes of the fields that are levers (fields.h),
 * each with what it leads to. Pure, no allocation. */
#ifndef ACTUARY_ADVICE_H
#define ACTUARY_ADVICE_H

#include <actuary/estimate.h>

enum { ACT_ADVICE_MAX = 96, ACT_ADVICE_SETS = 2, ACT_ADVICE_TEXT = 64 };

/* One change. TP, PP and CP keep the GPUs as long as DP divides: DP is then set beside them. */
struct act_advice {
    int sets;
    struct act_repair set[ACT_ADVICE_SETS]; /* the first is the field that is changed */
    enum act_fit fit;
    int errors; /* rules that are still broken; never more than before */
    double peak, gpus;
    double days;           /* calendar days; 0 when there is no time */
    double estimated_days; /* what `days` would be with mfu: auto: a given MFU cannot tell layouts
                              apart, and its order goes by these */
    double cost;           /* NAN when it is not known */
};

struct act_advices {
    struct act_advice now; /* the plan as it is: no sets */
    int count;
    struct act_advice item[ACT_ADVICE_MAX];
};

/* Tries the valid values around the present one of every lever: names of a choice, and halves and
 * doubles of a number, further while nothing fits. Left out is what breaks a rule that held or no
 * longer fits, and what gains nothing (memory; days and money too where the plan fits) over the
 * plan or over another value of the same field. Order: what fits on these GPUs by days (when the
 * plan does not fit, what fits below 90 % of usable memory comes before what is tight), then what
 * fits on more GPUs, the fewest first, then the rest by memory. */
void act_advise(const struct act_plan *plan, struct act_advices *ret);

/* Makes the change on the plan the user edits. */
void act_advice_take(const struct act_advice *advice, struct act_plan *plan);

/* The new value of the changed field as a file would have it: "8", "full". Returns its length as
 * snprintf does. */
size_t act_advice_value(const struct act_advice *advice, const struct act_plan *plan, char *out,
                        size_t size);

/* Does the advice make a plan do more of what is asked: fit, where it did not, or else take fewer
 * days? */
bool act_advice_helps(const struct act_advices *advices, const struct act_advice *advice);

#endif
