/* Opening, saving, leaving. */
#include "planner.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char scenario[] = "schema: 1\n"
                               "name: mine\n"
                               "model: llama2-70b\n"
                               "framework: megatron\n"
                               "training:\n"
                               "  sequence: 4096\n"
                               "  micro_batch: 1\n"
                               "  global_batch: 1024\n"
                               "parallel:\n"
                               "  tensor: 4\n"
                               "  pipeline: 2\n"
                               "  data: 8\n"
                               "hardware: a800-80gb-sxm\n";

static void expect_file_has(struct tui *t, const char *name, const char *text)
{
    char *contents = tui_read_file(name);
    if (!contents)
        tui_fail(t, "there is no file %s", name);
    if (!strstr(contents, text))
        tui_fail(t, "%s lacks \"%s\":\n%s", name, text, contents);
    free(contents);
}

static void expect_file_is(struct tui *t, const char *name, const char *text)
{
    char *contents = tui_read_file(name);
    if (!contents || strcmp(contents, text) != 0)
        tui_fail(t, "%s has changed:\n%s", name, contents ? contents : "(gone)");
    free(contents);
}

/* Runs the program without a screen; returns its exit status. */
static int run(const char *const *arguments)
{
    struct tui *t = tui_open(&(struct tui_setup){
        .rows = 24, .cols = 80, .arguments = arguments, .output = "result", .error = "errors"});
    int status = tui_wait_end(t, 5000);
    if (!WIFEXITED(status))
        tui_fail(t, "ended with wait status %#x", (unsigned)status);
    return WEXITSTATUS(status);
}

/* ---- Opening ------------------------------------------------------------------------------------
 */

static void the_open_list_offers_presets_and_files(void **state)
{
    (void)state;
    tui_write_file("beside.yaml", scenario);
    struct tui *t = planner_start(36, 120, NULL);
    const char *before = tui_capture(t);
    tui_keys(t, "o");
    tui_expect(t, "chapter-7");
    tui_expect(t, "beside.yaml");
    tui_keys(t, TUI_ESCAPE);
    tui_expect_same(t, before, tui_capture(t), "list closed");
    tui_keys(t, "o");
    tui_keys(t, "chap");
    tui_expect(t, "chapter-7");
    tui_expect_not(t, "beside.yaml");
    tui_keys(t, TUI_ENTER);
    tui_expect(t, "chapter-7");
    assert_int_not_equal(planner_verdict(t), PLANNER_NO_VERDICT);
    tui_send(t, "q", 1); /* opened is not modified */
    planner_expect_left(t);
}

static void a_file_named_on_the_command_line_opens(void **state)
{
    (void)state;
    tui_write_file("mine.yaml", scenario);
    struct tui *t = planner_start(36, 120, "mine.yaml");
    tui_expect(t, "mine");
    planner_focus(t, "tensor TP");
    planner_expect_value(t, "tensor TP", "4");
    tui_send(t, "q", 1);
    planner_expect_left(t);
}

static void a_wrong_file_is_refused_before_the_screen(void **state)
{
    (void)state;
    static const char *const wrong[] = {"schema: 1\nparallel: {tensor: -5}\n",
                                        "schema: 1\nparalel: {}\n", "[[[[[", "schema: 99\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        tui_write_file("wrong.yaml", wrong[i]);
        const char *arguments[] = {"wrong.yaml", NULL};
        struct tui *t = tui_open(
            &(struct tui_setup){.rows = 24, .cols = 80, .arguments = arguments, .error = "errors"});
        int status = tui_wait_end(t, 2000);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 3);
        expect_file_has(t, "errors", "wrong.yaml:");
        tui_expect_given_back(t);
    }
}

static bool started_or_ended(struct tui *t, const void *context)
{
    (void)context;
    return tui_state(t) == TUI_ENDED || tui_frame(t) > 0;
}

static void names_cannot_touch_the_terminal(void **state)
{
    (void)state;
    tui_write_file("escape.yaml", "schema: 1\nname: \"a\\e[31mred\\e]0;title\\ab\"\n");
    tui_write_file("wide.yaml", "schema: 1\nname: 计划书 für 70B 👩‍💻 e\u0301\n");
    const char *arguments[] = {"escape.yaml", NULL};
    struct tui *t = tui_open(
        &(struct tui_setup){.rows = 36, .cols = 120, .arguments = arguments, .error = "errors"});
    /* Refused or shown: either way without effect. */
    assert_true(tui_wait_until(t, started_or_ended, NULL, 5000));
    if (tui_state(t) != TUI_ENDED)
        planner_leave(t);
    size_t size;
    const char *raw = tui_raw(t, &size);
    for (size_t i = 0; i + 6 <= size; i++)
        if (memcmp(raw + i, "\033[31mr", 6) == 0 || memcmp(raw + i, "\033]0;ti", 6) == 0)
            tui_fail(t, "the name's escape sequence reached the terminal");

    t = planner_start(36, 120, "wide.yaml");
    tui_expect(t, "计划书");
    planner_expect_repaint_equal(t, "wide name");
    tui_resize(t, 24, 80);
    planner_expect_repaint_equal(t, "wide name at 24x80");
    tui_resize(t, 5, 20);
    planner_expect_repaint_equal(t, "wide name at 5x20");
    planner_leave(t);
}

