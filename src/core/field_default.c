/* Defaults of the table of fields. */
#include <actuary/field.h>
#include <string.h>

void act_field_reset(struct act_plan *plan, enum act_field_id id)
{
    const struct act_field *field = act_field(id);
    char why[160];

    if (field->kind == ACT_KIND_GPUS) {
        act_field_reset(plan, ACT_F_parallel_data);
        return;
    }
    /* Defaults are values of their fields: test_field tries them all. */
    (void)act_field_set_text(plan, id, field->initial, 0, why, sizeof why);
    act_plan_set_given(plan, id, false);
}

void act_plan_init(struct act_plan *ret_plan)
{
    memset(ret_plan, 0, sizeof *ret_plan);
    for (int id = 0; id < ACT_FIELD_COUNT; id++)
        act_field_reset(ret_plan, (enum act_field_id)id);
}
