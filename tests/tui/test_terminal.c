/* Sizes, repainting, odd bytes, old terminals, no terminal at all. */
#include "planner.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { LEAVE_MS = 1000 };

static struct tui *start_with(const char *variable)
{
    const char *environment[] = {variable, NULL};
    return tui_start(36, 120, NULL, environment);
}

/* ---- Painting ----------------------------------------------------------------------------------
 */

static void ctrl_l_removes_what_others_wrote(void **state)
{
    (void)state;
    static const char *const places[] = {"", "?", "o", "S", "/", "8"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct tui *t = planner_start(36, 120, NULL);
        planner_focus(t, "tensor TP");
        tui_keys(t, places[i]);
        const char *before = tui_capture(t);
        tui_scribble(t, "\033[5;5H\033[1mBroadcast message from root\033[0m");
        assert_string_not_equal(before, tui_capture(t));
        tui_keys(t, TUI_CTRL('l'));
        tui_expect_same(t, before, tui_capture(t), places[i]);
        planner_leave(t);
    }
}

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static uint64_t given_seed(uint64_t usual)
{
    const char *given = getenv("ACTUARY_SEED");
    return given ? strtoull(given, NULL, 10) : usual;
}

static void resize_storm(struct tui *t, uint64_t seed, int sizes)
{
    (void)fprintf(stderr, "seed %llu (ACTUARY_SEED)\n", (unsigned long long)seed);
    for (int i = 0; i < sizes; i++) {
        int rows = 1 + (int)(next_random(&seed) % 200), cols = 1 + (int)(next_random(&seed) % 500);
        if (next_random(&seed) % 2) { /* half of them small */
            rows = 1 + rows % 40;
            cols = 1 + cols % 100;
        }
        if (next_random(&seed) % 4 == 0) {
            tui_set_size(t, rows, cols); /* drawn or not, the next one follows at once */
            continue;
        }
        tui_resize(t, rows, cols);
        if (i % 10 == 0) {
            planner_sync_size(t);
            planner_expect_repaint_equal(t, "storm");
        }
    }
    tui_set_size(t, 30, 90);
    tui_set_size(t, 36, 120);
    planner_sync_size(t);
}

static void three_hundred_sizes(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    const char *before = tui_capture(t);
    resize_storm(t, given_seed(20261130), 300);
    tui_expect_same(t, before, tui_capture(t), "back at 36x120");
    planner_leave(t);
}

static void sizes_change_in_every_place(void **state)
{
    (void)state;
    static const char *const places[] = {"?", "o", "S", "/", "8", TUI_ENTER, "+q"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct tui *t = planner_start(36, 120, NULL);
        planner_focus(t, "tensor TP");
        tui_keys(t, places[i]);
        const char *before = tui_capture(t);
        resize_storm(t, given_seed(7) + i, 40);
        tui_expect_same(t, before, tui_capture(t), places[i]);
        planner_leave(t);
    }
}

/* ---- Bytes
 * --------------------------------------------------------------------------------------- */

static void a_paste_outside_a_text_field_changes_nothing(void **state)
{
    (void)state;
    static const char *const pastes[] = {"+", "q", "8\r", "}}}}", "uuu\033[Bx", "\033q\003"};
    struct tui *t = planner_start(36, 120, NULL);
    planner_focus(t, "tensor TP");
    const char *before = tui_capture(t);
    assert_true(tui_mode_set(t, 2004));
    for (size_t i = 0; i < sizeof pastes / sizeof *pastes; i++) {
        tui_paste(t, pastes[i]);
        assert_int_equal(tui_state(t), TUI_RUNNING);
        planner_expect_value(t, "tensor TP", "4");
        tui_keys(t, TUI_ESCAPE); /* forgets the message */
        tui_expect_same(t, before, tui_capture(t), pastes[i]);
    }
    tui_send(t, "q", 1); /* not modified: leaves without a question */
    planner_expect_left(t);
}

