/* The table of stages in the text report. */
#ifndef ACTUARY_CLI_TEXT_MEMORY_H
#define ACTUARY_CLI_TEXT_MEMORY_H

#include "io/buffer.h"
#include <actuary/memory.h>
#include <actuary/plan.h>

/* Appends one row a stage, neighbours that read the same as one row; the worst is marked. */
void act_text_memory(const struct act_plan *plan, const struct act_memory *memory,
                     struct act_buffer *out);

#endif
