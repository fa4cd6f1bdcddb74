/* The weight matrices of one layer, listed once: what a parameter count, an adapter count and a
 * FLOP count have to agree on (engine.md 2 and 4). */
#ifndef ACTUARY_CORE_MODEL_MATRICES_H
#define ACTUARY_CORE_MODEL_MATRICES_H

#include <actuary/plan.h>
#include <stdbool.h>

/* What a matrix is for: decides which adapters and which recomputed modules reach it. */
enum act_role {
    ACT_ROLE_QUERY,     /* queries from what they are projected from */
    ACT_ROLE_KEY,       /* keys alone */
    ACT_ROLE_VALUE,     /* values; with MLA the keys and values made from the latent */
    ACT_ROLE_ATTENTION, /* output, MLA down-projections, a lightning layer's gate */
    ACT_ROLE_INDEXER,   /* sparse-attention indexer */
    ACT_ROLE_MLP,       /* dense MLP and shared expert */
    ACT_ROLE_EXPERT,    /* routed experts */
    ACT_ROLE_ROUTER     /* router, shared expert's gate */
};

/* How tensor parallelism splits a matrix or a bias. */
enum act_place {
    ACT_PLACE_SPLIT, /* over all ranks */
    ACT_PLACE_KV,    /* over all ranks, at least one KV head on each */
    ACT_PLACE_WHOLE, /* on every rank */
};

struct act_matrix {
    enum act_role role;
    enum act_place place, bias_place;
    double in, out;
    double bias;  /* parameters of its bias, 0 without */
    double count; /* how many such matrices the layer has */
    double used;  /* how many of them a token passes */
};

enum act_layer_kind {
    ACT_LAYER_DENSE,
    ACT_LAYER_MOE,
    ACT_LAYER_KINDS,
};

enum { ACT_LAYER_MATRICES_MAX = 20 };

struct act_layer_matrices {
    int count;
    struct act_matrix item[ACT_LAYER_MATRICES_MAX];
};

/* The matrices of one layer of a resolved plan; `lightning` gives it linear attention. */
void act_layer_matrices_of(const struct act_plan *plan, enum act_layer_kind kind, bool lightning,
                           struct act_layer_matrices *ret);

/* Weights of one norm of that width. */
double act_norm_size(int64_t norm, double width);

/* Layers with lightning attention, at most all. */
double act_lightning_layers(const struct act_model_fields *model);

#endif
