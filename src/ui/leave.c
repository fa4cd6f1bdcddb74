/* Saving under a name, and the questions asked before something is lost. */
#include "session/action.h"
#include "session/session_tabs.h"
#include "ui/modes.h"
#include <actuary/field.h>
#include <stdio.h>
#include <string.h>

void act_mode_ask(struct act_view *view, enum act_question question)
{
    view->question = question;
    view->mode = ACT_MODE_ASK;
}

void act_view_question(const struct act_view *view, char *out, size_t size)
{
    const struct act_tab *tab = view->desk.tab[view->desk.current];
    char name[32]; /* a long one must not take the question's place */
    switch (view->question) {
    case ACT_ASK_QUIT:
        act_printable(tab->plan.scenario.name, strlen(tab->plan.scenario.name), name, sizeof name);
        snprintf(out, size, "%s is not saved. Save it?", name);
        break;
    case ACT_ASK_COMMENTS:
        snprintf(out, size, "%s cannot be changed in place: saving drops its comments and layout",
                 view->path);
        break;
    case ACT_ASK_CHANGED: /* the message tells what is the matter with the file */
        snprintf(out, size, "%s", view->desk.message);
        break;
    default:
        snprintf(out, size, "%s exists", view->path);
        break;
    }
}

const char *act_view_answers(const struct act_view *view)
{
    switch (view->question) {
    case ACT_ASK_QUIT:
        return "y yes   n no, drop the changes   Esc stay";
    case ACT_ASK_CHANGED:
        return "o overwrite   r reload   S another name   Esc leave it";
    default:
        return "o overwrite   S another name   Esc leave it";
    }
}

void act_mode_ask_path(struct act_view *view)
{
    char path[ACT_PATH_MAX];
    act_desk_suggest_path(act_desk_tab(&view->desk), path, sizeof path);
    act_edit_start(&view->edit, path, ACT_PATH_MAX - 1);
    view->saves_session = false;
    view->mode = ACT_MODE_PATH;
}

void act_mode_ask_session(struct act_view *view)
{
    const char *path = view->desk.session;
    act_edit_start(&view->edit, path[0] != '\0' ? path : "session.yaml", ACT_PATH_MAX - 1);
    view->saves_session = true;
    view->mode = ACT_MODE_PATH;
}

/* The next scenario to ask about: modified, and not one whose changes are to be dropped. Closed
 * ones come back for it. */
static bool select_modified(struct act_view *view)
{
    struct act_desk *desk = &view->desk;
    for (int i = 0; i < desk->count; i++) {
        int at = (desk->current + i) % desk->count;
        if (act_tab_modified(desk->tab[at]) && !desk->tab[at]->drop) {
            desk->current = at;
            return true;
        }
    }
    for (int i = desk->closed_count - 1; i >= 0; i--) {
        if (act_tab_modified(desk->closed[i].tab))
            return act_desk_reopen(desk, i);
    }
    return false;
}

/* Nothing is dropped after all. */
static void stay(struct act_view *view)
{
    for (int i = 0; i < view->desk.count; i++)
        view->desk.tab[i]->drop = false;
    view->mode = ACT_MODE_MAIN;
    view->after_save = ACT_AFTER_NOTHING;
}

void act_mode_quit(struct act_view *view)
{
    if (select_modified(view)) {
        act_mode_ask(view, ACT_ASK_QUIT);
        return;
    }
    for (int i = 0; i < view->desk.count; i++)
        act_tab_forget_kept(view->desk.tab[i]); /* saved, or not wanted */
    for (int i = 0; i < view->desk.closed_count; i++)
        act_tab_forget_kept(view->desk.closed[i].tab);
    view->done = true;
}

static void after_save(struct act_view *view)
{
    enum act_after_save next = view->after_save;
    view->mode = ACT_MODE_MAIN;
    view->after_save = ACT_AFTER_NOTHING;
    if (next == ACT_AFTER_QUIT)
        act_mode_quit(view);
}

