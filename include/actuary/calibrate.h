/* A measured run corrects the estimates.
 *
 * One run is enough: most of the error of an estimate is common to the layouts of one cluster and
 * its software, so what the run measured over what is estimated of its layout is a factor for
 * every other layout (timing.md 7, decisions 7). The time factor multiplies estimated steps and
 * all parts of them; a given MFU is not touched. The memory factor multiplies everything on the
 * GPU but the context, which stands outside of the framework's allocator. */
#ifndef ACTUARY_CALIBRATE_H
#define ACTUARY_CALIBRATE_H

#include <actuary/plan.h>
#include <stdbool.h>
#include <stddef.h>

/* What of a run is pinned. */
enum act_pin { ACT_PIN_TIME = 1, ACT_PIN_MEMORY = 2 };

/* The part of a pin that a field of a measured run belongs to; 0 for every other field. */
unsigned act_pin_of_field(enum act_field_id field);

/* What of `plan` is measured but has no factor yet: to be pinned once the plan is read. */
unsigned act_pin_missing(const struct act_plan *plan);

/* Holds the measured figures of `plan` (training.measured_…, calibration.counter) against what is
 * estimated of its layout as it stands, without calibration, and writes the factors of `pins`,
 * with layout, `date` ("2026-11-30") and `source` ("train.log", or "") to calibration.from. A pin
 * of one kind leaves the factor of the other, whose run stays named in calibration.memory_from.
 * What `pins` names must be measured. Returns 0, or -1 with a sentence in `why` and the plan
 * untouched: nothing to estimate, a factor beyond 0.1 … 10, two step times, or memory that the
 * allocator fills up whatever the run needs. */
int act_pin(struct act_plan *plan, unsigned pins, const char *date, const char *source, char *why,
            size_t why_size);

/* Forgets factor and figures of `pins`: estimates stand as they are. */
void act_pin_forget(struct act_plan *plan, unsigned pins);

/* Is that factor given? `plan` resolved or not. */
bool act_calibrated(const struct act_plan *plan, enum act_pin pin);
/* Where the factor comes from: "TP 4 PP 2 DP 8, 2026-11-30, train.log", or "". */
const char *act_calibrated_from(const struct act_plan *plan, enum act_pin pin);

#endif
