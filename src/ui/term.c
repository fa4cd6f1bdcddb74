#include "ui/term.h"
#include "ui/term_find.h"
#include "ui/term_input.h"
#include "ui/term_signal.h"
#include <errno.h>
#include <langinfo.h>
#include <ncurses.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    SCREEN *screen;
    bool ascii;
    bool marker;         /* write the frame marker after each frame (tests) */
    unsigned long frame; /* frames shown */
    struct act_canvas shown;
    bool repaint;
    int cursor; /* what curs_set was last given */
    int frames; /* file in memory that a frame is collected in, or -1 */
    bool mouse;
} term = {.cursor = -1, .frames = -1};

static const char paste_on[] = "\033[?2004h";
static const char paste_off[] = "\033[?2004l";
/* Presses and the wheel, in the form that has no limit at column 223. */
static const char mouse_on[] = "\033[?1002h\033[?1006h";
static const char mouse_off[] = "\033[?1006l\033[?1002l";

/* Everything but the answer of write, which nobody could act on. */
static void send_all(const char *text, size_t size)
{
    while (size > 0) {
        ssize_t sent = write(act_signal_terminal(), text, size);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return;
        text += sent;
        size -= (size_t)sent;
    }
}

/* Curses sends a frame in dozens of small writes, one a cursor motion. While it does, standard
 * output is a file in memory; what it holds then goes to the terminal in one piece. */
static bool collect(void)
{
    return term.frames >= 0 && dup2(term.frames, STDOUT_FILENO) >= 0;
}

static void deliver(void)
{
    static char block[65536];
    off_t end = lseek(term.frames, 0, SEEK_CUR), at = 0;
    while (dup2(act_signal_terminal(), STDOUT_FILENO) < 0 && errno == EINTR)
        continue;
    while (at < end) {
        size_t want = end - at < (off_t)sizeof block ? (size_t)(end - at) : sizeof block;
        ssize_t got = pread(term.frames, block, want, at);
        if (got <= 0)
            break;
        send_all(block, (size_t)got);
        at += got;
    }
    lseek(term.frames, 0, SEEK_SET);
}

int act_term_start(const struct act_settings *settings, char *why, size_t why_size)
{
    const char *name;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        snprintf(why, why_size,
                 "the planner needs a terminal for input and output; use actuary plan in scripts");
        return -1;
    }
    struct stat in, out;
    if (fstat(STDIN_FILENO, &in) == 0 && fstat(STDOUT_FILENO, &out) == 0 &&
        in.st_rdev != out.st_rdev) {
        snprintf(why, why_size, "input and output are two terminals; the planner needs one");
        return -1;
    }
    if (act_term_find(&name, why, why_size) != 0)
        return -1;
    const char *codeset = nl_langinfo(CODESET);
    term.ascii = settings->ascii || strcmp(codeset, "UTF-8") != 0;
    term.marker = getenv("ACTUARY_FRAME_MARKER") != NULL;
    act_signal_remember_terminal();
    /* The size is the terminal's own; LINES and COLUMNS in the environment would freeze it. */
    use_env(FALSE);
    use_tioctl(TRUE);
    term.screen = newterm(name, stdout, stdin);
    if (term.screen == NULL) {
        snprintf(why, why_size, "the terminal could not be started; use actuary plan");
        return -1;
    }
    raw();
    noecho();
    nonl();
    keypad(stdscr, TRUE); /* the application cursor keys; decoding is ours */
    idlok(stdscr, FALSE);
    leaveok(stdscr, FALSE);
    typeahead(-1); /* keys are read by us: nothing is to be looked for in the middle of a frame */
    act_theme_start(settings->scheme, settings->plain);
    act_signal_start();
    term.frames = memfd_create("frame", MFD_CLOEXEC);
    send_all(paste_on, sizeof paste_on - 1);
    term.repaint = true;
    act_term_mouse(settings->mouse);
    return 0;
}

