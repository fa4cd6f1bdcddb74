/* Unsaved work is kept when the planner is made to leave, offered again, and gone once saved. */
#include "planner.h"
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAVE_MS = 1000 };

/* How many files are kept; the name of one of them in `name`. */
static int kept(char *name, size_t size)
{
    int count = 0;
    DIR *folder = opendir(tui_path("../state/actuary/autosave"));
    struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, size, "%s", entry->d_name);
        count++;
    }
    if (folder != NULL)
        closedir(folder);
    return count;
}

static void leave_by(struct tui *t, int how)
{
    if (how == 0)
        tui_hangup(t);
    else
        tui_signal(t, how);
    (void)tui_wait_end(t, LEAVE_MS);
}

static void unmodified_work_is_not_kept(void **state)
{
    (void)state;
    char name[300];
    leave_by(planner_start(36, 120, NULL), SIGTERM);
    assert_int_equal(kept(name, sizeof name), 0);
}

static void modified_work_is_kept_and_offered(void **state)
{
    (void)state;
    static const int ways[] = {SIGTERM, SIGHUP, 0};
    char name[300];
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct tui *t = planner_start(36, 120, NULL);
        planner_set(t, "tensor TP", "8");
        leave_by(t, ways[i]);
        assert_int_equal(kept(name, sizeof name), i + 1);
    }
    struct tui *t = planner_start(36, 120, NULL);
    tui_expect(t, "was kept");
    tui_keys(t, "o");
    tui_keys(t, "autosave");
    tui_expect(t, "3 of");
    tui_expect(t, "unsaved, kept ");
    tui_expect_not(t, "-1.yaml");
    tui_keys(t, TUI_ENTER);
    tui_expect(t, "kept work of");
    planner_focus(t, "tensor TP");
    assert_int_equal(planner_verdict(t), PLANNER_FITS);
    planner_save_as(t, "rescued.yaml");
    char *text = tui_read_file("rescued.yaml");
    assert_non_null(text);
    assert_non_null(strstr(text, "tensor: 8"));
    free(text);
    assert_int_equal(kept(name, sizeof name), 2); /* saved: no longer kept */
    planner_leave(t);
}

/* An edit under way shows its last valid value, and that is kept. */
static void an_edit_under_way_is_kept(void **state)
{
    (void)state;
    char name[300], path[600];
    struct tui *t = planner_start(36, 120, NULL);
    planner_focus(t, "tensor TP");
    tui_keys(t, "8");
    leave_by(t, SIGTERM);
    assert_int_equal(kept(name, sizeof name), 1);
    snprintf(path, sizeof path, "../state/actuary/autosave/%s", name);
    char *text = tui_read_file(path);
    assert_non_null(text);
    assert_non_null(strstr(text, "tensor: 8"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        tui_test(unmodified_work_is_not_kept),
        tui_test(modified_work_is_kept_and_offered),
        tui_test(an_edit_under_way_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
