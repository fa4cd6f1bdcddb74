/* The harness itself, tried on a small program (toy.c) whose every byte is known. */
#include "harness_internal.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static struct tui *start_toy(int rows, int cols)
{
    const char *toy = getenv("ACTUARY_TOY");
    if (!toy)
        fail_msg("set ACTUARY_TOY to the path of the toy program");
    struct tui *t = tui_open(&(struct tui_setup){.program = toy, .rows = rows, .cols = cols});
    tui_wait_frame(t, 1);
    return t;
}

static void shows_the_first_frame(void **state)
{
    (void)state;
    struct tui *t = start_toy(10, 40);
    assert_string_equal(tui_row(t, 0), "toy 10x40");
    assert_string_equal(tui_row(t, 1), "level 0");
    assert_true(tui_alternate_screen(t));
    int row, col;
    tui_cursor(t, &row, &col);
    assert_int_equal(row, 1);
    assert_int_equal(col, 6);
}

static void keys_reach_the_program_and_frames_come_back(void **state)
{
    (void)state;
    struct tui *t = start_toy(10, 40);
    for (int level = 1; level <= 500; level++) {
        char expected[32];
        tui_keys(t, "+");
        (void)snprintf(expected, sizeof expected, "level %d", level);
        assert_string_equal(tui_row(t, 1), expected);
    }
    tui_keys(t, "---");
    tui_expect_row(t, 1, "level 497");
    assert_int_equal(tui_find_row(t, 0, "last ---"), 2);
    assert_int_equal(tui_find_row(t, 3, "last"), -1);
}

static void cells_have_text_and_attributes(void **state)
{
    (void)state;
    struct tui *t = start_toy(10, 40);
    tui_keys(t, "++");
    struct tui_cell cell = tui_cell(t, 1, 0);
    assert_string_equal(cell.text, "l");
    assert_true(cell.bold);
    assert_false(cell.reverse);
    assert_int_equal(cell.foreground, 1);
    assert_int_equal(cell.background, -1);
    assert_string_equal(tui_cell(t, 3, 1).text, "█");
    assert_string_equal(tui_cell(t, 4, 0).text, "宽");
    assert_string_equal(tui_cell(t, 4, 1).text, "");
    assert_true(tui_cell(t, 4, 3).reverse);
    assert_string_equal(tui_row(t, 4), "宽 wide");
    assert_true(tui_coloured(t));
}

static void frames_compare_and_match_the_golden_file(void **state)
{
    (void)state;
    struct tui *t = start_toy(6, 24);
    tui_keys(t, "++++");
    const char *before = tui_capture(t);
    tui_expect_golden(t, "toy");
    tui_keys(t, "+");
    assert_string_not_equal(before, tui_capture(t));
    tui_keys(t, "-----");
    tui_keys(t, "++++");
    tui_expect_same(t, before, tui_capture(t), "back at level 4");
}

static void the_window_can_change_its_size(void **state)
{
    (void)state;
    struct tui *t = start_toy(10, 40);
    unsigned long frame = tui_frame(t);
    tui_resize(t, 7, 61);
    assert_true(tui_frame(t) > frame);
    assert_string_equal(tui_row(t, 0), "toy 7x61");
    tui_resize(t, 1, 1);
    tui_resize(t, 200, 500);
    assert_string_equal(tui_row(t, 0), "toy 200x500");
}

static void a_long_paste_does_not_lock_up(void **state)
{
    (void)state;
    struct tui *t = start_toy(10, 40);
    enum { SIZE = 200000 };
    char *text = malloc(SIZE + 1);
    assert_non_null(text);
    memset(text, '+', SIZE);
    text[SIZE] = '\0';
    tui_paste(t, text);
    free(text);
    tui_expect(t, "level 200000");
}

static void answers_of_the_emulator_are_counted(void **state)
{
    (void)state;
    struct tui *t = start_toy(10, 40);
    tui_keys(t, "d");
    tui_keys(t, "+");
    tui_expect(t, "level 1");
    assert_true(t->sent > 2);
}

static void the_byte_counter_leaves_markers_out(void **state)
{
    (void)state;
    struct tui *t = start_toy(10, 40);
    tui_reset_bytes(t);
    assert_int_equal(tui_bytes(t), 0);
    tui_keys(t, "+");
    size_t raw_size;
    const char *raw = tui_raw(t, &raw_size);
    assert_true(raw_size > 0);
    char marker[40];
    int length = snprintf(marker, sizeof marker, "\033]7770;1;%lu\a", tui_frame(t));
    assert_int_equal(tui_bytes(t), raw_size - (size_t)length);
    assert_memory_equal(raw + raw_size - (size_t)length, marker, (size_t)length);
}

static void an_idle_program_is_silent(void **state)
{
    (void)state;
    struct tui *t = start_toy(10, 40);
    tui_expect_silence(t, 100);
}

static void stop_and_continue(void **state)
{
    (void)state;
    struct tui *t = start_toy(10, 40);
    tui_keys(t, "+");
    const char *before = tui_capture(t);
    unsigned long frame = tui_frame(t);
    assert_int_equal(tui_keys_or_end(t, TUI_CTRL('z')), TUI_STOPPED);
    tui_expect_given_back(t);
    tui_scribble(t, "$ fg\r\n");
    tui_signal(t, SIGCONT);
    tui_wait_frame(t, frame + 1);
    tui_keys(t, "+");
    tui_keys(t, "-");
    assert_int_equal(tui_state(t), TUI_RUNNING);
    tui_expect(t, "level 1");
    tui_expect(t, "last -");
    tui_keys(t, "+-+"); /* "last" again as it was: a lone + */
    tui_keys(t, "-");
    tui_keys(t, "-");
    tui_keys(t, "+");
    tui_expect_same(t, before, tui_capture(t), "after continuing");
}

