/* Values of a plan by the id of their field: numbers, texts, defaults, comparison. */
#include <actuary/field.h>

#include <stdint.h>
#include <string.h>

static const char *place_of(const struct act_plan *plan, const struct act_field *field)
{
    return (const char *)plan + field->offset;
}

double act_field_number(const struct act_plan *plan, enum act_field_id id)
{
    const struct act_field *field = act_field(id);

    switch (field->kind) {
    case ACT_KIND_REAL: {
        double value;
        memcpy(&value, place_of(plan, field), sizeof value);
        return value;
    }
    case ACT_KIND_INT:
    case ACT_KIND_BOOL:
    case ACT_KIND_ENUM:
    case ACT_KIND_SET: {
        int64_t value;
        memcpy(&value, place_of(plan, field), sizeof value);
        return (double)value;
    }
    case ACT_KIND_GPUS:
        return act_plan_gpus(plan);
    case ACT_KIND_LIST:
    case ACT_KIND_TEXT:
        break;
    }
    return 0;
}

void act_field_set_number(struct act_plan *plan, enum act_field_id id, double value)
{
    const struct act_field *field = act_field(id);
    char *place = (char *)plan + field->offset;

    switch (field->kind) {
    case ACT_KIND_REAL:
        memcpy(place, &value, sizeof value);
        break;
    case ACT_KIND_INT:
    case ACT_KIND_BOOL:
    case ACT_KIND_ENUM:
    case ACT_KIND_SET: {
        int64_t whole = (int64_t)value;
        memcpy(place, &whole, sizeof whole);
        break;
    }
    case ACT_KIND_GPUS: /* it is data that is kept and saved */
        act_plan_set_gpus(plan, value);
        id = ACT_F_parallel_data;
        break;
    case ACT_KIND_LIST:
    case ACT_KIND_TEXT:
        return;
    }
    act_plan_set_given(plan, id, true);
}

const char *act_field_string(const struct act_plan *plan, enum act_field_id id)
{
    const struct act_field *field = act_field(id);

    return field->kind == ACT_KIND_TEXT ? place_of(plan, field) : "";
}

static bool same_list(const struct act_list *a, const struct act_list *b)
{
    return a->count == b->count &&
           memcmp(a->item, b->item, (size_t)a->count * sizeof a->item[0]) == 0;
}

bool act_field_equal(const struct act_plan *a, const struct act_plan *b, enum act_field_id id)
{
    const struct act_field *field = act_field(id);

    switch (field->kind) {
    case ACT_KIND_TEXT:
        return strcmp(place_of(a, field), place_of(b, field)) == 0;
    case ACT_KIND_LIST:
        return same_list((const struct act_list *)(const void *)place_of(a, field),
                         (const struct act_list *)(const void *)place_of(b, field));
    default:
        return act_field_number(a, id) == act_field_number(b, id);
    }
}

void act_field_copy(struct act_plan *to, const struct act_plan *from, enum act_field_id id)
{
    const struct act_field *field = act_field(id);

    if (field->kind == ACT_KIND_GPUS) {
        act_plan_set_gpus(to, act_plan_gpus(from));
        id = ACT_F_parallel_data;
    } else {
        memmove((char *)to + field->offset, place_of(from, field), field->size);
    }
    act_plan_set_given(to, id, act_plan_given(from, id));
}

bool act_plan_equal(const struct act_plan *a, const struct act_plan *b)
{
    if (memcmp(a->given, b->given, sizeof a->given) != 0)
        return false;
    for (int id = 0; id < ACT_FIELD_COUNT; id++) {
        if (!act_field_equal(a, b, (enum act_field_id)id))
            return false;
    }
    return true;
}
