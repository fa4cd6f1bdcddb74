#include <actuary/diff.h>
#include <actuary/field.h>

static bool differs(const struct act_plan *const *plans, int count, enum act_field_id id)
{
    bool applies = act_field_applies(plans[0], id);

    for (int i = 1; i < count; i++) {
        bool other = act_field_applies(plans[i], id);
        if (other != applies || (applies && !act_field_equal(plans[0], plans[i], id)))
            return true;
    }
    return false;
}

static bool given(const struct act_plan *const *plans, int count, enum act_field_id id)
{
    for (int i = 0; i < count; i++) {
        if (act_plan_given(plans[i], id) && act_field_applies(plans[i], id))
            return true;
    }
    return false;
}

enum act_difference act_diff_field(const struct act_plan *const *plans, int count,
                                   enum act_field_id id)
{
    const struct act_field *field = act_field(id);
    int preset = act_group_preset(field->group);

    if (field->group == ACT_GROUP_scenario || !differs(plans, count, id))
        return ACT_SAME;
    if (given(plans, count, id) || (field->flags & ACT_FIELD_MAIN) || preset == (int)id)
        return ACT_DIFFERS;
    return ACT_DIFFERS_BESIDE;
}

bool act_diff_row(const struct act_plan *const *plans, int count, enum act_field_id id)
{
    const struct act_field *field = act_field(id);
    enum act_difference difference = act_diff_field(plans, count, id);
    bool applies = false;

    for (int i = 0; i < count; i++)
        applies = applies || act_field_applies(plans[i], id);
    bool preset = act_group_preset(field->group) == (int)id;
    return difference == ACT_DIFFERS ||
           (applies && difference == ACT_SAME && ((field->flags & ACT_FIELD_MAIN) || preset));
}
