/* Tabs, the baseline and scenarios side by side, as keys reach them. */
#include "planner.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tui *start(int rows, int cols)
{
    static const char *const arguments[] = {"a.yaml", "b.yaml", "c.yaml", "d.yaml", NULL};
    tui_write_file("a.yaml",
                   "schema: 1\nname: alpha\nparallel: {tensor: 4, pipeline: 2, data: 8}\n");
    tui_write_file("b.yaml",
                   "schema: 1\nname: beta\nparallel: {tensor: 8, pipeline: 4, data: 16}\n");
    tui_write_file("c.yaml", "schema: 1\nname: gamma\nparallel: {tensor: 8, pipeline: 2, data: 8}\n"
                             "training: {sequence: 8192}\nhardware: h100-sxm\n");
    tui_write_file("d.yaml",
                   "schema: 1\nname: delta\nparallel: {tensor: 2, pipeline: 8, data: 8}\n");
    return tui_start(rows, cols, arguments, NULL);
}

/* The row of columns that begins with the label. */
static const char *row_of(struct tui *t, const char *label)
{
    for (int row = 0; row < tui_rows(t); row++) {
        const char *text = tui_row(t, row);
        size_t at = strspn(text, " ");
        if (strncmp(text, "▸", strlen("▸")) == 0)
            at = strlen("▸") + strspn(text + strlen("▸"), " ");
        if (strncmp(text + at, label, strlen(label)) == 0)
            return text;
    }
    tui_fail(t, "no row of \"%s\"", label);
}

static void expect_row(struct tui *t, const char *label, const char *part)
{
    const char *row = row_of(t, label);
    if (strstr(row, part) == NULL)
        tui_fail(t, "\"%s\" is not in \"%s\"", part, row);
}

static void duplicate_rename_and_undo(void **state)
{
    (void)state;
    struct tui *t = start(36, 120);
    tui_keys(t, "n");
    tui_expect(t, " 2 alpha (2) ");
    tui_keys(t, "r");
    tui_keys(t, TUI_CTRL('u'));
    tui_keys(t, "try");
    tui_expect(t, " 2 try "); /* as it is typed */
    tui_keys(t, TUI_ESCAPE);
    tui_expect(t, " 2 alpha (2) ");
    tui_keys(t, "r");
    tui_keys(t, TUI_CTRL('u'));
    tui_expect(t, "type a name");
    tui_keys(t, "try" TUI_ENTER);
    tui_expect(t, " 2 try ● ");
    tui_keys(t, "u");
    tui_expect(t, "undone: name");
    tui_expect(t, " 2 alpha (2) ");
    tui_keys(t, ">");
    tui_expect(t, " 2 beta ");
    tui_expect(t, " 3 alpha (2) ");
    tui_keys(t, "<<");
    tui_expect(t, " 1 alpha (2) ");
    tui_keys(t, "d");
    tui_expect(t, "closed alpha (2)");
    tui_keys(t, "u");
    tui_expect(t, "alpha (2) is back");
    tui_keys(t, "N"); /* presets only: no file of this folder */
    tui_expect(t, "chapter-7");
    tui_expect_not(t, "b.yaml");
    tui_keys(t, TUI_ESCAPE);
    planner_leave(t);
}

/* In a filter the two keys go through what it found. */
static void next_and_previous_in_a_filter(void **state)
{
    (void)state;
    struct tui *t = start(36, 120);
    tui_keys(t, "/parallel" TUI_ENTER);
    int first = planner_focused_row(t);
    tui_keys(t, "n");
    assert_int_equal(planner_focused_row(t), first + 1);
    tui_keys(t, "N");
    assert_int_equal(planner_focused_row(t), first);
    tui_expect_not(t, "(2)");
    planner_leave(t);
}

static void a_pinned_baseline_shows_differences(void **state)
{
    (void)state;
    struct tui *t = start(36, 120);
    tui_keys(t, "p");
    tui_expect(t, "alpha is the baseline");
    tui_expect(t, " 1 alpha PIN ");
    tui_keys(t, "]");
    tui_expect(t, "vs 1 alpha");
    tui_expect(t, "GiB ▲ better");
    tui_expect(t, "+448"); /* 512 GPUs instead of 64 */
    planner_focus(t, "tensor TP");
    tui_expect(t, "tensor TP (baseline 4):");
    /* Typed values move the difference with them. */
    planner_set(t, "data DP", "2");
    tui_expect_not(t, "+448");
    tui_keys(t, "[p");
    tui_keys(t, TUI_ESCAPE);
    tui_expect_not(t, "PIN");
    tui_keys(t, "]");
    tui_expect_not(t, "vs 1");
    planner_leave(t);
}

static void columns_show_what_differs(void **state)
{
    (void)state;
    struct tui *t = start(36, 120);
    tui_keys(t, "]p");
    planner_focus(t, "tensor TP");
    tui_keys(t, "c");
    tui_expect(t, "4 scenarios");
    tui_expect(t, "2 beta PIN");
    expect_row(t, "tensor TP", "4 !");
    expect_row(t, "tensor TP", "2 !");
    expect_row(t, "GPUs", "−448");
    expect_row(t, "sequence", "8192 !");
    tui_expect_not(t, "micro batch"); /* equal everywhere */
    tui_keys(t, "=");
    tui_expect(t, "all fields");
    tui_expect(t, "micro batch");
    tui_keys(t, "/sequ");
    expect_row(t, "sequence", "8192 !");
    tui_expect_not(t, "tensor TP ");
    tui_keys(t, TUI_ENTER);
    tui_keys(t, TUI_ESCAPE); /* the filter first */
    tui_expect(t, "micro batch");
    tui_keys(t, TUI_ESCAPE);
    tui_expect(t, "WHAT IF");
    planner_leave(t);
}