static void a_paste_into_a_text_field_is_text(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    planner_focus(t, "tensor TP");
    tui_keys(t, TUI_ENTER);
    tui_keys(t, TUI_CTRL('u'));
    tui_paste(t, "8");
    planner_expect_fit(t, true);
    tui_keys(t, TUI_ENTER);
    planner_expect_value(t, "tensor TP", "8");
}

static void the_mouse_is_left_alone(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    tui_keys(t, TUI_DOWN TUI_TAB "?");
    tui_keys(t, TUI_ESCAPE);
    /* Even if a terminal reports the mouse, it changes nothing. */
    const char *before = tui_capture(t);
    tui_keys(t, "\033[<0;10;10M\033[<0;10;10m");
    tui_keys(t, TUI_ESCAPE);
    tui_expect_same(t, before, tui_capture(t), "mouse report");
    planner_leave(t);
    tui_expect_no_mouse(t);
}

static void unknown_sequences_change_nothing(void **state)
{
    (void)state;
    static const char *const sequences[] = {"\033[99~", "\033[1;5P", "\033OQ",     "\033[I",
                                            "\033[O",   "\033[24~",  "\033[?1;2c", "\033[5;5R",
                                            "\xff",     "\xc3"};
    struct tui *t = planner_start(36, 120, NULL);
    const char *before = tui_capture(t);
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
        tui_keys(t, sequences[i]);
        tui_keys(t, TUI_ESCAPE);
        tui_expect_same(t, before, tui_capture(t), sequences[i]);
    }
}

static void idle_is_silent(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    tui_keys(t, "jjj+");
    tui_expect_silence(t, 1000);
}

/* ---- Kinds of terminals
 * ---------------------------------------------------------------------------- */

static void no_color_has_no_colour(void **state)
{
    (void)state;
    struct tui *coloured = planner_start(36, 120, NULL);
    assert_true(tui_coloured(coloured));
    struct tui *t = start_with("NO_COLOR=1");
    planner_expect_verdict(t, PLANNER_DOES_NOT_FIT);
    assert_false(tui_coloured(t));
    planner_set(t, "tensor TP", "8");
    planner_expect_fit(t, true);
    assert_false(tui_coloured(t));
    planner_leave(t);
}

static void old_and_plain_terminals_work(void **state)
{
    (void)state;
    static const char *const terminals[] = {"TERM=vt100",
                                            "TERM=vt220",
                                            "TERM=linux",
                                            "TERM=xterm",
                                            "TERM=screen",
                                            "TERM=tmux-256color",
                                            "TERM=rxvt-unicode-256color"};
    for (size_t i = 0; i < sizeof terminals / sizeof *terminals; i++) {
        struct tui *t = start_with(terminals[i]);
        planner_expect_verdict(t, PLANNER_DOES_NOT_FIT);
        planner_focus(t, "tensor TP");
        tui_keys(t, "8");
        tui_keys(t, TUI_ENTER);
        planner_expect_fit(t, true);
        planner_leave(t);
    }
}

static void expect_refusal(const struct tui_setup *setup, const char *word)
{
    struct tui *t = tui_open(setup);
    int status = tui_wait_end(t, LEAVE_MS);
    char *message = tui_read_file(setup->error);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 2);
    assert_non_null(message);
    const char *end = strchr(message, '\n');
    if (!end || end[1] != '\0')
        tui_fail(t, "the message should be one line: \"%s\"", message);
    if (!strstr(message, word))
        tui_fail(t, "the message should name \"%s\": \"%s\"", word, message);
    if (!strstr(message, "actuary plan"))
        tui_fail(t, "the message should name the way without a screen: \"%s\"", message);
    free(message);
    tui_expect_given_back(t);
    assert_int_equal(tui_bytes(t), 0); /* nothing was sent to the terminal */
}