/* `asked`: the question about comments was answered. */
static void save_to(struct act_view *view, const char *path, bool force, bool asked)
{
    struct act_tab *tab = act_desk_tab(&view->desk);
    char target[ACT_PATH_MAX]; /* `path` may be view->path itself */
    snprintf(target, sizeof target, "%s", path);
    memcpy(view->path, target, sizeof view->path);
    bool own = tab->path[0] != '\0' && strcmp(target, tab->path) == 0;
    if (own && !asked && !force && act_tab_loses_text(tab)) {
        act_mode_ask(view, ACT_ASK_COMMENTS);
        return;
    }
    switch (act_desk_save(&view->desk, target, force)) {
    case ACT_SAVED:
        after_save(view);
        break;
    case ACT_SAVE_CHANGED:
        act_mode_ask(view, own ? ACT_ASK_CHANGED : ACT_ASK_OVERWRITE);
        break;
    default:
        stay(view);
        break;
    }
}

static void save_session_to(struct act_view *view, const char *path, bool force)
{
    char target[ACT_PATH_MAX]; /* `path` may be view->path itself */
    snprintf(target, sizeof target, "%s", path);
    memcpy(view->path, target, sizeof view->path);
    view->mode = ACT_MODE_MAIN;
    if (act_session_save(&view->desk, target, force) == ACT_SAVE_CHANGED)
        act_mode_ask(view, ACT_ASK_OVERWRITE);
}

void act_mode_save(struct act_view *view)
{
    view->saves_session = false;
    struct act_tab *tab = act_desk_tab(&view->desk);
    if (tab->path[0] == '\0')
        act_mode_ask_path(view);
    else
        save_to(view, tab->path, false, false);
}

void act_mode_save_to(struct act_view *view, const char *path)
{
    save_to(view, path, false, false);
}

static void reload(struct act_view *view)
{
    struct act_problems problems;
    char text[700];
    act_problems_init(&problems, view->path);
    stay(view);
    if (act_desk_reload(&view->desk, &problems, view->now_ms) == 0) {
        act_desk_say(&view->desk, ACT_SAY_NOTE, "read again from disk; u takes it back");
        return;
    }
    act_problem_text(&problems, 0, text, sizeof text);
    act_desk_say(&view->desk, ACT_SAY_ERROR, "%s", text);
}

/* The changes of this scenario are not wanted. They go when the planner really leaves: until then
 * Esc brings the question back. */
static void drop(struct act_view *view)
{
    view->mode = ACT_MODE_MAIN;
    act_desk_tab(&view->desk)->drop = true;
    act_mode_quit(view);
}

void act_mode_ask_key(struct act_view *view, int key)
{
    bool leaving = view->question == ACT_ASK_QUIT;
    if (key == ACT_KEY_ESC || key == 3) {
        stay(view);
    } else if (leaving && (key == 'y' || key == 'Y' || key == 's')) {
        view->after_save = ACT_AFTER_QUIT;
        act_mode_save(view);
    } else if (leaving && (key == 'n' || key == 'N')) {
        drop(view);
    } else if (!leaving && view->saves_session && (key == 'o' || key == 'y')) {
        save_session_to(view, view->path, true);
    } else if (!leaving && (key == 'o' || key == 'y')) {
        save_to(view, view->path, view->question != ACT_ASK_COMMENTS, true);
    } else if (!leaving && view->saves_session && key == 'S') {
        act_mode_ask_session(view);
    } else if (!leaving && key == 'S') {
        act_mode_ask_path(view);
    } else if (view->question == ACT_ASK_CHANGED && key == 'r') {
        reload(view);
    }
}

void act_mode_path_key(struct act_view *view, int key)
{
    if (key == ACT_KEY_ESC || key == 3) {
        stay(view);
    } else if (key == ACT_KEY_ENTER && view->edit.size > 0) {
        char path[ACT_PATH_MAX];
        snprintf(path, sizeof path, "%.*s", ACT_PATH_MAX - 1, view->edit.text);
        if (view->saves_session)
            save_session_to(view, path, false);
        else
            save_to(view, path, false, false);
    } else {
        act_edit_key(&view->edit, key);
    }
}
