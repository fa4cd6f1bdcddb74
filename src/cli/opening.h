/* Scenarios that a command line names, and what its --set changes in them. */
#ifndef ACTUARY_CLI_OPENING_H
#define ACTUARY_CLI_OPENING_H

#include "cli/options.h"
#include <actuary/plan.h>

/* Opens the operand; problems go to standard error. Returns ACT_EXIT_OK or ACT_EXIT_FILE. */
int act_cli_open(const struct act_options *options, int operand, struct act_plan *ret);

/* Opens every operand into `plans` and carries --set out on each. All are read before one is
 * refused, so that every bad file is named. Returns ACT_EXIT_OK, _FILE or _USAGE. */
int act_cli_open_all(const struct act_options *options, struct act_plan *plans);

/* Carries out every --set, then --measured-log. Returns ACT_EXIT_OK, or with a message printed
 * ACT_EXIT_USAGE, of a log ACT_EXIT_FILE. */
int act_cli_set(const struct act_options *options, struct act_plan *plan);

#endif
