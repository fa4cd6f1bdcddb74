/* What one layer keeps for backward under eager, compiled or fused kernels, trained, frozen or
 * adapted (memory-fsdp-lora.md 2.5; counted there with saved-tensor hooks). */
#include "core/memory_fsdp.h"
#include "core/model_adapters.h"

#include <math.h>

/* Local sizes that every term uses. */
struct shape {
    const struct act_plan *plan;
    const struct act_profile *profile;
    double h, q;
    double heads, kv, head_dim; /* a rank holds one KV head at least */
    double kv_kept;             /* as they enter attention */
    double input;               /* width of a column-parallel linear's input as kept */
    double keys;                /* keys a query sees on this rank */
};

static struct shape shape_of(const struct act_parts *parts)
{
    const struct act_plan *plan = parts->plan;
    const struct act_profile *profile = &parts->profile;
    double t = (double)plan->parallel.tensor, h = (double)plan->model.hidden;
    double q = profile->sequence_parallel ? 1 / t : 1;
    double heads = (double)plan->model.heads / t;
    double kv = fmax((double)plan->model.kv_heads, t) / t;

    return (struct shape){
        .plan = plan,
        .profile = profile,
        .h = h,
        .q = q,
        .heads = heads,
        .kv = kv,
        /* Compilers fuse the repetition. */
        .kv_kept = plan->framework.expands_kv > 0 && profile->fsdp.eager ? heads : kv,
        .head_dim = (double)plan->model.head_dim,
        .input = profile->fsdp.sp_keeps_inputs ? h : h * q,
        .keys = (double)plan->training.sequence / (double)plan->parallel.context,
    };
}

static bool adapted(const struct shape *s, enum act_role role)
{
    return s->profile->adapters && act_role_adapted(&s->plan->training, role);
}

/* Bytes a unit of width that `linears` with a common input keep of it. A frozen linear keeps
 * nothing; an adapter's first matrix needs the input, with dropout its own copy and mask. */
static double shared_input(const struct act_profile *profile, int linears, int adapters)
{
    const struct act_fsdp_profile *fsdp = &profile->fsdp;

    if (profile->adapters && fsdp->dropped > 0)
        return fsdp->dropped * adapters;
    int readers = profile->adapters ? adapters : linears;
    return profile->element * (readers > 0 && !fsdp->own_inputs ? 1 : readers);
}

/* The same of a row-parallel linear, whose input is nobody else's. */
static double own_input(const struct act_profile *profile, bool has_adapter)
{
    return shared_input(profile, 1, has_adapter);
}

static double norm_bytes(const struct act_profile *profile)
{
    return profile->adapters ? profile->fsdp.norm_fixed : profile->fsdp.norm_trained;
}

/* Norms, and what the first linears of both blocks keep of their outputs. */
static double stream_bytes(const struct shape *s)
{
    const struct act_plan *plan = s->plan;
    const struct act_profile *profile = s->profile;
    double norms = (double)plan->model.norms_per_layer;
    double bytes = norms * norm_bytes(profile) * s->h * s->q;
    int qkv = adapted(s, ACT_ROLE_QUERY) + adapted(s, ACT_ROLE_KEY) + adapted(s, ACT_ROLE_VALUE);
    int ups = profile->gated ? 2 : 1;
    int mlp = adapted(s, ACT_ROLE_MLP) ? ups : 0;

    if (plan->framework.fused_qkv > 0)
        qkv = qkv > 0;
    if (profile->hidden_dropout)
        bytes += 2 * s->h * s->q;
    if (profile->adapters && plan->training.adapter == ACT_ADAPTER_LLAMA_2)
        return bytes + profile->element * fmin(norms, 2) * s->input;
    if (act_drops_module(plan, ACT_MODULE_LAYERNORM))
        return bytes;
    /* A parallel block has one norm, whose output all linears share. */
    if (norms == 1)
        return bytes + shared_input(profile, 3 + ups, qkv + mlp) * s->input;
    return bytes + (shared_input(profile, 3, qkv) + shared_input(profile, ups, mlp)) * s->input;
}

static double score_bytes(const struct shape *s)
{
    double score = s->profile->fsdp.score;

    return s->heads * (score > 0 ? score * s->keys : 4);
}

/* litgpt's one projection stays as a whole, but V is a view of it unless it is expanded; a LoRA
 * on a part of it pads the update with zeros. */
static double fused_bytes(const struct shape *s, double element)
{
    bool view = s->kv_kept == s->kv || s->kv == s->heads;
    bool query = adapted(s, ACT_ROLE_QUERY), key = adapted(s, ACT_ROLE_KEY);
    bool value = adapted(s, ACT_ROLE_VALUE);
    double bytes = element * (s->heads + (view ? 1 : 2) * s->kv);

    if (!(query && key && value))
        bytes += s->profile->element * (query * s->heads + (key + value) * s->kv);
    return bytes * s->head_dim;
}

