/* Scenarios side by side: results, fields, and the fullest stage of each on one scale. */
#include "ui/bars.h"
#include "ui/compare.h"
#include "ui/figure.h"
#include "ui/modes.h"
#include "ui/results.h"
#include "ui/scale.h"
#include <actuary/diff.h>
#include <actuary/field.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    LEAST_COLUMN = 20, /* a value of 8, a difference of 11 and a blank */
    MOST_COLUMN = 30,
    DIFFERENCE = 12, /* with its blank */
    FIGURES = 15     /* at the right of a bar */
};

/* Where things stand; a part without room has no rows. */
struct layout {
    int label, width; /* columns of the labels, and of one scenario */
    int first, shown; /* scenarios */
    struct act_rect title, heads, results, rule_top, fields, rule_middle, bars, rule_bottom, hint,
        keys;
    bool scale, legend;
};

static struct act_rect take_top(struct act_rect *left, int rows)
{
    rows = rows < left->rows ? rows : left->rows;
    struct act_rect taken = {left->row, left->column, rows, left->columns};
    left->row += rows;
    left->rows -= rows;
    return taken;
}

static struct act_rect take_bottom(struct act_rect *left, int rows)
{
    rows = rows < left->rows ? rows : left->rows;
    left->rows -= rows;
    return (struct act_rect){left->row + left->rows, left->column, rows, left->columns};
}

static void lay_out(const struct act_canvas *canvas, int count, int current, int first,
                    struct layout *ret)
{
    struct act_rect all = act_canvas_rect(canvas);
    int rows = canvas->rows, columns = canvas->columns;
    *ret = (struct layout){.label = columns >= 100 ? 26 : columns >= 60 ? 18 : 14};
    int room = columns - ret->label - 1;
    ret->shown = room / LEAST_COLUMN < 1 ? 1 : room / LEAST_COLUMN;
    ret->shown = ret->shown < count ? ret->shown : count;
    ret->width = room / ret->shown < MOST_COLUMN ? room / ret->shown : MOST_COLUMN;
    ret->first = current < first ? current : first;
    if (current >= ret->first + ret->shown)
        ret->first = current - ret->shown + 1;
    if (ret->first > count - ret->shown)
        ret->first = count - ret->shown;

    int bars = rows >= 28 ? 6 : rows >= 20 ? 4 : rows >= 12 ? 2 : 0;
    bars = bars < count ? bars : count;
    ret->scale = rows >= 20;
    ret->legend = rows >= 28;
    ret->title = take_top(&all, rows >= 8 ? 1 : 0);
    ret->heads = take_top(&all, 1);
    ret->results = take_top(&all, rows >= 32   ? 1 + ACT_FIGURE_COUNT
                                  : rows >= 20 ? 5
                                  : rows >= 12 ? 3
                                  : rows >= 8  ? 2
                                               : 1);
    ret->rule_top = take_top(&all, rows >= 16 ? 1 : 0);
    ret->keys = take_bottom(&all, rows >= 14 ? 1 : 0);
    ret->hint = take_bottom(&all, 1);
    ret->rule_bottom = take_bottom(&all, rows >= 20 ? 1 : 0);
    ret->bars = take_bottom(&all, bars + ret->scale + ret->legend);
    ret->rule_middle = take_bottom(&all, rows >= 16 ? 1 : 0);
    ret->fields = all;
}

/* The cell of a scenario in row `row` of a part. */
static struct act_rect cell_of(const struct layout *layout, struct act_rect part, int row,
                               int index)
{
    int column = part.column + layout->label + (index - layout->first) * layout->width;
    return act_rect_clip(part, (struct act_rect){part.row + row, column, 1, layout->width});
}

