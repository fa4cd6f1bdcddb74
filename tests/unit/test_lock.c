/* Locks that tell who has a file open, and files that are written beside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/lock.h"
#include "io/private.h"
#include "io/state.h"
#include "scratch.h"
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

static char folder[SCRATCH_PATH];

static int set_up(void **state)
{
    (void)state;
    scratch_make(folder);
    return setenv("XDG_STATE_HOME", scratch_path(folder, "state"), 1);
}

static int tear_down(void **state)
{
    (void)state;
    scratch_remove(folder);
    return 0;
}

/* Another process that holds the lock of a path until it is killed. */
static pid_t hold(const char *path)
{
    int ready[2];
    char byte = 0;
    assert_int_equal(pipe(ready), 0);
    pid_t other = fork();
    assert_true(other >= 0);
    if (other == 0) {
        struct act_lock lock;
        char who[ACT_LOCK_WHO];
        bool ours = act_lock_take(path, &lock, who) && lock.held;
        if (write(ready[1], ours ? "y" : "n", 1) == 1)
            pause();
        _exit(0);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(byte, 'y');
    close(ready[0]);
    close(ready[1]);
    return other;
}

static void a_lock_tells_who_holds_it(void **state)
{
    (void)state;
    const char *path = scratch_path(folder, "a.yaml");
    char who[ACT_LOCK_WHO] = "", expected[64];
    struct act_lock lock;
    assert_false(act_lock_is_held(path));
    pid_t other = hold(path);
    assert_true(act_lock_is_held(path));
    assert_false(act_lock_take(path, &lock, who));
    assert_false(lock.held);
    snprintf(expected, sizeof expected, "process %d", (int)other);
    assert_string_equal(who, expected);
    assert_int_equal(kill(other, SIGKILL), 0); /* the lock goes with it, however it ends */
    assert_int_equal(waitpid(other, NULL, 0), other);
    assert_false(act_lock_is_held(path));
    assert_true(act_lock_take(path, &lock, who));
    assert_true(lock.held);
    assert_true(act_lock_is_held(path));
    act_lock_release(&lock);
    assert_false(lock.held);
    assert_false(act_lock_is_held(path));
}

static void one_file_has_one_lock(void **state)
{
    (void)state;
    struct act_lock first, second;
    char who[ACT_LOCK_WHO];
    const char *path = scratch_path(folder, "a.yaml");
    const char *alias = scratch_path(folder, "link.yaml");
    assert_true(act_lock_take(path, &first, who)); /* before it exists */
    scratch_write(path, "a", 1);
    assert_true(act_lock_is_held(path));
    assert_int_equal(symlink("a.yaml", alias), 0);
    assert_false(act_lock_take(alias, &second, who));
    assert_true(act_lock_take(scratch_path(folder, "b.yaml"), &second, who));
    act_lock_release(&first);
    assert_true(second.held);
    act_lock_release(&second);
    act_lock_release(&second); /* twice is once */
}

static void without_a_folder_nothing_is_told(void **state)
{
    (void)state;
    struct act_lock lock;
    char who[ACT_LOCK_WHO];
    scratch_write(scratch_path(folder, "file"), "a", 1);
    setenv("XDG_STATE_HOME", scratch_path(folder, "file"), 1); /* no folder can be made there */
    assert_true(act_lock_take(scratch_path(folder, "a.yaml"), &lock, who));
    assert_false(lock.held);
    act_lock_release(&lock);
}

static void state_folders_follow_the_environment(void **state)
{
    (void)state;
    char out[SCRATCH_PATH * 3], expected[SCRATCH_PATH * 3];
    assert_true(act_state_folder("x", out, sizeof out));
    snprintf(expected, sizeof expected, "%s/state/actuary/x", folder);
    assert_string_equal(out, expected);
    assert_false(act_state_folder("x", out, 10));
    setenv("XDG_STATE_HOME", "relative", 1); /* ignored */
    setenv("HOME", folder, 1);
    assert_true(act_state_folder("x", out, sizeof out));
    snprintf(expected, sizeof expected, "%s/.local/state/actuary/x", folder);
    assert_string_equal(out, expected);
    struct stat info;
    assert_true(act_state_make(out));
    assert_int_equal(stat(out, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
}

static void assert_content(const char *path, const char *expected)
{
    char *text = scratch_read(path);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static void private_files_are_whole_and_private(void **state)
{
    (void)state;
    const char *path = scratch_path(folder, "kept.yaml");
    const char *beside = scratch_path(folder, "kept.yaml~");
    struct stat info;
    mode_t mask = umask(0);
    scratch_write(beside, "of an interrupted write", 23);
    assert_int_equal(act_private_write(path, "one", 3), 0);
    umask(mask);
    assert_content(path, "one");
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_int_equal(access(beside, F_OK), -1);
    assert_int_equal(act_private_write(path, "two", 3), 0);
    assert_content(path, "two");
    scratch_write(beside, "of another one", 14);
    act_private_remove(path);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(access(beside, F_OK), -1);
    assert_int_equal(act_private_write(scratch_path(folder, "none/kept.yaml"), "a", 1), -1);
    assert_int_equal(errno, ENOENT);
}

static void private_files_are_written_beside(void **state)
{
    (void)state;
    const char *path = scratch_path(folder, "kept.yaml");
    int error;
    assert_int_equal(act_private_finish(true, &error), ACT_PRIVATE_IDLE);
    assert_true(act_private_start(path, "one", 3));
    assert_int_equal(act_private_finish(true, &error), ACT_PRIVATE_DONE);
    assert_content(path, "one");
    assert_int_equal(act_private_finish(false, &error), ACT_PRIVATE_IDLE);
    assert_true(act_private_start(scratch_path(folder, "none/kept.yaml"), "a", 1));
    assert_false(act_private_start(path, "two", 3)); /* one at a time */
    assert_int_equal(act_private_finish(true, &error), ACT_PRIVATE_FAILED);
    assert_int_equal(error, ENOENT);
    assert_content(path, "one");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_lock_tells_who_holds_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_file_has_one_lock, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_a_folder_nothing_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(state_folders_follow_the_environment, set_up, tear_down),
        cmocka_unit_test_setup_teardown(private_files_are_whole_and_private, set_up, tear_down),
        cmocka_unit_test_setup_teardown(private_files_are_written_beside, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
