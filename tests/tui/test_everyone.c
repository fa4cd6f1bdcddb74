/* Plain mode, ASCII, themes, the config file, and the mouse to the byte. */
#include "planner.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define START(rows, cols, ...) tui_start(rows, cols, (const char *const[]){__VA_ARGS__, NULL}, NULL)

/* Presses and wheel as terminals report them; row and column count from 0. */
static void press(struct tui *t, int button, int row, int col)
{
    char bytes[64];
    (void)snprintf(bytes, sizeof bytes, "\033[<%d;%d;%dM", button, col + 1, row + 1);
    tui_keys(t, bytes);
    if (button < 64) { /* and lets go */
        (void)snprintf(bytes, sizeof bytes, "\033[<%d;%d;%dm", button, col + 1, row + 1);
        tui_keys(t, bytes);
    }
}

enum { LEFT = 0, WHEEL_UP = 64, WHEEL_DOWN = 65 };

/* ---- Mouse -----------------------------------------------------------------------------------
 */

static bool sent(struct tui *t, const char *bytes)
{
    size_t size;
    const char *raw = tui_raw(t, &size);
    return memmem(raw, size, bytes, strlen(bytes)) != NULL;
}

static void without_asking_no_byte_is_about_a_mouse(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    const char *before = tui_capture(t);
    int row = tui_find_row(t, 0, "pipeline PP");
    press(t, LEFT, row, 5);
    press(t, WHEEL_UP, row, 5);
    tui_expect_same(t, before, tui_capture(t), "reports nobody asked for");
    static const char *const keys[] = {"?", TUI_ESCAPE, "o", TUI_ESCAPE, "T"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        tui_keys(t, keys[i]);
    tui_send(t, TUI_CTRL('z'), 1);
    tui_wait_stopped(t);
    unsigned long frame = tui_frame(t);
    tui_signal(t, SIGCONT);
    tui_wait_frame(t, frame + 1);
    planner_leave(t);
    tui_expect_no_mouse(t);
    static const char *const modes[] = {"?9h",   "?9l",   "?1000", "?1001", "?1002",
                                        "?1003", "?1005", "?1006", "?1015"};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (sent(t, modes[i]))
            tui_fail(t, "%s was sent", modes[i]);
}

static void the_mouse_is_switched_live_and_given_back(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    tui_expect_no_mouse(t);
    tui_keys(t, ":mouse" TUI_ENTER);
    assert_true(tui_mode_set(t, 1002) && tui_mode_set(t, 1006));
    assert_false(tui_mode_seen(t, 1000) || tui_mode_seen(t, 1003)); /* never of idle motion */
    tui_keys(t, ":mouse" TUI_ENTER);
    assert_false(tui_mode_set(t, 1002) || tui_mode_set(t, 1006));
    tui_keys(t, ":mouse" TUI_ENTER);
    assert_true(tui_mode_set(t, 1002));
    tui_send(t, TUI_CTRL('z'), 1);
    tui_wait_stopped(t);
    assert_false(tui_mode_set(t, 1002) || tui_mode_set(t, 1006));
    unsigned long frame = tui_frame(t);
    tui_signal(t, SIGCONT);
    tui_wait_frame(t, frame + 1);
    assert_true(tui_mode_set(t, 1002) && tui_mode_set(t, 1006));
    planner_leave(t);
    assert_false(tui_mode_set(t, 1002) || tui_mode_set(t, 1006));
}

static void faults_and_signals_switch_it_off(void **state)
{
    (void)state;
    static const int signals[] = {SIGSEGV, SIGTERM};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct tui *t = START(36, 120, "--mouse");
        assert_true(tui_mode_set(t, 1002));
        tui_signal(t, signals[i]);
        (void)tui_wait_end(t, 5000);
        assert_false(tui_mode_set(t, 1002) || tui_mode_set(t, 1006));
    }
}

