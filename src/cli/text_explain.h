/* Explanations for people: at most 80 columns, plain ASCII. */
#ifndef ACTUARY_CLI_TEXT_EXPLAIN_H
#define ACTUARY_CLI_TEXT_EXPLAIN_H

#include "io/buffer.h"
#include <actuary/explain.h>

/* What and its formula, one figure after the other. With `whole` also the source, what each symbol
 * of the formula is, and the chapter's figures. */
void act_text_explain(const struct act_plan *plan, const struct act_sheets *sheets,
                      const struct act_figure *figure, int count, bool whole, bool color,
                      struct act_buffer *out);

#endif
