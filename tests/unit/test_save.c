/* Saving: what is kept, what is noticed, and that nothing is lost when it fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/save.h"
#include "scratch.h"
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>

static char folder[SCRATCH_PATH];
static char why[512];

static int set_up(void **state)
{
    (void)state;
    scratch_make(folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    scratch_remove(folder);
    return 0;
}

static enum act_save_result save(const char *path, const char *text, struct act_stamp *stamp,
                                 bool force)
{
    why[0] = '\0';
    return act_save(path, text, strlen(text), stamp, force, why, sizeof why);
}

static void assert_content(const char *path, const char *expected)
{
    char *text = scratch_read(path);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static int files_in(const char *path)
{
    int count = 0;
    DIR *open_folder = opendir(path);
    assert_non_null(open_folder);
    const struct dirent *entry;
    while ((entry = readdir(open_folder)))
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(open_folder);
    return count;
}

static mode_t mode_of(const char *path)
{
    struct stat state;
    assert_int_equal(stat(path, &state), 0);
    return state.st_mode & 07777;
}

static void assert_why(const char *part)
{
    if (!strstr(why, part))
        assert_string_equal(why, part);
}

static void writes_a_new_file_through_the_umask(void **state)
{
    (void)state;
    const char *path = scratch_path(folder, "new.yaml");
    mode_t mask = umask(027);
    struct act_stamp stamp = {0};
    assert_int_equal(save(path, "model: a\n", &stamp, false), ACT_SAVED);
    umask(mask);
    assert_content(path, "model: a\n");
    assert_int_equal(mode_of(path), 0640);
    assert_int_equal(files_in(folder), 1);
    assert_true(stamp.known);
    assert_int_equal(stamp.size, 9);
    /* The stamp is up to date: the next save needs no force. */
    assert_int_equal(save(path, "model: b\n", &stamp, false), ACT_SAVED);
    assert_content(path, "model: b\n");
    assert_int_equal(save(path, "", &stamp, false), ACT_SAVED);
    assert_content(path, "");
}

static void keeps_the_mode(void **state)
{
    (void)state;
    const char *path = scratch_path(folder, "mode.yaml");
    scratch_write(path, "old", 3);
    chmod(path, 0604);
    struct act_stamp stamp;
    act_stamp_read(path, &stamp);
    assert_int_equal(save(path, "new", &stamp, false), ACT_SAVED);
    assert_content(path, "new");
    assert_int_equal(mode_of(path), 0604);
}

