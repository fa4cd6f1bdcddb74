/* Scenarios side by side for screen readers: each result and each field is one line that names the
 * scenarios by their numbers, in the order in which they are read. */
#include "ui/compare.h"
#include "ui/modes.h"
#include "ui/page.h"
#include <actuary/diff.h>
#include <actuary/field.h>
#include <stdio.h>
#include <string.h>

enum { LINE = 1300 };

static void add(char line[LINE], const char *text)
{
    size_t length = strlen(line);
    snprintf(line + length, LINE - length, "%s", text);
}

/* Which number is which scenario. */
static void say_names(struct act_page *page, const struct act_view *view,
                      const struct act_sides *sides)
{
    char line[LINE] = "", text[256];
    for (int i = 0; i < sides->count; i++) {
        const struct act_tab *tab = view->desk.tab[i];
        snprintf(text, sizeof text, "%s%d %.96s%s%s%s",
                 i > 0 ? "; " : "scenarios side by side: ", i + 1, tab->plan.scenario.name,
                 i == view->desk.current ? ", current" : "", i == sides->base ? ", baseline" : "",
                 act_tab_modified(tab) ? ", modified" : "");
        add(line, text);
    }
    act_page_paragraph(page, 0, ACT_LOOK_HEADING, line);
}

/* "days: 1 has 800; 2 has 76.1, −724 better". */
static void say_figure(struct act_page *page, const struct act_sides *sides, enum act_figure_id id)
{
    char line[LINE], text[256], value[64];
    snprintf(line, sizeof line, "%s: ", act_figure_label(id));
    for (int i = 0; i < sides->count; i++) {
        struct act_delta delta = {.text = "", .word = ""};
        act_figure_value(id, &sides->side[i], value, sizeof value);
        if (i != sides->base)
            act_delta_of(id, &sides->side[sides->base], &sides->side[i], false, &delta);
        snprintf(text, sizeof text, "%s%d has %s%s%s%s%s", i > 0 ? "; " : "", i + 1, value,
                 delta.text[0] != '\0' ? ", " : "",
                 strcmp(delta.text, "=") == 0 ? "the same" : delta.text,
                 delta.word[0] != '\0' ? " " : "", delta.word);
        add(line, text);
    }
    act_page_paragraph(page, 0, ACT_LOOK_TEXT, line);
}

/* "tensor TP: 1 has 4; 2 has 8, differs". What is being typed stands in its own line. */
static void draw_field(struct act_view *view, struct act_rect rect, int row,
                       const struct act_sides *sides, enum act_field_id id, bool focused)
{
    struct act_canvas *canvas = &view->canvas;
    char line[LINE], text[256], value[96];
    snprintf(line, sizeof line, "%s: ", act_field(id)->label);
    if (focused && view->mode == ACT_MODE_EDIT) {
        int column = act_draw_cut(canvas, rect, row, 0, rect.columns / 2, ACT_LOOK_TEXT, line);
        act_edit_draw(&view->edit, canvas, rect, row, column, rect.columns - column - 1);
        return;
    }
    for (int i = 0; i < sides->count; i++) {
        const struct act_plan *pair[] = {&sides->resolved[sides->base], &sides->resolved[i]};
        bool differs = i != sides->base && act_diff_field(pair, 2, id) != ACT_SAME;
        if (act_field_applies(&sides->resolved[i], id))
            act_pane_value(&view->desk.tab[i]->plan, &sides->resolved[i], id, value, sizeof value);
        else
            snprintf(value, sizeof value, "none");
        snprintf(text, sizeof text, "%s%d has %s%s", i > 0 ? "; " : "", i + 1, value,
                 differs ? ", differs" : "");
        add(line, text);
    }
    act_draw_cut(canvas, rect, row, 0, rect.columns, focused ? ACT_LOOK_VALUE : ACT_LOOK_TEXT,
                 line);
    act_canvas_hit(canvas, rect.row + row, rect.column, rect.columns, ACT_HIT_FIELD, (int)id);
    if (focused) {
        canvas->cursor_row = rect.row + row;
        canvas->cursor_column = rect.column;
    }
}

void act_plain_columns_draw(struct act_view *view)
{
    static struct act_sides sides; /* large; the screen is drawn by one thread */
    struct act_canvas *canvas = &view->canvas;
    struct act_rect all = act_canvas_rect(canvas);
    if (all.rows < 8) {
        act_plain_draw(view); /* no room for more than one scenario */
        return;
    }
    act_sides_of(&view->desk, &sides);
    int foot = all.rows >= 12 ? 2 : 1, most = (all.rows - foot) / 2;
    struct act_page page = {.canvas = canvas, .rect = {0, 0, most, all.columns}};
    say_names(&page, view, &sides);
    for (int id = 0; id < ACT_FIGURE_COUNT && page.row < most; id++)
        say_figure(&page, &sides, (enum act_figure_id)id);
    int used = page.row < most ? page.row : most;
    struct act_rect fields = {used, 0, all.rows - foot - used, all.columns};
    act_compare_rows(view, &sides);
    act_mode_settle(view, fields.rows);
    enum act_field_id focus = act_desk_tab(&view->desk)->focus;
    for (int i = 0; i < fields.rows && view->scroll + i < view->rows.count; i++) {
        enum act_field_id id = view->rows.row[view->scroll + i].field;
        draw_field(view, fields, i, &sides, id, id == focus);
    }
    act_plain_hint(view, (struct act_rect){all.rows - foot, 0, 1, all.columns});
    if (foot > 1)
        act_foot_keys(view, (struct act_rect){all.rows - 1, 0, 1, all.columns}, ACT_PLACE_COLUMNS);
}
