/* Unsaved work is kept, so that neither a crash nor a lost terminal nor a loss of power takes more
 * than the last seconds of it: scenario files in $XDG_STATE_HOME/actuary/autosave (else
 * ~/.local/state/actuary/autosave), made with mode 0700 only when there is something to keep, each
 * with mode 0600. They are written a moment after the last change, and when the planner is made to
 * leave; they are offered where files are opened, and go once they are saved somewhere or dropped.
 * What a running planner keeps is no other's: it holds their locks (io/lock.h). */
#ifndef ACTUARY_SESSION_KEEP_H
#define ACTUARY_SESSION_KEEP_H

#include "session/desk.h"
#include <stdbool.h>
#include <stddef.h>

enum {
    ACT_KEPT_MAX = 100,
    ACT_KEEP_QUIET_MS = 1000, /* work is kept this long after the last key, */
    ACT_KEEP_BUSY_MS = 4000   /* and this long after the first change, whatever keys come */
};

/* The folder, existing or not. false when neither variable gives an absolute path. */
bool act_keep_folder(char *out, size_t size);

/* Writes every modified scenario there. Returns how many, or -1 when one could not be written; the
 * folder in `where`. */
int act_keep_all(struct act_desk *desk, char *where, size_t where_size);

/* Begins to write a scenario there in a process beside this one (io/private.h). 0, or -1 with
 * errno. */
int act_keep_start(struct act_tab *tab);

/* Opens kept work as a new tab that counts as modified; its file is the one it was work on, if
 * any, which saving asks about. 0, or -1 with problems. */
int act_keep_open(struct act_desk *desk, const char *path, struct act_problems *problems);

/* Calls `add` with the path of each kept file (ACT_KEPT_MAX at most) that no running planner
 * holds, until it returns false. */
void act_keep_list(bool (*add)(void *context, const char *path), void *context);
int act_keep_count(void);

/* Is the path a file of the folder? */
bool act_keep_is_kept(const char *path);

/* When work is kept while the planner runs. */
struct act_keeper {
    int64_t changed, touched; /* first change that is not kept, last key; ms, changed 0: none */
    int64_t again;            /* after a failure: not before this */
    bool failing;             /* and said so */
    struct act_tab *writing;  /* whose work is being written */
};

/* Keys have been taken at `now_ms`: is there something new to keep? */
void act_keeper_note(struct act_keeper *keeper, const struct act_desk *desk, int64_t now_ms);
/* How long nothing is to be done, in ms; -1: for ever. */
int act_keeper_patience(const struct act_keeper *keeper, int64_t now_ms);
/* Does what is due, in a process beside this one. Returns whether something was said. */
bool act_keeper_run(struct act_keeper *keeper, struct act_desk *desk, int64_t now_ms);

#endif
