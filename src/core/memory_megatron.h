/* The sheets of the Megatron family: states, one layer, one stage (memory-megatron.md 1). */
#ifndef ACTUARY_CORE_MEMORY_MEGATRON_H
#define ACTUARY_CORE_MEMORY_MEGATRON_H

#include "core/memory_sheets.h"

struct act_megatron_states {
#include "core/terms_members.h"

#include "core/sheets/megatron_states.def"
#include "core/terms_undef.h"
};

struct act_megatron_layer {
#include "core/terms_members.h"

#include "core/sheets/megatron_layer.def"
#include "core/terms_undef.h"
};

struct act_megatron_stage {
#include "core/terms_members.h"

#include "core/sheets/megatron_stage.def"
#include "core/terms_undef.h"
};

extern const struct act_term_table act_megatron_states_table, act_megatron_layer_table,
    act_megatron_stage_table;

/* All sheets of one stage; the layers' are the same for every stage. */
struct act_megatron_sheets {
    struct act_megatron_layer layer[ACT_LAYER_KINDS];
    struct act_schedule_sheet schedule;
    struct act_parameters_sheet parameters;
    struct act_megatron_states states;
    struct act_megatron_stage stage;
};

void act_megatron_layer_sheet(const struct act_parts *parts, enum act_layer_kind kind,
                              struct act_megatron_layer *to);

/* The states of a stage, from its parameters. */
void act_megatron_states_sheet(const struct act_parts *parts, int stage,
                               const struct act_stage_layers *layers,
                               const struct act_parameters_sheet *parameters,
                               struct act_megatron_states *to);

/* Fills in everything but `layer`, which must be there. */
void act_megatron_stage_sheets(const struct act_parts *parts, int stage,
                               const struct act_stage_layers *layers,
                               struct act_megatron_sheets *to);

/* Elements of the distinct local weight shapes of a stage with those kinds of layers. */
double act_megatron_shapes(const struct act_parts *parts, const bool present[ACT_LAYER_KINDS]);

#endif