static void presses_and_wheel(void **state)
{
    (void)state;
    struct tui *t = START(36, 120, "--mouse");
    int row = tui_find_row(t, 0, "pipeline PP");
    press(t, LEFT, row, 10);
    assert_int_equal(planner_focused_row(t), row);
    press(t, WHEEL_UP, row, 10); /* steps the value under the pointer */
    planner_expect_value(t, "pipeline PP", "4");
    press(t, WHEEL_DOWN, row, 10);
    planner_expect_value(t, "pipeline PP", "2");
    row = tui_find_row(t, 0, "tensor TP");
    press(t, WHEEL_UP, row, 3);
    planner_expect_value(t, "tensor TP", "8");
    const char *before = tui_capture(t);
    press(t, LEFT, 15, 80); /* nothing stands there */
    press(t, WHEEL_UP, 15, 80);
    press(t, 1, row, 3); /* other buttons */
    press(t, 2, row, 3);
    press(t, LEFT, 5000, 5000);
    tui_expect_same(t, before, tui_capture(t), "presses that mean nothing");
    press(t, LEFT, row, 3); /* again on the focused one: an edit */
    tui_expect(t, "Enter keep");
    tui_keys(t, "4");
    press(t, LEFT, tui_find_row(t, 0, "context CP"), 3); /* keeps what was typed */
    planner_expect_value(t, "tensor TP", "4");
    planner_leave(t);
}

/* A letter of the legend tells its share; drawn along the legend, the one under the pointer. */
static void the_legend_is_pressed_and_drawn_along(void **state)
{
    (void)state;
    enum { DRAG = 32 };
    struct tui *t = START(36, 120, "--mouse");
    int row = tui_find_row(t, 0, "W weights");
    int column = 60; /* W stands there */
    assert_true(row > 0);
    press(t, LEFT, row, column);
    tui_expect(t, "W weights: 16.1 of 88.1 GiB on stage 0, 18 %");
    press(t, DRAG, row, column + 10);
    tui_expect(t, "G gradients: 32.1 of 88.1 GiB on stage 0, 36 %");
    const char *before = tui_capture(t);
    press(t, DRAG, row + 3, column); /* beside it nothing changes */
    tui_expect_same(t, before, tui_capture(t), "drawn beside the legend");
    planner_leave(t);
}

/* On a slow line a report comes in parts: none of them is taken for keys. */
static void a_report_in_parts(void **state)
{
    (void)state;
    struct tui *t = START(36, 120, "--mouse");
    int row = tui_find_row(t, 0, "pipeline PP");
    char rest[32];
    tui_send(t, "\033[<64;1", 7);
    tui_expect_silence(t, 60); /* longer than Escape is waited for */
    (void)snprintf(rest, sizeof rest, "0;%dM", row + 1);
    tui_keys(t, rest);
    planner_expect_value(t, "pipeline PP", "4");
    tui_expect_not(t, "Enter keep");
    planner_leave(t);
}

/* Column of a text in a row, on a screen whose signs before it are one column each. */
static int column_of(struct tui *t, int row, const char *text)
{
    for (int col = 0; col < tui_cols(t); col++) {
        size_t i = 0;
        for (; text[i] != '\0'; i++) {
            struct tui_cell cell = tui_cell(t, row, col + (int)i < tui_cols(t) ? col + (int)i : 0);
            if (cell.text[0] != text[i] && !(text[i] == ' ' && cell.text[0] == '\0'))
                break;
        }
        if (text[i] == '\0')
            return col;
    }
    tui_fail(t, "row %d does not show \"%s\"", row, text);
}

