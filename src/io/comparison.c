#include "io/comparison.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void act_case_init(struct act_case *ret, const struct act_plan *plan,
                   const struct act_result *result)
{
    ret->plan = plan;
    ret->result = result;
    act_plan_resolve(plan, &ret->resolved);
}

void act_case_estimate(const struct act_plan *plan, struct act_result *ret_result,
                       struct act_case *ret)
{
    act_estimate_cured(plan, ret_result);
    act_case_init(ret, plan, ret_result);
}

bool act_case_sound(const struct act_case *item)
{
    return item->result->fit != ACT_DOES_NOT_FIT && item->result->errors == 0;
}

const char *act_case_verdict(const struct act_case *item)
{
    static const char *const verdicts[] = {
        [ACT_FITS] = "fits", [ACT_TIGHT] = "tight", [ACT_DOES_NOT_FIT] = "does not fit"};

    if (item->result->fit != ACT_DOES_NOT_FIT && item->result->errors > 0)
        return "breaks rules";
    return verdicts[item->result->fit];
}

static int collect(const struct act_case *cases, int count,
                   const struct act_plan *plans[ACT_CASES_MAX])
{
    int kept = count < ACT_CASES_MAX ? count : ACT_CASES_MAX;

    for (int i = 0; i < kept; i++)
        plans[i] = &cases[i].resolved;
    return kept;
}

enum act_difference act_compare_field_difference(const struct act_case *cases, int count,
                                                 enum act_field_id id)
{
    const struct act_plan *plans[ACT_CASES_MAX];
    int kept = collect(cases, count, plans);

    return act_diff_field(plans, kept, id);
}

bool act_compare_field_row(const struct act_case *cases, int count, enum act_field_id id, bool all)
{
    const struct act_plan *plans[ACT_CASES_MAX];
    int kept = collect(cases, count, plans);

    return act_diff_row(plans, kept, id) || (all && act_diff_field(plans, kept, id) != ACT_SAME);
}

int act_compare_beside(const struct act_case *cases, int count)
{
    int beside = 0;

    for (int id = 0; id < ACT_FIELD_COUNT; id++)
        beside +=
            act_compare_field_difference(cases, count, (enum act_field_id)id) == ACT_DIFFERS_BESIDE;
    return beside;
}

void act_compare_field(const struct act_case *cases, int index, enum act_field_id id,
                       struct act_compared *ret)
{
    const struct act_plan *plan = &cases[index].resolved, *base = &cases[0].resolved;
    bool applies = act_field_applies(plan, id), base_applies = act_field_applies(base, id);

    *ret = (struct act_compared){.text = "-"};
    if (applies)
        act_field_text(plan, id, ACT_STYLE_SHORT, ret->text, sizeof ret->text);
    ret->differs =
        index > 0 && (applies != base_applies || (applies && !act_field_equal(base, plan, id)));
}

bool act_compare_metric_row(const struct act_case *cases, int count, int metric, bool all)
{
    bool known = false;

    for (int i = 0; i < count; i++)
        known = known || isfinite(act_metric_value(metric, cases[i].result));
    return known && (all || act_metric_at(metric)->main);
}

struct act_change act_compare_change(const struct act_case *cases, int index, int metric)
{
    const struct act_metric *row = act_metric_at(metric);
    bool money = row->unit == ACT_METRIC_MONEY;

    if (index == 0 || (money && strcmp(cases[0].resolved.cost.currency,
                                       cases[index].resolved.cost.currency) != 0))
        return (struct act_change){.share = NAN};
    return act_metric_change(row, act_metric_value(metric, cases[0].result),
                             act_metric_value(metric, cases[index].result));
}

void act_compare_metric(const struct act_case *cases, int index, int metric,
                        struct act_compared *ret)
{
    const struct act_metric *row = act_metric_at(metric);
    double value = act_metric_value(metric, cases[index].result);
    struct act_change change = act_compare_change(cases, index, metric);

    *ret = (struct act_compared){.verdict = change.verdict};
    size_t length = act_metric_text(row->unit, value, ret->text, sizeof ret->text);
    if (row->unit == ACT_METRIC_MONEY && isfinite(value) && length < sizeof ret->text)
        snprintf(ret->text + length, sizeof ret->text - length, " %s",
                 cases[index].resolved.cost.currency);
    act_change_text(row, &change, ret->change, sizeof ret->change);
    ret->differs =
        index > 0 &&
        (change.known ? change.differs
                      : isfinite(value) != isfinite(act_metric_value(metric, cases[0].result)));
}
