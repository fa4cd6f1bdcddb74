/* How many replicas make a deadline. */
#ifndef ACTUARY_CORE_DEADLINE_H
#define ACTUARY_CORE_DEADLINE_H

#include "core/check_rules.h"

/* The least DP whose calendar days stay within `deadline`; 0 when none does: what is added may be
 * eaten up by failures, by communication, or find no micro batch. An estimated step is only known
 * for a DP that divides the batch. With a given MFU `whole` prefers such a DP where one is near. */
int64_t act_deadline_data(const struct act_case *at, double deadline, bool whole);

#endif
