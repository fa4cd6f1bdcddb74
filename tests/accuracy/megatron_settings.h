/* How a measured row of the Megatron family becomes a plan: the model and layout from the row, the
 * framework from the preset that a user would pick, overruled only where the row says so. */
#ifndef ACTUARY_TESTS_MEGATRON_SETTINGS_H
#define ACTUARY_TESTS_MEGATRON_SETTINGS_H

#include <actuary/plan.h>
#include <jansson.h>

/* Fills in a resolved plan. Fails the test when a preset is missing. */
void plan_of_megatron_settings(const json_t *settings, struct act_plan *ret);

#endif
