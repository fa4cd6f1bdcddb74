/* The peaks that a hardware preset lists. */
#ifndef ACTUARY_CORE_PEAK_H
#define ACTUARY_CORE_PEAK_H

#include <actuary/plan.h>

/* Of one precision, FLOP/s; ACT_AUTO where the card lacks it. */
double act_peak_of(const struct act_hardware_fields *card, int64_t precision);

/* The widest precision that the card lists; false where it lists none. */
bool act_peak_widest(const struct act_hardware_fields *card, enum act_precision *ret);

#endif
