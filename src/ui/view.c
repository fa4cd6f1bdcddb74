/* Keys to what they do, by mode. */
#include "ui/view.h"
#include "io/presets.h"
#include "session/action.h"
#include <actuary/field.h>
#include <stdio.h>
#include <string.h>

static struct act_tab *tab_of(struct act_view *view)
{
    return act_desk_tab(&view->desk);
}

/* ---- moving ---------------------------------------------------------------------------------- */

static void focus_row(struct act_view *view, int index)
{
    if (view->rows.count == 0)
        return;
    index = index < 0 ? 0 : index >= view->rows.count ? view->rows.count - 1 : index;
    tab_of(view)->focus = view->rows.row[index].field;
}

static void move_focus(struct act_view *view, int by)
{
    focus_row(view, act_pane_find(&view->rows, tab_of(view)->focus) + by);
}

static void move_pane(struct act_view *view, int direction)
{
    int at = act_pane_find(&view->rows, tab_of(view)->focus);
    if (at < 0 || view->rows.count == 0)
        return;
    for (int i = 1; i <= view->rows.count; i++) {
        int index = (at + direction * i) % view->rows.count;
        index = index < 0 ? index + view->rows.count : index;
        const struct act_row *row = &view->rows.row[index];
        if (row->heading && (direction > 0 || row->group != view->rows.row[at].group)) {
            tab_of(view)->focus = row->field;
            return;
        }
    }
    move_focus(view, direction * 8); /* a filtered list has no headings */
}

/* ---- editing --------------------------------------------------------------------------------- */

static void start_edit(struct act_view *view, const char *text)
{
    struct act_tab *tab = tab_of(view);
    const struct act_field *field = act_field(tab->focus);
    size_t limit = field->kind == ACT_KIND_TEXT ? field->size - 1 : ACT_QUANTITY_MAX - 1;
    if (field->kind == ACT_KIND_LIST)
        limit = ACT_EDIT_MAX - 1;
    view->edit_before = tab->plan;
    view->edit_held = tab->held;
    view->edit_problem[0] = '\0';
    act_edit_start(&view->edit, text, limit);
    view->mode = ACT_MODE_EDIT;
}

