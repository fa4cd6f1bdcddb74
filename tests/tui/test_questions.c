/* What the questions' answers do: overwriting, dropping, staying; and hard times for a terminal. */
#include "planner.h"
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A key that must come has no place beside explicit ones: such a file can only be written anew. */
static const char commented[] = "# ours\nschema: 1\nparallel:\n  ? tensor\n  : 4 # cards\n";

static void expect_has(const char *name, const char *part, bool there)
{
    char *text = tui_read_file(name);
    assert_non_null(text);
    if ((strstr(text, part) != NULL) != there)
        fail_msg("%s: \"%s\" should %sbe in:\n%s", name, part, there ? "" : "not ", text);
    free(text);
}

static int kept(void)
{
    int count = 0;
    DIR *folder = opendir(tui_path("../state/actuary/autosave"));
    struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL)
        count += entry->d_name[0] != '.';
    if (folder != NULL)
        closedir(folder);
    return count;
}

static void comments_are_asked_about(void **state)
{
    (void)state;
    tui_write_file("a.yaml", commented);
    struct tui *t = planner_start(36, 120, "a.yaml");
    planner_set(t, "tensor TP", "8");
    tui_keys(t, "s");
    tui_expect(t, "drops its comments");
    tui_keys(t, TUI_ESCAPE);
    expect_has("a.yaml", "# ours", true);
    tui_keys(t, "s");
    tui_keys(t, "o");
    tui_expect(t, "saved a.yaml");
    expect_has("a.yaml", "# ours", false);
    expect_has("a.yaml", "tensor: 8", true);
    planner_set(t, "tensor TP", "4");
    tui_keys(t, "s"); /* nothing left to lose */
    expect_has("a.yaml", "tensor: 4", true);
    planner_leave(t);
}

static void overwriting_what_changed_on_disk(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        tui_write_file("b.yaml", "schema: 1\nparallel: {tensor: 4, data: 16}\n");
        struct tui *t = planner_start(36, 120, "b.yaml");
        planner_set(t, "tensor TP", "8");
        if (i == 0)
            tui_write_file("b.yaml", "schema: 1\nparallel: {tensor: 2, data: 16}\nname: other\n");
        else if (i == 1)
            assert_int_equal(unlink(tui_path("b.yaml")), 0);
        else
            assert_int_equal(link(tui_path("b.yaml"), tui_path("twin.yaml")), 0);
        tui_keys(t, "s");
        tui_expect(t, "o overwrite");
        tui_keys(t, "o");
        tui_expect(t, "saved b.yaml");
        expect_has("b.yaml", "tensor: 8", true);
        if (i == 2)
            expect_has("twin.yaml", "tensor: 8", true); /* still one file */
        planner_leave(t);
    }
}

static void save_as_onto_another_file(void **state)
{
    (void)state;
    tui_write_file("taken.yaml", "schema: 1\nname: taken\n");
    struct tui *t = planner_start(36, 120, NULL);
    planner_set(t, "tensor TP", "8");
    planner_save_as(t, "taken.yaml");
    tui_expect(t, "exists");
    tui_keys(t, "o");
    expect_has("taken.yaml", "tensor: 8", true);
    tui_send(t, "q", 1);
    planner_expect_left(t);
}

static void reading_again_from_disk(void **state)
{
    (void)state;
    tui_write_file("c.yaml", "schema: 1\nparallel: {tensor: 4, data: 16}\n");
    struct tui *t = planner_start(36, 120, "c.yaml");
    planner_set(t, "tensor TP", "8");
    tui_write_file("c.yaml", "# new\nschema: 1\nparallel: {tensor: 2, data: 16}\n");
    tui_keys(t, "s");
    tui_keys(t, "r");
    planner_focus(t, "tensor TP");
    planner_expect_value(t, "tensor TP", "2");
    planner_set(t, "tensor TP", "4");
    tui_keys(t, "s");
    expect_has("c.yaml", "# new", true); /* that came with the reading */
    expect_has("c.yaml", "tensor: 4", true);
    planner_leave(t);
}

static void a_dropped_scenario_is_asked_about_again_after_staying(void **state)
{
    (void)state;
    tui_write_file("d.yaml", "schema: 1\nname: first\nparallel: {tensor: 4, data: 16}\n");
    tui_write_file("e.yaml", "schema: 1\nname: second\nparallel: {tensor: 4, data: 16}\n");
    const char *arguments[] = {"d.yaml", "e.yaml", NULL};
    struct tui *t = tui_start(36, 120, arguments, NULL);
    planner_set(t, "tensor TP", "8");
    tui_keys(t, "]");
    planner_set(t, "tensor TP", "8");
    tui_keys(t, "q");
    tui_keys(t, "n");
    assert_true(planner_asks_to_leave(t)); /* about the other one */
    tui_keys(t, TUI_ESCAPE);
    tui_keys(t, "q");
    tui_keys(t, "n");
    assert_true(planner_asks_to_leave(t)); /* both again */
    tui_send(t, "n", 1);
    planner_expect_left(t);
    expect_has("d.yaml", "tensor: 4", true);
}

/* Closing asks nothing and loses nothing: leaving asks about what was closed, too. */
static void closed_scenarios_are_asked_about_when_leaving(void **state)
{
    (void)state;
    tui_write_file("d.yaml", "schema: 1\nname: first\nparallel: {tensor: 4, data: 16}\n");
    tui_write_file("e.yaml", "schema: 1\nname: second\nparallel: {tensor: 4, data: 16}\n");
    const char *arguments[] = {"d.yaml", "e.yaml", NULL};
    struct tui *t = tui_start(36, 120, arguments, NULL);
    planner_set(t, "tensor TP", "8");
    tui_keys(t, "d");
    tui_expect(t, "closed first, which is not saved; u brings it back");
    tui_expect(t, " 1 second ");
    tui_keys(t, TUI_ESCAPE);
    tui_expect_not(t, "first");
    tui_keys(t, "q");
    tui_expect(t, "first is not saved");
    tui_send(t, "y", 1);
    planner_expect_left(t);
    expect_has("d.yaml", "tensor: 8", true);
}

