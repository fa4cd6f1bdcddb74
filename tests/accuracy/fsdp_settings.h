/* How a measured row's settings become a plan. The names are those of tests/data: what the run
 * printed or its sources say, and how it computed (kernels, loss, accumulation, allocator). */
#ifndef ACTUARY_TESTS_FSDP_SETTINGS_H
#define ACTUARY_TESTS_FSDP_SETTINGS_H

#include <actuary/plan.h>
#include <jansson.h>

/* Fills in a plan; `first_stage` layers stand on stage 0 of a pipeline. Resolved. */
void plan_of_fsdp_settings(const json_t *settings, const char *counter, int64_t first_stage,
                           struct act_plan *ret);

#endif