static void draw_title(struct act_view *view, const struct layout *layout)
{
    struct act_canvas *canvas = &view->canvas;
    const struct act_tab *tab = act_desk_tab(&view->desk);
    int count = view->desk.count, last = layout->first + layout->shown;
    char text[160], undo[24] = "", hidden[64] = "";
    if (layout->title.rows <= 0)
        return;
    int column = act_draw_text(canvas, layout->title, 0, 1, ACT_LOOK_HEADING, "actuary") + 2;
    if (layout->shown == 1 && count > 1)
        snprintf(text, sizeof text, "%d of %d scenarios", last, count);
    else if (layout->shown < count)
        snprintf(text, sizeof text, "%d–%d of %d scenarios %s%s", layout->first + 1, last, count,
                 layout->first > 0 ? "‹" : "", last < count ? "›" : "");
    else
        snprintf(text, sizeof text, "%d scenario%s", count, count == 1 ? "" : "s");
    column = act_draw_cut(canvas, layout->title, 0, column, layout->title.columns - column,
                          ACT_LOOK_TEXT, text);
    if (tab->history.done > 0)
        snprintf(undo, sizeof undo, "   undo %d", tab->history.done);
    if (view->compare.only)
        snprintf(hidden, sizeof hidden, "only differences, %d equal hidden", view->compare.hidden);
    snprintf(text, sizeof text, "%s%s%s", view->compare.only ? hidden : "all fields", undo,
             act_tab_modified(tab) ? "   modified" : "");
    if (column + 2 + act_text_columns(canvas, text) < layout->title.columns)
        act_draw_right(canvas, layout->title, 0, layout->title.columns - 1, ACT_LOOK_DIM, text);
}

static void draw_heads(struct act_view *view, const struct layout *layout,
                       const struct act_sides *sides)
{
    struct act_canvas *canvas = &view->canvas;
    const struct act_desk *desk = &view->desk;
    act_draw_cut(canvas, layout->heads, 0, 1, layout->label - 2, ACT_LOOK_HEADING, "RESULT");
    for (int i = layout->first; i < layout->first + layout->shown; i++) {
        struct act_rect cell = cell_of(layout, layout->heads, 0, i);
        const struct act_tab *tab = desk->tab[i];
        bool current = i == desk->current;
        char text[160], tail[24]; /* the tail stays when the name is cut */
        snprintf(text, sizeof text, "%d %s", i + 1, tab->plan.scenario.name);
        snprintf(tail, sizeof tail, "%s%s", act_tab_modified(tab) ? " ●" : "",
                 tab == desk->pinned                                            ? " PIN"
                 : desk->pinned == NULL && i == sides->base && sides->count > 1 ? " base"
                                                                                : "");
        int end = cell.columns - act_text_columns(canvas, tail);
        end = end < cell.columns - 2 ? end : cell.columns - 2;
        int width = act_text_columns(canvas, text), room = end - 2;
        width = width < room ? width : room;
        if (current)
            act_draw_fill(canvas,
                          (struct act_rect){cell.row, cell.column + end - width - 1, 1,
                                            cell.columns - (end - width - 1)},
                          ' ', ACT_LOOK_TAB);
        act_draw_cut(canvas, cell, 0, end - width, width, current ? ACT_LOOK_TAB : ACT_LOOK_VALUE,
                     text);
        act_draw_text(canvas, cell, 0, end, current ? ACT_LOOK_TAB : ACT_LOOK_NOTE, tail);
    }
}

/* "no, by 9.0 GiB", "fits, 12.1 left": the verdict of a column. */
static enum act_look verdict(const struct act_result *result, const char *unit, char *out,
                             size_t size)
{
    char figure[32];
    act_figure_gib(fabs(result->memory.headroom), figure, sizeof figure);
    if (result->fit == ACT_DOES_NOT_FIT) {
        snprintf(out, size, "no, by %s%.6s", figure, unit);
        return ACT_LOOK_BAD;
    }
    enum act_outcome outcome = act_outcome_of(result);
    if (outcome > ACT_OUTCOME_TIGHT) {
        snprintf(out, size, "%s%s", outcome == ACT_OUTCOME_LATE ? "fits, " : "",
                 act_outcome_name(outcome));
        return ACT_LOOK_WARN;
    }
    snprintf(out, size, "%s, %s%.6s left", result->fit == ACT_TIGHT ? "tight" : "fits", figure,
             unit);
    return result->fit == ACT_TIGHT ? ACT_LOOK_WARN : ACT_LOOK_GOOD;
}

