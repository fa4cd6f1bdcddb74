/* A comparison as JSON. */
#ifndef ACTUARY_IO_JSON_COMPARE_H
#define ACTUARY_IO_JSON_COMPARE_H

#include "io/buffer.h"
#include "io/comparison.h"

/* One object: `differs`, the keys of fields and results that are not the same everywhere, and
 * `scenarios`, each with its fields, results and, but for the first, the differences of its results
 * from the first one's. `only`: no fields that are the same. 0, or -1 without memory. */
int act_json_comparison(const struct act_case *cases, int count, bool only, struct act_buffer *out);

#endif