/* ---- Saving
 * -------------------------------------------------------------------------------------- */

static void the_example_is_saved_under_a_new_name(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    planner_set(t, "tensor TP", "8");
    char strip[512];
    (void)snprintf(strip, sizeof strip, "%s", planner_strip(t));
    planner_save_as(t, "mine.yaml");
    expect_file_has(t, "mine.yaml", "schema: 1");
    expect_file_has(t, "mine.yaml", "tensor: 8");
    tui_send(t, "q", 1); /* saved is not modified */
    planner_expect_left(t);

    /* The script's figures are the screen's. */
    const char *arguments[] = {"plan", "mine.yaml", NULL};
    assert_int_equal(run(arguments), 0);
    char *of = strstr(strip, " of ");
    assert_non_null(of);
    *of = '\0';
    const char *peak = strrchr(strip, ' ');
    assert_non_null(peak);
    expect_file_has(t, "result", peak + 1);
    expect_file_is(t, "errors", "");

    t = planner_start(36, 120, "mine.yaml");
    planner_focus(t, "tensor TP");
    planner_expect_value(t, "tensor TP", "8");
    planner_leave(t);
}

static void saving_the_example_asks_for_a_name(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    tui_keys(t, "s");
    tui_expect(t, ".yaml"); /* a name is offered */
    tui_keys(t, TUI_CTRL('e'));
    tui_keys(t, TUI_CTRL('u'));
    tui_keys(t, "new.yaml");
    tui_keys(t, TUI_ENTER);
    expect_file_has(t, "new.yaml", "tensor: 4");
    tui_keys(t, TUI_ESCAPE);
    planner_set(t, "tensor TP", "8");
    tui_keys(t, "s"); /* it has a file now */
    expect_file_has(t, "new.yaml", "tensor: 8");
    planner_leave(t);
}

static void save_as_does_not_overwrite_unasked(void **state)
{
    (void)state;
    tui_write_file("other.yaml", "# precious\n");
    struct tui *t = planner_start(36, 120, NULL);
    planner_set(t, "tensor TP", "8");
    planner_save_as(t, "other.yaml");
    expect_file_is(t, "other.yaml", "# precious\n");
    tui_keys(t, TUI_ESCAPE);
    tui_keys(t, TUI_ESCAPE);
    expect_file_is(t, "other.yaml", "# precious\n");
    planner_leave(t);
}