static void draw_results(struct act_view *view, const struct layout *layout,
                         const struct act_sides *sides)
{
    struct act_canvas *canvas = &view->canvas;
    for (int row = 0; row < layout->results.rows; row++) {
        enum act_figure_id id = (enum act_figure_id)(row - 1);
        act_draw_cut(canvas, layout->results, row, 1, layout->label - 2, ACT_LOOK_TEXT,
                     row == 0 ? "fits" : act_figure_label(id));
        for (int i = layout->first; i < layout->first + layout->shown; i++) {
            struct act_rect cell = cell_of(layout, layout->results, row, i);
            int end = cell.columns - (sides->count > 1 ? DIFFERENCE : 2);
            char text[64];
            struct act_delta delta;
            if (row == 0) {
                char unit[8];
                snprintf(unit, sizeof unit, " %s", act_figure_unit());
                enum act_look look = verdict(sides->side[i].result, cell.columns >= 23 ? unit : "",
                                             text, sizeof text);
                int width = act_text_columns(canvas, text), room = cell.columns - 3;
                width = width < room ? width : room;
                act_draw_cut(canvas, cell, 0, cell.columns - 2 - width, width, look, text);
                continue;
            }
            act_figure_value(id, &sides->side[i], text, sizeof text);
            act_draw_right(canvas, cell, 0, end, ACT_LOOK_VALUE, text);
            if (i == sides->base)
                continue;
            act_delta_of(id, &sides->side[sides->base], &sides->side[i], false, &delta);
            act_draw_right(canvas, cell, 0, cell.columns - 2, delta.look, delta.text);
            act_draw_right(canvas, cell, 0, cell.columns - 1, delta.look, delta.mark);
        }
    }
}

/* The value of a field in one scenario. */
static void draw_cell(struct act_view *view, struct act_rect cell, const struct act_sides *sides,
                      int index, enum act_field_id field, bool focused)
{
    struct act_canvas *canvas = &view->canvas;
    const struct act_plan *pair[2] = {sides->plans[sides->base], sides->plans[index]};
    bool differs = index != sides->base && act_diff_field(pair, 2, field) != ACT_SAME;
    bool derived = false;
    char value[1100] = "–";
    if (focused && view->mode == ACT_MODE_EDIT && view->edit_field == field) {
        act_edit_draw(&view->edit, canvas, cell, 0, 1, cell.columns - 3);
        return;
    }
    if (act_field_applies(sides->plans[index], field))
        derived = act_pane_value(&view->desk.tab[index]->plan, sides->plans[index], field, value,
                                 sizeof value);
    enum act_look look = differs ? ACT_LOOK_VALUE : derived ? ACT_LOOK_DIM : ACT_LOOK_TEXT;
    if (focused) {
        look = ACT_LOOK_FOCUS;
        act_draw_fill(canvas, (struct act_rect){cell.row, cell.column + 1, 1, cell.columns - 1},
                      ' ', look);
        canvas->cursor_row = cell.row;
        canvas->cursor_column = cell.column + 1;
    }
    int width = act_text_columns(canvas, value), room = cell.columns - 3;
    width = width < room ? width : room;
    act_draw_cut(canvas, cell, 0, cell.columns - 2 - width, width, look, value);
    if (differs)
        act_draw_right(canvas, cell, 0, cell.columns, focused ? look : ACT_LOOK_NOTE, "!");
}

static void draw_fields(struct act_view *view, const struct layout *layout,
                        const struct act_sides *sides)
{
    struct act_canvas *canvas = &view->canvas;
    struct act_rect part = layout->fields;
    enum act_field_id focus = act_desk_tab(&view->desk)->focus;
    int shown = view->rows.count - view->scroll;
    if (part.rows <= 0)
        return;
    if (view->rows.count == 0)
        act_draw_cut(canvas, part, 0, 1, part.columns - 2, ACT_LOOK_DIM,
                     "no field matches; Esc shows all");
    for (int i = 0; i < part.rows && i < shown; i++) {
        const struct act_row *row = &view->rows.row[view->scroll + i];
        bool focused = row->field == focus;
        if (focused)
            act_draw_text(canvas, part, i, 0, ACT_LOOK_VALUE, "▸");
        if (row->heading)
            act_draw_cut(canvas, part, i, 1, layout->label - 2, ACT_LOOK_HEADING,
                         act_group_title(row->group));
        else
            act_draw_cut(canvas, part, i, 3, layout->label - 4,
                         focused ? ACT_LOOK_VALUE : ACT_LOOK_TEXT, act_field(row->field)->label);
        for (int k = layout->first; k < layout->first + layout->shown; k++)
            draw_cell(view, cell_of(layout, part, i, k), sides, k, row->field,
                      focused && k == view->desk.current);
    }
    if (view->scroll > 0)
        act_draw_text(canvas, part, 0, layout->label - 1, ACT_LOOK_DIM, "↑");
    if (shown > part.rows && part.rows > 1)
        act_draw_text(canvas, part, part.rows - 1, layout->label - 1, ACT_LOOK_DIM, "↓");
}

