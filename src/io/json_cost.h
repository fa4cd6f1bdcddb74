/* The member "cost" of a plan's JSON, with the parts of goodput and of the facility. */
#ifndef ACTUARY_IO_JSON_COST_H
#define ACTUARY_IO_JSON_COST_H

#include "io/json_build.h"
#include <actuary/cost.h>

json_t *act_json_cost(struct act_json_builder *builder, const struct act_plan *plan,
                      const struct act_cost *cost);

#endif
