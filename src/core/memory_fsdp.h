/* Rooms of the FSDP family: one layer's activations, and what a GPU holds of weights, gradients
 * and optimizer (memory-fsdp-lora.md 2). */
#ifndef ACTUARY_CORE_MEMORY_FSDP_H
#define ACTUARY_CORE_MEMORY_FSDP_H

#include "core/memory_parts.h"

/* Bytes of one layer of one micro batch. */
struct act_fsdp_layer {
    double whole;       /* nothing recomputed */
    double kept;        /* under the plan's policy */
    double temporaries; /* gradients inside the layer's backward */
};

void act_fsdp_layer_of(const struct act_parts *parts, enum act_layer_kind kind,
                       struct act_fsdp_layer *ret);

/* Bytes of one stage. */
struct act_fsdp_states {
    double parameters;
    double weights, gradients, optimizer; /* gradients as sharded */
    double extra;                         /* of trained embeddings: copies beside the states */
    double step;                          /* only in the optimizer step */
    double gathered;                      /* whole weights during forward and backward */
    double root;                          /* of them the embedding and the head, also in the step */
    double unsharded;                     /* whole gradients that wait for the last micro batch */
    bool waits;       /* … instead of the sharded ones, which then come in the step only */
    bool accumulated; /* the sharded gradients exist in forward and backward too */
    double unit;      /* the whole gradient of the unit in backward */
    double loaded;    /* while a loader holds the whole model */
    double host;      /* moved to host memory */
};

void act_fsdp_states_of(const struct act_parts *parts, int stage,
                        const struct act_stage_layers *layers, struct act_fsdp_states *ret);

#endif