static double attention_bytes(const struct shape *s)
{
    const struct act_plan *plan = s->plan;
    const struct act_model_fields *model = &plan->model;
    const struct act_profile *profile = s->profile;
    double element = profile->fsdp.attention_element;
    double width =
        s->heads * (double)(model->attention == ACT_MLA ? model->v_head_dim : model->head_dim);
    double bytes = element * width;

    if (model->attention == ACT_MLA) {
        double ranks = (double)(model->q_lora_rank + model->kv_lora_rank);
        double key = (double)(model->qk_nope_dim + model->qk_rope_dim);
        double reads = shared_input(profile, 1, adapted(s, ACT_ROLE_VALUE));
        bytes +=
            (element * (double)model->qk_rope_dim + (norm_bytes(profile) + reads) * ranks) * s->q;
        if (!act_drops_module(plan, ACT_MODULE_MLA_UP_PROJ))
            bytes += element * (s->heads * 2 * key + width);
    } else {
        bytes += element * (s->heads + 2 * s->kv_kept) * s->head_dim;
        if (plan->framework.fused_qkv > 0)
            bytes += fused_bytes(s, element);
        if (model->qk_norm != ACT_QK_NONE)
            bytes += norm_bytes(profile) * (s->heads + s->kv) * s->head_dim;
    }
    /* The attention output, kept anyway, is the output matrix's input; dropout copies it. */
    if (profile->fsdp.dropped > 0 && adapted(s, ACT_ROLE_ATTENTION))
        bytes += profile->fsdp.dropped * width;
    if (profile->adapters && plan->training.adapter == ACT_ADAPTER_LLAMA)
        bytes += element * width;
    return bytes;
}

/* Everything inside an MLP of that inner width, a row. */
static double inner_bytes(const struct shape *s, enum act_role role)
{
    const struct act_profile *profile = s->profile;
    double element = profile->fsdp.mlp_element;
    double bytes = element;

    if (profile->gated)
        bytes += element * (profile->fsdp.eager || s->plan->framework.keeps_silu > 0 ? 2 : 1);
    return bytes + own_input(profile, adapted(s, role));
}

/* LLaMA-Adapter 2 scales every linear's output and so keeps it. */
static double scaled_outputs(const struct shape *s, double ffn)
{
    double width =
        (s->heads + 2 * s->kv) * s->head_dim + 2 * s->h + (s->profile->gated ? 2 : 1) * ffn;

    return s->profile->fsdp.attention_element * width;
}

/* Op-level checkpointing (torchtitan) keeps the layer's input, every second matmul's output and
 * the attention output; compiled, that of the last matmul is never read and so dropped. */
static double op_bytes(const struct shape *s, double ffn)
{
    const struct act_model_fields *model = &s->plan->model;
    const struct act_profile *profile = s->profile;
    double el = profile->element;
    double bytes = profile->residual * s->h * s->q + 4 * s->heads + el * ffn;

    if (model->attention == ACT_MLA)
        bytes +=
            el * ((double)(model->q_lora_rank + model->kv_lora_rank + model->qk_rope_dim) * s->q +
                  s->heads * (double)(model->qk_nope_dim + model->qk_rope_dim + model->v_head_dim));
    else
        bytes += el * (2 * s->heads + s->kv) * s->head_dim;
    if (profile->fsdp.eager && profile->gated)
        bytes += el * s->h;
    return bytes;
}

/* Routed rows as in memory-megatron.md 1.2: what a row brings along beside its MLP, and the
 * router's fp32 logits and choices a token. */
static double routing_bytes(double rows, double tokens, double experts)
{
    return 8 * rows + 13 * tokens * experts;
}

void act_fsdp_layer_of(const struct act_parts *parts, enum act_layer_kind kind,
                       struct act_fsdp_layer *ret)
{
    const struct act_plan *plan = parts->plan;
    const struct act_model_fields *model = &plan->model;
    const struct act_profile *profile = &parts->profile;
    struct shape s = shape_of(parts);
    double tokens = parts->layout->tokens, t = (double)plan->parallel.tensor;
    double x = fmax((double)plan->parallel.expert_tensor, 1);
    bool moe = kind == ACT_LAYER_MOE;
    double ffn = (double)(moe ? model->shared_ffn : model->ffn) / t;
    double rows = 0, inner = 0, experts = (double)model->experts / t;

    if (moe) {
        rows = (double)model->experts_per_token * tokens * x / t * plan->parallel.moe_imbalance;
        inner = (double)model->expert_ffn / x;
    }
    double scores = tokens * score_bytes(&s);
    double mlp = tokens * inner_bytes(&s, ACT_ROLE_MLP) * ffn;
    double expert = 0, routing = 0;
    if (moe) {
        expert = rows * (own_input(profile, adapted(&s, ACT_ROLE_EXPERT)) * s.h +
                         inner_bytes(&s, ACT_ROLE_EXPERT) * inner);
        routing = routing_bytes(rows, tokens, experts);
    }
    double stream = tokens * stream_bytes(&s);
    ret->whole = stream + tokens * attention_bytes(&s) + scores + mlp + expert + routing;
    if (profile->adapters && plan->training.adapter == ACT_ADAPTER_LLAMA_2)
        ret->whole += tokens * scaled_outputs(&s, ffn);

    ret->kept = ret->whole;
    switch ((enum act_recompute)plan->parallel.recompute) {
    case ACT_RECOMPUTE_ATTENTION:
        ret->kept -= scores;
        break;
    case ACT_RECOMPUTE_MODULES:
        if (act_drops_module(plan, ACT_MODULE_CORE_ATTN))
            ret->kept -= scores;
        if (act_drops_module(plan, ACT_MODULE_MLP))
            ret->kept -= mlp;
        if (act_drops_module(plan, ACT_MODULE_MOE_ACT))
            ret->kept -=
                fmin(rows * own_input(profile, adapted(&s, ACT_ROLE_EXPERT)) * inner, expert);
        break;
    case ACT_RECOMPUTE_OP:
        ret->kept = tokens * op_bytes(&s, ffn) + rows * profile->element * (moe ? s.h + inner : 0) +
                    routing;
        ret->kept = fmin(ret->kept, ret->whole);
        break;
    default:
        break;
    }
    ret->temporaries = tokens * (4 * ffn + 12 * s.h / t) + rows * 4 * inner;
}
