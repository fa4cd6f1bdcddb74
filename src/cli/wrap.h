/* Sentences in reports of 80 columns. */
#ifndef ACTUARY_CLI_WRAP_H
#define ACTUARY_CLI_WRAP_H

#include "io/buffer.h"

/* Appends the words behind what stands on the line, which is `margin` wide, and ends it; lines that
 * follow begin at the margin. */
void act_wrap(struct act_buffer *out, int margin, const char *text);

#endif
