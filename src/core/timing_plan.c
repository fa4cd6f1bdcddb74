/* A plan as the step estimate reads it: rates of the card, widths of the model, sizes of groups
 * (timing.md 2, 3). */
#include "core/timing_parts.h"

#include <actuary/timing.h>
#include <math.h>

enum { AMPERE = 8, HOPPER = 9 };

/* Passes over an element that casts to fewer bits make (timing.md 2.1): one scale a tensor, one a
 * row of both operands, one a block. */
static double recipe_of(enum act_precision precision)
{
    switch (precision) {
    case ACT_FP8_ROWWISE:
        return 6;
    case ACT_MXFP8:
        return 3;
    default:
        return 1;
    }
}

/* k0 grows with the peak of a multiprocessor: it must be fed from the same memory. 64 on an A100,
 * whose peak of 312e12 comes from 108. */
static double inner_of(double peak, double multiprocessors)
{
    return 64 * (peak / multiprocessors) / (312e12 / 108);
}

/* Peak of what an fp8 or fp4 run leaves in 16 bits. */
static double wide_peak(const struct act_hardware_fields *card, double narrow, double ratio)
{
    return card->peak_bf16 > 0   ? card->peak_bf16
           : card->peak_fp16 > 0 ? card->peak_fp16
                                 : narrow / ratio;
}

static void read_rates(const struct act_plan *plan, struct act_step_plan *ret)
{
    const struct act_hardware_fields *card = &plan->hardware;
    enum act_precision used;
    double peak = act_time_peak(plan, &used);
    double multiprocessors = card->sm_count > 0 ? (double)card->sm_count : 1;
    bool fp8 = used == ACT_FP8 || used == ACT_FP8_ROWWISE || used == ACT_MXFP8;
    bool fp4 = used == ACT_NVFP4;
    double wide = fp4 ? wide_peak(card, peak, 4) : fp8 ? wide_peak(card, peak, 2) : peak;

    ret->memory = ACT_MEMORY_SHARE * card->memory_bandwidth;
    ret->element = used == ACT_FP32 || used == ACT_TF32 ? 4 : 2;
    ret->wide = (struct act_matmul_rate){.flops = wide * card->matmul_efficiency,
                                         .inner = inner_of(wide, multiprocessors),
                                         .element = ret->element,
                                         .multiprocessors = multiprocessors,
                                         .memory = ret->memory};
    ret->narrow = ret->wide;
    if (fp8 || fp4) {
        ret->narrow.flops = peak * (fp4 ? card->fp4_efficiency : card->fp8_efficiency);
        ret->narrow.inner = inner_of(peak, multiprocessors);
        ret->narrow.element = fp4 ? 0.56 : 1; /* fp4 with a scale for 16 */
        ret->narrow.cast = 4 * 0.9 * recipe_of(used) / ret->memory;
    }

    /* Kernels of an older generation on a newer card (FlashAttention 2 and 3). */
    bool newer = card->compute_capability >= HOPPER;
    bool cudnn = plan->training.attention_kernel == ACT_CUDNN;
    double kernel = cudnn || plan->framework.flash_generation >= 3 ? 1
                    : plan->framework.flash_generation == 2        ? (newer ? 0.60 : 1)
                                                                   : (newer ? 0.40 : 0.70);
    ret->flash = plan->training.attention_kernel != ACT_MATH;
    ret->attention = wide * card->attention_efficiency * kernel;
}

static void read_groups(const struct act_plan *plan, const struct act_layout *layout,
                        struct act_step_plan *ret)
{
    const struct act_parallel_fields *parallel = &plan->parallel;
    const struct act_hardware_fields *card = &plan->hardware;
    bool moe = plan->model.experts > 0;

    ret->wires = (struct act_wires){.link = card->link_bandwidth,
                                    .nic = card->nic_bandwidth,
                                    .domain = fmax((double)card->link_domain, 1),
                                    .mesh = card->link_topology == ACT_MESH};
    ret->t = fmax((double)parallel->tensor, 1);
    ret->c = fmax((double)parallel->context, 1);
    ret->d = fmax((double)parallel->data, 1);
    ret->n = moe ? fmax((double)parallel->expert, 1) : 1;
    ret->x = moe ? fmax((double)parallel->expert_tensor, 1) : 1;
    ret->p = layout->stages;
    ret->v = layout->chunks;
    ret->m = layout->micro_batches;
    ret->T = layout->tokens;
    ret->b = (double)plan->training.micro_batch;
    ret->s = (double)plan->training.sequence;
    ret->q = parallel->sequence_parallel > 0 ? 1 / ret->t : 1;
    ret->sharded = parallel->zero >= 3;
}

/* Bytes a weight of a quantised base on the wire, scales included. */
static double quantised_bytes(int64_t quantisation)
{
    switch ((enum act_quantisation)quantisation) {
    case ACT_GPTQ_8:
        return 1.03;
    case ACT_NF4:
    case ACT_NF4_DOUBLE:
    case ACT_GPTQ_4:
        return 0.53;
    case ACT_NO_QUANTISATION:
        break;
    }
    return 2;
}

void act_step_plan_of(const struct act_plan *plan, const struct act_layout *layout,
                      struct act_step_plan *ret)
{
    const struct act_model_fields *model = &plan->model;
    bool mla = model->attention == ACT_MLA;
    bool gated = model->activation == ACT_SWIGLU || model->activation == ACT_GEGLU;

    ret->plan = plan;
    ret->layout = layout;
    read_rates(plan, ret);
    read_groups(plan, layout, ret);
    ret->h = (double)model->hidden;
    ret->V = (double)model->vocab;
    ret->a = (double)model->heads;
    ret->g = (double)model->kv_heads;
    ret->e = (double)model->head_dim;
    ret->f = (double)model->ffn;
    ret->E = (double)model->experts;
    ret->k = fmin((double)model->experts_per_token, fmax(ret->E, 1));
    ret->fm = (double)model->expert_ffn;
    ret->fs = (double)model->shared_ffn;
    ret->key = mla ? (double)(model->qk_nope_dim + model->qk_rope_dim) : ret->e;
    ret->value = mla ? (double)model->v_head_dim : ret->e;
    ret->kv = fmax(ret->g / ret->t, 1);
    ret->gates = gated ? 2 : 1;
    ret->lora = plan->training.method == ACT_LORA || plan->training.method == ACT_QLORA;
    ret->quantised =
        plan->training.method == ACT_QLORA && plan->training.quantisation != ACT_NO_QUANTISATION;
    ret->weight_bytes =
        ret->quantised ? quantised_bytes(plan->training.quantisation) : ret->element;
}
