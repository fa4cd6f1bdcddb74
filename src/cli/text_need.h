/* What it takes, for people: at most 80 columns, plain ASCII but for names of the user. */
#ifndef ACTUARY_CLI_TEXT_NEED_H
#define ACTUARY_CLI_TEXT_NEED_H

#include "io/buffer.h"
#include <actuary/need.h>
#include <stdbool.h>

void act_text_need(const struct act_plan *plan, const struct act_answers *answers, bool color,
                   struct act_buffer *out);

#endif
