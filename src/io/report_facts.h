/* What a report says, as tables: the same for every format. Each function fills a grid that it
 * begins; act_grid_free ends it. */
#ifndef ACTUARY_IO_REPORT_FACTS_H
#define ACTUARY_IO_REPORT_FACTS_H

#include "io/comparison.h"
#include "io/grid.h"

/* ---- the figures of one scenario: report_facts.c ---- */

/* The few figures that answer the question: label, value, remark. */
void act_facts_headline(const struct act_case *item, struct act_grid *ret);
/* Memory stage by stage in GiB; stages that look the same are one row. */
void act_facts_stages(const struct act_case *item, struct act_grid *ret);
/* Where the seconds of a step go. */
void act_facts_step(const struct act_case *item, struct act_grid *ret);
/* Checks: level, message, repair. No rows: nothing is wrong. */
void act_facts_checks(const struct act_case *item, struct act_grid *ret);

/* The last of the stages from `first` on that look the same, and what to call them: "stage 2",
 * "stages 3-7". */
int act_facts_run(const struct act_memory *memory, int first);
void act_facts_run_name(int first, int last, char *out, size_t size);

/* ---- money, power and what stands around the GPUs: report_cost.c ---- */
void act_facts_cost(const struct act_case *item, struct act_grid *ret);

/* ---- where it comes from: report_sources.c ---- */

/* The presets in use with title, source, date and confidence. */
void act_facts_presets(const struct act_case *item, struct act_grid *ret);
/* Every assumption: field, value, who chose it, source. */
void act_facts_assumptions(const struct act_case *item, struct act_grid *ret);
/* Formulas of the fullest stage with the numbers put in. */
void act_facts_formulas(const struct act_case *item, struct act_grid *ret);

/* ---- several scenarios: report_compare.c ---- */

/* Verdict and main figures, each with its signed difference from the first scenario. */
void act_facts_results(const struct act_case *cases, int count, struct act_grid *ret);
/* Fields side by side; those that differ are marked. `only`: no others. */
void act_facts_fields(const struct act_case *cases, int count, bool only, struct act_grid *ret);

#endif
