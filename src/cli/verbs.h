/* The verbs. Each returns the exit status of the program. */
#ifndef ACTUARY_CLI_VERBS_H
#define ACTUARY_CLI_VERBS_H

#include "cli/options.h"
#include <actuary/plan.h>

/* Runs the verb of the options, or prints help or version. The planner
 * only with --do or these. */
int act_cli_run(const struct act_options *options);

int act_cli_plan(const struct act_options *options);
/* Estimates plans and prints them in the options' format. */
int act_cli_print_plans(const struct act_options *options, struct act_plan *plans, int count);
int act_cli_compare(const struct act_options *options);
int act_cli_explain(const struct act_options *options);
int act_cli_need(const struct act_options *options);
int act_cli_list(const struct act_options *options);
int act_cli_show(const struct act_options *options);

#endif