static void the_key_line_can_be_pressed(void **state)
{
    (void)state;
    struct tui *t = START(36, 120, "--mouse");
    int keys = tui_rows(t) - 1;
    press(t, LEFT, keys, column_of(t, keys, "x fix") + 3);
    tui_expect(t, "undo 1");
    press(t, LEFT, keys, column_of(t, keys, "u undo"));
    tui_expect_not(t, "undo 1");
    press(t, LEFT, keys, column_of(t, keys, "+ - step")); /* the first of two */
    planner_expect_value(t, "tensor TP", "8");
    press(t, LEFT, keys, column_of(t, keys, "+ - step") + 2); /* the second */
    planner_expect_value(t, "tensor TP", "4");
    press(t, LEFT, keys, column_of(t, keys, ": command"));
    tui_keys(t, "tp");
    press(t, LEFT, tui_find_row(t, 6, "tensor TP"), 10);
    tui_expect_not(t, "Enter run");
    press(t, LEFT, keys, column_of(t, keys, "o open"));
    press(t, WHEEL_DOWN, 12, 12);
    press(t, LEFT, tui_find_row(t, 5, "chapter-7"), 10);
    tui_expect(t, "2 ");
    press(t, LEFT, 0, column_of(t, 0, " 1 Llama"));
    planner_expect_verdict(t, PLANNER_DOES_NOT_FIT);
    tui_keys(t, "?");
    const char *before = tui_row(t, 3);
    char row[512];
    (void)snprintf(row, sizeof row, "%s", before);
    press(t, WHEEL_DOWN, 3, 3);
    assert_string_not_equal(row, tui_row(t, 3));
    press(t, LEFT, keys, 3); /* Esc leaves */
    char quit[64];
    (void)snprintf(quit, sizeof quit, "\033[<0;%d;%dM", column_of(t, keys, "q quit") + 1, keys + 1);
    (void)tui_keys_or_end(t, quit);
    assert_true(tui_wait_end(t, 5000) == 0);
}

/* ---- Plain and ASCII ------------------------------------------------------------------------- */

static void expect_plain(struct tui *t, const char *where)
{
    for (int row = 0; row < tui_rows(t); row++)
        for (int col = 0; col < tui_cols(t); col++) {
            struct tui_cell cell = tui_cell(t, row, col);
            const unsigned char *sign = (const unsigned char *)cell.text;
            if (cell.reverse || cell.background != -1)
                tui_fail(t, "%s: a block at %d, %d", where, row, col);
            /* U+2500 to U+259F: lines and blocks */
            if (sign[0] == 0xe2 && (sign[1] == 0x94 || sign[1] == 0x95 || sign[1] == 0x96))
                tui_fail(t, "%s: a drawn sign at %d, %d", where, row, col);
        }
    if (!tui_cursor_visible(t))
        tui_fail(t, "%s: the cursor does not show", where);
}

static void plain_is_words_everywhere(void **state)
{
    (void)state;
    static const char *const places[] = {"",      "?", "t", "i",   "o",   " ", ":",
                                         ":tp 8", "8", "/", "/tp", "S",   "a", "8\rq",
                                         "y",     "M", "w", "+++", "8\rs"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct tui *t = START(36, 120, "--plain");
        tui_keys(t, places[i]);
        expect_plain(t, places[i]);
        tui_resize(t, 12, 40);
        planner_sync_size(t);
        expect_plain(t, places[i]);
        planner_expect_repaint_equal(t, places[i]);
        (void)tui_teardown(NULL);
    }
}

static void plain_says_what_bars_show(void **state)
{
    (void)state;
    struct tui *t = START(36, 120, "--plain");
    tui_expect(t, "stage 0: 88.1 of 79.1 GiB, 111 percent, does not fit");
    tui_expect(t, "stage 1: 77.2 of 79.1 GiB, 97 percent, tight");
    tui_expect_row(t, planner_focused_row(t), "tensor TP: 4");
    tui_keys(t, "+");
    tui_expect_row(t, planner_focused_row(t), "tensor TP: 8");
    tui_expect(t, "stage 0: 51.6 of 79.1 GiB, 65 percent, fits");
    struct tui *many = START(50, 200, "chapter-7", "--plain");
    tui_expect(many, "stages 1 to 3: "); /* neighbours that are alike */
}

static void the_cursor_follows(void **state)
{
    (void)state;
    struct tui *t = START(36, 120, "--plain");
    tui_keys(t, "j");
    tui_expect_row(t, planner_focused_row(t), "pipeline PP: 2");
    tui_keys(t, "4");
    tui_expect_row(t, planner_focused_row(t), "pipeline PP: 4");
    tui_keys(t, TUI_ENTER " " TUI_DOWN);
    tui_expect_row(t, planner_focused_row(t), "GiB"); /* an entry with its result */
    tui_keys(t, TUI_ESCAPE);
    tui_keys(t, ":");
    tui_expect_row(t, planner_focused_row(t), "command:");
    tui_keys(t, TUI_DOWN);
    tui_expect_row(t, planner_focused_row(t), "action edit");
    tui_keys(t, TUI_ESCAPE);
    planner_leave(t);
}

