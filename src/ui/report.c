/* Writing a report: its file name is asked for, and a word before a file is overwritten. */
#include "session/report.h"
#include "session/action.h"
#include "ui/modes.h"
#include <stdio.h>
#include <string.h>

void act_mode_ask_report(struct act_view *view)
{
    char path[ACT_PATH_MAX];
    act_desk_suggest_report(act_desk_tab(&view->desk), path, sizeof path);
    act_edit_start(&view->edit, path, ACT_PATH_MAX - 1);
    view->mode = ACT_MODE_REPORT;
}

static void write_to(struct act_view *view, const char *path, bool force)
{
    char target[ACT_PATH_MAX]; /* `path` may be view->path itself */
    snprintf(target, sizeof target, "%s", path);
    memcpy(view->path, target, sizeof view->path);
    view->mode = ACT_MODE_MAIN;
    if (act_desk_report(&view->desk, target, force) == ACT_SAVE_CHANGED)
        act_mode_ask(view, ACT_ASK_REPORT);
}

void act_mode_report_key(struct act_view *view, int key)
{
    if (key == ACT_KEY_ESC || key == 3) {
        view->mode = ACT_MODE_MAIN;
    } else if (key == ACT_KEY_ENTER && view->edit.size > 0) {
        char path[ACT_PATH_MAX];
        snprintf(path, sizeof path, "%.*s", ACT_PATH_MAX - 1, view->edit.text);
        write_to(view, path, false);
    } else {
        act_edit_key(&view->edit, key);
    }
}

void act_mode_report_answer(struct act_view *view, int key)
{
    if (key == ACT_KEY_ESC || key == 3) {
        view->mode = ACT_MODE_MAIN;
        view->desk.said = ACT_SAY_NOTHING;
    } else if (key == 'o' || key == 'y') {
        write_to(view, view->path, true);
    } else if (key == 'S' || key == 'w') {
        act_edit_start(&view->edit, view->path, ACT_PATH_MAX - 1);
        view->mode = ACT_MODE_REPORT;
    }
}
