/* Changing a scenario's text so that it says something else, and nothing but that: comments,
 * order, blank lines and the spelling of what stays are kept byte for byte. */
#ifndef ACTUARY_IO_PATCH_H
#define ACTUARY_IO_PATCH_H

#include "io/buffer.h"
#include <actuary/plan.h>
#include <stddef.h>

/* Appends the text of a scenario changed to say `plan`: values that differ are replaced where they
 * stand, in their quotes; keys no longer given go with their line; new ones come behind the one
 * that precedes them in the table of fields, groups at the end. What was JSON stays JSON. The
 * result has been read again and is `plan`.
 * Returns 0, or -1 with nothing appended when that cannot be done without losing something: the
 * text is none of a scenario, a comment stands inside what must go, … */
int act_patch(const char *text, size_t size, const struct act_plan *plan, struct act_buffer *out);

#endif