static void ascii_on_request(void **state)
{
    (void)state;
    struct tui *t = START(36, 120, "--ascii");
    static const char *const keys[] = {"?",        TUI_ESCAPE, "t",        TUI_ESCAPE, "i",
                                       TUI_ESCAPE, "o",        TUI_ESCAPE, ":tp 8"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        tui_keys(t, keys[i]);
    tui_keys(t, TUI_ENTER);
    planner_leave(t);
    size_t size;
    const char *raw = tui_raw(t, &size);
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)raw[i] >= 0x80)
            tui_fail(t, "byte %#x was sent", (unsigned char)raw[i]);
}

/* ---- Themes and config ----------------------------------------------------------------------- */

static void themes_change_live(void **state)
{
    (void)state;
    static const char *const names[] = {"terminal",      "light", "dark",
                                        "high-contrast", "mono",  "default"};
    struct tui *t = planner_start(36, 120, NULL);
    const char *first = tui_capture(t);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char said[64];
        tui_keys(t, "T");
        (void)snprintf(said, sizeof said, "theme %s", names[i]);
        tui_expect(t, said);
        tui_keys(t, TUI_ESCAPE);
        planner_expect_repaint_equal(t, names[i]);
        struct tui *fresh = START(36, 120, "--theme", names[i]);
        tui_expect_same(t, tui_capture(fresh), tui_capture(t), names[i]);
        assert_int_equal(tui_coloured(t), strcmp(names[i], "mono") != 0);
    }
    tui_expect_same(t, first, tui_capture(t), "around");
    const char *none[] = {"NO_COLOR=1", NULL}, *light[] = {"--theme", "light", NULL};
    struct tui *plain = tui_start(36, 120, light, none);
    assert_false(tui_coloured(plain));
}

static void the_config_file(void **state)
{
    (void)state;
    tui_write_file("config.yaml", "units: GB\ntheme: mono\nmouse: on\nascii: on\n");
    struct tui *t = START(36, 120, "--config", "config.yaml");
    tui_expect(t, "94.6 of 85.0 GB");
    tui_expect(t, "stage 0 needs 94.6 GB of 85.0 usable");
    tui_expect_not(t, "GiB");
    assert_false(tui_coloured(t));
    assert_true(tui_mode_set(t, 1002));
    tui_keys(t, ":units" TUI_ENTER);
    tui_expect(t, "88.1 of 79.1 GiB");
    tui_expect(t, "stage 0 needs 88.1 GiB");
    planner_leave(t);
    const char *wrong[] = {"--config", "wrong.yaml", NULL};
    tui_write_file("wrong.yaml", "units: GB\nthem: mono\n");
    t = tui_open(
        &(struct tui_setup){.rows = 24, .cols = 80, .arguments = wrong, .error = "message"});
    int status = tui_wait_end(t, 5000);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    char *message = tui_read_file("message");
    assert_non_null(strstr(message, "wrong.yaml:2:1: them: unknown key; did you mean theme?"));
    free(message);
    assert_int_equal(tui_bytes(t), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        tui_test(without_asking_no_byte_is_about_a_mouse),
        tui_test(the_mouse_is_switched_live_and_given_back),
        tui_test(faults_and_signals_switch_it_off),
        tui_test(presses_and_wheel),
        tui_test(the_legend_is_pressed_and_drawn_along),
        tui_test(a_report_in_parts),
        tui_test(the_key_line_can_be_pressed),
        tui_test(plain_is_words_everywhere),
        tui_test(plain_says_what_bars_show),
        tui_test(the_cursor_follows),
        tui_test(ascii_on_request),
        tui_test(themes_change_live),
        tui_test(the_config_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
