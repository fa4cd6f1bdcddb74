/* Signals: stopping and continuing, leaving, faults, hang-up. The terminal is given back. */
#include "planner.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { LEAVE_MS = 1000 };

/* ---- Stopping and continuing ----------------------------------------------------------------- */

static void expect_given_back_and_back_again(struct tui *t, const char *before)
{
    unsigned long frame = tui_frame(t);
    assert_int_equal(tui_state(t), TUI_STOPPED);
    tui_expect_given_back(t);
    tui_scribble(t, "\r\n[1]+  Stopped\r\n$ fg\r\n");
    tui_signal(t, SIGCONT);
    tui_wait_frame(t, frame + 1);
    tui_settle(t);
    assert_true(tui_alternate_screen(t));
    assert_false(tui_termios_restored(t));
    tui_expect_same(t, before, tui_capture(t), "continued");
    tui_keys(t, TUI_DOWN);
    tui_keys(t, TUI_UP);
    tui_expect_same(t, before, tui_capture(t), "alive after continuing");
}

static void ctrl_z_stops_and_continues(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    planner_focus(t, "tensor TP");
    const char *before = tui_capture(t);
    for (int i = 0; i < 3; i++) {
        tui_send(t, TUI_CTRL('z'), 1);
        tui_wait_stopped(t);
        expect_given_back_and_back_again(t, before);
    }
    planner_leave(t);
}

static void sigtstp_stops_and_continues(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    planner_focus(t, "tensor TP");
    const char *before = tui_capture(t);
    tui_signal(t, SIGTSTP);
    tui_wait_stopped(t);
    expect_given_back_and_back_again(t, before);
    planner_leave(t);
}

/* SIGSTOP cannot be caught: only what comes after it can be right. */
static void sigstop_is_painted_over(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    const char *before = tui_capture(t);
    tui_signal(t, SIGSTOP);
    tui_wait_stopped(t);
    tui_scribble(t, "\033[9;9Hscribble");
    unsigned long frame = tui_frame(t);
    tui_signal(t, SIGCONT);
    tui_wait_frame(t, frame + 1);
    tui_expect_same(t, before, tui_capture(t), "continued");
}

static void the_size_may_change_while_stopped(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    struct tui *fresh = planner_start(24, 80, NULL);
    tui_send(t, TUI_CTRL('z'), 1);
    tui_wait_stopped(t);
    tui_set_size(t, 24, 80);
    unsigned long frame = tui_frame(t);
    tui_signal(t, SIGCONT);
    tui_wait_frame(t, frame + 1);
    planner_sync_size(t);
    tui_expect_same(t, tui_capture(fresh), tui_capture(t), "new size");
}

static void ctrl_z_works_everywhere(void **state)
{
    (void)state;
    static const char *const places[] = {"?", "o", "S", "/", "8", TUI_ENTER};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct tui *t = planner_start(36, 120, NULL);
        planner_focus(t, "tensor TP");
        tui_keys(t, places[i]);
        const char *before = tui_capture(t);
        unsigned long frame = tui_frame(t);
        tui_send(t, TUI_CTRL('z'), 1);
        tui_wait_stopped(t);
        tui_expect_given_back(t);
        tui_signal(t, SIGCONT);
        tui_wait_frame(t, frame + 1);
        tui_settle(t);
        tui_expect_same(t, before, tui_capture(t), places[i]);
        planner_leave(t);
    }
}

/* ---- Signals and the end
 * ------------------------------------------------------------------------------ */

static void expect_end_by_signal(struct tui *t, int number)
{
    int status = tui_wait_end(t, LEAVE_MS);
    bool by_signal = (WIFSIGNALED(status) && WTERMSIG(status) == number) ||
                     (WIFEXITED(status) && WEXITSTATUS(status) == 128 + number);
    if (!by_signal)
        tui_fail(t, "signal %d: ended with wait status %#x", number, (unsigned)status);
}

static void leaving_signals_give_the_terminal_back(void **state)
{
    (void)state;
    static const int signals[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct tui *t = planner_start(36, 120, NULL);
        planner_set(t, "tensor TP", "8"); /* modified: nobody is left to be asked */
        tui_signal(t, signals[i]);
        expect_end_by_signal(t, signals[i]);
        tui_expect_given_back(t);
    }
}