void act_term_mouse(bool on)
{
    if (on == term.mouse)
        return;
    term.mouse = on;
    act_input_mouse(on);
    act_signal_mouse(on);
    if (on)
        send_all(mouse_on, sizeof mouse_on - 1);
    else
        send_all(mouse_off, sizeof mouse_off - 1);
}

static void end_screen(void)
{
    if (term.mouse)
        send_all(mouse_off, sizeof mouse_off - 1);
    send_all(paste_off, sizeof paste_off - 1);
    curs_set(1);
    endwin();
}

void act_term_stop(void)
{
    if (term.screen == NULL)
        return;
    if (!isendwin() && act_signal_foreground())
        end_screen();
    else if (!isendwin())
        act_signal_give_back();
    act_signal_stop();
    if (term.frames >= 0)
        close(term.frames);
    term.frames = -1;
    delscreen(term.screen);
    term.screen = NULL;
    act_canvas_free(&term.shown);
}

void act_term_size(int *rows, int *columns)
{
    struct winsize size = {0};
    *rows = LINES;
    *columns = COLS;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0) {
        *rows = size.ws_row;
        *columns = size.ws_col;
    }
}

bool act_term_ascii(void)
{
    return term.ascii;
}

bool act_term_frozen(void)
{
    return act_signal_cut();
}

int act_term_signal(void)
{
    return act_signal_leave();
}

void act_term_next(struct act_event *ret_event, int wait_ms)
{
    ret_event->kind = ACT_EVENT_NONE;
    for (;;) {
        if (act_signal_leave() != 0) {
            ret_event->kind = ACT_EVENT_HANGUP;
            return;
        }
        if (act_signal_take_resize()) {
            ret_event->kind = ACT_EVENT_RESIZE;
            return;
        }
        if (act_signal_take_stop()) {
            ret_event->kind = ACT_EVENT_STOP;
            return;
        }
        if (act_signal_take_continue()) {
            ret_event->kind = ACT_EVENT_RESUME;
            return;
        }
        if (act_input_next(ret_event))
            return;
        int patience = act_input_patience();
        int timeout = patience > 0 ? patience : wait_ms;
        struct pollfd wanted[2] = {{.fd = STDIN_FILENO, .events = POLLIN},
                                   {.fd = act_signal_pipe(), .events = POLLIN}};
        int ready = poll(wanted, 2, timeout);
        if (ready < 0 && errno != EINTR) {
            ret_event->kind = ACT_EVENT_HANGUP;
            return;
        }
        if (ready > 0 && wanted[1].revents != 0)
            act_signal_drain();
        if (ready > 0 && wanted[0].revents != 0) {
            if (!act_input_read()) {
                ret_event->kind = ACT_EVENT_HANGUP;
                return;
            }
            continue;
        }
        if (ready == 0) {
            if (patience > 0) {
                act_input_settle(); /* nothing followed: Escape was Escape, a paste has ended */
                continue;
            }
            return;
        }
    }
}

static void show_cursor(const struct act_canvas *canvas)
{
    int wanted = canvas->cursor_shown ? 1 : 0;
    if (wanted != term.cursor) {
        curs_set(wanted);
        term.cursor = wanted;
    }
    move(canvas->cursor_row < LINES ? canvas->cursor_row : LINES - 1,
         canvas->cursor_column < COLS ? canvas->cursor_column : COLS - 1);
}

/* Gives curses one run of cells of a row. */
static void send_run(const struct act_canvas *canvas, int row, int from, int to)
{
    cchar_t line[256];
    const struct act_cell *cell = canvas->cell + (size_t)row * (size_t)canvas->columns;
    while (from < to) {
        int start = from, count = 0;
        for (; from < to && count < 255; from++) {
            if (cell[from].sign == 0)
                continue; /* right half of a wide sign: curses accounts for it */
            wchar_t text[2] = {(wchar_t)cell[from].sign, 0};
            enum act_look look = (enum act_look)cell[from].look;
            setcchar(&line[count++], text, act_theme_attributes(look), act_theme_pair(look), NULL);
        }
        mvadd_wchnstr(row, start, line, count);
    }
}

