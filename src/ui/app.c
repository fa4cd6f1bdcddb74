#include "ui/app.h"
#include "session/keep.h"
#include "session/session_tabs.h"
#include "ui/term.h"
#include "ui/view.h"
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { BURST = 256 }; /* events taken before a frame must be drawn */

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int open_all(struct act_view *view, int count, char **files)
{
    static char example[] = "example";
    char *only[] = {example};
    struct act_problems problems;
    if (count == 0) {
        count = 1;
        files = only;
    }
    for (int i = 0; i < count; i++) {
        act_problems_init(&problems, files[i]);
        if (act_session_open(&view->desk, files[i], &problems) != 0) {
            for (int k = 0; k < problems.count; k++) {
                char text[800];
                act_problem_text(&problems, k, text, sizeof text);
                fprintf(stderr, "%s\n", text);
            }
            return -1;
        }
    }
    view->desk.current = 0;
    return 0;
}

static void handle(struct act_view *view, const struct act_event *event)
{
    view->now_ms = now_ms();
    switch (event->kind) {
    case ACT_EVENT_KEY:
        if (event->key == ('L' & 0x1f))
            act_term_repaint();
        else if (event->key == ('Z' & 0x1f))
            act_term_suspend();
        else
            act_view_key(view, event->key);
        break;
    case ACT_EVENT_PASTE:
        act_view_paste(view, event->paste, event->paste_size);
        break;
    case ACT_EVENT_STOP:
        act_term_suspend();
        break;
    case ACT_EVENT_RESUME:
        act_term_resume();
        break;
    default:
        break;
    }
}

static bool draw(struct act_view *view)
{
    int rows, columns;
    act_term_size(&rows, &columns);
    view->canvas.ascii = act_term_ascii();
    if (!act_canvas_resize(&view->canvas, rows, columns))
        return false;
    act_view_draw(view);
    act_term_show(&view->canvas);
    return true;
}

/* One blocking wait, then whatever else is there, then one frame. */
static int loop(struct act_view *view)
{
    static struct act_event event;
    while (!view->done) {
        if (!draw(view))
            return 1;
        for (int i = 0; i < BURST; i++) {
            act_term_next(&event, i == 0);
            if (event.kind == ACT_EVENT_NONE)
                break;
            if (event.kind == ACT_EVENT_HANGUP)
                return 0;
            handle(view, &event);
            if (view->done)
                return 0;
        }
    }
    return 0;
}

int act_ui_run(int count, char **files)
{
    static struct act_view view;
    char why[ACT_PATH_MAX];
    if (open_all(&view, count, files) != 0) {
        act_desk_free(&view.desk);
        return 3;
    }
    if (act_term_start(why, sizeof why) != 0) {
        fprintf(stderr, "actuary: %s\n", why);
        act_desk_free(&view.desk);
        return 2;
    }
    int kept = act_keep_count();
    if (kept > 0)
        act_desk_say(&view.desk, ACT_SAY_NOTE,
                     "unsaved work of an interrupted session was kept: o lists it");
    int status = loop(&view);
    int number = act_term_signal();
    alarm(0); /* the loop has returned: a slow disk is no frozen terminal */
    if (!view.done)
        kept = act_keep_all(&view.desk, why, sizeof why);
    if (number != 0)
        alarm(1);
    act_term_stop();
    if (!view.done && kept != 0 && !act_term_frozen())
        fprintf(stderr, "actuary: unsaved work %s kept in %s\n", kept > 0 ? "was" : "could not be",
                why);
    act_list_free(&view.list);
    act_canvas_free(&view.canvas);
    act_desk_free(&view.desk);
    if (status != 0)
        fprintf(stderr, "actuary: out of memory\n");
    if (number != 0) {
        signal(number, SIG_DFL);
        raise(number);
    }
    return status;
}
