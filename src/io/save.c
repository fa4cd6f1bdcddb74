#include "io/save.h"

#include "io/problem.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One save under way. */
struct job {
    const char *path; /* as the user named it */
    char *target;     /* links resolved */
    char *folder;     /* where target is */
    char *temporary;  /* beside the target; NULL when there is none to remove */
    bool exists;
    struct stat old; /* of the target, when it exists */
    char *why;
    size_t why_size;
};

void act_stamp_of(const struct stat *state, struct act_stamp *ret_stamp)
{
    *ret_stamp = (struct act_stamp){
        .known = true,
        .device = (uint64_t)state->st_dev,
        .inode = (uint64_t)state->st_ino,
        .size = (int64_t)state->st_size,
        .seconds = (int64_t)state->st_mtim.tv_sec,
        .nanoseconds = (int64_t)state->st_mtim.tv_nsec,
    };
}

void act_stamp_read(const char *path, struct act_stamp *ret_stamp)
{
    struct stat state;
    if (stat(path, &state) == 0)
        act_stamp_of(&state, ret_stamp);
    else
        *ret_stamp = (struct act_stamp){0};
}

bool act_stamp_equal(const struct act_stamp *a, const struct act_stamp *b)
{
    return a->known == b->known && a->device == b->device && a->inode == b->inode &&
           a->size == b->size && a->seconds == b->seconds && a->nanoseconds == b->nanoseconds;
}

static enum act_save_result explain(struct job *job, enum act_save_result result,
                                    const char *reason)
{
    char path[256];
    act_printable(job->path, strlen(job->path), path, sizeof path);
    snprintf(job->why, job->why_size, "%s: %s", path, reason);
    return result;
}

static enum act_save_result explain_errno(struct job *job, const char *step)
{
    char reason[160];
    snprintf(reason, sizeof reason, "%s: %s; nothing was changed", step, act_errno_text(errno));
    return explain(job, ACT_SAVE_FAILED, reason);
}

/* Finds the real file behind the path and its folder, and looks at it. */
static enum act_save_result resolve(struct job *job)
{
    struct stat link;
    job->target = realpath(job->path, NULL);
    if (!job->target) {
        if (errno != ENOENT)
            return explain_errno(job, "cannot be written");
        if (lstat(job->path, &link) == 0)
            return explain(job, ACT_SAVE_FAILED,
                           "is a link to a file that does not exist; save under another name");
        job->target = strdup(job->path);
        if (!job->target)
            return explain_errno(job, "cannot be written");
    }
    const char *slash = strrchr(job->target, '/');
    job->folder = !slash                 ? strdup(".")
                  : slash == job->target ? strdup("/")
                                         : strndup(job->target, (size_t)(slash - job->target));
    if (!job->folder)
        return explain_errno(job, "cannot be written");
    job->exists = stat(job->target, &job->old) == 0;
    return ACT_SAVED;
}

/* What must not be written over, whatever the user says. */
static enum act_save_result refuse(struct job *job)
{
    const char *name = strrchr(job->target, '/');
    name = name ? name + 1 : job->target;
    if (!job->exists && *name == '\0')
        return explain(job, ACT_SAVE_FAILED, "names a folder; give a file name");
    if (!job->exists)
        return ACT_SAVED;
    if (S_ISDIR(job->old.st_mode))
        return explain(job, ACT_SAVE_FAILED, "is a folder; give a file name");
    if (!S_ISREG(job->old.st_mode))
        return explain(job, ACT_SAVE_FAILED,
                       "is not a regular file (a device, pipe or socket); give another name");
    /* Renaming over a read-only file would work, and so would writing as root: the mode still
     * says that its owner does not want it changed. */
    if ((job->old.st_mode & 0222) == 0 || access(job->target, W_OK) != 0)
        return explain(job, ACT_SAVE_FAILED,
                       "is read-only; save under another name or change its permissions");
    return ACT_SAVED;
}

/* Renaming a new file over it would cut other links, or change the owner. */
static bool needs_place(const struct job *job)
{
    bool foreign = job->old.st_uid != geteuid() && geteuid() != 0;
    return job->exists && (job->old.st_nlink > 1 || foreign);
}

/* Has somebody else written, made or removed the file? */
static enum act_save_result compare(struct job *job, const struct act_stamp *stamp)
{
    struct act_stamp now = {0};
    if (job->exists)
        act_stamp_of(&job->old, &now);
    bool known = stamp && stamp->known;
    if (!known && !job->exists)
        return ACT_SAVED;
    if (!known)
        return explain(job, ACT_SAVE_CHANGED, "exists already; overwrite it or take another name");
    if (!job->exists)
        return explain(job, ACT_SAVE_CHANGED, "is gone from the disk; overwrite writes it anew");
    if (!act_stamp_equal(&now, stamp))
        return explain(job, ACT_SAVE_CHANGED,
                       "was changed on disk since it was read; overwrite, reload or take another "
                       "name");
    if (needs_place(job))
        return explain(job, ACT_SAVE_CHANGED,
                       job->old.st_nlink > 1
                           ? "has other hard links; overwrite changes the file under all its names"
                           : "belongs to another user; overwrite writes it in place");
    return ACT_SAVED;
}

int act_write_all(int file, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t written = write(file, text, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return -1;
        text += written;
        size -= (size_t)written;
    }
    return 0;
}