static void send_row(const struct act_canvas *canvas, int row, int columns)
{
    const struct act_cell *now = canvas->cell + (size_t)row * (size_t)canvas->columns;
    if (term.repaint) {
        send_run(canvas, row, 0, columns);
        return;
    }
    const struct act_cell *was = term.shown.cell + (size_t)row * (size_t)canvas->columns;
    int from = 0, to = columns;
    while (from < to && now[from].sign == was[from].sign && now[from].look == was[from].look)
        from++;
    while (to > from && now[to - 1].sign == was[to - 1].sign &&
           now[to - 1].look == was[to - 1].look)
        to--;
    while (from > 0 && from < to && now[from].sign == 0)
        from--;
    send_run(canvas, row, from, to);
}

/* A blank looks the same in every look that has neither background nor line: those between two
 * words take the first one's look when both words share it or stand close, so that no bytes are
 * spent on switching to and fro. */
static void settle_blanks(struct act_canvas *canvas)
{
    enum { CLOSE = 3, APART = 14 };
    for (int row = 0; row < canvas->rows; row++) {
        struct act_cell *cell = canvas->cell + (size_t)row * (size_t)canvas->columns;
        int last = -1; /* the bare sign before */
        for (int column = 0; column < canvas->columns; column++) {
            if (!act_theme_bare((enum act_look)cell[column].look)) {
                last = -1;
            } else if (cell[column].sign == ' ') {
                cell[column].look = ACT_LOOK_TEXT;
            } else {
                int gap = column - last - 1;
                int limit = last >= 0 && cell[last].look == cell[column].look ? APART : CLOSE;
                for (int i = last + 1; last >= 0 && i < column && gap <= limit; i++)
                    cell[i].look = cell[last].look;
                last = column;
            }
        }
    }
}

void act_term_show(struct act_canvas *canvas)
{
    settle_blanks(canvas);
    if (LINES != canvas->rows || COLS != canvas->columns)
        resizeterm(canvas->rows, canvas->columns);
    if (term.shown.rows != canvas->rows || term.shown.columns != canvas->columns)
        term.repaint = true;
    if (term.repaint)
        erase();
    for (int row = 0; row < canvas->rows && row < LINES; row++)
        send_row(canvas, row, canvas->columns < COLS ? canvas->columns : COLS);
    show_cursor(canvas);
    if (term.repaint)
        clearok(curscr, TRUE);
    wnoutrefresh(stdscr);
    bool collecting = collect();
    doupdate();
    if (collecting)
        deliver();
    term.repaint = false;
    if (act_canvas_resize(&term.shown, canvas->rows, canvas->columns))
        memcpy(term.shown.cell, canvas->cell,
               (size_t)canvas->rows * (size_t)canvas->columns * sizeof(struct act_cell));
    else
        term.repaint = true;
    term.frame++;
    if (term.marker) {
        char text[64];
        int size =
            snprintf(text, sizeof text, "\033]7770;%lu;%lu\007", act_input_consumed(), term.frame);
        send_all(text, (size_t)size);
    }
}

void act_term_repaint(void)
{
    term.repaint = true;
}

void act_term_resume(void)
{
    if (act_signal_leave() == 0 && !act_signal_foreground())
        act_signal_stop_here();
    if (act_signal_leave() != 0)
        return; /* the loop ends, and the terminal may not be ours */
    term.cursor = -1;
    endwin();
    refresh(); /* back to the program's modes and screen */
    send_all(paste_on, sizeof paste_on - 1);
    if (term.mouse)
        send_all(mouse_on, sizeof mouse_on - 1);
    term.repaint = true;
}

void act_term_suspend(void)
{
    end_screen();
    act_signal_stop_here();
    act_signal_take_continue();
    act_term_resume();
}
