#include "io/lock.h"

#include "io/problem.h"
#include "io/save.h"
#include "io/state.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_ROOM = 4096, HOST_MAX = 64, TRIES = 8 };

static uint64_t mix(uint64_t hash, const char *text)
{
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001B3U;
    return hash;
}

/* FNV-1a of the path, links resolved: one file under two names has one lock, and has it before it
 * exists. */
static uint64_t name_of(const char *path)
{
    const uint64_t start = 0xCBF29CE484222325U;
    char *real = realpath(path, NULL);
    uint64_t hash = mix(start, real != NULL ? real : path);
    const char *slash = strrchr(path, '/');
    if (real == NULL && slash != NULL && slash > path) {
        char *folder = strndup(path, (size_t)(slash - path));
        real = folder != NULL ? realpath(folder, NULL) : NULL;
        free(folder);
        if (real != NULL)
            hash = mix(mix(start, real), slash);
    }
    free(real);
    return hash;
}

static bool lock_path(uint64_t name, char out[PATH_ROOM])
{
    char folder[PATH_ROOM - 32];
    if (!act_state_folder("open", folder, sizeof folder))
        return false;
    snprintf(out, PATH_ROOM, "%s/%016" PRIx64, folder, name);
    return true;
}

static void host_name(char host[HOST_MAX])
{
    if (gethostname(host, HOST_MAX) != 0)
        snprintf(host, HOST_MAX, "?");
    host[HOST_MAX - 1] = '\0';
}

/* Who wrote "PID HOST" into the lock file. */
static void read_who(int file, char who[ACT_LOCK_WHO])
{
    char text[128], host[HOST_MAX];
    ssize_t got = pread(file, text, sizeof text - 1, 0);
    size_t size = got > 0 ? (size_t)got : 0;
    text[size] = '\0';
    size_t digits = strspn(text, "0123456789");
    snprintf(who, ACT_LOCK_WHO, "another process");
    if (digits == 0 || digits > 12 || text[digits] != ' ')
        return;
    char *other = text + digits + 1;
    other[strcspn(other, "\n")] = '\0';
    host_name(host);
    if (strcmp(other, host) == 0) {
        snprintf(who, ACT_LOCK_WHO, "process %.*s", (int)digits, text);
        return;
    }
    char shown[HOST_MAX];
    act_printable(other, strlen(other), shown, sizeof shown);
    snprintf(who, ACT_LOCK_WHO, "process %.*s on %s", (int)digits, text, shown);
}

static void write_who(int file)
{
    char host[HOST_MAX], text[HOST_MAX + 32];
    host_name(host);
    int size = snprintf(text, sizeof text, "%ld %s\n", (long)getpid(), host);
    if (ftruncate(file, 0) == 0 && size > 0) {
        int written = act_write_all(file, text, (size_t)size);
        (void)written; /* nobody will know who; the lock holds */
    }
}

/* A lock on a file that another has removed meanwhile is worth nothing. */
static bool is_there(int file, const char *path)
{
    struct stat held, there;
    return fstat(file, &held) == 0 && stat(path, &there) == 0 && held.st_dev == there.st_dev &&
           held.st_ino == there.st_ino;
}

bool act_lock_take(const char *path, struct act_lock *ret_lock, char who[ACT_LOCK_WHO])
{
    char name[PATH_ROOM], folder[PATH_ROOM];
    *ret_lock = (struct act_lock){.file = -1, .name = name_of(path)};
    if (!lock_path(ret_lock->name, name) || !act_state_folder("open", folder, sizeof folder) ||
        !act_state_make(folder))
        return true;
    for (int i = 0; i < TRIES; i++) {
        int file = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (file < 0)
            return true;
        if (flock(file, LOCK_EX | LOCK_NB) != 0) {
            bool held = errno == EWOULDBLOCK;
            if (held)
                read_who(file, who);
            close(file);
            return !held; /* a file system without locks tells nothing */
        }
        if (is_there(file, name)) {
            write_who(file);
            ret_lock->held = true;
            ret_lock->file = file;
            return true;
        }
        close(file);
    }
    return true;
}

void act_lock_release(struct act_lock *lock)
{
    char name[PATH_ROOM];
    if (!lock->held)
        return;
    if (lock_path(lock->name, name))
        unlink(name);
    close(lock->file);
    *lock = (struct act_lock){.file = -1};
}

bool act_lock_is_held(const char *path)
{
    char name[PATH_ROOM];
    if (!lock_path(name_of(path), name))
        return false;
    int file = open(name, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0)
        return false;
    bool held = flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    close(file);
    return held;
}