/* The fullest stage of each scenario, all on one scale. */
static void draw_bars(struct act_view *view, const struct layout *layout,
                      const struct act_sides *sides)
{
    struct act_canvas *canvas = &view->canvas;
    struct act_rect rect = layout->bars;
    int width = rect.columns - layout->label - FIGURES - 1, current = view->desk.current;
    int rows = rect.rows - layout->scale - layout->legend, row = 0;
    const struct act_memory *here = &sides->side[current].result->memory;
    double full = 0;
    if (rows <= 0 || width < 4)
        return;
    for (int i = 0; i < sides->count; i++) {
        const struct act_memory *memory = &sides->side[i].result->memory;
        full = fmax(full, act_bar_full(memory->usable, memory->peak));
    }
    if (layout->scale) {
        char heading[32];
        if (layout->label >= 26)
            snprintf(heading, sizeof heading, " MEMORY of fullest stage");
        else
            snprintf(heading, sizeof heading, " MEMORY %s", act_figure_unit());
        act_draw_cut(canvas, rect, row, 0, layout->label - 1, ACT_LOOK_HEADING, heading);
        act_scale_draw(canvas, rect, row++, layout->label, width, full, here->usable);
    }
    int first = current - rows / 2;
    first = first > sides->count - rows ? sides->count - rows : first;
    first = first < 0 ? 0 : first;
    for (int i = first; i < sides->count && i < first + rows; i++, row++) {
        const struct act_memory *memory = &sides->side[i].result->memory;
        enum act_look look = i == current ? ACT_LOOK_VALUE : ACT_LOOK_TEXT;
        struct act_bar bar;
        char text[160];
        snprintf(text, sizeof text, "%d %s", i + 1, view->desk.tab[i]->plan.scenario.name);
        if (i == current)
            act_draw_text(canvas, rect, row, 0, look, "▸");
        act_draw_cut(canvas, rect, row, 1, layout->label - 2, look, text);
        act_bar_of_stage(&memory->stage[memory->worst], &bar);
        bar.capacity = memory->usable;
        bar.full = full;
        act_bar_draw(canvas, rect, row, layout->label, width, &bar);
        act_figure_gib(memory->peak, text, sizeof text);
        act_draw_right(canvas, rect, row, layout->label + width + 8, look, text);
        double share = memory->usable > 0 ? 100 * memory->peak / memory->usable : 0;
        if (share < 9999.5)
            snprintf(text, sizeof text, "%.0f %%", share);
        else
            snprintf(text, sizeof text, "≫");
        act_draw_right(canvas, rect, row, layout->label + width + FIGURES,
                       act_fit_look(memory->peak, memory->usable), text);
    }
    if (layout->legend)
        act_legend_draw(canvas, rect, row, layout->label, here);
}

void act_compare_draw(struct act_view *view)
{
    static struct act_sides sides; /* large; the screen is drawn by one thread */
    struct act_canvas *canvas = &view->canvas;
    struct layout layout;
    if (canvas->rows < 4 || canvas->columns < 34) {
        act_dashboard_draw(view); /* no room for two things beside each other */
        return;
    }
    act_sides_of(&view->desk, &sides);
    lay_out(canvas, sides.count, view->desk.current, view->compare.first, &layout);
    view->compare.first = layout.first;
    act_compare_rows(view, &sides);
    act_mode_settle(view, layout.fields.rows);
    uint32_t flat = canvas->ascii ? '-' : 0x2500;
    act_draw_fill(canvas, layout.rule_top, flat, ACT_LOOK_RULE);
    act_draw_fill(canvas, layout.rule_middle, flat, ACT_LOOK_RULE);
    act_draw_fill(canvas, layout.rule_bottom, flat, ACT_LOOK_RULE);
    draw_title(view, &layout);
    draw_heads(view, &layout, &sides);
    draw_results(view, &layout, &sides);
    draw_fields(view, &layout, &sides);
    draw_bars(view, &layout, &sides);
    act_foot_hint(view, layout.hint, layout.keys.rows > 0);
    act_foot_keys(view, layout.keys, ACT_PLACE_COLUMNS);
}
