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

enum {
    BURST = 256,    /* events taken before a frame must be drawn */
    WATCH_MS = 1000 /* between looks at the files on the disk */
};

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

/* A stopped planner keeps nothing: what there is goes first. */
static void suspend(struct act_view *view)
{
    char where[ACT_PATH_MAX];
    act_keep_all(&view->desk, where, sizeof where);
    act_term_suspend();
}

static void handle(struct act_view *view, const struct act_event *event)
{
    view->now_ms = now_ms();
    switch (event->kind) {
    case ACT_EVENT_KEY:
        if (event->key == ('L' & 0x1f))
            act_term_repaint();
        else if (event->key == ('Z' & 0x1f))
            suspend(view);
        else
            act_view_key(view, event->key);
        break;
    case ACT_EVENT_PASTE:
        act_view_paste(view, event->paste, event->paste_size);
        break;
    case ACT_EVENT_MOUSE:
        act_view_mouse(view, event->button, event->row, event->column);
        break;
    case ACT_EVENT_STOP:
        suspend(view);
        break;
    case ACT_EVENT_RESUME:
        act_term_resume();
        break;
    default:
        break;
    }
    if (view->suspend)
        act_term_suspend();
    view->suspend = false;
}

static bool draw(struct act_view *view)
{
    int rows, columns;
    act_term_size(&rows, &columns);
    view->canvas.ascii = act_term_ascii();
    if (!act_canvas_resize(&view->canvas, rows, columns))
        return false;
    if (view->repaint) {
        act_theme_use(view->desk.settings.scheme, view->desk.settings.plain);
        act_term_repaint();
        view->repaint = false;
    }
    act_term_mouse(view->desk.settings.mouse);
    act_view_draw(view);
    act_term_show(&view->canvas);
    return true;
}

static bool has_files(const struct act_desk *desk)
{
    for (int i = 0; i < desk->count; i++)
        if (desk->tab[i]->stamp.known)
            return true;
    return false;
}

/* What is done besides answering keys: keeping unsaved work, and looking at files on the disk.
 * Returns whether there is something to show. A question on the screen is left alone. */
static bool work(struct act_view *view)
{
    int64_t now = now_ms();
    bool said = act_keeper_run(&view->keeper, &view->desk, now);
    if (now - view->watched_ms >= WATCH_MS && view->mode != ACT_MODE_ASK) {
        view->watched_ms = now;
        said = act_desk_watch(&view->desk) || said;
    }
    return said;
}

/* Waits for an event, or until something else is to be shown: the event is then none. */
static void wait_for(struct act_view *view, struct act_event *event)
{
    event->kind = ACT_EVENT_NONE;
    while (event->kind == ACT_EVENT_NONE && !work(view)) {
        int wait = act_keeper_patience(&view->keeper, now_ms());
        if (has_files(&view->desk) && (wait < 0 || wait > WATCH_MS))
            wait = WATCH_MS;
        act_term_next(event, wait);
    }
}

/* One blocking wait, then whatever else is there, then one frame. */
static int loop(struct act_view *view)
{
    static struct act_event event;
    while (!view->done) {
        if (!draw(view))
            return 1;
        for (int i = 0; i < BURST; i++) {
            if (i == 0)
                wait_for(view, &event);
            else
                act_term_next(&event, 0);
            if (event.kind == ACT_EVENT_NONE)
                break;
            if (event.kind == ACT_EVENT_HANGUP)
                return 0;
            handle(view, &event);
            if (view->done)
                return 0;
        }
        act_keeper_note(&view->keeper, &view->desk, now_ms());
    }
    return 0;
}

int act_ui_run(int count, char **files, const struct act_settings *settings)
{
    static struct act_view view;
    char why[ACT_PATH_MAX];
    view.desk.settings = *settings;
    if (open_all(&view, count, files) != 0) {
        act_desk_free(&view.desk);
        return 3;
    }
    if (act_term_start(settings, why, sizeof why) != 0) {
        fprintf(stderr, "actuary: %s\n", why);
        act_desk_free(&view.desk);
        return 2;
    }
    int kept = act_keep_count();
    if (kept > 0 && view.desk.said == ACT_SAY_NOTHING)
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
    act_palette_close(&view.palette);
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
