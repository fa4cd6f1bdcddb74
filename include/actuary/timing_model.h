/* The step estimated (timing.md 2): one matmul, one ring of traffic, one layer, one step.
 *
 * Pure functions of a resolved plan. Seconds, bytes, bytes/s and FLOP/s; counts are doubles. A size
 * of 0 costs only its launch; a rate of 0 gives infinity, which act_time_of reports as no time. The
 * constants were fitted to 659 measured step times: the same rows come out within 4.3 % in the
 * median (dense 4.2, MoE bf16 8.7, LoRA 4.9), 15 % in nine of ten. Shapes of formulas: Megatron-LM
 * (arXiv 2104.04473, 2205.05198), FlashAttention (2205.14135), ring collectives of NCCL. */
#ifndef ACTUARY_TIMING_MODEL_H
#define ACTUARY_TIMING_MODEL_H

#include <actuary/layout.h>
#include <actuary/model.h>
#include <actuary/plan.h>
#include <stdbool.h>

/* Where the seconds of a step go. */
enum act_time_part {
    ACT_TIME_COMPUTE, /* forward and backward, with the gaps that the CPU leaves */
    ACT_TIME_RECOMPUTE,
    ACT_TIME_TENSOR,   /* exposed traffic of TP … */
    ACT_TIME_CONTEXT,  /* … of CP */
    ACT_TIME_EXPERT,   /* … of EP */
    ACT_TIME_PIPELINE, /* … between stages */
    ACT_TIME_BUBBLE,
    ACT_TIME_DATA, /* exposed traffic of DP, ZeRO, FSDP */
    ACT_TIME_OPTIMIZER,
    ACT_TIME_OFFLOAD, /* transfers between host memory and GPU */
    ACT_TIME_PARTS,
};

/* Name as in JSON, and the letter of its part of a bar. */
const char *act_time_part_name(enum act_time_part part);
char act_time_part_letter(enum act_time_part part);

/* How fast matmuls of one precision run. */
struct act_matmul_rate {
    double flops;   /* FLOP/s reached: peak x efficiency */
    double inner;   /* k0: inner width at which half of that is left */
    double element; /* bytes of an input element */
    double cast;    /* seconds to cast one element to 8 or 4 bits, else 0 */
    double multiprocessors;
    double memory; /* bytes/s of device memory reached */
};

/* Matmuls of `batch` pairs (m x k)(k x n); `share` of the rate is reached. Seconds. */
double act_gemm(const struct act_matmul_rate *rate, double batch, double m, double n, double k,
                double share);

/* One linear layer of m rows, n outputs, k inputs: forward, and backward (gradients of input and,
 * unless frozen, of weights). Weights are cast once in `micro_batches`. */
struct act_linear {
    double forward, backward;
};
struct act_linear act_linear_of(const struct act_matmul_rate *rate, double batch, double m,
                                double n, double k, double share, bool frozen,
                                double micro_batches);

/* The wires of one GPU. */
struct act_wires {
    double link, nic; /* bytes/s, one direction: of the data sheet, or what cards without
                         peer-to-peer reach where a preset says so */
    double domain;    /* GPUs that the link joins */
    bool mesh;        /* no switch: a group of n uses n - 1 of the domain's pairs */
};

/* Ranks of a group that stand in one link domain when neighbours are `stride` GPUs apart. */
double act_ranks_inside(const struct act_wires *wires, double group, double stride);

/* One all-gather or reduce-scatter of `size` bytes over `group` ranks, `inside` of them in one link
 * domain. 0 for a group of one. */
double act_ring(const struct act_wires *wires, double size, double group, double inside);

/* One micro batch through one layer on one rank. */
struct act_layer_time {
    double forward, backward;    /* GPU alone */
    double attention;            /* of forward: the scores */
    double traffic;              /* exposed, of one way forward */
    double host;                 /* the CPU needs at least this long to launch it */
    double seconds;              /* forward, backward, traffic, recompute; at least host */
    double launch;               /* of seconds: the GPU waits for the CPU */
    double part[ACT_TIME_PARTS]; /* of seconds */
};

/* One step. Every figure of seconds includes what it names for one step, unless said otherwise. */
struct act_step_time {
    double layer, head, transfer; /* one micro batch: mean layer, head, transfers between stages */
    struct act_layer_time dense, moe; /* one micro batch; zero when the model has none */
    double micro_batches;
    double body, bubble, data, optimizer;
    double launch;      /* of compute, with growth: the GPU waits for the CPU */
    double launched;    /* the same: layers that take as long as the CPU needs */
    double first, last; /* layers of the longest stage and of the last one */
    double growth;      /* factor by which wide groups take longer */
    double seconds;     /* (body + bubble + data + optimizer) x growth, and what offload adds */
    double part[ACT_TIME_PARTS]; /* sums to seconds */
};

/* Needs a peak; of the textbook family it means nothing. */
void act_step_of(const struct act_plan *plan, const struct act_parameters *parameters,
                 const struct act_layout *layout, struct act_step_time *ret);

#endif
