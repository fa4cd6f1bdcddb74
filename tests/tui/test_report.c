/* Writing a report from the planner. */
#include "planner.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool file_has(const char *name, const char *text)
{
    char *contents = tui_read_file(name);
    bool has = contents && strstr(contents, text);
    free(contents);
    return has;
}

static void expect_file_has(struct tui *t, const char *name, const char *text)
{
    if (!file_has(name, text))
        tui_fail(t, "%s lacks \"%s\"", name, text);
}

static void write_report(struct tui *t, const char *name)
{
    tui_keys(t, "w");
    tui_keys(t, TUI_CTRL('e'));
    tui_keys(t, TUI_CTRL('u'));
    tui_keys(t, name);
    tui_keys(t, TUI_ENTER);
}

static void a_name_is_offered_and_the_message_tells_where(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    tui_keys(t, "w");
    tui_expect(t, "llama-2-70b-on-64-a800.html");
    tui_keys(t, TUI_ENTER);
    tui_expect(t, "report written to llama-2-70b-on-64-a800.html");
    expect_file_has(t, "llama-2-70b-on-64-a800.html", "</html>");
    expect_file_has(t, "llama-2-70b-on-64-a800.html", "does not fit");
    tui_send(t, "q", 1); /* a report is no change */
    planner_expect_left(t);
}

static void the_report_has_what_is_on_the_screen(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    planner_set(t, "tensor TP", "8");
    write_report(t, "now.md");
    tui_expect(t, "report written to now.md");
    expect_file_has(t, "now.md", "TP 8 x PP 2");
    expect_file_has(t, "now.md", "# Llama-2-70B on 64 A800");
    planner_leave(t);
}

static void several_tabs_are_compared(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    tui_keys(t, "o");
    tui_keys(t, "chap");
    tui_keys(t, TUI_ENTER);
    tui_keys(t, "w");
    tui_expect(t, "report on all tabs");
    tui_keys(t, TUI_ESCAPE);
    write_report(t, "both.html");
    tui_expect(t, "report on 2 scenarios written to both.html");
    expect_file_has(t, "both.html", ">Comparison<");
    expect_file_has(t, "both.html", ">Chapter 7: 70B on 1,024 A800</h2>");
    write_report(t, "both.csv");
    expect_file_has(t, "both.csv", "\n\"Chapter 7: 70B on 1,024 A800\",true,textbook,");
    planner_leave(t);
}

static void a_file_is_not_overwritten_unasked(void **state)
{
    (void)state;
    tui_write_file("taken.html", "precious");
    struct tui *t = planner_start(36, 120, NULL);
    write_report(t, "taken.html");
    tui_expect(t, "taken.html exists");
    tui_keys(t, TUI_ESCAPE);
    expect_file_has(t, "taken.html", "precious");
    write_report(t, "taken.html");
    tui_keys(t, "o");
    tui_expect(t, "report written to taken.html");
    assert_false(file_has("taken.html", "precious"));
    write_report(t, "taken.html");
    tui_keys(t, "S"); /* another name, beginning with this one */
    tui_keys(t, TUI_CTRL('e'));
    tui_keys(t, TUI_CTRL('u'));
    tui_keys(t, "free.md");
    tui_keys(t, TUI_ENTER);
    tui_expect(t, "report written to free.md");
    planner_leave(t);
}

static void what_cannot_be_written_is_said(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    write_report(t, "report.docx");
    tui_expect(t, "must end in .html, .md or .csv");
    assert_int_not_equal(access(tui_path("report.docx"), F_OK), 0);
    write_report(t, "missing/report.html");
    tui_expect(t, "no report written: ");
    tui_expect(t, "missing");
    tui_keys(t, "w");
    tui_keys(t, TUI_ESCAPE);
    tui_expect_not(t, "report written");
    planner_leave(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        tui_test(a_name_is_offered_and_the_message_tells_where),
        tui_test(the_report_has_what_is_on_the_screen),
        tui_test(several_tabs_are_compared),
        tui_test(a_file_is_not_overwritten_unasked),
        tui_test(what_cannot_be_written_is_said),
    };
    return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
