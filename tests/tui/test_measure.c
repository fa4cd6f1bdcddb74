/* Pinning a measured run: the line, what it says, undo, Del, and a training log. */
#include "planner.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void a_step_time_is_pinned_and_forgotten(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    char before[512];
    (void)snprintf(before, sizeof before, "%s", planner_strip(t));
    tui_expect_not(t, "CALIBRATION");
    tui_keys(t, "M");
    tui_expect(t, "measured run");
    tui_expect(t, "or a log's path");
    tui_keys(t, "step 150s" TUI_ENTER);
    tui_expect(t, "150 s");
    tui_expect(t, "calibrated ×1.07");
    tui_expect(t, "step ×1.066 by what was typed; u takes it back");
    tui_expect(t, "CALIBRATION");
    tui_expect(t, "calib. ±12 %");
    tui_keys(t, "u");
    tui_expect(t, "undone: measured run step ×1.066");
    tui_expect_not(t, "CALIBRATION");
    tui_expect_row(t, tui_find_row(t, 0, "GiB  stage"), "800 days");
    tui_keys(t, "U");
    planner_focus(t, "measured step");
    tui_keys(t, TUI_DELETE);
    tui_expect_not(t, "CALIBRATION");
    tui_expect_not(t, "calibrated");
    if (strcmp(before, planner_strip(t)) != 0)
        tui_fail(t, "Del does not restore the strip");
}

/* What is refused says why, and comes back when the line is opened again. */
static void a_refused_line_comes_back(void **state)
{
    (void)state;
    struct tui *t = planner_start(24, 80, NULL);
    tui_keys(t, "Mstep 1h" TUI_ENTER);
    tui_expect(t, "not pinned: measured step");
    tui_keys(t, "M");
    tui_expect(t, "step 1h");
    tui_keys(t, TUI_ESCAPE);
    tui_keys(t, "M");
    tui_expect_not(t, "step 1h");
    tui_paste(t, "step 20h");
    tui_keys(t, TUI_ENTER);
    tui_expect(t, "not pinned");
}

static void a_log_is_read(void **state)
{
    (void)state;
    const char *root = getenv("ACTUARY_SOURCE_ROOT");
    char path[1024];
    struct tui *t = planner_start(36, 120, NULL);
    (void)snprintf(path, sizeof path, "%s/tests/data/logs/megatron.log", root ? root : SOURCE_ROOT);
    planner_set(t, "tensor TP", "8");
    planner_set(t, "pipeline PP", "1");
    tui_keys(t, "M");
    tui_paste(t, path);
    tui_keys(t, TUI_ENTER);
    tui_expect(t, "step ×1.045, memory ×1.017 by 40 steps of Megatron-LM");
    planner_save_as(t, "run.yaml");
    char *text = tui_read_file("run.yaml");
    if (text == NULL || strstr(text, "calibration:\n") == NULL ||
        strstr(text, "  counter: allocated\n") == NULL ||
        strstr(text, "TP 8 PP 1 DP 8, 2026-11-28, megatron.log") == NULL)
        tui_fail(t, "the file has no calibration: %s", text != NULL ? text : "no file");
    free(text);
}

static void m_switches_the_mfu(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    tui_keys(t, "m");
    tui_expect(t, "MFU given: layout moves no days; m estimates it");
    tui_expect(t, "MFU given as 30 %");
    tui_keys(t, "m");
    tui_expect(t, "GPU bound");
    tui_expect(t, "m gives 30 % again");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        tui_test(a_step_time_is_pinned_and_forgotten),
        tui_test(a_refused_line_comes_back),
        tui_test(a_log_is_read),
        tui_test(m_switches_the_mfu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
