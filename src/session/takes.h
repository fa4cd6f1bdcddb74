/* What it takes: the inverse questions about the current scenario, kept up to date, and making
 * their answers. */
#ifndef ACTUARY_SESSION_TAKES_H
#define ACTUARY_SESSION_TAKES_H

#include "session/desk.h"
#include <actuary/need.h>

struct act_takes {
    struct act_deadline deadline; /* asked about; the plan keeps its own */
    bool answered;                /* answers is that of plan and deadline */
    struct act_plan plan;
    struct act_answers answers;
};

/* Asks about the plan's deadline; where it has none about the last one, at first 90 days. Spare and
 * rounding stay as they were last. */
void act_takes_start(struct act_takes *takes, const struct act_tab *tab);
/* Answers anew when the scenario or the question has changed since. */
void act_takes_update(struct act_takes *takes, const struct act_tab *tab);
void act_takes_set_days(struct act_takes *takes, double days);
void act_takes_next_spare(struct act_takes *takes); /* 0, 5, 10, 20 %, around */
void act_takes_next_round(struct act_takes *takes);

/* Answers that can be made: 0 is the GPUs for the deadline, the rest are the changes. */
int act_takes_count(const struct act_takes *takes);
/* Makes an answer, as one undoable step with its own label. False, with a message, when there is
 * none. */
bool act_takes_make(const struct act_takes *takes, struct act_desk *desk, int answer,
                    int64_t now_ms);

#endif
