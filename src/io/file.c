#include "io/file.h"

#include "io/problem.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One read that waits where the descriptor would not. */
static ssize_t read_some(int file, char *block, size_t size)
{
    for (;;) {
        ssize_t got = read(file, block, size);
        if (got >= 0 || (errno != EINTR && errno != EAGAIN))
            return got;
        if (errno == EAGAIN && file != STDIN_FILENO)
            return got; /* no file that makes one wait is a scenario */
        if (errno == EAGAIN)
            poll(&(struct pollfd){.fd = file, .events = POLLIN}, 1, -1);
    }
}

static int read_all(int file, struct act_buffer *out, char *why, size_t why_size)
{
    char block[16384];
    ssize_t got;
    while ((got = read_some(file, block, sizeof block)) > 0) {
        /* Looked at here and not left to the buffer, so that the message can tell why. */
        if ((size_t)got > out->limit - out->size) {
            snprintf(why, why_size, "is larger than %zu KiB, the most that is read",
                     out->limit / 1024);
            errno = 0;
            return -1;
        }
        act_buffer_add(out, block, (size_t)got);
    }
    if (got == 0 && !out->failed)
        return 0;
    if (out->failed)
        errno = ENOMEM;
    snprintf(why, why_size, "cannot be read: %s", act_errno_text(errno));
    return -1;
}

static const char *kind_of(mode_t mode)
{
    return S_ISDIR(mode)    ? "is a folder, not a file"
           : S_ISFIFO(mode) ? "is a pipe, not a regular file; use - to read standard input"
           : S_ISCHR(mode) || S_ISBLK(mode)
               ? "is a device, not a regular file; use - to read standard input"
               : "is not a regular file";
}

int act_file_read(const char *path, struct act_buffer *out, struct act_stamp *ret_stamp, char *why,
                  size_t why_size)
{
    struct act_stamp stamp = {0};
    if (strcmp(path, "-") == 0) {
        if (read_all(STDIN_FILENO, out, why, why_size) < 0)
            return -1;
    } else {
        /* Without O_NONBLOCK opening a pipe that nobody writes to would wait for ever. */
        int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
        struct stat state;
        if (file < 0 || fstat(file, &state) < 0) {
            int error = errno;
            if (file >= 0)
                close(file);
            errno = error;
            snprintf(why, why_size, "cannot be opened: %s", act_errno_text(error));
            return -1;
        }
        int result = -1;
        if (S_ISREG(state.st_mode)) {
            result = read_all(file, out, why, why_size);
        } else {
            snprintf(why, why_size, "%s", kind_of(state.st_mode));
            errno = 0;
        }
        int error = errno;
        close(file);
        errno = error;
        if (result < 0)
            return -1;
        act_stamp_of(&state, &stamp);
    }
    if (ret_stamp)
        *ret_stamp = stamp;
    return 0;
}
