#include "io/json_compare.h"

#include "io/json_field.h"
#include "io/json_write.h"

#include <math.h>

static bool shows(const struct act_case *cases, int count, enum act_field_id id, bool only)
{
    return act_compare_field_row(cases, count, id, true) &&
           (!only || act_compare_field_difference(cases, count, id) != ACT_SAME);
}

static json_t *differing(struct act_json_builder *builder, const struct act_case *cases, int count)
{
    json_t *array = act_json_keep(builder, json_array());

    for (int id = 0; id < ACT_FIELD_COUNT; id++) {
        if (act_compare_field_difference(cases, count, (enum act_field_id)id) != ACT_SAME)
            act_json_append(builder, array, json_string(act_field((enum act_field_id)id)->key));
    }
    for (int i = 0; act_metric_at(i); i++) {
        bool differs = false;
        for (int j = 1; j < count; j++) {
            struct act_compared cell;
            act_compare_metric(cases, j, i, &cell);
            differs = differs || cell.differs;
        }
        if (differs)
            act_json_append(builder, array, json_string(act_metric_at(i)->key));
    }
    return array;
}

static json_t *fields_of(struct act_json_builder *builder, const struct act_case *cases, int count,
                         int index, bool only)
{
    json_t *object = act_json_keep(builder, json_object());

    for (int i = 0; i < ACT_FIELD_COUNT; i++) {
        enum act_field_id id = (enum act_field_id)i;
        if (shows(cases, count, id, only) && act_field_applies(&cases[index].resolved, id))
            act_json_set_field(builder, object, act_field(id)->key, &cases[index].resolved, id);
    }
    return object;
}

static json_t *results_of(struct act_json_builder *builder, const struct act_result *result)
{
    json_t *object = act_json_keep(builder, json_object());

    for (int i = 0; act_metric_at(i); i++) {
        const struct act_metric *metric = act_metric_at(i);
        double value = act_metric_value(i, result);
        bool counted = metric->unit == ACT_METRIC_BYTES || metric->unit == ACT_METRIC_COUNT;
        if (counted && isfinite(value))
            act_json_set_integer(builder, object, metric->key, value);
        else
            act_json_set_real(builder, object, metric->key, value);
    }
    return object;
}

static json_t *differences_of(struct act_json_builder *builder, const struct act_case *cases,
                              int index)
{
    json_t *object = act_json_keep(builder, json_object());

    for (int i = 0; act_metric_at(i); i++) {
        struct act_change change = act_compare_change(cases, index, i);
        if (!change.known || !change.differs)
            continue;
        json_t *one = act_json_keep(builder, json_object());
        act_json_set_real(builder, one, "by", change.by);
        act_json_set_real(builder, one, "share", change.share);
        if (change.verdict != ACT_VERDICT_NONE)
            act_json_set_text(builder, one, "verdict", act_verdict_name(change.verdict));
        act_json_set(builder, object, act_metric_at(i)->key, one);
    }
    return object;
}

static json_t *scenario_of(struct act_json_builder *builder, const struct act_case *cases,
                           int count, int index, bool only)
{
    json_t *object = act_json_keep(builder, json_object());

    act_json_set_text(builder, object, "name", cases[index].plan->scenario.name);
    act_json_set(builder, object, "fits",
                 json_boolean(cases[index].result->fit != ACT_DOES_NOT_FIT));
    act_json_set_text(builder, object, "verdict", act_case_verdict(&cases[index]));
    act_json_set(builder, object, "fields", fields_of(builder, cases, count, index, only));
    act_json_set(builder, object, "results", results_of(builder, cases[index].result));
    if (index > 0)
        act_json_set(builder, object, "differences", differences_of(builder, cases, index));
    return object;
}

int act_json_comparison(const struct act_case *cases, int count, bool only, struct act_buffer *out)
{
    struct act_json_builder builder = {0};
    json_t *object = act_json_keep(&builder, json_object());
    json_t *scenarios = act_json_keep(&builder, json_array());

    act_json_set_integer(&builder, object, "schema", 1);
    act_json_set(&builder, object, "differs", differing(&builder, cases, count));
    for (int i = 0; i < count; i++)
        act_json_append(&builder, scenarios, scenario_of(&builder, cases, count, i, only));
    act_json_set(&builder, object, "scenarios", scenarios);
    if (!builder.failed)
        builder.failed = act_json_write(object, out) < 0;
    json_decref(object);
    return builder.failed ? -1 : 0;
}
