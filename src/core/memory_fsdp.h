/* The sheets of the FSDP family: states, one layer, one stage (memory-fsdp-lora.md 2). */
#ifndef ACTUARY_CORE_MEMORY_FSDP_H
#define ACTUARY_CORE_MEMORY_FSDP_H

#include "core/memory_sheets.h"

struct act_fsdp_states {
#include "core/terms_members.h"

#include "core/sheets/fsdp_states.def"
#include "core/terms_undef.h"
};

struct act_fsdp_layer {
#include "core/terms_members.h"

#include "core/sheets/fsdp_layer.def"
#include "core/terms_undef.h"
};

struct act_fsdp_stage {
#include "core/terms_members.h"

#include "core/sheets/fsdp_stage.def"
#include "core/terms_undef.h"
};

extern const struct act_term_table act_fsdp_states_table, act_fsdp_layer_table,
    act_fsdp_stage_table;

/* All sheets of one stage; the layers' are the same for every stage. */
struct act_fsdp_sheets {
    struct act_fsdp_layer layer[ACT_LAYER_KINDS];
    struct act_schedule_sheet schedule;
    struct act_parameters_sheet parameters;
    struct act_fsdp_states states;
    struct act_fsdp_stage stage;
};

void act_fsdp_layer_sheet(const struct act_parts *parts, enum act_layer_kind kind,
                          struct act_fsdp_layer *to);

/* The states of a stage, from its parameters. */
void act_fsdp_states_sheet(const struct act_parts *parts, int stage,
                           const struct act_stage_layers *layers,
                           const struct act_parameters_sheet *parameters,
                           struct act_fsdp_states *to);

/* Fills in everything but `layer`, which must be there. */
void act_fsdp_stage_sheets(const struct act_parts *parts, int stage,
                           const struct act_stage_layers *layers, struct act_fsdp_sheets *to);

#endif
