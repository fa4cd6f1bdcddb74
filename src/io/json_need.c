#include "io/json_need.h"

#include "io/json_build.h"
#include "io/json_write.h"

#include <actuary/field.h>
#include <math.h>

/* A value by its field's kind: a name, a truth, a whole number or a fraction. */
static void set_value(struct act_json_builder *builder, json_t *object, enum act_field_id id,
                      double value)
{
    const struct act_field *field = act_field(id);

    if (field->kind == ACT_KIND_ENUM)
        act_json_set_text(builder, object, field->key, field->names[(int)value]);
    else if (field->kind == ACT_KIND_BOOL)
        act_json_set(builder, object, field->key, json_boolean(value > 0));
    else if (value == floor(value))
        act_json_set_integer(builder, object, field->key, value);
    else
        act_json_set_real(builder, object, field->key, value);
}

static void set_time(struct act_json_builder *builder, json_t *object, const char *key, double days)
{
    if (days > 0)
        act_json_set_real(builder, object, key, days);
}

/* What the chosen GPUs come to. */
static json_t *chosen_of(struct act_json_builder *builder, const struct act_gpu_need *need)
{
    const struct act_result *result = &need->result;
    json_t *object = act_json_keep(builder, json_object());
    json_t *set = act_json_keep(builder, json_object());

    act_json_set_integer(builder, object, "gpus", need->chosen);
    act_json_set_integer(builder, object, "idle_gpus", need->idle);
    set_value(builder, set, ACT_F_parallel_data, need->data);
    if (need->global_batch > 0)
        set_value(builder, set, ACT_F_training_global_batch, need->global_batch);
    act_json_set(builder, object, "set", set);
    act_json_set(builder, object, "fits", json_boolean(result->fit != ACT_DOES_NOT_FIT));
    act_json_set_integer(builder, object, "errors", result->errors);
    act_json_set_integer(builder, object, "peak_bytes", result->memory.peak);
    set_time(builder, object, "calendar_days", result->time.calendar_days);
    if (result->cost.known)
        act_json_set_real(builder, object, "cost", result->cost.total);
    return object;
}

static json_t *deadline_of(struct act_json_builder *builder, const struct act_answers *answers)
{
    const struct act_gpu_need *need = &answers->gpus;
    json_t *object = act_json_keep(builder, json_object());

    act_json_set_real(builder, object, "days", answers->deadline.days);
    act_json_set_real(builder, object, "spare", answers->deadline.spare);
    act_json_set_text(builder, object, "round", act_round_name(answers->deadline.round));
    act_json_set(builder, object, "found", json_boolean(need->found));
    act_json_set_real(builder, object, "flops", need->flops);
    act_json_set_real(builder, object, "flops_per_second", need->speed);
    act_json_set_real(builder, object, "peak_flops", need->peak);
    act_json_set_integer(builder, object, "gpus_per_replica", need->replica);
    if (!need->found)
        return object;
    act_json_set_real(builder, object, "mfu", need->mfu);
    act_json_set_text(builder, object, "mfu_source", need->estimated ? "estimated" : "given");
    act_json_set_real(builder, object, "goodput", need->goodput);
    act_json_set_integer(builder, object, "gpus_by_compute", need->by_compute);
    act_json_set_integer(builder, object, "replicas", need->replicas);
    act_json_set_integer(builder, object, "gpus_in_replicas", need->gpus);
    set_time(builder, object, "calendar_days", need->days);
    if (need->fit_replicas > 0) {
        act_json_set_integer(builder, object, "fitting_replicas", need->fit_replicas);
        act_json_set_integer(builder, object, "fitting_gpus", need->fit_gpus);
    }
    act_json_set_integer(builder, object, "gpus_with_spare", need->with_spare);
    act_json_set(builder, object, "chosen", chosen_of(builder, need));
    return object;
}

