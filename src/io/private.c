#include "io/private.h"

#include "io/save.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_ROOM = 4096, FILES_MAX = 256 };

static pid_t child; /* 0: none */

static int close_checked(int file, int result)
{
    int error = errno;
    if (close(file) != 0 && result == 0)
        return -1;
    errno = error;
    return result;
}

static int sync_folder_of(const char *path)
{
    char folder[PATH_ROOM];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - path + 1) : 1,
             slash != NULL ? path : ".");
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return -1;
    return close_checked(file, fsync(file));
}

int act_private_write(const char *path, const char *text, size_t size)
{
    char beside[PATH_ROOM];
    int length = snprintf(beside, sizeof beside, "%s~", path);
    if (length < 0 || length >= PATH_ROOM) {
        errno = ENAMETOOLONG;
        return -1;
    }
    /* What an interrupted write left there is nobody's. */
    unlink(beside);
    int file = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return -1;
    int result = act_write_all(file, text, size) < 0 || fsync(file) < 0 ? -1 : 0;
    result = close_checked(file, result);
    if (result == 0)
        result = rename(beside, path);
    if (result != 0) {
        int error = errno;
        unlink(beside);
        errno = error;
        return -1;
    }
    sync_folder_of(path); /* not every file system can; the file is whole */
    return 0;
}

void act_private_remove(const char *path)
{
    char beside[PATH_ROOM];
    int error;
    act_private_finish(true, &error); /* or it would come back */
    unlink(path);
    int length = snprintf(beside, sizeof beside, "%s~", path);
    if (length > 0 && length < PATH_ROOM)
        unlink(beside);
}

bool act_private_start(const char *path, const char *text, size_t size)
{
    sigset_t all, before;
    if (child != 0)
        return false;
    /* Signals are the parent's: its handlers would speak for the planner. */
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    pid_t started = fork();
    if (started == 0) {
        /* Terminal and locks are the parent's too: they go when it does. */
        for (int file = 0; file < FILES_MAX; file++)
            close(file);
        _exit(act_private_write(path, text, size) == 0 ? 0
              : errno > 0 && errno < 256               ? errno
                                                       : 255);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    child = started > 0 ? started : 0;
    return started > 0;
}

enum act_private act_private_finish(bool wait, int *ret_error)
{
    int status;
    *ret_error = 0;
    if (child == 0)
        return ACT_PRIVATE_IDLE;
    pid_t ended;
    do
        ended = waitpid(child, &status, wait ? 0 : WNOHANG);
    while (ended < 0 && errno == EINTR);
    if (ended == 0)
        return ACT_PRIVATE_BUSY;
    child = 0;
    if (ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return ACT_PRIVATE_DONE;
    *ret_error = ended > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : EIO;
    return ACT_PRIVATE_FAILED;
}
