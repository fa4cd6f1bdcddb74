/* Values of a YAML tree into fields of a plan, through the field table: what scenario files and
 * preset files have in common. */
#ifndef ACTUARY_IO_ASSIGN_H
#define ACTUARY_IO_ASSIGN_H

#include "io/yaml.h"
#include <actuary/field.h>

/* Which keys a group takes. */
enum act_assign {
    ACT_ASSIGN_SCENARIO, /* all but the preset, which the caller sees to */
    ACT_ASSIGN_PRESET    /* only those that presets cover */
};

/* Sets the field from the node and marks it given, or adds a problem. */
void act_assign_field(struct act_plan *plan, enum act_field_id id, const struct act_node *node,
                      struct act_problems *problems);

/* Sets every key below the group's node. */
void act_assign_group(struct act_plan *plan, enum act_group group, const struct act_node *node,
                      enum act_assign which, struct act_problems *problems);

/* Parses text for the field as act_field_set_text does. Runs that are refused by name are
 * explained. */
int act_assign_text(struct act_plan *plan, enum act_field_id id, const char *text, unsigned flags,
                    char *why, size_t why_size);

/* Adds "unknown key", with the nearest that is known; `group` NULL at the top of a file. */
void act_assign_unknown(const struct act_node *node, const char *group,
                        struct act_problems *problems);

/* The sentence for a key that no field has, for --set. */
void act_assign_explain_unknown(const char *key, char *out, size_t size);

/* A scalar with a value, or a problem. NULL when it is none. */
const char *act_assign_scalar(const struct act_node *node, const char *key,
                              struct act_problems *problems);

/* The first key at the top of a file: `schema`, which newer programs raise. False, with a problem,
 * when this program cannot read the file. */
bool act_assign_schema(const struct act_node *root, struct act_problems *problems);

enum { ACT_SCHEMA = 1 };

#endif
