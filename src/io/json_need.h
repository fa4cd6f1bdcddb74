/* What it takes, for programs: the JSON of `need`. */
#ifndef ACTUARY_IO_JSON_NEED_H
#define ACTUARY_IO_JSON_NEED_H

#include "io/buffer.h"
#include <actuary/need.h>

/* Appends one object: GPUs for the deadline step by step, the largest values by limit, and the
 * changes, best first, with what each sets and leads to. Returns 0 or -1. */
int act_json_need(const struct act_plan *plan, const struct act_answers *answers,
                  struct act_buffer *out);

#endif
