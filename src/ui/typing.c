/* Typing into a field with live results, and lists over the screen. */
#include "session/action.h"
#include "session/keep.h"
#include "session/pin.h"
#include "session/session_tabs.h"
#include "ui/modes.h"
#include <actuary/field.h>
#include <stdio.h>
#include <string.h>

static void start_edit(struct act_view *view, const char *text)
{
    struct act_tab *tab = act_desk_tab(&view->desk);
    const struct act_field *field = act_field(view->edit_field);
    size_t limit = field->kind == ACT_KIND_TEXT ? field->size - 1 : ACT_QUANTITY_MAX - 1;
    if (field->kind == ACT_KIND_LIST)
        limit = ACT_EDIT_MAX - 1;
    view->edit_before = tab->plan;
    view->edit_held = tab->held;
    view->edit_problem[0] = '\0';
    act_edit_start(&view->edit, text, limit);
    view->edit.fresh = field->kind != ACT_KIND_TEXT && field->kind != ACT_KIND_LIST;
    view->mode = ACT_MODE_EDIT;
}

void act_mode_start_edit(struct act_view *view, const char *text)
{
    view->edit_field = act_desk_tab(&view->desk)->focus;
    start_edit(view, text);
}

void act_mode_rename(struct act_view *view)
{
    view->edit_field = ACT_F_scenario_name;
    start_edit(view, act_desk_tab(&view->desk)->plan.scenario.name);
}

/* Tries the text as it stands; a valid one shows at once. */
void act_mode_try_edit(struct act_view *view)
{
    struct act_tab *tab = act_desk_tab(&view->desk);
    enum act_field_id field = view->edit_field;
    struct act_plan shown = tab->plan, plan;
    double shown_held = tab->held, held;
    tab->plan = view->edit_before;
    tab->held = view->edit_held;
    view->edit_problem[0] = '\0';
    if (view->edit.size == 0 && field == ACT_F_scenario_name) {
        snprintf(view->edit_problem, sizeof view->edit_problem, "type a name");
        plan = shown;
        held = shown_held;
    } else if (view->edit.size == 0 && act_field(field)->kind != ACT_KIND_TEXT) {
        char range[160];
        act_field_range(field, range, sizeof range);
        snprintf(view->edit_problem, sizeof view->edit_problem, "type a value: %s", range);
        plan = shown;
        held = shown_held;
    } else if (act_desk_try(&view->desk, tab, field, 0, view->edit.text, &plan, &held,
                            view->edit_problem, sizeof view->edit_problem) != 0) {
        plan = shown;
        held = shown_held;
    }
    act_desk_preview(&view->desk, &plan, held);
}

static void end_edit(struct act_view *view, bool keep)
{
    struct act_tab *tab = act_desk_tab(&view->desk);
    struct act_plan plan = tab->plan;
    double held = tab->held;
    act_desk_preview(&view->desk, &view->edit_before, view->edit_held);
    if (keep)
        act_desk_commit(&view->desk, &plan, held, view->edit_field, false, view->now_ms);
    view->mode = ACT_MODE_MAIN;
}

void act_mode_edit_key(struct act_view *view, int key)
{
    bool leaves = key == ACT_KEY_ENTER || key == ACT_KEY_UP || key == ACT_KEY_DOWN ||
                  key == ACT_KEY_TAB || key == ACT_KEY_BACK_TAB;
    if (key == ACT_KEY_ESC || key == 3) {
        end_edit(view, false);
    } else if (leaves && view->edit_problem[0] != '\0') {
        return; /* the message says what would be right; Esc gives up */
    } else if (leaves) {
        end_edit(view, true);
    } else if (act_edit_key(&view->edit, key)) {
        act_mode_try_edit(view);
        return;
    } else {
        return;
    }
    if (view->mode != ACT_MODE_MAIN)
        return;
    if (key == ACT_KEY_UP || key == ACT_KEY_DOWN)
        act_mode_move_focus(view, key == ACT_KEY_UP ? -1 : 1);
    if (key == ACT_KEY_TAB || key == ACT_KEY_BACK_TAB)
        act_mode_move_pane(view, key == ACT_KEY_TAB ? 1 : -1);
}

void act_mode_open_field(struct act_view *view)
{
    struct act_tab *tab = act_desk_tab(&view->desk);
    const struct act_field *field = act_field(tab->focus);
    bool listed = field->kind == ACT_KIND_ENUM || field->kind == ACT_KIND_BOOL ||
                  field->steps == ACT_STEPS_PRESET;
    char text[ACT_EDIT_MAX];
    if (listed) {
        if (act_list_field(&view->list, &view->desk, tab->focus))
            view->mode = ACT_MODE_LIST;
        return;
    }
    act_field_text(&tab->plan, tab->focus, ACT_STYLE_FILE, text, sizeof text);
    act_mode_start_edit(view, text);
}

