#include "ui/versus.h"
#include "ui/pane.h"
#include <actuary/diff.h>
#include <actuary/field.h>
#include <stdio.h>
#include <string.h>

void act_versus_label(struct act_canvas *canvas, struct act_rect rect, int row, int width,
                      const struct act_desk *desk)
{
    char text[160];
    if (desk->pinned == NULL || row < 1)
        return;
    if (desk->pinned == desk->tab[desk->current])
        snprintf(text, sizeof text, "baseline");
    else if (width < 8)
        snprintf(text, sizeof text, "vs %d", act_desk_index(desk, desk->pinned) + 1);
    else
        snprintf(text, sizeof text, "vs %d %s", act_desk_index(desk, desk->pinned) + 1,
                 desk->pinned->plan.scenario.name);
    act_draw_cut(canvas, rect, row, 1, width, ACT_LOOK_DIM, text);
}

void act_versus_line(struct act_canvas *canvas, struct act_rect rect, const struct act_desk *desk,
                     const struct act_versus *versus)
{
    int row = rect.rows - 1, width = versus->on ? 6 : rect.columns - 2, column = 1 + width;
    act_versus_label(canvas, rect, row, width, desk);
    for (int id = 0; versus->on && row > 0 && id < ACT_FIGURE_GPUS; id++) {
        struct act_delta delta;
        char text[64];
        act_delta_of((enum act_figure_id)id, &versus->base, &versus->side, true, &delta);
        if (strcmp(delta.text, "–") == 0)
            continue;
        snprintf(text, sizeof text, "%s%s", delta.text, delta.mark);
        if (column + act_text_columns(canvas, text) >= rect.columns)
            return;
        column = act_draw_text(canvas, rect, row, column, delta.look, text) + 2;
    }
}

int act_versus_value(struct act_canvas *canvas, struct act_rect rect, int column,
                     const struct act_desk *desk, enum act_field_id field)
{
    const struct act_tab *base = desk->pinned, *tab = desk->tab[desk->current];
    struct act_plan resolved[2];
    const struct act_plan *plans[2] = {&resolved[0], &resolved[1]};
    char value[64], text[96];
    if (base == NULL || base == tab)
        return column;
    act_plan_resolve(&base->plan, &resolved[0]);
    act_plan_resolve(&tab->plan, &resolved[1]);
    if (act_diff_field(plans, 2, field) == ACT_SAME)
        return column;
    act_pane_value(&base->plan, &resolved[0], field, value, sizeof value);
    snprintf(text, sizeof text, " (baseline %s)", value);
    return act_draw_text(canvas, rect, 0, column, ACT_LOOK_NOTE, text);
}
