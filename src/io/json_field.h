/* A field's value in JSON: a number in base units, a name, true or false, "auto", a list. */
#ifndef ACTUARY_IO_JSON_FIELD_H
#define ACTUARY_IO_JSON_FIELD_H

#include "io/json_build.h"
#include <actuary/field.h>

/* Of a field that holds a number or a name, from the value that act_field_number gives. */
json_t *act_json_field_number(enum act_field_id id, double value);

/* The field of a plan, of whatever kind. */
void act_json_set_field(struct act_json_builder *builder, json_t *object, const char *key,
                        const struct act_plan *plan, enum act_field_id id);

#endif
