/* Shared by the rooms of memory: what one GPU of a stage holds, before phases are compared. */
#ifndef ACTUARY_CORE_MEMORY_PARTS_H
#define ACTUARY_CORE_MEMORY_PARTS_H

#include <actuary/layout.h>
#include <actuary/memory.h>
#include <actuary/model.h>
#include <actuary/plan.h>
#include <actuary/profile.h>

#include "core/model_matrices.h"

/* Parameters on one GPU by how they are sharded and optimized. */
struct act_rank_parameters {
    double matrix;  /* linear layers but the experts: sharded over D */
    double experts; /* sharded over D_e */
    double rest;    /* norms, embedding, positions, head: sharded over D */
};

/* The layers of one stage. */
struct act_stage_layers {
    int64_t kind[ACT_LAYER_KINDS];
    int64_t kept[ACT_LAYER_KINDS];        /* of them not replayed as a whole */
    int64_t frozen[ACT_LAYER_KINDS];      /* of them not trained */
    int64_t frozen_kept[ACT_LAYER_KINDS]; /* neither trained nor replayed */
    double live_kept[ACT_LAYER_KINDS];    /* layers x micro batches alive, nothing replayed */
    double live_full[ACT_LAYER_KINDS];    /* the same of layers replayed as a whole */
    double live_frozen_kept[ACT_LAYER_KINDS], live_frozen_full[ACT_LAYER_KINDS]; /* … not trained */
    double live_first;          /* micro batches alive of the first chunk */
    double live_last;           /* … of the last chunk */
    double live_sum;            /* … of all chunks together */
    bool full[ACT_LAYER_KINDS]; /* some layer of the kind is replayed as a whole */
};

/* What is worked out once a plan. */
struct act_parts {
    const struct act_plan *plan;
    const struct act_parameters *parameters;
    const struct act_layout *layout;
    struct act_profile profile;
    struct act_rank_parameters layer[ACT_LAYER_KINDS];
    int mtp_kind;                   /* MTP layers are of the last layer's kind */
    struct act_rank_parameters mtp; /* one MTP layer without its embedding copy */
    double vocabulary;              /* rows, padded */
    double embedding, head;         /* of those rows, /t */
    double positions;
    double final_norm;
    double adapters; /* LoRA parameters for one parameter of a layer */
    int64_t first[ACT_LIST_MAX], count[ACT_LIST_MAX];
};

void act_parts_of(const struct act_plan *plan, const struct act_parameters *parameters,
                  const struct act_layout *layout, struct act_parts *ret);

void act_stage_walk(const struct act_parts *parts, int stage, struct act_stage_layers *ret);

/* Does selective recompute drop the module's activations? */
bool act_drops_module(const struct act_plan *plan, enum act_recompute_module module);

/* Vocabulary rows as the framework pads them (rules V10). */
double act_padded_vocabulary(const struct act_plan *plan);

/* The families: each fills in a stage's components for every phase and picks the peak. */
void act_memory_textbook(const struct act_parts *parts, struct act_memory *ret);
void act_memory_megatron(const struct act_parts *parts, struct act_memory *ret);
void act_memory_fsdp(const struct act_parts *parts, struct act_memory *ret);

/* Half widths of the error bars of a resolved plan, shares. */
void act_memory_errors(const struct act_plan *plan, double *ret_allocated, double *ret_device);

enum { ACT_ALLOCATED_COUNT = ACT_FRAGMENTATION };

/* The end of a stage. Nothing in any phase yet. */
void act_stage_clear(struct act_stage *ret);
/* Layers and micro batches alive. */
void act_stage_layers_of(const struct act_stage_layers *layers, struct act_stage *ret);
/* From the contents of the phases: the largest phase is the peak, its contents the components. */
void act_stage_peak(struct act_stage *ret);
/* What the allocator holds and what the device shows. */
void act_stage_counters(double reserved, double context, struct act_stage *ret);

#endif
