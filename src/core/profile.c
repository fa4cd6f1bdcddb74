#include "core/profile_fsdp.h"

static const double gib = 1024.0 * 1024.0 * 1024.0;

static bool is_fp32(int64_t precision)
{
    return precision == ACT_FP32 || precision == ACT_TF32;
}

static bool is_gated(int64_t activation)
{
    return activation == ACT_SWIGLU || activation == ACT_GEGLU;
}

double act_optimizer_bytes(const struct act_plan *plan, bool matrix)
{
    /* A preset's width is AdamW's (pure bf16 loops keep its states in bf16); one typed holds. */
    bool typed = act_plan_given(plan, ACT_F_framework_state_bytes);
    bool adamw = plan->training.optimizer == ACT_ADAMW && !is_fp32(plan->training.precision);
    if (plan->framework.state_bytes >= 0 && (typed || adamw))
        return plan->framework.state_bytes;
    switch ((enum act_optimizer)plan->training.optimizer) {
    case ACT_ADAMW:
        return 8;
    case ACT_ADAMW_BF16:
        return 4;
    case ACT_ADAM_8BIT:
        /* Two bytes, and an fp32 scale for each block of 256 of either moment. */
        return 2 + 2 * 4.0 / 256;
    case ACT_LION:
    case ACT_SGD_MOMENTUM:
        return 4;
    case ACT_SGD:
        return 0;
    case ACT_ADAFACTOR: {
        /* One fp32 row and one column factor; hidden x inner width stands for all matrices. */
        double inner =
            plan->model.ffn > 0 ? (double)plan->model.ffn : 4.0 * (double)plan->model.hidden;
        double hidden = (double)plan->model.hidden;
        return 4 * (hidden + inner) / (hidden * inner);
    }
    case ACT_MUON:
        return matrix ? 4 : 8;
    }
    return 8;
}

/* Widths of weights, gradients and optimizer (memory-megatron.md 1.1, decisions 4). */
static void read_states(const struct act_plan *plan, struct act_profile *ret)
{
    const struct act_framework_fields *framework = &plan->framework;
    bool fp32 = is_fp32(plan->training.precision);
    bool fp16 = plan->training.precision == ACT_FP16;
    double master = framework->master_weights > 0 && !fp32 ? 4 : 0;

    ret->weight = fp32 ? 4 : framework->weight_bytes;
    ret->gradient = fp32                                          ? 4
                    : fp16 && framework->gradient_bytes_fp16 >= 0 ? framework->gradient_bytes_fp16
                                                                  : framework->gradient_bytes;
    ret->optimizer_matrix = master + act_optimizer_bytes(plan, true);
    ret->optimizer_rest = master + act_optimizer_bytes(plan, false);

    if (fp32)
        ret->step = 0;
    else if (!fp16)
        ret->step = framework->step_bytes;
    else if (plan->parallel.zero < 1)
        ret->step = framework->step_bytes_unsharded;
    else
        ret->step = framework->step_bytes_fp16;

    /* A 16-bit loop with an fp32 master that shards keeps an fp32 partition of the gradient
     * (memory-fsdp-lora.md 2.2: ZeRO-2 has the 16-bit gradients beside it, ZeRO-3 only that). */
    ret->gradient_partition = 0;
    if (framework->family == ACT_FSDP && master > 0 && ret->gradient < 4 &&
        plan->parallel.zero >= 1) {
        ret->gradient_partition = 4;
        if (plan->parallel.zero >= 3) {
            ret->gradient = 0;
            ret->step = 0;
        }
    }
}

/* The frozen base under adapters (memory-fsdp-lora.md 2.6). */
static void read_base(const struct act_plan *plan, struct act_profile *ret)
{
    double whole = is_fp32(plan->training.precision) ? 4 : plan->framework.frozen_bytes;
    /* Preparing for k-bit training lifts norms, embedding and head to fp32; GPTQ models are left
     * alone. */
    double lifted = plan->framework.lifts_frozen > 0 ? 4 : whole;

    ret->adapters = plan->training.method == ACT_LORA || plan->training.method == ACT_QLORA;
    ret->base_linear = ret->base_rest = whole;
    ret->base_scales = 0;
    if (plan->training.method != ACT_QLORA)
        return;
    switch ((enum act_quantisation)plan->training.quantisation) {
    case ACT_NF4:
        ret->base_linear = 0.5;
        ret->base_rest = lifted;
        ret->base_scales = 4.0 / 64;
        break;
    case ACT_NF4_DOUBLE:
        /* An 8-bit scale for 64 weights, an fp32 one for 256 of those. */
        ret->base_linear = 0.5;
        ret->base_rest = lifted;
        ret->base_scales = 1.0 / 64 + 4.0 / (64 * 256);
        break;
    case ACT_GPTQ_4:
        ret->base_linear = 0.5;
        ret->base_scales = 2.5 / 128;
        break;
    case ACT_GPTQ_8:
        ret->base_linear = 1;
        ret->base_scales = 2.5 / 128;
        break;
    case ACT_NO_QUANTISATION:
        break;
    }
}

