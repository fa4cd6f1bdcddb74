/* The repair of the checks on memory. Finding one takes estimates of other plans, so that it
 * stands above the checks. */
#ifndef ACTUARY_CORE_CURE_H
#define ACTUARY_CORE_CURE_H

#include <actuary/estimate.h>

/* Names the change that makes a plan fit at the fewest days in the check that says it does not, or
 * how many cards the states alone need. Rules come first: while one is broken, nothing is
 * named. */
void act_cure(const struct act_plan *plan, struct act_result *result);

#endif