/* Tries the text as it stands; a valid one shows at once. */
static void try_edit(struct act_view *view)
{
    struct act_tab *tab = tab_of(view);
    enum act_field_id field = tab->focus;
    struct act_plan shown = tab->plan, plan;
    double shown_held = tab->held, held;
    tab->plan = view->edit_before;
    tab->held = view->edit_held;
    view->edit_problem[0] = '\0';
    if (view->edit.size == 0 && act_field(field)->kind != ACT_KIND_TEXT) {
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
    struct act_tab *tab = tab_of(view);
    struct act_plan plan = tab->plan;
    double held = tab->held;
    act_desk_preview(&view->desk, &view->edit_before, view->edit_held);
    if (keep)
        act_desk_commit(&view->desk, &plan, held, tab->focus, false, view->now_ms);
    view->mode = ACT_MODE_MAIN;
}

static void edit_key(struct act_view *view, int key)
{
    bool leaves = key == ACT_KEY_ENTER || key == ACT_KEY_UP || key == ACT_KEY_DOWN ||
                  key == ACT_KEY_TAB || key == ACT_KEY_BACK_TAB;
    if (key == ACT_KEY_ESC || key == 3) {
        end_edit(view, false);
    } else if (leaves && view->edit_problem[0] != '\0') {
        if (key != ACT_KEY_ENTER) /* moving on keeps what was last valid */
            end_edit(view, true);
    } else if (leaves) {
        end_edit(view, true);
    } else if (act_edit_key(&view->edit, key)) {
        try_edit(view);
        return;
    } else {
        return;
    }
    if (view->mode != ACT_MODE_MAIN)
        return;
    if (key == ACT_KEY_UP || key == ACT_KEY_DOWN)
        move_focus(view, key == ACT_KEY_UP ? -1 : 1);
    if (key == ACT_KEY_TAB || key == ACT_KEY_BACK_TAB)
        move_pane(view, key == ACT_KEY_TAB ? 1 : -1);
}

/* ---- lists ----------------------------------------------------------------------------------- */

static void open_field(struct act_view *view)
{
    struct act_tab *tab = tab_of(view);
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
    start_edit(view, text);
}

static void list_or_toggle(struct act_view *view)
{
    struct act_tab *tab = tab_of(view);
    const struct act_field *field = act_field(tab->focus);
    if (field->kind == ACT_KIND_BOOL) {
        act_action(ACT_DO_step_up)->run(&view->desk, view->now_ms);
        return;
    }
    if (act_list_field(&view->list, &view->desk, tab->focus))
        view->mode = ACT_MODE_LIST;
    else
        open_field(view);
}

static void open_path(struct act_view *view, const char *path)
{
    struct act_problems problems;
    char text[700];
    act_problems_init(&problems, path);
    if (act_desk_open(&view->desk, path, &problems) == 0) {
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
    struct act_tab *tab = tab_of(view);
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
    act_list_free(&view->list);
    view->mode = ACT_MODE_MAIN;
}

static void list_key(struct act_view *view, int key)
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

/* ---- saving, asking, leaving ----------------------------------------------------------------- */

static void ask(struct act_view *view, enum act_question question)
{
    view->question = question;
    view->mode = ACT_MODE_ASK;
}

void act_view_question(const struct act_view *view, char *out, size_t size)
{
    const struct act_tab *tab = view->desk.tab[view->desk.current];
    switch (view->question) {
    case ACT_ASK_QUIT:
    case ACT_ASK_CLOSE:
        snprintf(out, size, "%s is not saved. Save it?  y yes   n no, drop the changes   Esc stay",
                 tab->plan.scenario.name);
        break;
    case ACT_ASK_CHANGED:
        snprintf(out, size,
                 "%s changed on disk.  o overwrite   r reload   S save as   Esc leave it",
                 view->path);
        break;
    default:
        snprintf(out, size, "%s exists.  o overwrite   S another name   Esc leave it", view->path);
        break;
    }
}

static void ask_path(struct act_view *view)
{
    char path[ACT_PATH_MAX];
    act_desk_suggest_path(tab_of(view), path, sizeof path);
    act_edit_start(&view->edit, path, ACT_PATH_MAX - 1);
    view->mode = ACT_MODE_PATH;
}

static bool select_modified(struct act_view *view)
{
    struct act_desk *desk = &view->desk;
    if (act_tab_modified(tab_of(view)))
        return true;
    for (int i = 0; i < desk->count; i++) {
        if (act_tab_modified(desk->tab[i])) {
            desk->current = i;
            return true;
        }
    }
    return false;
}

/* Leaves when nothing is unsaved, else asks about one scenario after the other. */
static void quit(struct act_view *view)
{
    if (select_modified(view))
        ask(view, ACT_ASK_QUIT);
    else
        view->done = true;
}

static void after_save(struct act_view *view)
{
    view->mode = ACT_MODE_MAIN;
    if (view->leave_after) {
        view->leave_after = false;
        quit(view);
    }
}

static void save_to(struct act_view *view, const char *path, bool force)
{
    struct act_tab *tab = tab_of(view);
    snprintf(view->path, sizeof view->path, "%s", path);
    bool own = tab->path[0] != '\0' && strcmp(path, tab->path) == 0;
    switch (act_desk_save(&view->desk, view->path, force)) {
    case ACT_SAVED:
        after_save(view);
        break;
    case ACT_SAVE_CHANGED:
        ask(view, own ? ACT_ASK_CHANGED : ACT_ASK_OVERWRITE);
        break;
    default:
        view->mode = ACT_MODE_MAIN;
        view->leave_after = false;
        break;
    }
}

static void save(struct act_view *view)
{
    if (tab_of(view)->path[0] == '\0')
        ask_path(view);
    else
        save_to(view, tab_of(view)->path, false);
}

static void reload(struct act_view *view)
{
    struct act_problems problems;
    char text[700];
    act_problems_init(&problems, view->path);
    view->mode = ACT_MODE_MAIN;
    view->leave_after = false;
    if (act_desk_reload(&view->desk, &problems, view->now_ms) == 0) {
        act_desk_say(&view->desk, ACT_SAY_NOTE, "read again from disk; u takes it back");
        return;
    }
    act_problem_text(&problems, 0, text, sizeof text);
    act_desk_say(&view->desk, ACT_SAY_ERROR, "%s", text);
}

static void drop(struct act_view *view)
{
    struct act_tab *tab = tab_of(view);
    view->mode = ACT_MODE_MAIN;
    if (view->question == ACT_ASK_CLOSE) {
        act_desk_close(&view->desk);
        return;
    }
    tab->saved = tab->plan; /* no longer asked about */
    quit(view);
}

static void ask_key(struct act_view *view, int key)
{
    bool leaving = view->question == ACT_ASK_QUIT || view->question == ACT_ASK_CLOSE;
    if (key == ACT_KEY_ESC || key == 3) {
        view->mode = ACT_MODE_MAIN;
        view->leave_after = false;
    } else if (leaving && (key == 'y' || key == 'Y' || key == 's')) {
        view->leave_after = view->question == ACT_ASK_QUIT;
        save(view);
    } else if (leaving && (key == 'n' || key == 'N')) {
        drop(view);
    } else if (!leaving && (key == 'o' || key == 'y')) {
        save_to(view, view->path, true);
    } else if (!leaving && key == 'S') {
        ask_path(view);
    } else if (view->question == ACT_ASK_CHANGED && key == 'r') {
        reload(view);
    }
}

static void path_key(struct act_view *view, int key)
{
    if (key == ACT_KEY_ESC || key == 3) {
        view->mode = ACT_MODE_MAIN;
        view->leave_after = false;
    } else if (key == ACT_KEY_ENTER && view->edit.size > 0) {
        char path[ACT_PATH_MAX];
        snprintf(path, sizeof path, "%.*s", ACT_PATH_MAX - 1, view->edit.text);
        save_to(view, path, false);
    } else {
        act_edit_key(&view->edit, key);
    }
}

/* ---- the main screen ------------------------------------------------------------------------- */

static void filter_key(struct act_view *view, int key)
{
    if (key == ACT_KEY_ESC || key == 3) {
        view->filter[0] = '\0';
        view->mode = ACT_MODE_MAIN;
    } else if (key == ACT_KEY_ENTER || key == ACT_KEY_UP || key == ACT_KEY_DOWN) {
        view->mode = ACT_MODE_MAIN;
        if (key != ACT_KEY_ENTER)
            move_focus(view, key == ACT_KEY_UP ? -1 : 1);
    } else if (act_edit_key(&view->edit, key)) {
        snprintf(view->filter, sizeof view->filter, "%.*s", (int)sizeof view->filter - 1,
                 view->edit.text);
    }
}

static void reset_field(struct act_view *view)
{
    struct act_tab *tab = tab_of(view);
    const struct act_field *field = act_field(tab->focus);
    struct act_plan plan = tab->plan;
    struct act_problems problems;
    int kind = act_preset_kind_of_group(field->group);
    if (field->kind == ACT_KIND_GPUS || act_group_preset(field->group) == (int)field->id) {
        act_desk_say(&view->desk, ACT_SAY_NOTE, "%s has no default to go back to", field->label);
        return;
    }
    act_field_reset(&plan, field->id);
    if (kind >= 0 && (field->flags & ACT_FIELD_PRESET) != 0) {
        act_problems_init(&problems, "");
        act_preset_apply(&plan, (enum act_preset_kind)kind,
                         act_field_string(&plan, (enum act_field_id)act_group_preset(field->group)),
                         false, &problems);
    }
    act_desk_commit(&view->desk, &plan, act_plan_gpus(&plan), field->id, false, view->now_ms);
    act_desk_say(&view->desk, ACT_SAY_NOTE, "%s is back to its %s", field->label,
                 (field->flags & ACT_FIELD_PRESET) != 0 ? "preset's value" : "default");
}

static void cancel(struct act_view *view)
{
    view->filter[0] = '\0';
    view->desk.said = ACT_SAY_NOTHING;
}

static void screen_action(struct act_view *view, enum act_action_id id)
{
    int page = view->fields_height > 2 ? view->fields_height - 1 : 1;
    switch (id) {
    case ACT_DO_edit:
        open_field(view);
        break;
    case ACT_DO_list:
        list_or_toggle(view);
        break;
    case ACT_DO_reset:
        reset_field(view);
        break;
    case ACT_DO_open:
        if (act_list_scenarios(&view->list))
            view->mode = ACT_MODE_LIST;
        break;
    case ACT_DO_save:
        save(view);
        break;
    case ACT_DO_save_as:
        ask_path(view);
        break;
    case ACT_DO_filter:
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
    case ACT_DO_quit:
    case ACT_DO_interrupt:
        quit(view);
        break;
    case ACT_DO_up:
        move_focus(view, -1);
        break;
    case ACT_DO_down:
        move_focus(view, 1);
        break;
    case ACT_DO_page_up:
        move_focus(view, -page);
        break;
    case ACT_DO_page_down:
        move_focus(view, page);
        break;
    case ACT_DO_first:
        focus_row(view, 0);
        break;
    case ACT_DO_last:
        focus_row(view, view->rows.count - 1);
        break;
    case ACT_DO_next_pane:
        move_pane(view, 1);
        break;
    case ACT_DO_previous_pane:
        move_pane(view, -1);
        break;
    case ACT_DO_close:
        if (view->desk.count == 1)
            act_desk_say(&view->desk, ACT_SAY_NOTE, "the only scenario; q leaves");
        else if (act_tab_modified(tab_of(view)))
            ask(view, ACT_ASK_CLOSE);
        else
            act_desk_close(&view->desk);
        break;
    case ACT_DO_cancel:
        cancel(view);
        break;
    default:
        break;
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
    const struct act_field *field = act_field(tab_of(view)->focus);
    view->desk.said = ACT_SAY_NOTHING;
    if (starts_number(field, key)) {
        start_edit(view, "");
        act_edit_key(&view->edit, key);
        try_edit(view);
        return;
    }
    if (key >= (ACT_KEY_ALT | '1') && key <= (ACT_KEY_ALT | '9')) {
        int tab = key - (ACT_KEY_ALT | '1');
        if (tab < view->desk.count)
            view->desk.current = tab;
        return;
    }
    const struct act_action *action = act_action_of_key(key);
    if (action == NULL)
        return;
    if (action->run != NULL)
        action->run(&view->desk, view->now_ms);
    else
        screen_action(view, action->id);
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

void act_view_key(struct act_view *view, int key)
{
    if (key == ACT_KEY_NONE)
        return;
    switch (view->mode) {
    case ACT_MODE_EDIT:
        edit_key(view, key);
        break;
    case ACT_MODE_FILTER:
        filter_key(view, key);
        break;
    case ACT_MODE_PATH:
        path_key(view, key);
        break;
    case ACT_MODE_LIST:
        list_key(view, key);
        break;
    case ACT_MODE_ASK:
        ask_key(view, key);
        break;
    case ACT_MODE_HELP:
        help_key(view, key);
        break;
    default:
        main_key(view, key);
        break;
    }
}

void act_view_paste(struct act_view *view, const char *text, size_t size)
{
    switch (view->mode) {
    case ACT_MODE_EDIT:
        act_edit_paste(&view->edit, text, size);
        try_edit(view);
        break;
    case ACT_MODE_FILTER:
        act_edit_paste(&view->edit, text, size);
        snprintf(view->filter, sizeof view->filter, "%.*s", (int)sizeof view->filter - 1,
                 view->edit.text);
        break;
    case ACT_MODE_PATH:
        act_edit_paste(&view->edit, text, size);
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

void act_view_draw(struct act_view *view)
{
    if (view->mode == ACT_MODE_HELP) {
        act_help_draw(view);
        return;
    }
    act_dashboard_draw(view);
    if (view->mode == ACT_MODE_LIST)
        act_list_draw(&view->list, &view->canvas, &view->desk);
}
