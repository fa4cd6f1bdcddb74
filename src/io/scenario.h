/* Scenario files: text to plan and plan to text, through the field table. */
#ifndef ACTUARY_IO_SCENARIO_H
#define ACTUARY_IO_SCENARIO_H

#include "io/buffer.h"
#include "io/problem.h"
#include "io/save.h"
#include <actuary/plan.h>
#include <stdbool.h>
#include <stddef.h>

/* Reads a scenario: defaults, then presets, then the given values. The three presets' names count
 * as given even when the file is silent, so that it means the same when it is saved. `title`,
 * `source`, `date` and `confidence`, which presets carry, are accepted and not kept. Loads nothing
 * on any problem: 0, or -1 with problems added (they must be initialised) and *ret_plan untouched.
 */
int act_scenario_parse(const char *text, size_t size, struct act_plan *ret_plan,
                       struct act_problems *problems);

/* The same from a file ("-" is standard input), with the factors of a measured run that it gives
 * without them (measured.h), remembering in *ret_stamp (may be NULL) which
 * file it was for act_save. */
int act_scenario_load(const char *path, struct act_plan *ret_plan, struct act_stamp *ret_stamp,
                      struct act_problems *problems);

/* A path, or the name of a scenario preset when no such file exists. */
int act_scenario_open(const char *path_or_preset, struct act_plan *ret_plan,
                      struct act_stamp *ret_stamp, struct act_problems *problems);

/* The same, appending to `text` what was read, for act_patch; nothing of a preset. */
int act_scenario_open_text(const char *path_or_preset, struct act_plan *ret_plan,
                           struct act_stamp *ret_stamp, struct act_buffer *text,
                           struct act_problems *problems);

/* Writes the given fields as a scenario file: schema, name, notes, then group by group; a group
 * of which only the preset is given is the scalar form. act_scenario_parse of it is an equal
 * plan. Returns 0 or -1 (out of room or memory). */
int act_scenario_write(const struct act_plan *plan, struct act_buffer *out);

/* --set KEY=VALUE: sets one field (arithmetic allowed), a preset name fills its group in.
 * Returns 0, or -1 with a sentence in `why`, the plan untouched. */
int act_scenario_set(struct act_plan *plan, const char *key, const char *value, char *why,
                     size_t why_size);

#endif
