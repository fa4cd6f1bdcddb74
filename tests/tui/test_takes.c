/* WHAT IT TAKES on the screen: how it looks, and what its keys do. */
#include "planner.h"
#include <stdio.h>
#include <string.h>

static void expect_frame(const char *golden, int rows, int cols, const char *scenario,
                         const char *locale, const char *keys)
{
    const char *environment[] = {locale, NULL}, *arguments[] = {scenario, NULL};
    struct tui *t = tui_start(rows, cols, scenario != NULL ? arguments : NULL,
                              locale != NULL ? environment : NULL);
    tui_keys(t, keys);
    tui_expect_golden(t, golden);
    planner_expect_repaint_equal(t, golden);
}

static void frames(void **state)
{
    (void)state;
    expect_frame("takes-36x120", 36, 120, NULL, NULL, "y");
    expect_frame("takes-24x80", 24, 80, NULL, NULL, "y");
    expect_frame("takes-12x40", 12, 40, NULL, NULL, "y");
    expect_frame("takes-ascii", 36, 120, NULL, "LC_ALL=C", "y");
    expect_frame("takes-no-color", 24, 80, NULL, "NO_COLOR=1", "y");
    /* The planning chapter: 866 by compute, 880 in replicas, 924 with spare, 1,024. */
    expect_frame("takes-chapter-7", 50, 200, "chapter-7", NULL, "ysr");
}

static void a_change_is_one_key(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    planner_expect_fit(t, false);
    const char *before = tui_capture(t);
    tui_keys(t, "y");
    tui_expect(t, "WHAT WOULD FIT");
    const char *view = tui_capture(t);
    tui_keys(t, TUI_ENTER); /* the best stands under the cursor */
    tui_expect(t, "pipeline PP 2 -> 4; u takes it back");
    tui_expect(t, "FASTER OR SMALLER");
    tui_keys(t, TUI_ESCAPE);
    planner_expect_fit(t, true);
    planner_expect_value(t, "pipeline PP", "4");
    planner_expect_value(t, "data DP", "4");
    tui_keys(t, "u");
    planner_expect_fit(t, false);
    tui_keys(t, TUI_ESCAPE);
    tui_expect_same(t, before, tui_capture(t), "undone");
    tui_keys(t, "y");
    tui_expect_same(t, view, tui_capture(t), "asked again");
    planner_leave(t);
}

static void undo_without_leaving(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    tui_keys(t, "y");
    tui_keys(t, TUI_ENTER);
    tui_expect(t, "FASTER OR SMALLER");
    tui_keys(t, "u");
    tui_expect(t, "undone: pipeline PP 2 -> 4");
    tui_expect(t, "WHAT WOULD FIT");
    tui_keys(t, TUI_CTRL('r'));
    tui_expect(t, "FASTER OR SMALLER");
    planner_leave(t);
}

static void a_deadline_is_typed(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, "chapter-7");
    tui_keys(t, "y");
    tui_expect(t, "90 days");
    const char *before = tui_capture(t);
    tui_keys(t, "45");
    tui_expect(t, "1,732"); /* by compute, at once */
    tui_keys(t, TUI_ESCAPE);
    tui_expect_same(t, before, tui_capture(t), "given up");
    tui_keys(t, "1"
                "\025");
    tui_keys(t, "\033[200~6w\033[201~");
    tui_expect(t, "1,855");
    tui_keys(t, TUI_ENTER);
    tui_expect(t, "42 days");
    tui_keys(t, "0" TUI_ENTER); /* no deadline: the typing goes on until there is one */
    tui_expect(t, "0.001 to 100000");
    tui_keys(t, TUI_ESCAPE);
    tui_expect(t, "42 days");
    tui_keys(t, "g" TUI_ENTER);
    tui_expect(t, "GPUs for 42 days 1,024 -> 1,856");
    tui_keys(t, TUI_ESCAPE);
    tui_expect(t, "1,856 GPUs");
    planner_leave(t);
}

static void every_size(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    tui_keys(t, "y");
    for (int rows = 1; rows <= 45; rows += 4) {
        for (int cols = 1; cols <= 140; cols += 9) {
            tui_resize(t, rows, cols);
            tui_keys(t, "G");
            tui_keys(t, "g");
        }
    }
    tui_resize(t, 36, 120);
    tui_expect(t, "WHAT IT TAKES");
    planner_leave(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        tui_test(frames),
        tui_test(a_change_is_one_key),
        tui_test(undo_without_leaving),
        tui_test(a_deadline_is_typed),
        tui_test(every_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