static void read_activations(const struct act_plan *plan, struct act_profile *ret)
{
    const struct act_framework_fields *framework = &plan->framework;
    bool fp32 = is_fp32(plan->training.precision);
    bool eager = framework->kernels == ACT_EAGER;
    bool math = plan->training.attention_kernel == ACT_MATH;

    ret->element = fp32 ? 4 : 2;
    ret->residual = fp32 || framework->residual == ACT_RESIDUAL_FP32 ? 4 : 2;
    /* engine.md 3.2: an eager RMSNorm keeps an fp32 copy, an eager SwiGLU keeps silu(gate). */
    ret->norm_copy = eager && plan->model.norm == ACT_RMSNORM ? 4 : 0;
    ret->gated = is_gated(plan->model.activation);
    ret->output_copies = framework->flash_copies > 0 &&
                                 plan->training.attention_kernel == ACT_FLASH &&
                                 plan->training.micro_batch > 1
                             ? 2
                             : 1;
    /* Softmax output; with dropout its mask (1) and the dropped output as well. */
    ret->scores = !math                                  ? 0
                  : plan->training.attention_dropout > 0 ? 2 * ret->element + 1
                                                         : ret->element;
    ret->statistics = math ? 0 : 4;

    double unit = ret->element / 2;
    ret->mlp = unit * (!ret->gated ? 4 : framework->keeps_silu > 0 || eager ? 8 : 6);
    /* Since Megatron-Core 0.12 the router weight multiplies the activation, which a plain expert
     * then keeps twice; before, the experts' output is kept instead. */
    ret->expert_mlp = unit * (ret->gated || framework->moe_combine_kept <= 0 ? 6 : 4);
    ret->mlp_gradient = unit * (ret->gated ? 4 : 2);
    ret->hidden_dropout = plan->training.hidden_dropout > 0;
    ret->sequence_parallel = plan->parallel.sequence_parallel > 0 && plan->parallel.tensor > 1;
}

static void read_loss(const struct act_plan *plan, struct act_profile *ret)
{
    static const double bytes[] = {
        [ACT_LOSS_NONE] = 0,
        [ACT_LOSS_UNFUSED] = 6,
        [ACT_LOSS_LEGACY] = 10,
        [ACT_LOSS_FUSED] = 2,
        [ACT_LOSS_PLAIN] = 12,
        [ACT_LOSS_PLAIN_HELD] = 16,
        [ACT_LOSS_HALF] = 6,
        [ACT_LOSS_HALF_HELD] = 8,
        [ACT_LOSS_CHUNKED] = 6,
        [ACT_LOSS_CHUNKED_HALF] = 4,
        [ACT_LOSS_CHUNKED_OFFLOAD] = 2.5,
        [ACT_LOSS_LIGER] = 0,
    };

    ret->logit = bytes[plan->framework.loss];
    ret->whole_logits =
        plan->framework.loss != ACT_LOSS_NONE && plan->framework.loss < ACT_LOSS_CHUNKED;
}

static void read_device(const struct act_plan *plan, struct act_profile *ret)
{
    const struct act_framework_fields *framework = &plan->framework;
    int64_t precision = plan->training.precision;

    ret->workspace = framework->workspace >= 0 ? framework->workspace : 0.1 * gib;
    /* The bucket belongs to the sharding optimizer: a ZeRO-0 run has none. */
    ret->bucket = 0;
    if (plan->parallel.zero >= 1)
        ret->bucket = precision == ACT_FP16 && framework->bucket_bytes_fp16 >= 0
                          ? framework->bucket_bytes_fp16
                          : framework->bucket_bytes;
    ret->low_precision = precision >= ACT_FP8 && framework->family != ACT_TEXTBOOK ? 0.05 : 0;

    ret->slack = 1;
    ret->context = ret->context_per_group = 0;
    switch ((enum act_family)framework->family) {
    case ACT_TEXTBOOK:
        return;
    case ACT_MEGATRON:
        ret->slack = framework->allocator == ACT_EXPANDABLE ? 1.05 : 1.18;
        ret->context = 1.3 * gib;
        ret->context_per_group = 0.2 * gib;
        break;
    case ACT_FSDP:
        /* Slack goes by term in this family, and the counter's 1.6 GiB hold the workspaces. fp8
         * linears changed nothing beyond 0.3 % in three measured pairs (memory-fsdp-lora.md 2.5).
         */
        ret->context = 1.6 * gib;
        ret->workspace = framework->workspace >= 0 ? framework->workspace : 0;
        ret->low_precision = 0;
        break;
    }
    if (plan->hardware.fragmentation >= 1)
        ret->slack = plan->hardware.fragmentation;
    if (plan->hardware.context_memory >= 0) {
        ret->context = plan->hardware.context_memory;
        ret->context_per_group = 0;
    }
}

void act_profile_of(const struct act_plan *plan, struct act_profile *ret)
{
    read_states(plan, ret);
    read_base(plan, ret);
    read_activations(plan, ret);
    read_loss(plan, ret);
    read_device(plan, ret);
    act_profile_fsdp(plan, ret);
}