static void follows_links(void **state)
{
    (void)state;
    const char *link_path = scratch_path(folder, "link.yaml");
    const char *path = scratch_path(folder, "deep/real.yaml");
    scratch_folders(scratch_path(folder, "deep"));
    scratch_write(path, "old", 3);
    assert_int_equal(symlink("deep/real.yaml", link_path), 0);
    struct act_stamp stamp;
    act_stamp_read(link_path, &stamp);
    assert_int_equal(save(link_path, "new", &stamp, false), ACT_SAVED);
    assert_content(path, "new");
    struct stat info;
    assert_int_equal(lstat(link_path, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(files_in(scratch_path(folder, "deep")), 1);
}

static void refuses_links_to_nowhere(void **state)
{
    (void)state;
    const char *path = scratch_path(folder, "nowhere.yaml");
    assert_int_equal(symlink("missing.yaml", path), 0);
    assert_int_equal(save(path, "new", NULL, false), ACT_SAVE_FAILED);
    assert_why("link to a file that does not exist");
    const char *loop = scratch_path(folder, "loop.yaml");
    assert_int_equal(symlink("loop.yaml", loop), 0);
    assert_int_equal(save(loop, "new", NULL, false), ACT_SAVE_FAILED);
    assert_why("too many symbolic links");
}

static void notices_changes_on_disk(void **state)
{
    (void)state;
    const char *path = scratch_path(folder, "file.yaml");
    scratch_write(path, "old", 3);
    struct act_stamp stamp;
    act_stamp_read(path, &stamp);
    /* Same size, another time. */
    scratch_write(path, "OLD", 3);
    struct timespec times[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    assert_int_equal(save(path, "new", &stamp, false), ACT_SAVE_CHANGED);
    assert_why("changed on disk");
    assert_content(path, "OLD");
    assert_int_equal(save(path, "new", &stamp, true), ACT_SAVED);
    assert_content(path, "new");
    /* Replaced by another file of the same size and time. */
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    const char *other = scratch_path(folder, "other.yaml");
    scratch_write(other, "NEW", 3);
    times[0] = info.st_mtim;
    times[1] = info.st_mtim;
    assert_int_equal(utimensat(AT_FDCWD, other, times, 0), 0);
    assert_int_equal(rename(other, path), 0);
    assert_int_equal(save(path, "mine", &stamp, false), ACT_SAVE_CHANGED);
    assert_content(path, "NEW");
    assert_int_equal(files_in(folder), 1);
}

static void notices_files_that_appear_and_vanish(void **state)
{
    (void)state;
    const char *path = scratch_path(folder, "file.yaml");
    scratch_write(path, "theirs", 6);
    assert_int_equal(save(path, "mine", NULL, false), ACT_SAVE_CHANGED);
    assert_why("exists already");
    assert_content(path, "theirs");
    struct act_stamp stamp;
    act_stamp_read(path, &stamp);
    unlink(path);
    assert_int_equal(save(path, "mine", &stamp, false), ACT_SAVE_CHANGED);
    assert_why("is gone");
    assert_int_equal(files_in(folder), 0);
    assert_int_equal(save(path, "mine", &stamp, true), ACT_SAVED);
    assert_content(path, "mine");
}

static void asks_before_writing_through_hard_links(void **state)
{
    (void)state;
    const char *path = scratch_path(folder, "one.yaml");
    const char *twin = scratch_path(folder, "two.yaml");
    scratch_write(path, "a longer old text", 17);
    assert_int_equal(link(path, twin), 0);
    struct act_stamp stamp;
    act_stamp_read(path, &stamp);
    assert_int_equal(save(path, "new", &stamp, false), ACT_SAVE_CHANGED);
    assert_why("hard links");
    assert_content(twin, "a longer old text");
    assert_int_equal(save(path, "new", &stamp, true), ACT_SAVED);
    assert_content(path, "new");
    assert_content(twin, "new");
    assert_int_equal(files_in(folder), 2); /* no copy left behind */
}

static void refuses_read_only_files(void **state)
{
    (void)state;
    const char *path = scratch_path(folder, "read-only.yaml");
    scratch_write(path, "old", 3);
    chmod(path, 0444);
    struct act_stamp stamp;
    act_stamp_read(path, &stamp);
    assert_int_equal(save(path, "new", &stamp, true), ACT_SAVE_FAILED);
    assert_why("read-only.yaml: is read-only");
    assert_content(path, "old");
    assert_int_equal(files_in(folder), 1);
}

static void refuses_what_is_no_file(void **state)
{
    (void)state;
    assert_int_equal(save(folder, "new", NULL, true), ACT_SAVE_FAILED);
    assert_why("is a folder");
    assert_int_equal(save("/dev/full", "new", NULL, true), ACT_SAVE_FAILED);
    assert_why("/dev/full: is not a regular file");
    const char *pipe_path = scratch_path(folder, "pipe");
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    assert_int_equal(save(pipe_path, "new", NULL, true), ACT_SAVE_FAILED);
    assert_why("is not a regular file");
    assert_int_equal(save(scratch_path(folder, "new/"), "new", NULL, false), ACT_SAVE_FAILED);
    assert_why("give a file name");
    assert_int_equal(save("", "new", NULL, false), ACT_SAVE_FAILED);
    assert_int_equal(save(scratch_path(folder, "missing/new.yaml"), "new", NULL, false),
                     ACT_SAVE_FAILED);
    assert_why("cannot make a file in its folder: no such file or folder");
    assert_int_equal(save(scratch_path(folder, "pipe/new.yaml"), "new", NULL, false),
                     ACT_SAVE_FAILED);
    assert_why("a part of the path is not a folder");
}

static void refuses_folders_without_permission(void **state)
{
    (void)state;
    const char *path = scratch_path(folder, "closed/file.yaml");
    scratch_folders(scratch_path(folder, "closed"));
    chmod(scratch_path(folder, "closed"), 0555);
    scratch_as_nobody(folder);
    enum act_save_result result = save(path, "new", NULL, false);
    scratch_as_before();
    assert_int_equal(result, ACT_SAVE_FAILED);
    assert_why("permission denied");
    assert_int_equal(files_in(scratch_path(folder, "closed")), 0);
    chmod(scratch_path(folder, "closed"), 0700);
}

/* A disk that fills up in the middle: the limit on file sizes makes write fall short and fail. */
static void leaves_the_old_file_when_writing_fails(void **state)
{
    (void)state;
    const char *path = scratch_path(folder, "file.yaml");
    const char *twin = scratch_path(folder, "twin.yaml");
    scratch_write(path, "old", 3);
    struct act_stamp stamp;
    act_stamp_read(path, &stamp);
    char *big = calloc(1, 100001);
    assert_non_null(big);
    memset(big, 'x', 100000);
    struct rlimit limit, small;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = limit;
    small.rlim_cur = 5000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    enum act_save_result result = save(path, big, &stamp, false);
    link(path, twin);
    char first_why[512];
    snprintf(first_why, sizeof first_why, "%s", why);
    int files = files_in(folder);
    enum act_save_result in_place = save(path, big, &stamp, true);
    setrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, handler);
    free(big);
    assert_int_equal(result, ACT_SAVE_FAILED);
    assert_non_null(strstr(first_why, "file.yaml: cannot be written: larger than"));
    assert_int_equal(files, 2); /* the file and its twin: the temporary is gone */
    /* In place the old text cannot be intact; the copy is kept and named. */
    assert_int_equal(in_place, ACT_SAVE_FAILED);
    const char *copy = strstr(why, "the old text is in ");
    assert_non_null(copy);
    assert_content(copy + strlen("the old text is in "), "old");
}

static void stamps_of_missing_files_are_unknown(void **state)
{
    (void)state;
    struct act_stamp stamp = {.known = true};
    act_stamp_read(scratch_path(folder, "missing"), &stamp);
    assert_false(stamp.known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(writes_a_new_file_through_the_umask, set_up, tear_down),
        cmocka_unit_test_setup_teardown(keeps_the_mode, set_up, tear_down),
        cmocka_unit_test_setup_teardown(follows_links, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_links_to_nowhere, set_up, tear_down),
        cmocka_unit_test_setup_teardown(notices_changes_on_disk, set_up, tear_down),
        cmocka_unit_test_setup_teardown(notices_files_that_appear_and_vanish, set_up, tear_down),
        cmocka_unit_test_setup_teardown(asks_before_writing_through_hard_links, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_read_only_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_what_is_no_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_folders_without_permission, set_up, tear_down),
        cmocka_unit_test_setup_teardown(leaves_the_old_file_when_writing_fails, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stamps_of_missing_files_are_unknown, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
