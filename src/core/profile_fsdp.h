/* The FSDP family's part of a profile. */
#ifndef ACTUARY_CORE_PROFILE_FSDP_H
#define ACTUARY_CORE_PROFILE_FSDP_H

#include <actuary/profile.h>

/* Fills in ret->fsdp, and the residual stream's type under adapters; the rest is read before. */
void act_profile_fsdp(const struct act_plan *plan, struct act_profile *ret);

#endif
