/* How a measured step's settings become a plan: model and layout from the row, framework and
 * accelerator from the presets that a user would pick, overruled only where the row says so. */
#ifndef ACTUARY_TESTS_TIMING_SETTINGS_H
#define ACTUARY_TESTS_TIMING_SETTINGS_H

#include <actuary/plan.h>
#include <jansson.h>

/* Fills in a resolved plan. Fails the test when a preset is missing. */
void plan_of_timing_settings(const json_t *settings, struct act_plan *ret);

#endif
