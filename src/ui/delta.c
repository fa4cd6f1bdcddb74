#include "ui/delta.h"
#include "ui/figure.h"
#include <actuary/diff.h>
#include <actuary/field.h>
#include <actuary/metrics.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double tie = 0.05;

static const struct {
    const char *metric, *label;
    const char *unit; /* of a difference that is shown with it */
    bool timed;       /* follows from the time of a step */
} figures[ACT_FIGURE_COUNT] = {
    [ACT_FIGURE_MEMORY] = {"memory.peak_bytes", "memory GiB", " GiB", false}, /* or GB */
    [ACT_FIGURE_DAYS] = {"time.calendar_days", "days", " days", true},
    [ACT_FIGURE_COST] = {"cost.total", "cost", "", true},
    [ACT_FIGURE_MFU] = {"time.mfu", "MFU", " pt", true},
    [ACT_FIGURE_GPUS] = {"gpus", "GPUs", "", false},
    [ACT_FIGURE_STEP] = {"time.step_seconds", "step", "", true},
    [ACT_FIGURE_TOKENS] = {"time.tokens_per_second_per_gpu", "tokens/s/GPU", "", true},
    [ACT_FIGURE_RULES] = {"errors", "broken rules", "", false},
};

static int metric_index(enum act_figure_id id)
{
    const struct act_metric *metric;
    int at = 0;
    while ((metric = act_metric_at(at)) != NULL && strcmp(metric->key, figures[id].metric) != 0)
        at++;
    return at;
}

/* NAN where it is not known; a plan without a time has none of the figures that follow from it. */
static double value_of(enum act_figure_id id, const struct act_result *result)
{
    bool known = !figures[id].timed || result->time.step_seconds > 0;
    return known ? act_metric_value(metric_index(id), result) : NAN;
}

static bool in_gb(enum act_figure_id id)
{
    return id == ACT_FIGURE_MEMORY && strcmp(act_figure_unit(), "GB") == 0;
}

static const char *unit_of(enum act_figure_id id)
{
    return in_gb(id) ? " GB" : figures[id].unit;
}

const char *act_figure_label(enum act_figure_id id)
{
    return in_gb(id) ? "memory GB" : figures[id].label;
}

/* A value without a sign. */
static void write_value(enum act_figure_id id, double value, const char *currency, char *out,
                        size_t size)
{
    switch (id) {
    case ACT_FIGURE_MEMORY:
        act_figure_gib(value, out, size);
        break;
    case ACT_FIGURE_DAYS:
        act_figure_days(value, out, size);
        break;
    case ACT_FIGURE_COST:
        act_figure_money(value, currency, out, size);
        break;
    case ACT_FIGURE_MFU:
        snprintf(out, size, "%.1f", 100 * value);
        break;
    case ACT_FIGURE_STEP:
        act_figure_seconds(value, out, size);
        break;
    default:
        act_figure_count(value, out, size);
        break;
    }
}

void act_figure_value(enum act_figure_id id, const struct act_side *side, char *out, size_t size)
{
    double value = value_of(id, side->result);
    if (!isfinite(value)) {
        snprintf(out, size, "–");
        return;
    }
    write_value(id, value, side->plan->cost.currency, out, size);
    if (id == ACT_FIGURE_MFU) {
        size_t length = strlen(out);
        snprintf(out + length, size - length, " %%");
    }
}

/* Estimated, and another layout: what lies within the tie is no difference to go by. */
static bool may_tie(const struct act_side *base, const struct act_side *side)
{
    const struct act_plan *plans[2] = {base->plan, side->plan};
    if (!base->result->time.estimated || !side->result->time.estimated)
        return false;
    for (int id = 0; id < ACT_FIELD_COUNT; id++) {
        enum act_group group = act_field((enum act_field_id)id)->group;
        if ((group == ACT_GROUP_parallel || group == ACT_GROUP_framework) &&
            act_diff_field(plans, 2, (enum act_field_id)id) != ACT_SAME)
            return true;
    }
    return false;
}

void act_delta_of(enum act_figure_id id, const struct act_side *base, const struct act_side *side,
                  bool unit, struct act_delta *ret)
{
    const char *currency = side->plan->cost.currency;
    double from = value_of(id, base->result), to = value_of(id, side->result);
    struct act_change change = act_metric_change(act_metric_at(metric_index(id)), from, to);
    if (id == ACT_FIGURE_MEMORY) /* judged by the fit */
        change.verdict = act_metric_change_of(metric_index(id), base->result, side->result).verdict;
    char value[40], nothing[40];
    *ret = (struct act_delta){.mark = "", .word = "", .look = ACT_LOOK_DIM};
    if (!change.known || (id == ACT_FIGURE_COST && strcmp(currency, base->plan->cost.currency))) {
        snprintf(ret->text, sizeof ret->text, "–");
        return;
    }
    write_value(id, fabs(change.by), currency, value, sizeof value);
    write_value(id, 0, currency, nothing, sizeof nothing);
    if (!change.differs || strcmp(value, nothing) == 0) {
        snprintf(ret->text, sizeof ret->text, "=");
        return;
    }
    snprintf(ret->text, sizeof ret->text, "%s%s%s", change.by < 0 ? "−" : "+", value,
             unit ? unit_of(id) : "");
    ret->look = ACT_LOOK_VALUE;
    if (change.verdict == ACT_VERDICT_NONE ||
        (figures[id].timed && fabs(change.share) < tie && may_tie(base, side)))
        return;
    bool better = change.verdict == ACT_VERDICT_BETTER;
    ret->mark = better ? "▲" : "▼";
    ret->word = act_verdict_name(change.verdict);
    ret->look = better ? ACT_LOOK_GOOD : ACT_LOOK_BAD;
}
