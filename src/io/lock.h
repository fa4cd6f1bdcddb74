/* Who has a file open: a lock file in the state folder for each path, held with flock(2), so that
 * it goes with the process however that ends. It only warns: nobody is kept from anything. */
#ifndef ACTUARY_IO_LOCK_H
#define ACTUARY_IO_LOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ACT_LOCK_WHO = 96 };

struct act_lock {
    bool held;
    int file;
    uint64_t name; /* of the path, links resolved */
};

/* Takes the lock of a path. Returns false when another process (or this one) holds it: `who` then
 * says which, "process 123" or "process 123 on HOST". True when it is ours, and also when there is
 * no state folder to tell (ret_lock->held is false then). */
bool act_lock_take(const char *path, struct act_lock *ret_lock, char who[ACT_LOCK_WHO]);
void act_lock_release(struct act_lock *lock);

/* Does any process, this one included, hold the lock of the path? */
bool act_lock_is_held(const char *path);

#endif
