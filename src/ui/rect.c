#include "ui/rect.h"

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

struct act_rect act_rect_clip(struct act_rect outer, struct act_rect inner)
{
    int top = most(outer.row, inner.row);
    int left = most(outer.column, inner.column);
    int bottom = least(outer.row + outer.rows, inner.row + inner.rows);
    int right = least(outer.column + outer.columns, inner.column + inner.columns);
    return (struct act_rect){top, left, most(0, bottom - top), most(0, right - left)};
}

/* Takes up to `rows` from the top of what is left, if at least `least_rows` are there, and a blank
 * row below when `gap`. */
static struct act_rect take(struct act_rect *left, int least_rows, int rows, bool gap)
{
    struct act_rect taken = {left->row, left->column, 0, left->columns};
    if (rows < least_rows || left->rows < least_rows)
        return taken;
    taken.rows = least(rows, left->rows);
    int used = least(left->rows, taken.rows + (gap ? 1 : 0));
    left->row += used;
    left->rows -= used;
    return taken;
}

/* Heights of the result blocks. Heading rows are part of a block. What is scarce goes first to
 * the bars of a few stages, then what-if, then checks, then the rest. */
static void share_results(struct act_rect area, const struct act_needs *needs,
                          struct act_layout_view *view)
{
    enum { MEMORY_EXTRA = 3 }; /* heading, scale, legend */
    bool roomy = area.rows >= 20;
    int gaps = roomy ? 3 : 0;
    int memory_extra = area.rows >= 12 ? MEMORY_EXTRA : area.rows >= 6 ? 2 : 1;
    int stages = least(needs->stages, most(1, area.rows - memory_extra));
    int rest = area.rows - memory_extra - least(stages, 2) - gaps;
    int step = rest >= 10 ? least(needs->step, roomy ? needs->step : 2) : rest >= 1 ? 1 : 0;
    rest -= step;
    int what_if = needs->what_if > 0 ? least(needs->what_if + 1, most(0, rest - 2)) : 0;
    if (what_if < 3)
        what_if = 0;
    rest -= what_if;
    int checks = least(needs->checks, most(0, rest));
    rest -= checks;
    int bars = least(stages, least(stages, 2) + most(0, rest));
    rest -= bars - least(stages, 2);
    int contents = rest >= 4 ? least(needs->contents + 1, rest - 1) : 0;
    view->memory = take(&area, 1, memory_extra + bars, roomy);
    view->step = take(&area, 1, step, roomy);
    view->what_if = take(&area, 3, what_if, roomy);
    view->checks = take(&area, 1, checks, roomy && contents > 0);
    view->contents = take(&area, 3, contents, false);
}

void act_rect_layout(int rows, int columns, const struct act_needs *needs,
                     struct act_layout_view *ret)
{
    struct act_layout_view view = {.form = ACT_FORM_FULL};
    struct act_rect all = {0, 0, most(0, rows), most(0, columns)};
    if (rows < 4 || columns < 20) {
        view.form = ACT_FORM_LINE;
        view.verdict = (struct act_rect){0, 0, least(1, all.rows), all.columns};
        *ret = view;
        return;
    }
    if (rows < 16 || columns < 76) {
        view.form = rows >= 12 && columns >= 34 ? ACT_FORM_COLUMN : ACT_FORM_SMALL;
        int strip = view.form == ACT_FORM_COLUMN ? 2 : 1;
        view.verdict = take(&all, 1, strip + (needs->versus && rows >= 6 ? 1 : 0), false);
        int foot = rows >= 16 ? 2 : 1;
        all.rows -= foot;
        view.hint = (struct act_rect){rows - foot, 0, 1, columns};
        view.keys = (struct act_rect){rows - 1, 0, foot - 1, columns};
        if (view.form == ACT_FORM_COLUMN) {
            int bars = least(needs->stages, most(1, all.rows / 4)) + (all.rows >= 16 ? 3 : 1);
            view.memory = take(&all, 1, bars, false);
            if (all.rows >= 12 && columns >= 56)
                view.what_if = take(&all, 3, 4, false);
            view.rule_top = take(&all, 1, 1, false);
        } else {
            view.memory = take(&all, 1, 1, false);
        }
        view.fields = all;
        *ret = view;
        return;
    }
    view.tabs = take(&all, 1, 1, rows >= 28);
    /* Where rows are scarce the differences take the place of the captions. */
    view.verdict = take(&all, 1, needs->versus && rows >= 29 ? 3 : 2, false);
    view.rule_top = take(&all, 1, 1, false);
    int foot = rows >= 20 ? 3 : 2;
    all.rows -= foot;
    int at = all.row + all.rows;
    if (foot == 3)
        view.rule_bottom = (struct act_rect){at++, 0, 1, columns};
    view.hint = (struct act_rect){at++, 0, 1, columns};
    view.keys = (struct act_rect){at, 0, 1, columns};
    int left = columns >= 110 ? 47 : columns >= 90 ? 38 : most(30, columns * 3 / 8);
    if (columns >= 160)
        left = 56;
    view.fields = (struct act_rect){all.row, 0, all.rows, left};
    view.divider = (struct act_rect){all.row, left, all.rows, 1};
    struct act_rect right = {all.row, left + 2, all.rows, columns - left - 2};
    share_results(right, needs, &view);
    *ret = view;
}
