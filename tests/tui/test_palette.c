/* The palette: typed commands, entries, lines typed before, errors, small windows. */
#include "planner.h"
#include <stdlib.h>
#include <string.h>

static struct tui *start(void)
{
    return planner_start(36, 120, NULL);
}

static void a_command_sets_a_field(void **state)
{
    (void)state;
    struct tui *t = start();
    tui_keys(t, ":tp 8");
    tui_expect(t, "tensor TP 4 → 8"); /* what Enter would do */
    planner_expect_verdict(t, PLANNER_DOES_NOT_FIT);
    tui_keys(t, TUI_ENTER);
    planner_expect_fit(t, true);
    planner_expect_value(t, "tensor TP", "8");
    tui_expect(t, "undo 1");
    tui_keys(t, TUI_CTRL('p'));
    tui_keys(t, "tp 2; recompute full" TUI_ENTER);
    planner_expect_value(t, "tensor TP", "2");
    tui_expect(t, "undo 3");
    planner_leave(t);
}

static void an_entry_is_run(void **state)
{
    (void)state;
    struct tui *t = start();
    tui_keys(t, ":undo" TUI_ENTER);
    tui_expect(t, "nothing to undo");
    tui_keys(t, ":h100-s" TUI_ENTER); /* the entry that fits best */
    tui_expect(t, "h100-sxm");
    tui_keys(t, ":chapter" TUI_ENTER);
    tui_expect(t, "2 ");
    tui_keys(t, ":Llama-2-70B on 64" TUI_ENTER); /* an open scenario */
    planner_expect_verdict(t, PLANNER_DOES_NOT_FIT);
    tui_keys(t, ":graph" TUI_ENTER);
    tui_expect(t, "MEMORY OVER ONE STEP");
    tui_keys(t, TUI_ESCAPE);
    tui_keys(t, ":");
    tui_keys(t, TUI_ENTER); /* nothing is typed or chosen */
    tui_expect(t, "Enter run");
    tui_keys(t, TUI_DOWN TUI_DOWN TUI_DOWN);
    tui_expect(t, "▸ step down");
    tui_keys(t, TUI_UP TUI_ENTER); /* step up, of the focused field */
    tui_expect(t, "undo 2");
    planner_leave(t);
}

/* A field that the panes do not show is gone to all the same. */
static void a_field_is_gone_to(void **state)
{
    (void)state;
    struct tui *t = start();
    tui_expect_not(t, "NIC a GPU");
    tui_keys(t, ":NIC a GPU" TUI_ENTER);
    tui_expect_row(t, planner_focused_row(t), "NIC a GPU");
    tui_keys(t, ":seq" TUI_ENTER);
    tui_expect_row(t, planner_focused_row(t), "sequence");
    planner_leave(t);
}

static void errors_are_one_line(void **state)
{
    (void)state;
    struct tui *t = start();
    tui_keys(t, ":tp 3x" TUI_ENTER);
    tui_expect(t, "parallel.tensor: 3x has a suffix");
    planner_expect_value(t, "tensor TP", "4");
    tui_keys(t, ":tensr 8" TUI_ENTER); /* a value is not thrown away for a name that fits */
    tui_expect(t, "did you mean parallel.tensor?");
    tui_keys(t, TUI_ESCAPE);
    planner_expect_value(t, "tensor TP", "4");
    tui_keys(t, ":lora 8" TUI_ENTER);
    tui_expect(t, "lora may be");
    tui_keys(t, TUI_ESCAPE);
    tui_keys(t, ":name \"Run 2; tp 8");
    tui_expect(t, "a quote is not closed");
    tui_keys(t, TUI_ENTER);
    tui_expect(t, "a quote is not closed");
    planner_expect_value(t, "tensor TP", "4");
    tui_keys(t, TUI_ESCAPE);
    tui_keys(t, ":zzzzz" TUI_ENTER);
    tui_expect(t, "nothing of that name");
    planner_leave(t);
}

static void lines_before_come_back(void **state)
{
    (void)state;
    struct tui *t = start();
    tui_keys(t, ":tp 8" TUI_ENTER ":pp 4" TUI_ENTER ":");
    tui_keys(t, TUI_UP);
    tui_expect(t, ": pp 4");
    tui_keys(t, TUI_UP);
    tui_expect(t, ": tp 8");
    tui_keys(t, TUI_UP); /* no more */
    tui_expect(t, ": tp 8");
    tui_keys(t, TUI_DOWN);
    tui_expect(t, ": pp 4");
    tui_keys(t, TUI_BACKSPACE "2" TUI_ENTER);
    planner_expect_value(t, "pipeline PP", "2");
    planner_leave(t);
}

static void escape_changes_nothing(void **state)
{
    (void)state;
    struct tui *t = start();
    const char *before = tui_capture(t);
    tui_keys(t, ":tp 8");
    tui_keys(t, TUI_ESCAPE);
    tui_expect_same(t, before, tui_capture(t), "after Esc");
    tui_keys(t, ":");
    tui_paste(t, "tp 8\nrecompute full");
    tui_keys(t, TUI_CTRL('c'));
    tui_expect_same(t, before, tui_capture(t), "after Ctrl-C");
    planner_leave(t);
}

/* save asks where the screen would ask. */
static void saving_from_the_palette(void **state)
{
    (void)state;
    struct tui *t = start();
    tui_keys(t, ":save" TUI_ENTER);
    tui_expect(t, "save as");
    tui_keys(t, TUI_ESCAPE);
    tui_write_file("taken.yaml", "name: taken\n");
    tui_keys(t, ":save taken.yaml" TUI_ENTER);
    tui_expect(t, "taken.yaml exists");
    tui_keys(t, TUI_ESCAPE);
    tui_keys(t, ":tp 8; save mine.yaml" TUI_ENTER);
    tui_expect(t, "saved mine.yaml");
    char *text = tui_read_file("mine.yaml");
    assert_non_null(strstr(text, "tensor: 8"));
    free(text);
    planner_leave(t);
}

static void every_size(void **state)
{
    (void)state;
    struct tui *t = start();
    tui_keys(t, ":tp 8");
    for (int rows = 1; rows <= 40; rows += 3)
        for (int cols = 1; cols <= 130; cols += 13) {
            tui_resize(t, rows, cols);
            planner_sync_size(t);
        }
    tui_resize(t, 36, 120);
    planner_sync_size(t);
    planner_expect_repaint_equal(t, "after all sizes");
    tui_keys(t, TUI_ENTER);
    planner_expect_value(t, "tensor TP", "8");
    planner_leave(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        tui_test(a_command_sets_a_field),  tui_test(an_entry_is_run),
        tui_test(a_field_is_gone_to),      tui_test(errors_are_one_line),
        tui_test(lines_before_come_back),  tui_test(escape_changes_nothing),
        tui_test(saving_from_the_palette), tui_test(every_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
