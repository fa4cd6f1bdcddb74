/* Writing a file of the program's own, readable by its user alone, whole or not at all; also in a
 * process beside this one, so that a slow disk holds nobody up. */
#ifndef ACTUARY_IO_PRIVATE_H
#define ACTUARY_IO_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

/* Writes, syncs and renames (mode 0600), then syncs the folder: after it the file survives a loss
 * of power. The name with "~" behind it is used in between. 0, or -1 with errno. */
int act_private_write(const char *path, const char *text, size_t size);

/* The same, left to a child process, which also finishes it when this process is killed. One at a
 * time: false when one is under way or none can be started. */
bool act_private_start(const char *path, const char *text, size_t size);

/* Removes it, and what an interrupted write of it left; waits for one under way. */
void act_private_remove(const char *path);

enum act_private { ACT_PRIVATE_IDLE, ACT_PRIVATE_BUSY, ACT_PRIVATE_DONE, ACT_PRIVATE_FAILED };

/* How the child fares; DONE and FAILED are told once. With `wait` never BUSY. *ret_error is the
 * errno of FAILED. */
enum act_private act_private_finish(bool wait, int *ret_error);

#endif
