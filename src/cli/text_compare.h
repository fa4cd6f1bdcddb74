/* A comparison in words, 80 columns wide. */
#ifndef ACTUARY_CLI_TEXT_COMPARE_H
#define ACTUARY_CLI_TEXT_COMPARE_H

#include "io/buffer.h"
#include "io/comparison.h"

/* Results, then fields; "*" marks a row that differs. More than three scenarios are told two at a
 * time, the first one before each. `only`: no rows that are the same. */
void act_text_compare(const struct act_case *cases, int count, bool only, bool color,
                      struct act_buffer *out);

#endif
