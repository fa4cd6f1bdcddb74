/* Help, made from the tables: the focused field first, then every action with its keys, then all
 * checks in full. */
#include "session/action.h"
#include "ui/page.h"
#include "ui/view.h"
#include <actuary/field.h>
#include <stdio.h>
#include <string.h>

static void field_help(struct act_page *page, const struct act_view *view)
{
    const struct act_tab *tab = view->desk.tab[view->desk.current];
    const struct act_field *field = act_field(tab->focus);
    char text[800], range[300], now[200];
    snprintf(text, sizeof text, "%s", field->label);
    act_page_line(page, 0, ACT_LOOK_HEADING, text);
    page->row++;
    act_page_paragraph(page, 2, ACT_LOOK_TEXT, field->help);
    act_field_range(field->id, range, sizeof range);
    act_field_text(&tab->plan, field->id, ACT_STYLE_FILE, now, sizeof now);
    snprintf(text, sizeof text, "key %s · now %s · default %s · takes %s%s%s", field->key,
             now[0] != '\0' ? now : "(empty)",
             (field->flags & ACT_FIELD_PRESET) != 0 ? "the preset's"
             : field->initial[0] != '\0'            ? field->initial
                                                    : "(empty)",
             range, field->source[0] != '\0' ? " · from " : "", field->source);
    act_page_paragraph(page, 2, ACT_LOOK_DIM, text);
    page->row++;
}

static void actions_help(struct act_page *page)
{
    act_page_line(page, 0, ACT_LOOK_HEADING, "keys");
    page->row++;
    for (int id = 0; id < ACT_ACTION_COUNT; id++) {
        const struct act_action *action = act_action((enum act_action_id)id);
        if (id == ACT_DO_leave_columns) {
            page->row++;
            act_page_line(page, 0, ACT_LOOK_HEADING, "keys where scenarios stand side by side (c)");
            page->row++;
        }
        act_page_line(page, 2, ACT_LOOK_KEY, action->keys);
        act_page_paragraph(page, 18, ACT_LOOK_TEXT, action->help);
    }
    page->row++;
    act_page_paragraph(
        page, 2, ACT_LOOK_TEXT,
        "A digit starts an edit of a number; results follow every character. Values take "
        "suffixes and arithmetic: 2T, 4k, 80GiB, 40%, 8*1024. auto derives the value. While "
        "typing, Enter, Up, Down and Tab keep the value and Esc restores the old one. In a "
        "list, typing filters, Enter takes the entry and Esc leaves.");
    page->row++;
}

static void checks_help(struct act_page *page, const struct act_result *result)
{
    act_page_line(page, 0, ACT_LOOK_HEADING, "checks of this plan");
    page->row++;
    if (result->checks.count == 0)
        act_page_paragraph(page, 2, ACT_LOOK_DIM, "none: no rule is broken");
    for (int i = 0; i < result->checks.count; i++) {
        const struct act_check *check = &result->checks.check[i];
        char text[400];
        snprintf(text, sizeof text, "%s %s: %s", act_level_name(check->level), check->rule,
                 check->message);
        act_page_paragraph(page, 2, check->level == ACT_ERROR ? ACT_LOOK_BAD : ACT_LOOK_TEXT, text);
    }
    page->row++;
}

void act_help_draw(struct act_view *view)
{
    struct act_canvas *canvas = &view->canvas;
    struct act_rect all = act_canvas_rect(canvas);
    act_draw_fill(canvas, all, ' ', ACT_LOOK_TEXT);
    canvas->cursor_row = 0;
    canvas->cursor_column = all.columns > 1 ? 1 : 0;
    struct act_page page = {.canvas = canvas, .scroll = view->help_scroll};
    page.rect = (struct act_rect){0, 1, all.rows - 1, all.columns - 2 > 96 ? 96 : all.columns - 2};
    field_help(&page, view);
    actions_help(&page);
    checks_help(&page, &view->desk.tab[view->desk.current]->result);
    view->help_rows = page.row;
    struct act_rect foot = {all.rows - 1, 0, 1, all.columns};
    act_canvas_hit(canvas, foot.row, 0, foot.columns, ACT_HIT_KEY, ACT_KEY_ESC);
    act_draw_text(canvas, foot, 0, 1, ACT_LOOK_DIM,
                  page.row > page.rect.rows ? "↑ ↓ PgUp PgDn scroll · Esc leaves" : "Esc leaves");
}
