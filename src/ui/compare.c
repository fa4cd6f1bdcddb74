#include "ui/compare.h"
#include "ui/modes.h"
#include <actuary/diff.h>
#include <actuary/field.h>
#include <string.h>

void act_sides_of(const struct act_desk *desk, struct act_sides *ret)
{
    int pinned = act_desk_index(desk, desk->pinned);
    ret->count = desk->count;
    ret->base = pinned >= 0 ? pinned : 0;
    for (int i = 0; i < desk->count; i++) {
        act_plan_resolve(&desk->tab[i]->plan, &ret->resolved[i]);
        ret->plans[i] = &ret->resolved[i];
        ret->side[i] = (struct act_side){&ret->resolved[i], &desk->tab[i]->result};
    }
}

/* Would the panes show it, for one of the scenarios? */
static bool is_shown(const struct act_view *view, const struct act_sides *sides,
                     const struct act_field *field)
{
    bool applies = false, main = false;
    for (int i = 0; i < sides->count; i++) {
        bool here = act_field_applies(sides->plans[i], field->id);
        applies = applies || here;
        main = main || (here && act_pane_is_main(&view->desk.tab[i]->plan, field));
    }
    if (view->filter[0] != '\0')
        return applies && act_pane_matches(field, view->filter);
    return applies && (view->all_fields || main ||
                       act_diff_field(sides->plans, sides->count, field->id) == ACT_DIFFERS);
}

static bool is_kept(const struct act_view *view, const struct act_sides *sides,
                    const struct act_field *field)
{
    enum act_difference difference = act_diff_field(sides->plans, sides->count, field->id);
    return !view->compare.only || difference == ACT_DIFFERS ||
           (difference == ACT_DIFFERS_BESIDE && view->all_fields) ||
           field->id == view->desk.tab[view->desk.current]->focus;
}

void act_compare_rows(struct act_view *view, const struct act_sides *sides)
{
    const struct act_plan *plan = &act_desk_tab(&view->desk)->plan;
    struct act_rows *rows = &view->rows;
    rows->count = view->compare.hidden = 0;
    for (int group = ACT_GROUP_model; group < ACT_GROUP_COUNT; group++) {
        enum act_field_id heading = act_pane_heading_field(plan, (enum act_group)group);
        int start = rows->count;
        bool titled = view->filter[0] == '\0';
        if (titled)
            rows->row[rows->count++] =
                (struct act_row){heading, (enum act_group)group, true, false};
        for (int id = 0; id < ACT_FIELD_COUNT; id++) {
            const struct act_field *field = act_field((enum act_field_id)id);
            if ((int)field->group != group || (titled && field->id == heading) ||
                !is_shown(view, sides, field))
                continue;
            if (is_kept(view, sides, field))
                rows->row[rows->count++] =
                    (struct act_row){field->id, (enum act_group)group, false, false};
            else
                view->compare.hidden++;
        }
        if (titled && rows->count == start + 1 && !is_kept(view, sides, act_field(heading))) {
            rows->count = start; /* a heading with nothing below it */
            view->compare.hidden++;
        }
    }
}

void act_compare_start(struct act_view *view)
{
    view->compare = (struct act_compare_view){.on = true, .only = view->desk.count > 1};
    view->scroll = 0;
}

static void leave(struct act_view *view)
{
    view->compare.on = false;
    view->scroll = 0;
}

void act_compare_action(struct act_view *view, enum act_action_id id)
{
    switch (id) {
    case ACT_DO_leave_columns:
        leave(view);
        break;
    case ACT_DO_leave:
        if (view->filter[0] != '\0')
            view->filter[0] = '\0';
        else
            leave(view);
        break;
    case ACT_DO_only_differences:
        view->compare.only = !view->compare.only;
        act_desk_say(&view->desk, ACT_SAY_NOTE,
                     view->compare.only ? "only the fields that differ" : "equal fields too");
        break;
    default:
        break;
    }
}
