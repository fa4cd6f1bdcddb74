/* Memory over one optimizer step on one stage: the phases of memory.h put in the order in which
 * they happen, with the micro batches that are alive then. */
#ifndef ACTUARY_TIMELINE_H
#define ACTUARY_TIMELINE_H

#include <actuary/layout.h>
#include <actuary/memory.h>
#include <actuary/plan.h>

enum act_moment {
    ACT_MOMENT_LOAD,
    ACT_MOMENT_FORWARD,  /* at its end */
    ACT_MOMENT_LOSS,     /* logits and loss, on the stage that has the head */
    ACT_MOMENT_BACKWARD, /* at its start: with replay and temporaries */
    ACT_MOMENT_STEP      /* the optimizer's */
};

/* Parts of a step. Steady is one backward, one forward in turn; GPipe has none. */
enum act_span { ACT_SPAN_LOAD, ACT_SPAN_FILL, ACT_SPAN_STEADY, ACT_SPAN_DRAIN, ACT_SPAN_STEP };

const char *act_moment_name(enum act_moment moment); /* "forward" */
const char *act_span_name(enum act_span span);       /* "warm-up" */

struct act_point {
    enum act_moment moment;
    enum act_span span;
    enum act_phase phase; /* whose bytes it counts; a forward is on its way to the loss */
    double alive;         /* micro batches whose activations are kept */
    double component[ACT_FRAGMENTATION]; /* sum to allocated */
    double allocated;
};

enum { ACT_POINTS_MAX = 48 };

struct act_timeline {
    int count;
    int peak;      /* the point of the stage's phase and allocated figure; none is larger */
    double rounds; /* steady rounds of a step; at most two of them are points */
    struct act_point point[ACT_POINTS_MAX];
};

/* The series of a stage that act_memory_of filled in for this resolved plan. */
void act_timeline_of(const struct act_plan *plan, const struct act_layout *layout,
                     const struct act_stage *stage, struct act_timeline *ret);

#endif
