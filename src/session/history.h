/* Undo as a stack of changes of one plan.
 *
 * A change is the bytes that differ between the plan before and after, both ways, so that a long
 * session stays small, with the label that undo and redo show. The caller's plan must only ever
 * change through here or be recorded here. */
#ifndef ACTUARY_SESSION_HISTORY_H
#define ACTUARY_SESSION_HISTORY_H

#include <actuary/plan.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ACT_UNDO_MAX = 100000, ACT_LABEL_MAX = 96 };

struct act_change;

struct act_history {
    struct act_change **change;
    int count; /* recorded */
    int done;  /* of which applied; the rest can be redone */
    int room;
};

void act_history_free(struct act_history *history);

/* Records the step from `before` to `after` and forgets what could be redone. `merge` names a
 * field: a step on the same field within a second of the last one joins it (-1: never).
 * `held_before`/`held_after` travel with it (see desk.h). Returns false when out of memory: the
 * history is then unchanged. */
bool act_history_record(struct act_history *history, const struct act_plan *before,
                        const struct act_plan *after, double held_before, double held_after,
                        const char *label, int merge, int64_t now_ms);

/* Takes the last change back, or does it again. Returns its label, or NULL when there is none. */
const char *act_history_undo(struct act_history *history, struct act_plan *plan, double *held);
const char *act_history_redo(struct act_history *history, struct act_plan *plan, double *held);

/* When the last change that is applied was made, as its `now_ms`; INT64_MIN when there is none. */
int64_t act_history_when(const struct act_history *history);

#endif
