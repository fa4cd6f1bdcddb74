/* Actions to what they do: on the desk, or on the screen. */
#include "ui/modes.h"
#include <actuary/field.h>
#include <string.h>

static void reset_field(struct act_view *view)
{
    struct act_tab *tab = act_desk_tab(&view->desk);
    const struct act_field *field = act_field(tab->focus);
    struct act_plan plan;
    double held;
    if (!act_desk_reset(&view->desk, tab, field->id, &plan, &held)) {
        act_desk_say(&view->desk, ACT_SAY_NOTE, "%s has no default to go back to", field->label);
        return;
    }
    act_desk_commit(&view->desk, &plan, held, field->id, false, view->now_ms);
    act_desk_say(&view->desk, ACT_SAY_NOTE, "%s is back to its %s", field->label,
                 (field->flags & ACT_FIELD_PRESET) != 0 ? "preset's value" : "default");
}

static void cancel(struct act_view *view)
{
    view->filter[0] = '\0';
    view->desk.said = ACT_SAY_NOTHING;
}

void act_mode_explain(struct act_view *view, int stage)
{
    act_explain_start(&view->explain, act_desk_tab(&view->desk), stage);
    view->explain_back = view->mode;
    view->mode = ACT_MODE_EXPLAIN;
}

static void screen_action(struct act_view *view, enum act_action_id id)
{
    int page = view->fields_height > 2 ? view->fields_height - 1 : 1;
    switch (id) {
    case ACT_DO_edit:
        act_mode_open_field(view);
        break;
    case ACT_DO_list:
        act_mode_list_or_toggle(view);
        break;
    case ACT_DO_reset:
        reset_field(view);
        break;
    case ACT_DO_open:
    case ACT_DO_new_preset:
        if (act_list_scenarios(&view->list, id == ACT_DO_new_preset))
            view->mode = ACT_MODE_LIST;
        break;
    case ACT_DO_rename:
        act_mode_rename(view);
        break;
    case ACT_DO_save_session:
        act_mode_ask_session(view);
        break;
    case ACT_DO_compare:
        act_compare_start(view);
        break;
    case ACT_DO_save:
        act_mode_save(view);
        break;
    case ACT_DO_save_as:
        act_mode_ask_path(view);
        break;
    case ACT_DO_measure:
        act_mode_ask_run(view);
        break;
    case ACT_DO_report:
        act_mode_ask_report(view);
        break;
    case ACT_DO_filter:
        view->filter_from = act_desk_tab(&view->desk)->focus;
        act_edit_start(&view->edit, view->filter, sizeof view->filter - 1);
        view->mode = ACT_MODE_FILTER;
        break;
    case ACT_DO_all_fields:
        view->all_fields = !view->all_fields;
        act_desk_say(&view->desk, ACT_SAY_NOTE, view->all_fields ? "all fields" : "main fields");
        break;
    case ACT_DO_help:
        view->help_scroll = 0;
        view->mode = ACT_MODE_HELP;
        break;
    case ACT_DO_graph:
        view->graph_stage = act_desk_tab(&view->desk)->result.memory.worst;
        view->mode = ACT_MODE_GRAPH;
        break;
    case ACT_DO_explain:
        act_mode_explain(view, act_desk_tab(&view->desk)->result.memory.worst);
        break;
    case ACT_DO_present:
        view->mode = ACT_MODE_PRESENT;
        break;
    case ACT_DO_takes:
        act_takes_open(&view->takes, act_desk_tab(&view->desk));
        view->mode = ACT_MODE_TAKES;
        break;
    case ACT_DO_quit:
    case ACT_DO_interrupt:
        act_mode_quit(view);
        break;
    case ACT_DO_up:
        act_mode_move_focus(view, -1);
        break;
    case ACT_DO_down:
        act_mode_move_focus(view, 1);
        break;
    case ACT_DO_page_up:
        act_mode_move_focus(view, -page);
        break;
    case ACT_DO_page_down:
        act_mode_move_focus(view, page);
        break;
    case ACT_DO_first:
        act_mode_focus_row(view, 0);
        break;
    case ACT_DO_last:
        act_mode_focus_row(view, view->rows.count - 1);
        break;
    case ACT_DO_next_pane:
        act_mode_move_pane(view, 1);
        break;
    case ACT_DO_previous_pane:
        act_mode_move_pane(view, -1);
        break;
    case ACT_DO_cancel:
        cancel(view);
        break;
    case ACT_DO_palette:
        if (act_palette_open(&view->palette, &view->desk))
            view->mode = ACT_MODE_PALETTE;
        break;
    case ACT_DO_theme: {
        struct act_settings *settings = &view->desk.settings;
        settings->scheme = (enum act_scheme)((settings->scheme + 1) % ACT_SCHEME_COUNT);
        view->repaint = true;
        act_desk_say(&view->desk, ACT_SAY_NOTE, "theme %s; config.yaml keeps one",
                     act_scheme_name((int)settings->scheme));
        break;
    }
    case ACT_DO_mouse:
        view->desk.settings.mouse = !view->desk.settings.mouse;
        act_desk_say(&view->desk, ACT_SAY_NOTE,
                     view->desk.settings.mouse
                         ? "mouse on; the terminal selects text with Shift held"
                         : "mouse off");
        break;
    case ACT_DO_suspend:
        view->suspend = true;
        break;
    case ACT_DO_redraw:
        view->repaint = true;
        break;
    default:
        act_compare_action(view, id);
        break;
    }
}

void act_mode_run(struct act_view *view, enum act_action_id id)
{
    const struct act_action *action = act_action(id);
    if (action->run != NULL)
        action->run(&view->desk, view->now_ms);
    else
        screen_action(view, id);
}
