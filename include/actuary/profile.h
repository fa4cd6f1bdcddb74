/* What a plan's framework fields, precision, optimizer and kernels mean in bytes: the switches
 * and widths that the memory formulas take. Knows fields, never a framework's name. */
#ifndef ACTUARY_PROFILE_H
#define ACTUARY_PROFILE_H

#include <actuary/plan.h>

struct act_profile {
    /* States, bytes a parameter before any sharding (memory-megatron.md 1.1). */
    double weight, gradient;
    double gradient_partition; /* fp32 gradient that exists only sharded, as the optimizer */
    double optimizer_matrix;   /* master and moments of a weight matrix of a layer */
    double optimizer_rest;     /* the same of norms, embedding and head */
    double step;               /* lives only in the optimizer step */
    /* LoRA and QLoRA: the frozen base (memory-fsdp-lora.md 2.6). */
    bool adapters;
    double base_linear, base_rest;
    double base_scales; /* of the linear parameters, never divided */

    /* Activations (memory-megatron.md 1.2). */
    double element;         /* bytes of an element: 2, in fp32 4 */
    double residual;        /* bytes of an element of the residual stream */
    double norm_copy;       /* bytes a hidden unit that an eager norm keeps on top of its input */
    double output_copies;   /* kappa: copies of the attention output */
    double scores;          /* bytes of a score kept by the math kernel, else 0 */
    double statistics;      /* bytes a head and token kept by flash kernels (log-sum-exp), else 0 */
    double mlp, expert_mlp; /* w, w_m: bytes a unit of inner width */
    double mlp_gradient;    /* bytes of the same alive in its backward */
    bool gated;
    bool hidden_dropout;
    bool sequence_parallel;

    /* Head and loss (memory-megatron.md 1.4, decisions 6): bytes a logit; whether logits exist
     * as a whole, so that the head's backward holds their gradient. */
    double logit;
    bool whole_logits;

    /* Buffers, slack and context (memory-megatron.md 1.5, 1.6; decisions 3). */
    double workspace, bucket;
    double low_precision; /* share that fp8 and fp4 copies add to everything allocated */
    double slack;         /* reserved / allocated */
    double context, context_per_group;
};

/* Reads a resolved plan. */
void act_profile_of(const struct act_plan *plan, struct act_profile *ret);

#endif
