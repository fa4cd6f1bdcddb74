/* What framework fields, kernels and the frozen base mean for FSDP, ZeRO and adapter loops
 * (memory-fsdp-lora.md 2.3 to 2.7). */
#include "core/profile_fsdp.h"

static bool is_bitsandbytes(const struct act_plan *plan)
{
    return plan->training.method == ACT_QLORA && (plan->training.quantisation == ACT_NF4 ||
                                                  plan->training.quantisation == ACT_NF4_DOUBLE);
}

/* An fp32 stream needs fp32 weights that autocast multiplies in 16 bit: the trained ones, or a
 * base that is loaded or lifted so. */
static void read_residual(const struct act_plan *plan, struct act_profile *ret)
{
    if (!ret->adapters || ret->element == 4)
        return;
    bool asked = plan->framework.residual == ACT_RESIDUAL_FP32 && ret->base_linear >= 4;
    bool lifted = is_bitsandbytes(plan) && plan->framework.lifts_frozen > 0;
    ret->residual = asked || lifted ? 4 : 2;
}

/* Counted with saved-tensor hooks: an eager RMSNorm keeps an fp32 copy and, if its weight trains,
 * the normalised tensor in the stream's type; a LayerNorm its input. */
static void read_norms(const struct act_plan *plan, struct act_profile *ret)
{
    struct act_fsdp_profile *fsdp = &ret->fsdp;
    bool rms = plan->model.norm == ACT_RMSNORM;

    fsdp->norm_trained = fsdp->norm_fixed = ret->element;
    if (rms && fsdp->eager) {
        fsdp->norm_trained = ret->residual == 4 ? 8 : 6;
        fsdp->norm_fixed = 4;
    }
    fsdp->own_inputs = fsdp->eager && ret->residual == 4 && ret->element == 2;
}

/* Softmax runs in fp32; a 16-bit run keeps a 16-bit copy of it. Dropout adds its mask, in fp32
 * also its output (16-bit: the copy is the output). */
static void read_scores(const struct act_plan *plan, struct act_profile *ret)
{
    struct act_fsdp_profile *fsdp = &ret->fsdp;

    fsdp->score = 0;
    if (plan->training.attention_kernel != ACT_MATH)
        return;
    if (plan->framework.score_bytes >= 0) {
        fsdp->score = plan->framework.score_bytes;
        return;
    }
    fsdp->score = ret->element == 4 ? 4 : 6;
    if (plan->training.attention_dropout > 0)
        fsdp->score += ret->element == 4 ? 5 : 1;
    if (plan->model.soft_cap > 0)
        fsdp->score += 2;
}

static void read_layer(const struct act_plan *plan, struct act_profile *ret)
{
    struct act_fsdp_profile *fsdp = &ret->fsdp;
    int64_t lifted = is_bitsandbytes(plan) ? plan->framework.quantised_fp32 : ACT_FP32_NONE;

    fsdp->eager = plan->framework.kernels == ACT_EAGER;
    read_norms(plan, ret);
    read_scores(plan, ret);
    fsdp->dropped = 0;
    if (ret->adapters && plan->training.adapter == ACT_ADAPTER_LORA &&
        plan->training.lora_dropout > 0)
        fsdp->dropped = ret->element + 1;
    fsdp->attention_element = lifted != ACT_FP32_NONE ? 4 : ret->element;
    /* A plain activation reads the 4-bit linear's own output, which is fp32 then. */
    fsdp->mlp_element = lifted == ACT_FP32_LAYER || (lifted == ACT_FP32_ATTENTION && !ret->gated)
                            ? 4
                            : ret->element;
    fsdp->sp_keeps_inputs = plan->framework.sp_keeps_inputs > 0;
}

static void read_gathered(const struct act_plan *plan, struct act_profile *ret)
{
    const struct act_framework_fields *framework = &plan->framework;
    struct act_fsdp_profile *fsdp = &ret->fsdp;
    bool quantised = ret->adapters && ret->base_linear < 2;
    bool gptq = quantised && !is_bitsandbytes(plan);

    /* In a pipeline FSDP2 does not reshard between micro batches. */
    fsdp->whole_after_forward = framework->reshard <= 0 || plan->parallel.pipeline > 1;
    fsdp->mixed_units = framework->mixed_units > 0;
    fsdp->gathered_linear = quantised ? ret->base_linear : ret->element;
    fsdp->unit_gradient = ret->element == 4 ? 4 : framework->unit_gradient_bytes;

    /* A quantised matrix is expanded whole when it is used; GPTQ's unpacking in Python takes six
     * times the 16-bit matrix. */
    double compute = framework->quantised_fp32 != ACT_FP32_NONE ? 4 : ret->element;
    fsdp->expanded = !quantised ? 0 : gptq ? 12 : compute;
    fsdp->quantised_head = quantised && framework->quantised_head > 0 ? fsdp->expanded : 0;
}

/* The allocator (memory-fsdp-lora.md 2.7). Logits are the largest blocks of a step: where lengths
 * vary, the old ones are too small for each longer batch. */
static void read_slack(const struct act_plan *plan, struct act_fsdp_profile *ret)
{
    int64_t allocator = plan->framework.allocator;

    if (allocator == ACT_ZERO3_ALLOCATOR && plan->parallel.zero >= 3) {
        ret->slack = ret->head_slack = 1.45;
    } else if (allocator == ACT_EXPANDABLE) {
        ret->slack = ret->head_slack = 1.15;
    } else {
        ret->slack = 1.10;
        ret->head_slack = plan->training.lengths == ACT_VARYING ? 3.6 : 1.40;
    }
}

void act_profile_fsdp(const struct act_plan *plan, struct act_profile *ret)
{
    ret->fsdp = (struct act_fsdp_profile){0};
    if (plan->framework.family != ACT_FSDP)
        return;
    read_residual(plan, ret);
    read_layer(plan, ret);
    read_gathered(plan, ret);
    read_slack(plan, &ret->fsdp);
}
