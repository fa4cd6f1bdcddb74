/* The verbs. Each returns the exit status of the program. */
#ifndef ACTUARY_CLI_VERBS_H
#define ACTUARY_CLI_VERBS_H

#include "cli/options.h"

/* Runs the verb of the options, or prints help or version. Not for the planner without these. */
int act_cli_run(const struct act_options *options);

int act_cli_plan(const struct act_options *options);
int act_cli_compare(const struct act_options *options);
int act_cli_explain(const struct act_options *options);
int act_cli_need(const struct act_options *options);
int act_cli_list(const struct act_options *options);
int act_cli_show(const struct act_options *options);

#endif
