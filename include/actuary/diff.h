/* What differs between plans, field by field through the table of fields. */
#ifndef ACTUARY_DIFF_H
#define ACTUARY_DIFF_H

#include <actuary/plan.h>

enum act_difference {
    ACT_SAME,
    ACT_DIFFERS,        /* somebody chose it, or it is a main field */
    ACT_DIFFERS_BESIDE, /* follows from a preset that differs, or is kept for the back room */
};

/* How a field differs among `count` resolved plans. A field that applies to some of them only
 * differs; one that applies to none, and the scenario's own name and notes, do not. */
enum act_difference act_diff_field(const struct act_plan *const *plans, int count,
                                   enum act_field_id id);

/* Is the field a row of a comparison: a main field that applies to a plan, or one that differs? */
bool act_diff_row(const struct act_plan *const *plans, int count, enum act_field_id id);

#endif
