/* What the rooms of the step estimate share: a plan read once into rates, widths and groups. */
#ifndef ACTUARY_CORE_TIMING_PARTS_H
#define ACTUARY_CORE_TIMING_PARTS_H

#include <actuary/timing_model.h>

/* Seconds of one kernel's start, and of a doubling of a group's ranks (timing.md 3.3). */
#define ACT_GAP     4e-6
#define ACT_LATENCY 10e-6
/* What is reached of a link, a NIC and of device memory. */
#define ACT_LINK_SHARE   0.75
#define ACT_NIC_SHARE    0.80
#define ACT_MEMORY_SHARE 0.80
/* Of the matmul rate in the products of math attention: heads of a multiple of 8, and others, which
 * no tensor core takes. */
#define ACT_SCORES_SHARE     0.55
#define ACT_ODD_SCORES_SHARE 0.14
/* What is seen of experts' all-to-alls. */
#define ACT_EXPERT_VISIBLE 0.60

struct act_step_plan {
    const struct act_plan *plan;
    const struct act_layout *layout;
    struct act_matmul_rate wide, narrow; /* 16 bits or more; what fp8 and fp4 runs lower */
    double attention;                    /* FLOP/s of the flash kernel, before widths */
    bool flash;
    double memory; /* bytes/s reached */
    struct act_wires wires;
    /* timing.md 2's symbols. */
    double T, b, s, h, V, a, g, e, f, t, c, p, v, d, n, x, m, q;
    double E, k, fm, fs;
    double key, value;             /* widths of a head's keys and values */
    double kv;                     /* KV heads of a rank */
    double gates;                  /* u: matrices of h x f forward */
    double element;                /* bytes of an activation: 2, in fp32 4 */
    bool lora, quantised, sharded; /* sharded: ZeRO-3 */
    double weight_bytes;           /* gathered bytes a frozen or trained weight */
};

void act_step_plan_of(const struct act_plan *plan, const struct act_layout *layout,
                      struct act_step_plan *ret);

/* Part of 1F1B's bubble that a schedule leaves, and how many times as long a step takes with
 * states in host memory. Both approximate. */
double act_bubble_share(int64_t schedule);
double act_offload_factor(int64_t offload);

/* One layer; `weights` are the dense matrix weights of the layer in all. */
void act_layer_time_of(const struct act_step_plan *step, bool moe, double weights,
                       struct act_layer_time *ret);

/* Exposed traffic of one layer. */
struct act_layer_traffic {
    double tensor, expert;                    /* each way */
    double context_forward, context_backward; /* less what hides behind the scores */
};
void act_layer_traffic_of(const struct act_step_plan *step, bool moe, double attention_forward,
                          double attention_backward, struct act_layer_traffic *ret);

/* One micro batch's transfers between the stages, both directions. */
double act_stage_transfers(const struct act_step_plan *step);

/* Parameters of one rank, and of one layer in all. */
struct act_step_weights {
    double dense, experts;           /* of a rank */
    double layer, layer_experts;     /* gathered by ZeRO-3 for one layer; experts of a rank */
    double dense_layers, moe_layers; /* how many */
    double trained;                  /* share of all parameters that has gradients and states */
};

/* Exposed traffic of gradients and weights in one step. `layer` is a mean layer's time. */
double act_data_traffic(const struct act_step_plan *step, const struct act_step_weights *weights,
                        double layer);

/* Every second of the step times `factor`. */
void act_step_scale(double factor, struct act_step_time *step);

#endif
