/* Changes of a plan as tests of patching name them: "KEY=VALUE", or "-KEY" to take a key back to
 * its preset's or default value. */
#ifndef ACTUARY_TESTS_PATCH_CHANGE_H
#define ACTUARY_TESTS_PATCH_CHANGE_H

#include "io/presets.h"
#include "io/scenario.h"
#include <actuary/field.h>
#include <stdio.h>
#include <string.h>

/* Takes a field back as the planner does. */
static inline void patch_reset(struct act_plan *plan, const struct act_field *field)
{
    struct act_problems problems;
    int kind = act_preset_kind_of_group(field->group);
    act_field_reset(plan, field->id);
    if (kind < 0 || !(field->flags & ACT_FIELD_PRESET))
        return;
    act_problems_init(&problems, "");
    enum act_field_id preset = (enum act_field_id)act_group_preset(field->group);
    act_preset_apply(plan, (enum act_preset_kind)kind, act_field_string(plan, preset), false,
                     &problems);
}

/* One change; 0, or -1 with a sentence. */
static inline int patch_change_one(struct act_plan *plan, const char *change, char *why,
                                   size_t why_size)
{
    char key[128];
    if (change[0] == '-') {
        const struct act_field *field = act_field_find(change + 1);
        if (!field) {
            snprintf(why, why_size, "%.100s: unknown", change);
            return -1;
        }
        patch_reset(plan, field);
        return 0;
    }
    size_t size = strcspn(change, "=");
    snprintf(key, sizeof key, "%.*s", (int)size, change);
    return act_scenario_set(plan, key, change + size + (change[size] == '='), why, why_size);
}

/* Several, separated by '|'. */
static inline int patch_change(struct act_plan *plan, const char *changes, char *why,
                               size_t why_size)
{
    char one[512];
    while (*changes) {
        size_t size = strcspn(changes, "|");
        snprintf(one, sizeof one, "%.*s", (int)size, changes);
        if (patch_change_one(plan, one, why, why_size) != 0)
            return -1;
        changes += size + (changes[size] == '|');
    }
    return 0;
}

#endif
