/* Files that people keep: a save changes what was changed and nothing else, a kill loses at most
 * the last seconds, and two planners on one file know of each other. */
#include "planner.h"
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { AUTOSAVE_MS = 8000, LEAVE_MS = 2000, STEP_MS = 20 };

static const char commented[] = "# The plan of the team; ask before changing it.\n"
                                "schema: 1\n"
                                "\n"
                                "name:   \"ours\"   # shown on the tab\n"
                                "parallel:   # 64 cards\n"
                                "    # a node has eight\n"
                                "    tensor:   4     # cards\n"
                                "    pipeline: 2\n"
                                "    data:     8     # replicas\n"
                                "hardware: {preset: 'a800-80gb-sxm', mfu: 40%}\t# measured\n"
                                "# the end, without a newline";

/* A key that must come has no place in it. */
static const char odd[] = "# ours\nparallel:\n  ? tensor\n  : 4 # cards\n";

static bool never(struct tui *t, const void *context)
{
    (void)t;
    (void)context;
    return false;
}

static char kept_name[300];

/* How many files of kept work there are; the name of one of them in kept_name. */
static int kept(void)
{
    int count = 0;
    DIR *folder = opendir(tui_path("../state/actuary/autosave"));
    const struct dirent *entry;
    while (folder && (entry = readdir(folder)))
        if (entry->d_name[0] != '.' && !strchr(entry->d_name, '~')) { /* whole ones */
            count++;
            snprintf(kept_name, sizeof kept_name, "../state/actuary/autosave/%s", entry->d_name);
        }
    if (folder)
        closedir(folder);
    return count;
}

static bool file_has(const char *name, const char *part)
{
    char *text = tui_read_file(name);
    bool has = text && strstr(text, part);
    free(text);
    return has;
}