static int sync_file(int file)
{
    int result;
    do
        result = fsync(file);
    while (result < 0 && errno == EINTR);
    return result;
}

/* The rename is on the disk only after its folder is. Not every file system can do this; the
 * file itself is already safe then. */
static void sync_folder(const char *folder)
{
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return;
    sync_file(file);
    close(file);
}

/* Closes and passes on the first error of a step and of close itself. */
static int close_checked(int file, int result)
{
    int error = errno;
    if (close(file) < 0 && result == 0)
        return -1;
    errno = error;
    return result;
}

/* Opens a hidden file beside the target and remembers its name. */
static int open_temporary(struct job *job)
{
    size_t size = strlen(job->folder) + sizeof "/.actuary-XXXXXX";
    job->temporary = malloc(size);
    if (!job->temporary)
        return -1;
    snprintf(job->temporary, size, "%s/.actuary-XXXXXX", job->folder);
    int file = mkostemp(job->temporary, O_CLOEXEC);
    if (file < 0) {
        free(job->temporary);
        job->temporary = NULL;
    }
    return file;
}

/* Mode and owner of the old file; 0666 through the umask for a new one. */
static int keep_mode(const struct job *job, int file)
{
    if (!job->exists) {
        mode_t mask = umask(0);
        umask(mask);
        return fchmod(file, 0666 & ~mask);
    }
    mode_t mode = job->old.st_mode & 0777;
    if (geteuid() == 0 && fchown(file, job->old.st_uid, (gid_t)-1) < 0)
        return -1;
    /* A group that cannot be kept must not hand its rights to another group. */
    if (fchown(file, (uid_t)-1, job->old.st_gid) < 0)
        mode &= ~(mode_t)070;
    return fchmod(file, mode);
}

static int fill(const struct job *job, int file, const char *text, size_t size)
{
    int result =
        keep_mode(job, file) < 0 || act_write_all(file, text, size) < 0 || sync_file(file) < 0 ? -1
                                                                                               : 0;
    return close_checked(file, result);
}

static enum act_save_result replace(struct job *job, const char *text, size_t size, bool force)
{
    int file = open_temporary(job);
    if (file < 0)
        return explain_errno(job, "cannot make a file in its folder");
    if (fill(job, file, text, size) < 0)
        return explain_errno(job, "cannot be written");
    struct stat now;
    bool exists = stat(job->target, &now) == 0;
    struct act_stamp before = {0}, after = {0};
    if (job->exists)
        act_stamp_of(&job->old, &before);
    if (exists)
        act_stamp_of(&now, &after);
    if (!force && !act_stamp_equal(&before, &after))
        return explain(job, ACT_SAVE_CHANGED, "was changed on disk while it was being saved");
    if (rename(job->temporary, job->target) < 0)
        return explain_errno(job, "cannot be replaced");
    free(job->temporary);
    job->temporary = NULL;
    sync_folder(job->folder);
    return ACT_SAVED;
}

/* Copies the old file into the temporary. */
static int keep_copy(struct job *job)
{
    int from = open(job->target, O_RDONLY | O_CLOEXEC);
    if (from < 0)
        return -1;
    int to = open_temporary(job);
    if (to < 0)
        return close_checked(from, -1);
    char block[16384];
    int result = 0;
    for (;;) {
        ssize_t got = read(from, block, sizeof block);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 || (got > 0 && act_write_all(to, block, (size_t)got) < 0))
            result = -1;
        if (got <= 0 || result < 0)
            break;
    }
    if (result == 0)
        result = sync_file(to);
    result = close_checked(to, result);
    return close_checked(from, result);
}

static enum act_save_result write_in_place(struct job *job, const char *text, size_t size)
{
    if (keep_copy(job) < 0)
        return explain_errno(job, "cannot keep a copy before writing in place");
    int file = open(job->target, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0)
        return explain_errno(job, "cannot be written");
    int result = act_write_all(file, text, size) < 0 || ftruncate(file, (off_t)size) < 0 ||
                         sync_file(file) < 0
                     ? -1
                     : 0;
    if (close_checked(file, result) == 0)
        return ACT_SAVED;
    char reason[400], copy[256];
    act_printable(job->temporary, strlen(job->temporary), copy, sizeof copy);
    snprintf(reason, sizeof reason, "could not be written in place: %s; the old text is in %s",
             act_errno_text(errno), copy);
    free(job->temporary); /* stays on the disk */
    job->temporary = NULL;
    return explain(job, ACT_SAVE_FAILED, reason);
}

enum act_save_result act_save(const char *path, const char *text, size_t size,
                              struct act_stamp *stamp, bool force, char *why, size_t why_size)
{
    struct job job = {.path = path, .why = why, .why_size = why_size};
    enum act_save_result result = resolve(&job);
    if (result == ACT_SAVED)
        result = refuse(&job);
    if (result == ACT_SAVED && !force)
        result = compare(&job, stamp);
    if (result == ACT_SAVED)
        result =
            needs_place(&job) ? write_in_place(&job, text, size) : replace(&job, text, size, force);
    if (job.temporary)
        unlink(job.temporary);
    if (result == ACT_SAVED && stamp)
        act_stamp_read(job.target, stamp);
    free(job.temporary);
    free(job.folder);
    free(job.target);
    return result;
}
