/* Parameter counts by component, and FLOPs. Exact: a total equals the published one to the last
 * digit where the model's description is complete (engine.md 2). Counts are doubles: integers
 * below 2^53, so exact. */
#ifndef ACTUARY_MODEL_H
#define ACTUARY_MODEL_H

#include <actuary/plan.h>

/* Parameters of one layer by how parallelism splits them. */
struct act_layer_parameters {
    double attention_split; /* Q, output, MLA up-projections …: divided by t */
    double attention_kv;    /* K and V: divided by t, at least one head a rank */
    double attention_whole; /* MLA down-projections, QK norms, indexer: on every rank */
    double mlp_split;       /* dense MLP or shared expert: divided by t */
    double mlp_whole;       /* router, gates, biases of the second matrix: on every rank */
    double experts;         /* all routed experts together: divided by EP x ETP */
    double norms;           /* on every rank */
};

struct act_parameters {
    struct act_layer_parameters dense_layer, moe_layer; /* one layer of each kind */
    double dense_layers, moe_layers;                    /* how many of each */
    double linear_layer_extra; /* what a lightning-attention layer has more than a plain one */
    double embedding, positions, embedding_extra; /* extra: projections, embedding norm */
    double final_norm, head;                      /* head is 0 when tied (but for its bias) */
    double mtp;                                   /* all MTP layers, without embedding copies */
    double counted;                               /* exact total of the above */
    double total;                                 /* model.parameters where given, else counted */
    double active; /* a token: routed experts counted k of E; with embedding and head */
    /* The same less the input embedding; a tied one stays: it is the head that a token passes. */
    double active_without_embedding;
    double scale;     /* total / counted */
    double trainable; /* full: total; LoRA: the adapters; freeze: what is left */
};

double act_layer_sum(const struct act_layer_parameters *layer);

/* Counts a resolved plan's parameters. */
void act_model_count(const struct act_plan *plan, struct act_parameters *ret);

/* Is layer `index` (0-based) a MoE layer? */
bool act_model_layer_is_moe(const struct act_plan *plan, int64_t index);

struct act_flops {
    double per_token;          /* model FLOPs a trained token, causal attention counted half */
    double per_token_hardware; /* with recomputation as planned */
    double total;              /* per_token x tokens */
    double six_pd; /* 6 x P x D: P total parameters, of a MoE model those a token uses without the
                      input embedding */
};

/* FLOPs of a resolved plan: 6 (matmul weights used + hV) + 6 s a e L (engine.md 4);
 * MLA 3 s a (e_n + e_r + e_v) L. LoRA: 4 instead of 6 for frozen weights, 6 for adapters; freeze:
 * 2 for frozen leading layers. */
void act_model_flops(const struct act_plan *plan, const struct act_parameters *parameters,
                     struct act_flops *ret);

#endif