static void expect_file(const char *name, const char *expected)
{
    char *text = tui_read_file(name);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

/* Waits until the kept work has this in it; NULL: until none is kept. */
static void expect_kept(struct tui *t, const char *part)
{
    double until = tui_now() + AUTOSAVE_MS * tui_patience();
    for (;;) {
        int count = kept();
        if (part ? count == 1 && file_has(kept_name, part) : count == 0)
            return;
        if (tui_now() > until)
            tui_fail(t, "%d files are kept, %s is expected", count, part ? part : "none");
        (void)tui_wait_until(t, never, NULL, STEP_MS);
    }
}

static bool shows(struct tui *t, const void *text)
{
    return tui_shows(t, text);
}

static void expect_soon(struct tui *t, const char *text)
{
    if (!tui_wait_until(t, shows, text, 5000))
        tui_fail(t, "\"%s\" does not come", text);
}

static void kill_it(struct tui *t)
{
    tui_signal(t, SIGKILL);
    (void)tui_wait_end(t, LEAVE_MS);
}

/* How many lines of two texts of equally many lines differ. */
static int lines_that_differ(const char *a, const char *b)
{
    int count = 0;
    while (*a || *b) {
        size_t size = strcspn(a, "\n"), other = strcspn(b, "\n");
        count += size != other || memcmp(a, b, size) != 0;
        a += size + (a[size] == '\n');
        b += other + (b[other] == '\n');
    }
    return count;
}

static void one_edit_changes_one_line(void **state)
{
    (void)state;
    tui_write_file("ours.yaml", commented);
    struct tui *t = planner_start(36, 120, "ours.yaml");
    planner_set(t, "MFU", "45%");
    tui_keys(t, "s");
    tui_expect(t, "saved ours.yaml");
    char *text = tui_read_file("ours.yaml");
    assert_non_null(text);
    assert_int_equal(lines_that_differ(commented, text), 1);
    assert_non_null(
        strstr(text, "hardware: {preset: 'a800-80gb-sxm', mfu: 45%}\t# measured\n# the end, with"));
    free(text);
    planner_set(t, "MFU", "40%"); /* and back: as it was */
    tui_keys(t, "s");
    expect_file("ours.yaml", commented);
    tui_send(t, "q", 1);
    planner_expect_left(t);
}

static void save_as_keeps_comments_too(void **state)
{
    (void)state;
    tui_write_file("ours.yaml", commented);
    struct tui *t = planner_start(36, 120, "ours.yaml");
    planner_set(t, "MFU", "45%");
    planner_save_as(t, "theirs.yaml");
    assert_true(file_has("theirs.yaml", "    tensor:   4     # cards\n"));
    assert_true(file_has("theirs.yaml", "mfu: 45%}\t# measured"));
    expect_file("ours.yaml", commented);
    planner_leave(t);
}

static void work_is_kept_while_nothing_is_sent(void **state)
{
    (void)state;
    struct stat info;
    tui_write_file("ours.yaml", commented);
    struct tui *t = planner_start(36, 120, "ours.yaml");
    planner_set(t, "MFU", "45%");
    size_t before = tui_bytes(t);
    expect_kept(t, "mfu: 45%}\t# measured");
    tui_expect_silence(t, 1500);
    assert_int_equal(tui_bytes(t), before);
    assert_int_equal(stat(tui_path(kept_name), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    expect_file("ours.yaml", commented);
    planner_set(t, "MFU", "50%");
    expect_kept(t, "mfu: 50%}");
    tui_keys(t, "uu"); /* as on the disk: nothing to keep */
    expect_kept(t, NULL);
    planner_set(t, "MFU", "45%");
    expect_kept(t, "mfu: 45%}");
    tui_keys(t, "s");
    assert_int_equal(kept(), 0);
    planner_set(t, "MFU", "50%");
    expect_kept(t, "mfu: 50%}");
    planner_leave(t); /* without saving */
    assert_int_equal(kept(), 0);
}

static void a_kill_loses_no_more_than_the_last_seconds(void **state)
{
    (void)state;
    tui_write_file("ours.yaml", commented);
    struct tui *t = planner_start(36, 120, "ours.yaml");
    planner_set(t, "MFU", "45%");
    expect_kept(t, "mfu: 45%}\t# measured");
    kill_it(t);
    expect_file("ours.yaml", commented);
    assert_int_equal(kept(), 1);

    t = planner_start(36, 120, "ours.yaml");
    tui_expect(t, "was kept");
    tui_keys(t, "o");
    tui_keys(t, "autosave");
    tui_expect(t, "1 of");
    tui_keys(t, TUI_ENTER);
    tui_expect(t, "kept work of ours");
    tui_keys(t, "s"); /* over the file it is work on: asked first */
    tui_expect(t, "o overwrite");
    tui_keys(t, "o");
    char *text = tui_read_file("ours.yaml");
    assert_non_null(text);
    assert_int_equal(lines_that_differ(commented, text), 1);
    assert_non_null(strstr(text, "mfu: 45%}\t# measured"));
    free(text);
    assert_int_equal(kept(), 0);
    planner_leave(t);
}

/* What had to be written anew for keeping still knows its file's comments when it is saved. */
static void kept_work_knows_the_comments_of_its_file(void **state)
{
    (void)state;
    tui_write_file("odd.yaml", odd);
    struct tui *t = planner_start(36, 120, "odd.yaml");
    planner_set(t, "tensor TP", "8");
    expect_kept(t, "tensor: 8");
    kill_it(t);
    t = planner_start(36, 120, NULL);
    tui_keys(t, "o");
    tui_keys(t, "autosave");
    tui_keys(t, TUI_ENTER);
    tui_keys(t, "s");
    tui_expect(t, "drops its comments");
    tui_keys(t, TUI_ESCAPE);
    expect_file("odd.yaml", odd);
    planner_leave(t);
}

/* A key is held down: the pause after the last one does not come. */
static void work_is_kept_under_a_stream_of_keys(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    planner_set(t, "tensor TP", "8");
    double until = tui_now() + AUTOSAVE_MS * tui_patience();
    while (kept() == 0) {
        if (tui_now() > until)
            tui_fail(t, "nothing is kept");
        tui_keys(t, "jk");
        (void)tui_wait_until(t, never, NULL, STEP_MS);
    }
    kill_it(t);
    expect_kept(t, "tensor: 8");
}

/* Killed anywhere between the key and well after the save: the file is the old or the new one. */
static void a_kill_while_saving_leaves_a_whole_file(void **state)
{
    (void)state;
    enum { KILLS = 24 };
    static const char *const values[] = {"50%", "45%"};
    tui_write_file("ours.yaml", commented);
    char *before = tui_read_file("ours.yaml");
    for (int i = 0; i < KILLS; i++) {
        struct tui *t = planner_start(24, 80, "ours.yaml");
        planner_set(t, "MFU", values[i % 2]);
        tui_send(t, "s", 1);
        usleep((useconds_t)(i * 150));
        kill_it(t);
        char *after = tui_read_file("ours.yaml");
        assert_non_null(after);
        if (strcmp(after, before) != 0 &&
            !(lines_that_differ(commented, after) == 1 && strstr(after, values[i % 2])))
            fail_msg("after kill %d:\n%s", i, after);
        free(before);
        before = after;
    }
    free(before);
}

/* Nowhere to keep anything: that is said, and nothing else is different. */
static void what_cannot_be_kept_is_said(void **state)
{
    (void)state;
    char variable[1100];
    tui_write_file("ours.yaml", commented);
    tui_write_file("no-folder", "a file");
    snprintf(variable, sizeof variable, "XDG_STATE_HOME=%s", tui_path("no-folder"));
    const char *arguments[] = {"ours.yaml", NULL}, *environment[] = {variable, NULL};
    struct tui *t = tui_start(36, 120, arguments, environment);
    planner_set(t, "MFU", "45%");
    expect_soon(t, "unsaved work cannot be kept for a crash");
    tui_keys(t, "j");
    tui_expect_not(t, "cannot be kept");
    tui_keys(t, "s");
    tui_expect(t, "saved ours.yaml");
    planner_leave(t);
}

/* What cannot be changed in place is said under another name, asked about under its own. */
static void written_anew_under_another_name_is_said(void **state)
{
    (void)state;
    tui_write_file("odd.yaml", odd);
    struct tui *t = planner_start(36, 120, "odd.yaml");
    planner_set(t, "MFU", "45%");
    planner_set(t, "tensor TP", "8");
    planner_save_as(t, "even.yaml");
    tui_expect(t, "written anew");
    assert_true(file_has("even.yaml", "tensor: 8"));
    expect_file("odd.yaml", odd);
    planner_leave(t);
}

static void work_of_a_running_planner_is_not_offered(void **state)
{
    (void)state;
    struct tui *first = planner_start(36, 120, NULL);
    planner_set(first, "tensor TP", "8");
    expect_kept(first, "tensor: 8");
    struct tui *second = planner_start(36, 120, NULL);
    tui_expect_not(second, "was kept");
    kill_it(first);
    planner_leave(second);
    second = planner_start(36, 120, NULL);
    tui_expect(second, "was kept");
    planner_leave(second);
    assert_int_equal(kept(), 1);
}

static void two_planners_on_one_file_are_noticed(void **state)
{
    (void)state;
    char who[64];
    tui_write_file("ours.yaml", commented);
    assert_int_equal(symlink("ours.yaml", tui_path("link.yaml")), 0);
    struct tui *first = planner_start(36, 120, "ours.yaml");
    tui_expect_not(first, "another actuary");
    snprintf(who, sizeof who, "another actuary (process %d)", tui_pid(first));
    struct tui *second = planner_start(36, 120, "link.yaml"); /* the same under another name */
    tui_expect(second, who);
    planner_set(second, "MFU", "50%");
    tui_keys(second, "s");
    tui_expect(second, who);
    expect_soon(first, "changed on disk"); /* without a key */
    planner_set(first, "MFU", "45%");
    tui_keys(first, "s");
    tui_expect(first, "o overwrite"); /* and nothing is lost unasked */
    assert_true(file_has("ours.yaml", "mfu: 50%}"));
    tui_keys(first, TUI_ESCAPE);
    planner_leave(first);
    planner_leave(second);
    second = planner_start(36, 120, "ours.yaml");
    tui_expect_not(second, "another actuary");
    kill_it(second); /* a lock goes with its process */
    second = planner_start(36, 120, "ours.yaml");
    tui_expect_not(second, "another actuary");
    planner_leave(second);
}

static void a_change_on_the_disk_is_said_once(void **state)
{
    (void)state;
    tui_write_file("ours.yaml", commented);
    struct tui *t = planner_start(36, 120, "ours.yaml");
    tui_write_file("ours.yaml", "name: new\nmodel: llama2-70b\n");
    expect_soon(t, "ours.yaml was changed on disk");
    tui_keys(t, "j");
    tui_expect_not(t, "changed on disk");
    tui_expect_silence(t, 2500);
    tui_keys(t, "s");
    tui_keys(t, "r");
    tui_expect(t, "new");
    assert_int_equal(unlink(tui_path("ours.yaml")), 0);
    expect_soon(t, "gone from the disk");
    planner_leave(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        tui_test(one_edit_changes_one_line),
        tui_test(save_as_keeps_comments_too),
        tui_test(work_is_kept_while_nothing_is_sent),
        tui_test(a_kill_loses_no_more_than_the_last_seconds),
        tui_test(kept_work_knows_the_comments_of_its_file),
        tui_test(work_is_kept_under_a_stream_of_keys),
        tui_test(a_kill_while_saving_leaves_a_whole_file),
        tui_test(what_cannot_be_kept_is_said),
        tui_test(written_anew_under_another_name_is_said),
        tui_test(work_of_a_running_planner_is_not_offered),
        tui_test(two_planners_on_one_file_are_noticed),
        tui_test(a_change_on_the_disk_is_said_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