/* Work that was closed and not saved is kept like any other. */
static void closed_work_is_kept(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    tui_keys(t, "n");
    planner_set(t, "tensor TP", "8");
    tui_keys(t, "d");
    tui_signal(t, SIGTERM);
    (void)tui_wait_end(t, 1000);
    assert_int_equal(kept(), 1);
}

/* Saving under the own name is saving: comments are asked about there too. */
static void comments_are_asked_about_under_save_as(void **state)
{
    (void)state;
    tui_write_file("a.yaml", commented);
    struct tui *t = planner_start(36, 120, "a.yaml");
    planner_set(t, "tensor TP", "8");
    tui_keys(t, "S");
    tui_keys(t, TUI_ENTER); /* the name offered */
    tui_expect(t, "drops its comments");
    tui_keys(t, TUI_ESCAPE);
    expect_has("a.yaml", "# ours", true);
    planner_leave(t);
}

static void kept_work_does_not_multiply(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    planner_set(t, "tensor TP", "8");
    tui_signal(t, SIGTERM);
    (void)tui_wait_end(t, 1000);
    for (int i = 0; i < 2; i++) { /* taken up and interrupted again */
        t = planner_start(36, 120, NULL);
        tui_keys(t, "o");
        tui_keys(t, "autosave");
        tui_keys(t, TUI_ENTER);
        tui_signal(t, SIGTERM);
        (void)tui_wait_end(t, 1000);
        assert_int_equal(kept(), 1);
    }
    t = planner_start(36, 120, NULL); /* other work of the same name stands beside it */
    planner_set(t, "tensor TP", "16");
    tui_signal(t, SIGTERM);
    (void)tui_wait_end(t, 1000);
    assert_int_equal(kept(), 2);
}

static void kept_work_can_be_dropped(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    planner_set(t, "tensor TP", "8");
    tui_signal(t, SIGTERM);
    (void)tui_wait_end(t, 1000);
    assert_int_equal(kept(), 1);
    t = planner_start(36, 120, NULL);
    tui_keys(t, "o");
    tui_keys(t, "autosave");
    tui_keys(t, TUI_ENTER);
    tui_keys(t, "d");
    assert_int_equal(kept(), 1); /* it can be brought back */
    tui_keys(t, "q");
    tui_send(t, "n", 1);
    planner_expect_left(t);
    assert_int_equal(kept(), 0);
}

/* Nobody reads the terminal: the planner hangs in a write, and still leaves. */
static void a_frozen_terminal_does_not_hold_it(void **state)
{
    (void)state;
    struct tui *t = planner_start(60, 200, NULL);
    planner_set(t, "tensor TP", "8");
    char keys[256];
    for (size_t i = 0; i < sizeof keys; i++)
        keys[i] = 'L' & 0x1f;    /* whole frames, and the plan stays modified */
    for (int i = 0; i < 14; i++) /* far more of them than the terminal holds unread */
        tui_send(t, keys, sizeof keys);
    usleep(300 * 1000); /* until it hangs in a write: nothing tells, since nothing is read */
    assert_int_equal(kill((pid_t)tui_pid(t), SIGTERM), 0);
    bool ended = false;
    for (int i = 0; i < 100 && !ended; i++) {
        ended = kept() == 1;
        usleep(50 * 1000);
    }
    assert_true(ended);
    (void)tui_wait_end(t, 5000);
    assert_true(tui_termios_restored(t));
}

/* A stop without warning leaves the terminal to a shell, which sets it its own way. */
static void settings_come_back_after_a_sudden_stop(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    tui_signal(t, SIGSTOP);
    tui_wait_stopped(t);
    tui_cook(t);
    assert_true(tui_termios_restored(t));
    unsigned long frame = tui_frame(t);
    tui_signal(t, SIGCONT);
    tui_wait_frame(t, frame + 1);
    assert_false(tui_termios_restored(t));
    assert_true(tui_alternate_screen(t));
    planner_leave(t);
}

static void a_paste_without_end_ends(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    const char *before = tui_capture(t);
    tui_send(t, "\033[200~8", 7);
    tui_settle(t); /* the frame that counts them comes when the paste is given up */
    tui_keys(t, TUI_ESCAPE);
    tui_expect_same(t, before, tui_capture(t), "keys work again");
    planner_leave(t);
}

static void other_deadly_signals_give_the_terminal_back(void **state)
{
    (void)state;
    static const int signals[] = {SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU, SIGTRAP, SIGSYS};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct tui *t = planner_start(24, 80, NULL);
        tui_signal(t, signals[i]);
        int status = tui_wait_end(t, 2000);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), signals[i]);
        tui_expect_given_back(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        tui_test(comments_are_asked_about),
        tui_test(overwriting_what_changed_on_disk),
        tui_test(save_as_onto_another_file),
        tui_test(reading_again_from_disk),
        tui_test(a_dropped_scenario_is_asked_about_again_after_staying),
        tui_test(closed_scenarios_are_asked_about_when_leaving),
        tui_test(closed_work_is_kept),
        tui_test(comments_are_asked_about_under_save_as),
        tui_test(kept_work_does_not_multiply),
        tui_test(kept_work_can_be_dropped),
        tui_test(a_frozen_terminal_does_not_hold_it),
        tui_test(settings_come_back_after_a_sudden_stop),
        tui_test(a_paste_without_end_ends),
        tui_test(other_deadly_signals_give_the_terminal_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
