/* Results for programs: the JSON of `plan` as the contract has it. */
#ifndef ACTUARY_IO_JSON_H
#define ACTUARY_IO_JSON_H

#include "io/buffer.h"
#include <actuary/estimate.h>

/* Appends the JSON object of one estimate, indented, with a final newline. Sizes are integers,
 * numbers that do not apply are absent. Returns 0 or -1. */
int act_json_plan(const struct act_plan *plan, const struct act_result *result,
                  struct act_buffer *out);

#endif
