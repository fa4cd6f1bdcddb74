/* Results as comma-separated values, one table a text: RFC 4180 but for its line ends, which are
 * those of every other text here (LF). Numbers have all their digits, in base units, and look the
 * same in every locale; what does not apply is empty. */
#ifndef ACTUARY_IO_CSV_H
#define ACTUARY_IO_CSV_H

#include "io/buffer.h"
#include "io/comparison.h"

/* One row a scenario: name, fits, framework, then the result names of the table of metrics. The
 * columns are the same for every scenario. */
void act_csv_header(struct act_buffer *out);
void act_csv_plan(const struct act_plan *plan, const struct act_result *result,
                  struct act_buffer *out);

/* One row a field or result, one column a scenario: key, differs (true or false), then a column for
 * each scenario, headed by its name. `only`: no rows that are the same. */
void act_csv_comparison(const struct act_case *cases, int count, bool only, struct act_buffer *out);

#endif
