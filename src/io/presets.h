/* Presets: YAML files compiled into the program, and the user's own beside them.
 *
 * A preset file has a head (title, source, date, confidence, note, …) and one group, whose keys
 * are those of a scenario:
 *
 *     title: Llama 2 70B
 *     source: config.json of meta-llama/Llama-2-70b-hf
 *     date: 2026-08
 *     confidence: high
 *     model:
 *       layers: 80
 *
 * Scenario presets are whole scenario files. Users' folders are looked at first:
 * $XDG_CONFIG_HOME/actuary/presets/{models,frameworks,hardware,scenarios}, then the same under
 * $XDG_DATA_HOME and each of $XDG_DATA_DIRS (values that are not absolute are ignored). */
#ifndef ACTUARY_IO_PRESETS_H
#define ACTUARY_IO_PRESETS_H

#include "io/problem.h"
#include <actuary/field.h>
#include <stdbool.h>
#include <stddef.h>

enum act_preset_kind { ACT_MODELS, ACT_FRAMEWORKS, ACT_HARDWARE, ACT_SCENARIOS, ACT_PRESET_KINDS };

/* "models", "frameworks", "hardware", "scenarios": folder and `actuary list` name. */
const char *act_preset_kind_name(enum act_preset_kind kind);
/* The kind that fills a group, or -1. */
int act_preset_kind_of_group(enum act_group group);

/* How many presets of a kind there are, and the i-th name, sorted; the user's included (the
 * user's folders are read once, at the first call). */
int act_preset_count(enum act_preset_kind kind);
const char *act_preset_name(enum act_preset_kind kind, int index);
/* Index of a name, or -1. */
int act_preset_find(enum act_preset_kind kind, const char *name);
/* The nearest name, for "did you mean", or NULL. */
const char *act_preset_nearest(enum act_preset_kind kind, const char *name);

struct act_preset_info {
    char title[96], source[512], date[16], confidence[16], note[512];
    bool user;      /* from the user's folders */
    char path[512]; /* of a user's preset; "" when compiled in */
};
/* Head of a preset; 0, or -1 when the preset is broken: problems are then those of its file. */
int act_preset_describe(enum act_preset_kind kind, const char *name, struct act_preset_info *ret,
                        struct act_problems *problems);

/* The preset's YAML text. NULL when there is none or it cannot be read. Lives until exit. */
const char *act_preset_text(enum act_preset_kind kind, const char *name, size_t *ret_size);

/* Fills the group of `plan` from a model, framework or hardware preset: every field of the group
 * that presets cover is set from the preset, or to the table's default where the preset is
 * silent; fields whose given bit is set keep their value, unless `overrule` (then the given bits
 * of covered fields are cleared: a freshly picked preset replaces what was typed beside the old
 * one). The preset's name is stored and, with `overrule`, marked given.
 * Returns 0, or -1 with problems, which then are those of the preset's file (made anew, not added),
 * and the plan untouched. */
int act_preset_apply(struct act_plan *plan, enum act_preset_kind kind, const char *name,
                     bool overrule, struct act_problems *problems);

/* A plan with every default and the default presets filled in, their names marked given as
 * act_scenario_parse does. */
void act_preset_default_plan(struct act_plan *ret_plan);

/* Frees what the calls above keep (for leak-free tests). */
void act_presets_free(void);

#endif
