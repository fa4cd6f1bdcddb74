/* Saving without losing anything: a temporary beside the target, fsync, rename, fsync of the
 * folder; symlinks are followed, the mode is kept, a file changed on disk since it was read is
 * noticed. */
#ifndef ACTUARY_IO_SAVE_H
#define ACTUARY_IO_SAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stat;

/* Which file was read, to notice a change on disk. */
struct act_stamp {
    bool known;
    uint64_t device, inode;
    int64_t size, seconds, nanoseconds;
};

enum act_save_result {
    ACT_SAVED,
    ACT_SAVE_CHANGED, /* needs the user's word: the file on disk is not the one that was read (also:
                         it is gone, or one appeared where there was none), or it has other hard
                         links or another owner; nothing was written, `force` writes it */
    ACT_SAVE_FAILED   /* `why` tells path and reason; the old file is intact */
};

/* Saves `size` bytes as `path`. `stamp` is the file as it was read or last saved (NULL or
 * !known: a file that must not exist yet); `force` writes whatever is there, except over a folder,
 * a device or a file without write permission. A file with other hard links or another owner is
 * written in place, with a copy kept beside it until that has worked. On success *stamp is brought
 * up to date. `why` gets a sentence for CHANGED and FAILED. */
enum act_save_result act_save(const char *path, const char *text, size_t size,
                              struct act_stamp *stamp, bool force, char *why, size_t why_size);

/* Reads the stamp of a file; !known when it does not exist. */
void act_stamp_read(const char *path, struct act_stamp *ret_stamp);
/* The stamp of a file whose state is at hand. */
void act_stamp_of(const struct stat *state, struct act_stamp *ret_stamp);

/* The same file with the same contents, as far as stamps tell. */
bool act_stamp_equal(const struct act_stamp *a, const struct act_stamp *b);

/* Writes all bytes to an open file, however many calls that takes. Returns 0, or -1 with errno. */
int act_write_all(int file, const char *text, size_t size);

#endif