static void unusable_terminals_are_refused(void **state)
{
    (void)state;
    static const char *const terminals[][2] = {{"TERM=dumb", "dumb"},
                                               {"TERM=no-such-terminal", "no-such-terminal"},
                                               {"TERM=", "TERM"},
                                               {"TERM", "TERM"}};
    for (size_t i = 0; i < sizeof terminals / sizeof *terminals; i++) {
        const char *environment[] = {terminals[i][0], NULL};
        expect_refusal(
            &(struct tui_setup){
                .rows = 24, .cols = 80, .environment = environment, .error = "message"},
            terminals[i][1]);
    }
}

static void an_unknown_xterm_is_treated_as_xterm(void **state)
{
    (void)state;
    struct tui *t = start_with("TERM=xterm-no-such-kind");
    planner_expect_verdict(t, PLANNER_DOES_NOT_FIT);
    planner_leave(t);
}

static void input_and_output_must_be_a_terminal(void **state)
{
    (void)state;
    expect_refusal(
        &(struct tui_setup){.rows = 24, .cols = 80, .input = "/dev/null", .error = "message"},
        "terminal");
    expect_refusal(
        &(struct tui_setup){.rows = 24, .cols = 80, .output = "result", .error = "message"},
        "terminal");
    char *result = tui_read_file("result");
    assert_string_equal(result, "");
    free(result);
}

static void without_utf8_all_is_ascii(void **state)
{
    (void)state;
    static const char *const locales[] = {"LC_ALL=C", "LC_ALL=POSIX"};
    for (size_t l = 0; l < 2; l++) {
        struct tui *t = start_with(locales[l]);
        planner_expect_verdict(t, PLANNER_DOES_NOT_FIT);
        planner_focus(t, "tensor TP");
        tui_keys(t, "?");
        tui_keys(t, TUI_ESCAPE);
        tui_keys(t, "o");
        tui_keys(t, TUI_ESCAPE);
        tui_keys(t, "8");
        tui_keys(t, TUI_ENTER);
        planner_expect_fit(t, true);
        size_t size;
        const char *raw = tui_raw(t, &size);
        for (size_t i = 0; i < size; i++)
            if ((unsigned char)raw[i] >= 0x80)
                tui_fail(t, "byte %#x was sent", (unsigned char)raw[i]);
        planner_leave(t);
    }
}

static void lines_and_columns_do_not_freeze_the_size(void **state)
{
    (void)state;
    const char *environment[] = {"LINES=10", "COLUMNS=30", NULL};
    struct tui *t = tui_start(36, 120, NULL, environment);
    struct tui *fresh = planner_start(36, 120, NULL);
    tui_expect_same(t, tui_capture(fresh), tui_capture(t), "size of the terminal");
}

static void a_slow_terminal_gets_the_last_frame(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL), *calm = planner_start(36, 120, NULL);
    char keys[401] = "";
    for (size_t i = 0; i + 1 < sizeof keys; i++)
        keys[i] = i % 2 ? 'k' : 'j';
    keys[sizeof keys - 1] = '\0';
    tui_reset_bytes(t);
    tui_keys(t, keys); /* 400 keys at once come back as a few frames */
    tui_expect_same(t, tui_capture(calm), tui_capture(t), "after 400 keys");
    if (tui_bytes(t) > 20000)
        tui_fail(t, "400 keys at once made %zu bytes", tui_bytes(t));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        tui_test(ctrl_l_removes_what_others_wrote),
        tui_test(three_hundred_sizes),
        tui_test(sizes_change_in_every_place),
        tui_test(a_paste_outside_a_text_field_changes_nothing),
        tui_test(a_paste_into_a_text_field_is_text),
        tui_test(the_mouse_is_left_alone),
        tui_test(unknown_sequences_change_nothing),
        tui_test(idle_is_silent),
        tui_test(no_color_has_no_colour),
        tui_test(old_and_plain_terminals_work),
        tui_test(unusable_terminals_are_refused),
        tui_test(an_unknown_xterm_is_treated_as_xterm),
        tui_test(input_and_output_must_be_a_terminal),
        tui_test(without_utf8_all_is_ascii),
        tui_test(lines_and_columns_do_not_freeze_the_size),
        tui_test(a_slow_terminal_gets_the_last_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