static void a_symlink_and_the_mode_are_kept(void **state)
{
    (void)state;
    tui_write_file("real.yaml", scenario);
    assert_int_equal(chmod(tui_path("real.yaml"), 0640), 0);
    assert_int_equal(symlink("real.yaml", tui_path("link.yaml")), 0);
    struct tui *t = planner_start(36, 120, "link.yaml");
    planner_set(t, "tensor TP", "8");
    tui_keys(t, "s");
    expect_file_has(t, "real.yaml", "tensor: 8");
    struct stat info;
    assert_int_equal(lstat(tui_path("link.yaml"), &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(lstat(tui_path("real.yaml"), &info), 0);
    assert_true(S_ISREG(info.st_mode));
    assert_int_equal(info.st_mode & 0777, 0640);
    planner_leave(t);
}

/* Changes TP, saves, and expects an error that names the file, the file untouched and the planner
 * alive. */
static void expect_save_fails(const char *name, const char *reason)
{
    const char *arguments[] = {name, NULL};
    struct tui *t = tui_open(
        &(struct tui_setup){.rows = 36, .cols = 120, .arguments = arguments, .unprivileged = true});
    tui_wait_frame(t, 1);
    planner_set(t, "tensor TP", "8");
    tui_keys(t, "s");
    tui_expect(t, reason);
    tui_expect(t, name);
    expect_file_is(t, name, scenario);
    tui_keys(t, TUI_ESCAPE);
    assert_true(tui_keys_or_end(t, "q") == TUI_RUNNING); /* still modified */
    planner_leave(t);
}

static void a_read_only_file_is_an_error_on_the_screen(void **state)
{
    (void)state;
    tui_write_file("fixed.yaml", scenario);
    assert_int_equal(chmod(tui_path("fixed.yaml"), 0444), 0);
    expect_save_fails("fixed.yaml", "read-only");
}

static void a_read_only_folder_is_an_error_on_the_screen(void **state)
{
    (void)state;
    assert_int_equal(mkdir(tui_path("closed"), 0755), 0);
    tui_write_file("closed/mine.yaml", scenario);
    assert_int_equal(chmod(tui_path("closed"), 0555), 0);
    expect_save_fails("closed/mine.yaml", "ermission denied");
}

static void a_missing_folder_is_an_error_on_the_screen(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    planner_save_as(t, "nowhere/mine.yaml");
    tui_expect(t, "nowhere");
    tui_expect(t, "o such file");
    planner_leave(t);
}

static void a_file_changed_on_disk_is_noticed(void **state)
{
    (void)state;
    static const char changed[] = "schema: 1\nname: changed by someone else\n";
    tui_write_file("mine.yaml", scenario);
    struct tui *t = planner_start(36, 120, "mine.yaml");
    planner_set(t, "tensor TP", "8");
    tui_write_file("mine.yaml", changed);
    tui_keys(t, "s");
    tui_expect(t, "changed");
    expect_file_is(t, "mine.yaml", changed);
    tui_keys(t, TUI_ESCAPE);
    expect_file_is(t, "mine.yaml", changed);
    planner_expect_value(t, "tensor TP", "8");
    planner_leave(t);
    expect_file_is(t, "mine.yaml", changed);
}

static void a_file_that_vanished_is_noticed(void **state)
{
    (void)state;
    tui_write_file("mine.yaml", scenario);
    struct tui *t = planner_start(36, 120, "mine.yaml");
    planner_set(t, "tensor TP", "8");
    assert_int_equal(unlink(tui_path("mine.yaml")), 0);
    tui_keys(t, "s");
    assert_int_equal(tui_state(t), TUI_RUNNING);
    tui_expect(t, "mine.yaml");
    planner_leave(t);
}

static void no_temporary_file_is_left(void **state)
{
    (void)state;
    tui_write_file("mine.yaml", scenario);
    struct tui *t = planner_start(36, 120, "mine.yaml");
    planner_set(t, "tensor TP", "8");
    tui_keys(t, "s");
    expect_file_has(t, "mine.yaml", "tensor: 8");
    planner_leave(t);
    assert_int_equal(unlink(tui_path("mine.yaml")), 0);
    assert_int_equal(rmdir(tui_path("")), 0); /* nothing else is in it */
    assert_int_equal(mkdir(tui_path(""), 0700), 0);
}

/* ---- Leaving
 * --------------------------------------------------------------------------------------- */

static void leaving_asks_only_when_something_is_modified(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    tui_keys(t, "jjj?");
    tui_keys(t, TUI_ESCAPE);
    tui_send(t, "q", 1);
    planner_expect_left(t);

    t = planner_start(36, 120, NULL);
    planner_set(t, "tensor TP", "8");
    const char *before = tui_capture(t);
    tui_keys(t, "q");
    assert_true(planner_asks_to_leave(t));
    tui_keys(t, TUI_ESCAPE);
    tui_expect_same(t, before, tui_capture(t), "question refused");
    tui_keys(t, "u"); /* as it was opened: nothing to ask */
    tui_send(t, "q", 1);
    planner_expect_left(t);

    t = planner_start(36, 120, NULL);
    planner_set(t, "tensor TP", "8");
    planner_leave(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        tui_test(the_open_list_offers_presets_and_files),
        tui_test(a_file_named_on_the_command_line_opens),
        tui_test(a_wrong_file_is_refused_before_the_screen),
        tui_test(names_cannot_touch_the_terminal),
        tui_test(the_example_is_saved_under_a_new_name),
        tui_test(saving_the_example_asks_for_a_name),
        tui_test(save_as_does_not_overwrite_unasked),
        tui_test(a_symlink_and_the_mode_are_kept),
        tui_test(a_read_only_file_is_an_error_on_the_screen),
        tui_test(a_read_only_folder_is_an_error_on_the_screen),
        tui_test(a_missing_folder_is_an_error_on_the_screen),
        tui_test(a_file_changed_on_disk_is_noticed),
        tui_test(a_file_that_vanished_is_noticed),
        tui_test(no_temporary_file_is_left),
        tui_test(leaving_asks_only_when_something_is_modified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
