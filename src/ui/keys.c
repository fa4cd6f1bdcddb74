/* Keys and pastes to what they do, by mode. */
#include "session/action.h"
#include "ui/modes.h"
#include <actuary/field.h>
#include <stdio.h>
#include <string.h>

static void filter_key(struct act_view *view, int key)
{
    if (key == ACT_KEY_ESC || key == 3) {
        view->filter[0] = '\0';
        act_desk_tab(&view->desk)->focus = view->filter_from;
        view->mode = ACT_MODE_MAIN;
    } else if (key == ACT_KEY_ENTER || key == ACT_KEY_UP || key == ACT_KEY_DOWN) {
        view->mode = ACT_MODE_MAIN;
        if (key != ACT_KEY_ENTER)
            act_mode_move_focus(view, key == ACT_KEY_UP ? -1 : 1);
    } else if (act_edit_key(&view->edit, key)) {
        snprintf(view->filter, sizeof view->filter, "%.*s", (int)sizeof view->filter - 1,
                 view->edit.text);
    }
}

static bool starts_number(const struct act_field *field, int key)
{
    bool number = field->kind == ACT_KIND_INT || field->kind == ACT_KIND_REAL ||
                  field->kind == ACT_KIND_GPUS || field->kind == ACT_KIND_LIST;
    return number && ((key >= '0' && key <= '9') || key == '.' || key == '(');
}

static void main_key(struct act_view *view, int key)
{
    const struct act_field *field = act_field(act_desk_tab(&view->desk)->focus);
    view->desk.said = ACT_SAY_NOTHING;
    if (starts_number(field, key)) {
        act_mode_start_edit(view, "");
        act_edit_key(&view->edit, key);
        act_mode_try_edit(view);
        return;
    }
    if (key >= (ACT_KEY_ALT | '1') && key <= (ACT_KEY_ALT | '9')) {
        int tab = key - (ACT_KEY_ALT | '1');
        if (tab < view->desk.count)
            view->desk.current = tab;
        return;
    }
    const struct act_action *action =
        view->compare.on ? act_action_in_columns(key) : act_action_of_key(key);
    if (action == NULL)
        return;
    bool match = action->id == ACT_DO_duplicate || action->id == ACT_DO_new_preset;
    if (view->filter[0] != '\0' && match)
        act_mode_move_focus(view, action->id == ACT_DO_duplicate ? 1 : -1);
    else
        act_mode_run(view, action->id);
}

/* Side by side the field stays the same when the scenario changes. */
static void columns_key(struct act_view *view, int key)
{
    enum act_field_id field = act_desk_tab(&view->desk)->focus;
    int tab = view->desk.current;
    main_key(view, key);
    if (view->desk.current != tab)
        act_desk_tab(&view->desk)->focus = field;
}

static void help_key(struct act_view *view, int key)
{
    int page = view->canvas.rows > 3 ? view->canvas.rows - 2 : 1;
    int most = view->help_rows - view->canvas.rows + 1;
    switch (key) {
    case ACT_KEY_UP:
    case 'k':
        view->help_scroll--;
        break;
    case ACT_KEY_DOWN:
    case 'j':
        view->help_scroll++;
        break;
    case ACT_KEY_PAGE_UP:
        view->help_scroll -= page;
        break;
    case ACT_KEY_PAGE_DOWN:
    case ' ':
        view->help_scroll += page;
        break;
    case ACT_KEY_HOME:
    case 'g':
        view->help_scroll = 0;
        break;
    case ACT_KEY_END:
    case 'G':
        view->help_scroll = most;
        break;
    default:
        view->mode = ACT_MODE_MAIN;
        break;
    }
    if (view->help_scroll > most)
        view->help_scroll = most;
    if (view->help_scroll < 0)
        view->help_scroll = 0;
}

static void graph_key(struct act_view *view, int key)
{
    int last = act_desk_tab(&view->desk)->result.memory.stages - 1;
    switch (key) {
    case ACT_KEY_LEFT:
    case 'h':
        if (view->graph_stage > 0)
            view->graph_stage--;
        break;
    case ACT_KEY_RIGHT:
    case 'l':
        if (view->graph_stage < last)
            view->graph_stage++;
        break;
    case ACT_KEY_HOME:
    case 'g':
        view->graph_stage = 0;
        break;
    case ACT_KEY_END:
    case 'G':
        view->graph_stage = last;
        break;
    case 'i':
        act_mode_explain(view, view->graph_stage);
        break;
    default:
        view->mode = ACT_MODE_MAIN;
        break;
    }
}

void act_view_key(struct act_view *view, int key)
{
    if (key == ACT_KEY_NONE)
        return;
    switch (view->mode) {
    case ACT_MODE_EDIT:
        act_mode_edit_key(view, key);
        break;
    case ACT_MODE_FILTER:
        filter_key(view, key);
        break;
    case ACT_MODE_PATH:
        act_mode_path_key(view, key);
        break;
    case ACT_MODE_MEASURE:
        act_mode_run_key(view, key);
        break;
    case ACT_MODE_REPORT:
        act_mode_report_key(view, key);
        break;
    case ACT_MODE_LIST:
        act_mode_list_key(view, key);
        break;
    case ACT_MODE_PALETTE:
        act_mode_palette_key(view, key);
        break;
    case ACT_MODE_ASK:
        if (view->question == ACT_ASK_REPORT)
            act_mode_report_answer(view, key);
        else
            act_mode_ask_key(view, key);
        break;
    case ACT_MODE_HELP:
        help_key(view, key);
        break;
    case ACT_MODE_GRAPH:
        graph_key(view, key);
        break;
    case ACT_MODE_EXPLAIN:
        if (!act_explain_key(&view->explain, act_desk_tab(&view->desk), key))
            view->mode = view->explain_back;
        break;
    case ACT_MODE_PRESENT:
        act_mode_present_key(view, key);
        break;
    case ACT_MODE_NOTES:
        act_mode_notes_key(view, key);
        break;
    case ACT_MODE_TAKES:
        if (!act_takes_key(&view->takes, &view->desk, key, view->now_ms))
            view->mode = ACT_MODE_MAIN;
        break;
    default:
        if (view->compare.on)
            columns_key(view, key);
        else
            main_key(view, key);
        break;
    }
}

void act_view_paste(struct act_view *view, const char *text, size_t size)
{
    if (view->mode == ACT_MODE_TAKES && act_takes_paste(&view->takes, text, size))
        return;
    switch (view->mode) {
    case ACT_MODE_EDIT:
        act_edit_paste(&view->edit, text, size);
        act_mode_try_edit(view);
        break;
    case ACT_MODE_FILTER:
        act_edit_paste(&view->edit, text, size);
        snprintf(view->filter, sizeof view->filter, "%.*s", (int)sizeof view->filter - 1,
                 view->edit.text);
        break;
    case ACT_MODE_PATH:
    case ACT_MODE_MEASURE:
    case ACT_MODE_REPORT:
    case ACT_MODE_NOTES:
        act_edit_paste(&view->edit, text, size);
        break;
    case ACT_MODE_PALETTE:
        act_edit_paste(&view->palette.line, text, size);
        act_palette_typed(&view->palette);
        break;
    case ACT_MODE_LIST:
        act_edit_paste(&view->list.filter, text, size);
        act_list_refilter(&view->list);
        break;
    default:
        act_desk_say(&view->desk, ACT_SAY_NOTE,
                     "pasted text was ignored; Enter edits a field first");
        break;
    }
}