static void editing_in_a_column(void **state)
{
    (void)state;
    struct tui *t = start(36, 120);
    planner_focus(t, "tensor TP");
    tui_keys(t, "c" TUI_RIGHT TUI_RIGHT);
    tui_keys(t, "2"); /* results follow the digit */
    expect_row(t, "GPUs", "128");
    tui_keys(t, TUI_ENTER);
    tui_expect(t, "3 gamma ●");
    expect_row(t, "tensor TP", "2 !");
    tui_keys(t, "u");
    tui_expect_not(t, "gamma ●");
    tui_keys(t, "+");
    expect_row(t, "tensor TP", "16 !");
    tui_keys(t, "{{");
    expect_row(t, "tensor TP", "4");
    /* A list over the columns. */
    tui_keys(t, " ");
    tui_expect(t, "type to filter");
    tui_keys(t, TUI_ESCAPE);
    /* Back on the same field of that scenario. */
    tui_keys(t, "c");
    tui_expect(t, "WHAT IF  tensor TP");
    planner_expect_value(t, "tensor TP", "4");
    planner_expect_value(t, "sequence", "8192");
    planner_leave(t);
}

static void copying_across(void **state)
{
    (void)state;
    struct tui *t = start(36, 120);
    planner_focus(t, "tensor TP");
    tui_keys(t, "c");
    tui_keys(t, "Y");
    tui_expect(t, "tensor TP 4 copied to beta");
    tui_expect(t, "2 beta ●");
    tui_keys(t, "u"); /* the cursor went along */
    tui_expect_not(t, "beta ●");
    tui_keys(t, "A");
    tui_expect(t, "tensor TP 8 copied to 3 scenarios");
    tui_keys(t, TUI_HOME);
    tui_expect_not(t, "tensor TP"); /* it is equal everywhere, and no longer in focus */
    planner_leave(t);
}

/* More scenarios than fit: the one with the cursor shows. */
static void columns_scroll_sideways(void **state)
{
    (void)state;
    struct tui *t = start(24, 80);
    tui_keys(t, "c");
    tui_expect(t, "1–3 of 4 scenarios");
    tui_keys(t, TUI_RIGHT TUI_RIGHT TUI_RIGHT);
    tui_expect(t, "2–4 of 4 scenarios");
    tui_expect(t, "4 delta");
    tui_keys(t, TUI_RIGHT); /* around */
    tui_expect(t, "1–3 of 4 scenarios");
    tui_resize(t, 12, 40);
    tui_expect(t, "1 of 4 scenarios");
    tui_keys(t, TUI_TAB TUI_TAB);
    tui_resize(t, 3, 15); /* no room for columns: the verdict alone */
    tui_expect(t, "no fit");
    tui_resize(t, 36, 120);
    tui_expect(t, "4 scenarios");
    planner_leave(t);
}

static void a_session_is_saved_and_opened(void **state)
{
    (void)state;
    struct tui *t = start(36, 120);
    tui_keys(t, "]p");
    tui_keys(t, "O");
    tui_expect(t, "save session as session.yaml");
    tui_keys(t, TUI_ENTER);
    tui_expect(t, "saved session.yaml: 4 scenarios");
    planner_leave(t);
    char *text = tui_read_file("session.yaml");
    assert_non_null(text);
    assert_string_equal(text, "schema: 1\nkind: session\nopen:\n  - a.yaml\n  - b.yaml\n"
                              "  - c.yaml\n  - d.yaml\npinned: 2\n");
    free(text);
    const char *arguments[] = {"session.yaml", NULL};
    t = tui_start(36, 120, arguments, NULL);
    tui_expect(t, " 1 alpha ");
    tui_expect(t, " 2 beta PIN ");
    tui_expect(t, " 4 delta ");
    tui_keys(t, "n"); /* a copy without a file cannot be named */
    tui_keys(t, "O" TUI_ENTER);
    tui_expect(t, "alpha (2) has no file yet; s saves it");
    tui_keys(t, "d");
    tui_keys(t, "O");
    tui_keys(t, TUI_CTRL('u'));
    tui_keys(t, "a.yaml" TUI_ENTER);
    tui_expect(t, "session not saved: a.yaml is the file of an open scenario");
    text = tui_read_file("a.yaml");
    assert_non_null(strstr(text, "name: alpha")); /* untouched */
    free(text);
    planner_leave(t);
}

static void a_broken_session_opens_nothing(void **state)
{
    (void)state;
    tui_write_file("s.yaml", "kind: session\nopen: [none.yaml]\n");
    struct tui *t = planner_start(36, 120, NULL);
    tui_keys(t, "o");
    tui_keys(t, "s.yaml");
    tui_expect(t, "a session: opens its scenarios");
    tui_keys(t, TUI_ENTER);
    tui_expect(t, "s.yaml:2:8: open: none.yaml");
    planner_leave(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        tui_test(duplicate_rename_and_undo),
        tui_test(next_and_previous_in_a_filter),
        tui_test(a_pinned_baseline_shows_differences),
        tui_test(columns_show_what_differs),
        tui_test(editing_in_a_column),
        tui_test(copying_across),
        tui_test(columns_scroll_sideways),
        tui_test(a_session_is_saved_and_opened),
        tui_test(a_broken_session_opens_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