static void a_scribble_is_seen_and_a_repaint_removes_it(void **state)
{
    (void)state;
    struct tui *t = start_toy(10, 40);
    tui_keys(t, "l");
    const char *before = tui_capture(t);
    tui_scribble(t, "\033[6;3Hbroadcast");
    assert_string_not_equal(before, tui_capture(t));
    tui_keys(t, "l");
    tui_expect_same(t, before, tui_capture(t), "repaint");
}

/* As curses writes a line of equal characters: all but the last as a repetition. */
static void a_repetition_before_the_edge_does_not_wrap(void **state)
{
    (void)state;
    struct tui *t = start_toy(10, 40);
    tui_scribble(t, "\033[6;1H-\033[38b-");
    tui_expect_row(t, 5, "----------------------------------------");
    assert_string_equal(tui_row(t, 6), "");
    tui_scribble(t, "\033[8;1H+\033[4bx");
    tui_expect_row(t, 7, "+++++x");
}

static void ends_are_told_apart(void **state)
{
    (void)state;
    struct tui *t = start_toy(10, 40);
    tui_send(t, "q", 1);
    int status = tui_wait_end(t, 1000);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 3);
    tui_expect_given_back(t);

    t = start_toy(10, 40);
    tui_send(t, "Q", 1);
    (void)tui_wait_end(t, 1000);
    assert_false(tui_termios_restored(t));
    assert_true(tui_alternate_screen(t));

    t = start_toy(10, 40);
    assert_int_equal(tui_keys_or_end(t, "c"), TUI_ENDED);
    status = tui_wait_end(t, 1000);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGSEGV);
}

static void a_hang_up_ends_input(void **state)
{
    (void)state;
    struct tui *t = start_toy(10, 40);
    tui_hangup(t);
    int status = tui_wait_end(t, 1000);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 4);
}

static void mouse_modes_are_seen(void **state)
{
    (void)state;
    struct tui *t = start_toy(10, 40);
    tui_expect_no_mouse(t);
    tui_keys(t, "m");
    assert_true(tui_mode_seen(t, 1002));
    assert_true(tui_mode_seen(t, 1006));
    assert_false(tui_mode_seen(t, 1000));
}

static void markers_survive_any_split(void **state)
{
    (void)state;
    static const char stream[] = "a\033[1m\033]7770;12;3\ab\033[?1049;25hx\033]7770;13;4\033\\"
                                 "\033Pq\033\\\033(0\033[?25l\033]0;title\a\033]7770;20;5\a";
    for (size_t split = 1; split < sizeof stream; split++) {
        struct tui_scan scan = {.state = SCAN_GROUND};
        for (size_t i = 0; i < sizeof stream - 1; i += split) {
            size_t left = sizeof stream - 1 - i;
            tui_scan_bytes(&scan, stream + i, left < split ? left : split);
        }
        assert_int_equal(scan.bytes_read, 20);
        assert_int_equal(scan.frame, 5);
        assert_int_equal(scan.markers, 3);
        assert_int_equal(scan.own_bytes, 12 + 13 + 12);
        assert_true(scan.mode_set[1049]);
        assert_true(scan.mode_seen[25]);
        assert_false(scan.mode_set[25]);
    }
}

static void sanitizer_reports_are_found(void **state)
{
    (void)state;
    (void)tui_folder();
    tui_write_file("../log/ASAN_OPTIONS.0", "");
    assert_false(tui_folder_sanitizer_report());
    tui_write_file("../log/ASAN_OPTIONS.1", "a made-up report of this self-test");
    assert_true(tui_folder_sanitizer_report());
    assert_int_equal(remove(tui_path("../log/ASAN_OPTIONS.1")), 0);
}

static void the_folder_is_of_one_test(void **state)
{
    (void)state;
    char first[4096];
    (void)snprintf(first, sizeof first, "%s", tui_path("note"));
    tui_write_file("note", "text");
    char *text = tui_read_file("note");
    assert_string_equal(text, "text");
    free(text);
    assert_int_equal(tui_teardown(NULL), 0);
    assert_null(tui_read_file("note"));
    assert_string_not_equal(first, tui_path("note"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        tui_test(shows_the_first_frame),
        tui_test(keys_reach_the_program_and_frames_come_back),
        tui_test(cells_have_text_and_attributes),
        tui_test(frames_compare_and_match_the_golden_file),
        tui_test(the_window_can_change_its_size),
        tui_test(a_long_paste_does_not_lock_up),
        tui_test(answers_of_the_emulator_are_counted),
        tui_test(the_byte_counter_leaves_markers_out),
        tui_test(an_idle_program_is_silent),
        tui_test(stop_and_continue),
        tui_test(a_scribble_is_seen_and_a_repaint_removes_it),
        tui_test(a_repetition_before_the_edge_does_not_wrap),
        tui_test(ends_are_told_apart),
        tui_test(a_hang_up_ends_input),
        tui_test(mouse_modes_are_seen),
        tui_test(markers_survive_any_split),
        tui_test(sanitizer_reports_are_found),
        tui_test(the_folder_is_of_one_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
