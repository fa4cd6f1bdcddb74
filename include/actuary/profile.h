/* What a plan's framework fields, precision, optimizer and kernels mean in bytes: the switches
 * and widths that the memory formulas take. Knows fields, never a framework's name. */
#ifndef ACTUARY_PROFILE_H
#define ACTUARY_PROFILE_H

#include <actuary/plan.h>

/* Switches of the FSDP family (memory-fsdp-lora.md 2). */
struct act_fsdp_profile {
    /* Activations (2.5). */
    bool eager;                      /* every operation keeps its own tensors */
    double norm_trained, norm_fixed; /* bytes a hidden unit that one norm keeps, weight or no */
    bool own_inputs;                 /* each linear keeps its own 16-bit copy of an fp32 input */
    double dropped; /* bytes an input element that LoRA dropout keeps (copy and mask), else 0 */
    double attention_element, mlp_element; /* of queries, keys, values; of the inner MLP */
    double score;                          /* bytes a score that math attention keeps, else 0 */
    bool sp_keeps_inputs;
    /* Gathered sets and gradients (2.1 to 2.3). */
    bool whole_after_forward; /* no reshard: gathered weights stay */
    bool mixed_units;         /* frozen weights have gradients beside the trained ones */
    double gathered_linear;   /* bytes a parameter of a gathered layer's matrices */
    double expanded;          /* bytes an element of a quantised matrix in use, else 0 */
    double quantised_head;    /* bytes an element of a quantised head at the loss, else 0 */
    double unit_gradient;     /* bytes a parameter of the whole gradient of a sharded unit */
    /* Reserved (2.7). */
    double slack, head_slack;
};

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

    struct act_fsdp_profile fsdp;
};

/* Bytes of optimizer state a trained parameter without the fp32 master (engine.md 1): matrices of
 * layers, and everything else (differs for Muon only). Of a resolved plan. */
double act_optimizer_bytes(const struct act_plan *plan, bool matrix);

/* Reads a resolved plan. */
void act_profile_of(const struct act_plan *plan, struct act_profile *ret);

#endif
