/* All scenarios of a command line, opened and estimated, for what needs them side by side. */
#ifndef ACTUARY_CLI_CASES_H
#define ACTUARY_CLI_CASES_H

#include "cli/options.h"
#include "io/comparison.h"

struct act_cases {
    int count;
    struct act_plan *plans;
    struct act_result *results;
    struct act_case *item;
};

/* Opens and estimates every operand, at most ACT_CASES_MAX. Returns ACT_EXIT_OK, or another status
 * with a message printed. act_cases_free in any case. */
int act_cases_open(const struct act_options *options, struct act_cases *ret);
void act_cases_free(struct act_cases *cases);

/* ACT_EXIT_OK when all fit and break no rule, else ACT_EXIT_UNFIT. */
int act_cases_status(const struct act_cases *cases);

#endif
