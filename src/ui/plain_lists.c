/* Lists and the palette as lines: what is typed first, then an entry a line, the real cursor on
 * the chosen one. */
#include "ui/figure.h"
#include "ui/modes.h"
#include "ui/view.h"
#include <actuary/field.h>
#include <stdio.h>
#include <string.h>

/* The part of a list that shows in so many rows. */
static void scroll_to(int cursor, int rows, int *scroll)
{
    if (cursor < *scroll)
        *scroll = cursor;
    if (cursor >= *scroll + rows)
        *scroll = cursor - rows + 1;
}

static void choice_words(const struct act_choice *choice, const char *currency, char *out,
                         size_t size)
{
    const struct act_summary *summary = &choice->summary;
    char memory[48], days[48], cost[64] = "no price";
    if (choice->refused) {
        snprintf(out, size, "%s: %s", choice->text, choice->note);
        return;
    }
    act_figure_gib(summary->peak, memory, sizeof memory);
    act_figure_days(summary->days, days, sizeof days);
    if (summary->priced)
        act_figure_money(summary->cost, currency, cost, sizeof cost);
    snprintf(out, size, "%s%s%s%s: %s, %s %s, %s days, %s%s%s", choice->label,
             choice->label[0] != '\0' ? ": " : "", choice->text,
             choice->now ? ", the present value" : "",
             summary->fit == ACT_FITS    ? "fits"
             : summary->fit == ACT_TIGHT ? "tight"
                                         : "does not fit",
             memory, act_figure_unit(), days, cost, summary->note[0] != '\0' ? ", " : "",
             summary->note);
}

static void draw_keys_below(struct act_view *view, struct act_rect all)
{
    if (all.rows > 3)
        act_foot_keys(view, (struct act_rect){all.rows - 1, 0, 1, all.columns}, ACT_PLACE_MAIN);
}

void act_plain_list_draw(struct act_view *view)
{
    struct act_canvas *canvas = &view->canvas;
    struct act_list_view *list = &view->list;
    struct act_rect all = act_canvas_rect(canvas);
    char text[700];
    int rows = all.rows > 3 ? all.rows - 2 : all.rows - 1;
    int column = act_draw_format(
        canvas, all, 0, 0, ACT_LOOK_HEADING, "%s, %d of %d, filter: ",
        list->kind == ACT_LIST_OPEN ? "open" : act_field(list->choices.field)->label, list->count,
        list->choices.count);
    act_edit_draw(&list->filter, canvas, all, 0, column, all.columns - column - 1);
    list->page = rows > 0 ? rows : 1;
    scroll_to(list->cursor, list->page, &list->scroll);
    if (list->count == 0 && rows > 0)
        act_draw_cut(canvas, all, 1, 0, all.columns, ACT_LOOK_TEXT, "nothing matches");
    for (int i = 0; i < rows && list->scroll + i < list->count; i++) {
        int index = list->scroll + i;
        choice_words(act_list_entry(list, &view->desk, index),
                     act_desk_tab(&view->desk)->plan.cost.currency, text, sizeof text);
        act_draw_cut(canvas, all, 1 + i, 0, all.columns,
                     index == list->cursor ? ACT_LOOK_VALUE : ACT_LOOK_TEXT, text);
        act_canvas_hit(canvas, 1 + i, 0, all.columns, ACT_HIT_ENTRY, index);
        if (index == list->cursor) {
            canvas->cursor_row = 1 + i;
            canvas->cursor_column = 0;
        }
    }
    draw_keys_below(view, all);
}

void act_plain_palette_draw(struct act_view *view)
{
    struct act_canvas *canvas = &view->canvas;
    struct act_palette_view *palette = &view->palette;
    struct act_rect all = act_canvas_rect(canvas);
    char text[500];
    int rows = all.rows > 4 ? all.rows - 3 : 0;
    act_palette_ready(palette, &view->desk);
    bool chosen = palette->chosen;
    int column = act_draw_text(canvas, all, 0, 0, ACT_LOOK_HEADING, "command: ");
    act_edit_draw(&palette->line, canvas, all, 0, column, all.columns - column - 1);
    if (all.rows > 1)
        act_draw_cut(canvas, all, 1, 0, all.columns, ACT_LOOK_TEXT,
                     palette->line.size == 0 ? "a name, or a field and its value: tp 8"
                                             : palette->preview);
    palette->page = rows > 0 ? rows : 1;
    scroll_to(palette->cursor, palette->page, &palette->scroll);
    for (int i = 0; i < rows && palette->scroll + i < palette->palette.shown; i++) {
        int index = palette->scroll + i;
        const struct act_entry *entry = act_palette_entry(&palette->palette, index);
        snprintf(text, sizeof text, "%s %s%s%s%s%s: %s", act_entry_kind_name(entry->kind),
                 entry->name, entry->value[0] != '\0' ? ", now " : "", entry->value,
                 entry->key[0] != '\0' ? ", " : "", entry->key, entry->help);
        act_draw_cut(canvas, all, 2 + i, 0, all.columns,
                     chosen && index == palette->cursor ? ACT_LOOK_VALUE : ACT_LOOK_TEXT, text);
        act_canvas_hit(canvas, 2 + i, 0, all.columns, ACT_HIT_ENTRY, index);
        if (chosen && index == palette->cursor) {
            canvas->cursor_row = 2 + i;
            canvas->cursor_column = 0;
        }
    }
    draw_keys_below(view, all);
}