static bool shows(struct tui *t, const void *text)
{
    return tui_shows(t, text);
}

/* A shell's job: bash sends CONT after the signal, and the terminal is the shell's by then. */
static void a_stopped_job_can_be_ended(void **state)
{
    (void)state;
    static const char *const signals[] = {"TERM", "HUP"};
    static const char *const ends[] = {"ended 143", "ended 129"};
    for (int i = 0; i < 2; i++) {
        char script[256];
        snprintf(
            script, sizeof script,
            "set -m; \"$0\"; stty -echo; kill -%s %%1; wait -f %%1; echo \"ended $?\"; stty -a",
            signals[i]);
        const char *const arguments[] = {"-c", script, getenv("ACTUARY_PROGRAM"), NULL};
        struct tui *t = tui_open(&(struct tui_setup){
            .program = "/bin/bash", .arguments = arguments, .rows = 36, .cols = 120});
        tui_wait_frame(t, 1);
        planner_set(t, "tensor TP", "8");
        tui_send(t, TUI_CTRL('z'), 1);
        if (!tui_wait_until(t, shows, ends[i], 4 * LEAVE_MS))
            tui_fail(t, "stopped, it did not end by %s", signals[i]);
        tui_expect(t, "unsaved work was kept in");
        if (!tui_wait_until(t, shows, "-echo ", LEAVE_MS))
            tui_fail(t, "the shell's terminal settings were changed");
        (void)tui_wait_end(t, LEAVE_MS);
    }
}

static void leaving_signals_work_in_every_place(void **state)
{
    (void)state;
    static const char *const places[] = {"?", "o", "S", "/", "8", "+q"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct tui *t = planner_start(36, 120, NULL);
        planner_focus(t, "tensor TP");
        tui_keys(t, places[i]);
        tui_signal(t, SIGTERM);
        expect_end_by_signal(t, SIGTERM);
        tui_expect_given_back(t);
    }
}

static void faults_give_the_terminal_back_and_are_reported(void **state)
{
    (void)state;
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct tui *t = planner_start(36, 120, NULL);
        tui_signal(t, signals[i]);
        int status = tui_wait_end(t, LEAVE_MS);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), signals[i]);
        tui_expect_given_back(t);
        tui_expect(t, "actuary:"); /* and says so on the screen it gave back */
    }
}

static void a_hang_up_ends_it(void **state)
{
    (void)state;
    for (int modified = 0; modified < 2; modified++) {
        struct tui *t = planner_start(36, 120, NULL);
        if (modified)
            planner_set(t, "tensor TP", "8");
        tui_hangup(t); /* no signal: reading tells */
        (void)tui_wait_end(t, LEAVE_MS);

        t = planner_start(36, 120, NULL);
        if (modified)
            planner_set(t, "tensor TP", "8");
        tui_hangup(t);
        tui_signal(t, SIGHUP); /* as a shell passes it on */
        (void)tui_wait_end(t, LEAVE_MS);
    }
}

static void ctrl_c_cancels_then_leaves(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    planner_focus(t, "tensor TP");
    const char *before = tui_capture(t);
    tui_keys(t, "8");
    tui_keys(t, TUI_CTRL('c'));
    assert_int_equal(tui_state(t), TUI_RUNNING);
    tui_expect_same(t, before, tui_capture(t), "edit cancelled");
    tui_keys(t, "+");
    tui_keys(t, TUI_CTRL('c')); /* modified: asks */
    assert_true(planner_asks_to_leave(t));
    tui_keys(t, TUI_ESCAPE);
    tui_keys(t, "u");
    tui_send(t, TUI_CTRL('c'), 1); /* nothing to lose */
    planner_expect_left(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        tui_test(ctrl_z_stops_and_continues),
        tui_test(sigtstp_stops_and_continues),
        tui_test(sigstop_is_painted_over),
        tui_test(the_size_may_change_while_stopped),
        tui_test(ctrl_z_works_everywhere),
        tui_test(leaving_signals_give_the_terminal_back),
        tui_test(leaving_signals_work_in_every_place),
        tui_test(a_stopped_job_can_be_ended),
        tui_test(faults_give_the_terminal_back_and_are_reported),
        tui_test(a_hang_up_ends_it),
        tui_test(ctrl_c_cancels_then_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