static json_t *largest_value_of(struct act_json_builder *builder, enum act_field_id field,
                                const struct act_largest_value *value)
{
    static const char *const extents[] = {
        [ACT_EXTENT_NONE] = "none", [ACT_EXTENT_FOUND] = "found", [ACT_EXTENT_ALL] = "all"};
    json_t *object = act_json_keep(builder, json_object());
    bool real = act_field(field)->kind == ACT_KIND_REAL;
    void (*set)(struct act_json_builder *, json_t *, const char *, double) =
        real ? act_json_set_real : act_json_set_integer;

    act_json_set_text(builder, object, "extent", extents[value->extent]);
    if (value->extent != ACT_EXTENT_NONE)
        set(builder, object, "value", value->value);
    if (value->extent != ACT_EXTENT_ALL)
        set(builder, object, "next", value->next);
    return object;
}

static json_t *largest_of(struct act_json_builder *builder, const struct act_answers *answers)
{
    json_t *array = act_json_keep(builder, json_array());

    for (int i = 0; i < ACT_LARGEST_COUNT; i++) {
        const struct act_largest *largest = &answers->largest[i];
        json_t *object = act_json_keep(builder, json_object());
        act_json_set_text(builder, object, "field", act_field(largest->field)->key);
        act_json_set_real(builder, object, "now", largest->now);
        for (int j = 0; j < ACT_LIMIT_COUNT; j++) {
            if (largest->by[j].extent != ACT_EXTENT_FREE)
                act_json_set(builder, object, act_limit_name((enum act_limit)j),
                             largest_value_of(builder, largest->field, &largest->by[j]));
        }
        act_json_append(builder, array, object);
    }
    return array;
}

static json_t *advice_of(struct act_json_builder *builder, const struct act_advices *advices,
                         const struct act_advice *advice)
{
    json_t *object = act_json_keep(builder, json_object());
    json_t *set = act_json_keep(builder, json_object());

    for (int i = 0; i < advice->sets; i++)
        set_value(builder, set, advice->set[i].field, advice->set[i].value);
    if (advice->sets > 0) {
        act_json_set(builder, object, "set", set);
        act_json_set(builder, object, "helps", json_boolean(act_advice_helps(advices, advice)));
    } else {
        json_decref(set);
    }
    act_json_set(builder, object, "fits", json_boolean(advice->fit != ACT_DOES_NOT_FIT));
    act_json_set(builder, object, "tight", json_boolean(advice->fit == ACT_TIGHT));
    act_json_set_integer(builder, object, "errors", advice->errors);
    act_json_set_integer(builder, object, "gpus", advice->gpus);
    act_json_set_integer(builder, object, "peak_bytes", advice->peak);
    set_time(builder, object, "calendar_days", advice->days);
    if (advice->estimated_days != advice->days) /* the MFU is given */
        set_time(builder, object, "estimated_calendar_days", advice->estimated_days);
    act_json_set_real(builder, object, "cost", advice->cost);
    return object;
}

int act_json_need(const struct act_plan *plan, const struct act_answers *answers,
                  struct act_buffer *out)
{
    struct act_json_builder builder = {false};
    json_t *root = act_json_keep(&builder, json_object());
    json_t *changes = act_json_keep(&builder, json_array());
    const struct act_advices *advices = &answers->advices;

    act_json_set_integer(&builder, root, "schema", 1);
    act_json_set_text(&builder, root, "name", plan->scenario.name);
    act_json_set(&builder, root, "now", advice_of(&builder, advices, &advices->now));
    if (answers->asked)
        act_json_set(&builder, root, "deadline", deadline_of(&builder, answers));
    act_json_set_real(&builder, root, "budget", answers->limits.budget);
    act_json_set(&builder, root, "largest", largest_of(&builder, answers));
    for (int i = 0; i < advices->count; i++)
        act_json_append(&builder, changes, advice_of(&builder, advices, &advices->item[i]));
    act_json_set(&builder, root, "changes", changes);
    int status = builder.failed ? -1 : act_json_write(root, out);
    json_decref(root);
    return status;
}
