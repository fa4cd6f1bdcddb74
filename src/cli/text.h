/* The result of `plan` for people: at most 80 columns, plain ASCII but for names of the user. */
#ifndef ACTUARY_CLI_TEXT_H
#define ACTUARY_CLI_TEXT_H

#include "io/buffer.h"
#include <actuary/estimate.h>
#include <stdbool.h>

/* Appends the report of one estimate; `plan` is resolved. */
void act_text_plan(const struct act_plan *plan, const struct act_result *result, bool color,
                   struct act_buffer *out);

#endif
