/* The sections COST and NEEDS of a report: money; what stands around the GPUs, and goodput. */
#ifndef ACTUARY_CLI_TEXT_COST_H
#define ACTUARY_CLI_TEXT_COST_H

#include "io/buffer.h"
#include <actuary/estimate.h>

/* The first line goes on where the heading stops; the others begin with `indent` blanks. */
void act_text_cost(const struct act_plan *plan, const struct act_result *result, int indent,
                   struct act_buffer *out);
void act_text_needs(const struct act_plan *plan, const struct act_result *result, int indent,
                    struct act_buffer *out);
/* Is there anything to say of them? */
bool act_text_has_needs(const struct act_result *result);

#endif
