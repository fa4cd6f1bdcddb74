/* Figures of a measured run into a plan: typed, in a scenario file, or out of a training log. The
 * arithmetic is core/calibrate's; here are today's date, files, and what happens when. */
#ifndef ACTUARY_IO_MEASURED_H
#define ACTUARY_IO_MEASURED_H

#include <actuary/plan.h>
#include <stddef.h>

/* After `field` was set in `plan`: a step time takes the place of tokens/s/GPU and the other way
 * round, "auto" forgets the run, a factor typed by hand is no longer a run's. Nothing happens for
 * other fields. Returns what is to be pinned (enum act_pin) once all is set. */
unsigned act_measured_changed(struct act_plan *plan, enum act_field_id field);

/* Pins those figures on the layout of `plan`, measured today. 0 for nothing, or -1 with a sentence
 * and the plan untouched. */
int act_measured_pin(struct act_plan *plan, unsigned pins, char *why, size_t why_size);

/* Pins what a scenario gives without its factor: it was measured on the scenario's own layout.
 * What calibration.from says is kept. */
int act_measured_complete(struct act_plan *plan, char *why, size_t why_size);

/* Reads a training log and pins what it shows on the layout of `plan`; ret_said (may be NULL) gets
 * what was taken from it: "412 lines of Megatron-LM". Returns 0, or -1 with a sentence that names
 * the file, the plan untouched. */
int act_measured_log(struct act_plan *plan, const char *path, char *ret_said, size_t said_size,
                     char *why, size_t why_size);

#endif
