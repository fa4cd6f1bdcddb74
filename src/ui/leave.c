/* Saving under a name, and the questions asked before something is lost. */
#include "session/action.h"
#include "ui/modes.h"
#include <actuary/field.h>
#include <stdio.h>
#include <string.h>

static struct act_tab *tab_of(struct act_view *view)
{
    return act_desk_tab(&view->desk);
}

void act_mode_ask(struct act_view *view, enum act_question question)
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
    case ACT_ASK_COMMENTS:
        snprintf(
            out, size,
            "%s has comments, which saving drops.  o overwrite   S another name   Esc leave it",
            view->path);
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

void act_mode_ask_path(struct act_view *view)
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
void act_mode_quit(struct act_view *view)
{
    if (select_modified(view))
        act_mode_ask(view, ACT_ASK_QUIT);
    else
        view->done = true;
}

static void after_save(struct act_view *view)
{
    view->mode = ACT_MODE_MAIN;
    if (view->leave_after) {
        view->leave_after = false;
        act_mode_quit(view);
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
        act_mode_ask(view, own ? ACT_ASK_CHANGED : ACT_ASK_OVERWRITE);
        break;
    default:
        view->mode = ACT_MODE_MAIN;
        view->leave_after = false;
        break;
    }
}

void act_mode_save(struct act_view *view)
{
    struct act_tab *tab = tab_of(view);
    if (tab->path[0] == '\0') {
        act_mode_ask_path(view);
    } else if (tab->comments) {
        snprintf(view->path, sizeof view->path, "%s", tab->path);
        act_mode_ask(view, ACT_ASK_COMMENTS);
    } else
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
    act_mode_quit(view);
}

void act_mode_ask_key(struct act_view *view, int key)
{
    bool leaving = view->question == ACT_ASK_QUIT || view->question == ACT_ASK_CLOSE;
    if (key == ACT_KEY_ESC || key == 3) {
        view->mode = ACT_MODE_MAIN;
        view->leave_after = false;
    } else if (leaving && (key == 'y' || key == 'Y' || key == 's')) {
        view->leave_after = view->question == ACT_ASK_QUIT;
        act_mode_save(view);
    } else if (leaving && (key == 'n' || key == 'N')) {
        drop(view);
    } else if (!leaving && (key == 'o' || key == 'y')) {
        save_to(view, view->path, view->question != ACT_ASK_COMMENTS);
    } else if (!leaving && key == 'S') {
        act_mode_ask_path(view);
    } else if (view->question == ACT_ASK_CHANGED && key == 'r') {
        reload(view);
    }
}

void act_mode_path_key(struct act_view *view, int key)
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
