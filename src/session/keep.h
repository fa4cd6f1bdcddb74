/* Unsaved work kept when the planner is made to leave (a signal, a closed terminal): scenario
 * files in $XDG_STATE_HOME/actuary/autosave (else ~/.local/state/actuary/autosave), made with
 * mode 0700 only when there is something to keep. They are offered where files are opened, and go
 * once they are saved somewhere. */
#ifndef ACTUARY_SESSION_KEEP_H
#define ACTUARY_SESSION_KEEP_H

#include "session/desk.h"
#include <stdbool.h>
#include <stddef.h>

enum { ACT_KEPT_MAX = 100 };

/* The folder, existing or not. false when neither variable gives an absolute path. */
bool act_keep_folder(char *out, size_t size);

/* Writes every modified scenario there. Returns how many, or -1 when one could not be written; the
 * folder in `where`. */
int act_keep_all(const struct act_desk *desk, char *where, size_t where_size);

/* Calls `add` with the path of each kept file (ACT_KEPT_MAX at most) until it returns false. */
void act_keep_list(bool (*add)(void *context, const char *path), void *context);
int act_keep_count(void);

/* Removes the kept file that a tab came from, if it did. */
void act_keep_discard(struct act_tab *tab);

/* Is the path a file of the folder? */
bool act_keep_is_kept(const char *path);

#endif
