#include "io/scenario.h"

#include "io/assign.h"
#include "io/written.h"
#include <actuary/field.h>

static void write_group(struct act_buffer *out, const struct act_plan *plan, enum act_group group)
{
    const char *name = act_group_name(group);
    int preset = act_group_preset(group);
    const struct act_field *preset_field =
        preset >= 0 ? act_field((enum act_field_id)preset) : NULL;
    bool open = false; /* the group's own line stands */
    for (int i = 0; i < ACT_FIELD_COUNT; i++) {
        const struct act_field *field = act_field((enum act_field_id)i);
        if (field->group != group || i == preset || !act_written_is_saved(plan, field->id))
            continue;
        if (!open) {
            act_buffer_printf(out, "%s:\n", name);
            if (preset_field) {
                act_buffer_printf(out, "  %s: ", preset_field->member);
                act_written_value(out, plan, preset_field->id, ACT_WRITTEN_PLAIN);
                act_buffer_puts(out, "\n");
            }
        }
        open = true;
        act_buffer_printf(out, "  %s: ", field->member);
        act_written_value(out, plan, field->id, ACT_WRITTEN_PLAIN);
        act_buffer_puts(out, "\n");
    }
    if (!open && preset_field) {
        act_buffer_printf(out, "%s: ", name);
        act_written_value(out, plan, preset_field->id, ACT_WRITTEN_PLAIN);
        act_buffer_puts(out, "\n");
    }
}

int act_scenario_write(const struct act_plan *plan, struct act_buffer *out)
{
    act_buffer_printf(out, "schema: %d\n", ACT_SCHEMA);
    for (int i = 0; i < ACT_FIELD_COUNT; i++) {
        const struct act_field *field = act_field((enum act_field_id)i);
        if (field->group != ACT_GROUP_scenario || !act_written_is_saved(plan, field->id))
            continue;
        act_buffer_printf(out, "%s: ", field->member);
        act_written_value(out, plan, field->id, ACT_WRITTEN_PLAIN);
        act_buffer_puts(out, "\n");
    }
    for (int i = 0; i < ACT_WRITTEN_GROUPS; i++)
        write_group(out, plan, act_written_group(i));
    return out->failed ? -1 : 0;
}
