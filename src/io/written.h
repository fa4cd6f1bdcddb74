/* How values of a plan stand in a file: what writing a scenario anew and patching one share. */
#ifndef ACTUARY_IO_WRITTEN_H
#define ACTUARY_IO_WRITTEN_H

#include "io/buffer.h"
#include <actuary/field.h>

enum { ACT_WRITTEN_GROUPS = ACT_GROUP_COUNT - 1 };

/* The groups in the order of a file, 0 to ACT_WRITTEN_GROUPS - 1; the scenario's own fields come
 * before them. */
enum act_group act_written_group(int index);

/* Does a file hold the field: it is given, and not derived? */
bool act_written_is_saved(const struct act_plan *plan, enum act_field_id id);

enum act_written_style {
    ACT_WRITTEN_PLAIN,  /* without quotes where that is safe */
    ACT_WRITTEN_SINGLE, /* quoted where the field takes quotes */
    ACT_WRITTEN_DOUBLE,
    ACT_WRITTEN_JSON
};

/* Appends the field's value on one line. */
void act_written_value(struct act_buffer *out, const struct act_plan *plan, enum act_field_id id,
                       enum act_written_style style);

#endif