void act_mode_list_or_toggle(struct act_view *view)
{
    struct act_tab *tab = act_desk_tab(&view->desk);
    const struct act_field *field = act_field(tab->focus);
    if (field->kind == ACT_KIND_BOOL) {
        act_action(ACT_DO_step_up)->run(&view->desk, view->now_ms);
        return;
    }
    if (act_list_field(&view->list, &view->desk, tab->focus))
        view->mode = ACT_MODE_LIST;
    else
        act_mode_open_field(view);
}

static void open_path(struct act_view *view, const char *path)
{
    struct act_problems problems;
    char text[700];
    act_problems_init(&problems, path);
    bool kept = act_keep_is_kept(path);
    int failed = kept ? act_keep_open(&view->desk, path, &problems)
                      : act_session_open(&view->desk, path, &problems);
    if (failed == 0) {
        if (kept)
            act_desk_say(&view->desk, ACT_SAY_NOTE, "kept work of %s: s saves it",
                         act_desk_tab(&view->desk)->plan.scenario.name);
        else if (view->desk.said == ACT_SAY_NOTHING)
            act_desk_say(&view->desk, ACT_SAY_NOTE, "opened %s", path);
        view->scroll = 0;
        return;
    }
    act_problem_text(&problems, 0, text, sizeof text);
    act_desk_say(&view->desk, ACT_SAY_ERROR, "%s%s", text,
                 problems.count > 1 ? " (and more; actuary plan lists them)" : "");
}

static void take_choice(struct act_view *view)
{
    struct act_choice *choice = act_list_current(&view->list, &view->desk);
    struct act_tab *tab = act_desk_tab(&view->desk);
    char why[256];
    if (view->list.kind == ACT_LIST_OPEN) {
        char path[ACT_EDIT_MAX];
        snprintf(path, sizeof path, "%s", choice != NULL ? choice->text : view->list.filter.text);
        if (path[0] == '\0')
            return;
        act_list_free(&view->list);
        view->mode = ACT_MODE_MAIN;
        open_path(view, path);
        return;
    }
    if (choice == NULL)
        return;
    struct act_plan plan;
    double held;
    if (act_desk_try(&view->desk, tab, view->list.choices.field, 0, choice->text, &plan, &held, why,
                     sizeof why) != 0)
        act_desk_say(&view->desk, ACT_SAY_ERROR, "%s", why);
    else
        act_desk_commit(&view->desk, &plan, held, view->list.choices.field, false, view->now_ms);
    if (view->list.choices.field == ACT_F_hardware_preset && tab->plan.cost.basis == ACT_RENT &&
        act_plan_given(&tab->plan, ACT_F_cost_price_per_gpu_hour))
        act_desk_say(&view->desk, ACT_SAY_NOTE,
                     "the price stays yours; Del on COST takes the preset's");
    act_list_free(&view->list);
    view->mode = ACT_MODE_MAIN;
}

void act_mode_list_key(struct act_view *view, int key)
{
    struct act_list_view *list = &view->list;
    switch (key) {
    case ACT_KEY_ESC:
    case 3:
        act_list_free(list);
        view->mode = ACT_MODE_MAIN;
        break;
    case ACT_KEY_ENTER:
        take_choice(view);
        break;
    case ACT_KEY_UP:
        act_list_move(list, -1);
        break;
    case ACT_KEY_DOWN:
    case ACT_KEY_TAB:
        act_list_move(list, 1);
        break;
    case ACT_KEY_PAGE_UP:
        act_list_move(list, -(list->page > 1 ? list->page - 1 : 1));
        break;
    case ACT_KEY_PAGE_DOWN:
        act_list_move(list, list->page > 1 ? list->page - 1 : 1);
        break;
    case ACT_KEY_HOME:
        act_list_move(list, -list->count);
        break;
    case ACT_KEY_END:
        act_list_move(list, list->count);
        break;
    default:
        if (act_edit_key(&list->filter, key))
            act_list_refilter(list);
        break;
    }
}

void act_mode_ask_run(struct act_view *view)
{
    act_edit_start(&view->edit, view->measured, ACT_PATH_MAX - 1);
    view->mode = ACT_MODE_MEASURE;
}

void act_mode_run_key(struct act_view *view, int key)
{
    if (key == ACT_KEY_ESC || key == 3) {
        view->measured[0] = '\0';
        view->mode = ACT_MODE_MAIN;
    } else if (key == ACT_KEY_ENTER && view->edit.size > 0) {
        snprintf(view->measured, sizeof view->measured, "%.*s", ACT_PATH_MAX - 1, view->edit.text);
        if (act_desk_pin(&view->desk, view->measured, view->now_ms))
            view->measured[0] = '\0';
        view->mode = ACT_MODE_MAIN;
    } else {
        act_edit_key(&view->edit, key);
    }
}
