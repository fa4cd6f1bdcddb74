/* Explanations for programs: the JSON of `explain`. */
#ifndef ACTUARY_IO_JSON_EXPLAIN_H
#define ACTUARY_IO_JSON_EXPLAIN_H

#include "io/buffer.h"
#include <actuary/explain.h>

/* Appends one object: the stage, the phase of its peak and `count` figures with formula, values,
 * source and the chapter's figures. Returns 0 or -1. */
int act_json_explain(const struct act_plan *plan, const struct act_sheets *sheets,
                     enum act_phase phase, const struct act_figure *figure, int count,
                     struct act_buffer *out);

#endif
