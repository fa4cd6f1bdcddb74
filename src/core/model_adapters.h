/* Which matrices are adapted, and what adapters add (engine.md 3.1, memory-fsdp-lora.md 2.6). */
#ifndef ACTUARY_CORE_MODEL_ADAPTERS_H
#define ACTUARY_CORE_MODEL_ADAPTERS_H

#include <actuary/model.h>

#include "core/model_matrices.h"

/* Has a matrix of that role a LoRA adapter? False for other kinds of adapters. */
bool act_role_adapted(const struct act_training_fields *training, enum act_role role);

/* Trainable parameters of the plan's adapters; `count` has the layers counted. */
double act_adapter_count(const struct act_plan *plan, const struct act_parameters *count);

#endif
