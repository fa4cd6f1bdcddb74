/* One layer of the FSDP family: what it keeps of a micro batch under eager, compiled or fused
 * kernels, trained, frozen or adapted (memory-fsdp-lora.md 2.5). */
#include "core/memory_fsdp.h"
#include "core/model_adapters.h"

#include <math.h>

static void work_out(struct act_fsdp_layer *to)
{
#include "core/terms_statements.h"

#include "core/sheets/fsdp_layer.def"
#include "core/terms_undef.h"
}

static const struct act_term_row rows[] = {
#define TERMS_STRUCT struct act_fsdp_layer
#include "core/terms_rows.h"

#include "core/sheets/fsdp_layer.def"
#include "core/terms_undef.h"
#undef TERMS_STRUCT
};
const struct act_term_table act_fsdp_layer_table = {sizeof rows / sizeof *rows, rows};

static bool adapted(const struct act_parts *parts, enum act_role role)
{
    return parts->profile.adapters && act_role_adapted(&parts->plan->training, role);
}

/* Copies of a common input that `linears` keep. A frozen linear keeps none; an adapter's first
 * matrix needs the input, with dropout its own copy and mask. */
static int copies_of(const struct act_profile *profile, int linears, int adapters)
{
    if (profile->fsdp.dropped > 0)
        return adapters;
    int readers = profile->adapters ? adapters : linears;
    return readers > 0 && !profile->fsdp.own_inputs ? 1 : readers;
}

/* Bytes an element of such a copy. */
static double input_element(const struct act_profile *profile)
{
    return profile->fsdp.dropped > 0 ? profile->fsdp.dropped : profile->element;
}

/* The same of one linear whose input is nobody else's. */
static double own_input(const struct act_parts *parts, enum act_role role)
{
    return copies_of(&parts->profile, 1, adapted(parts, role)) * input_element(&parts->profile);
}

static void put_in_stream(const struct act_parts *parts, struct act_fsdp_layer *to)
{
    const struct act_plan *plan = parts->plan;
    const struct act_profile *profile = &parts->profile;
    bool scaled = profile->adapters && plan->training.adapter == ACT_ADAPTER_LLAMA_2;
    int qkv = adapted(parts, ACT_ROLE_QUERY) + adapted(parts, ACT_ROLE_KEY) +
              adapted(parts, ACT_ROLE_VALUE);
    int ups = profile->gated ? 2 : 1;
    int mlp = adapted(parts, ACT_ROLE_MLP) ? ups : 0;

    if (plan->framework.fused_qkv > 0)
        qkv = qkv > 0;
    to->norms = (double)plan->model.norms_per_layer;
    to->n = profile->adapters ? profile->fsdp.norm_fixed : profile->fsdp.norm_trained;
    to->masks = profile->hidden_dropout ? 2 : 0;
    if (scaled)
        to->copies = fmin(to->norms, 2);
    else if (plan->model.norms_per_layer == 1)
        /* A parallel block has one norm, whose output all linears share. */
        to->copies = copies_of(profile, 3 + ups, qkv + mlp);
    else
        to->copies = copies_of(profile, 3, qkv) + copies_of(profile, ups, mlp);
    to->el_in = scaled ? profile->element : input_element(profile);
    to->drop_norm = !scaled && act_drops_module(plan, ACT_MODULE_LAYERNORM);
    to->q_in = profile->fsdp.sp_keeps_inputs ? 1 : to->q;
    to->scales = scaled;
}

/* litgpt's one projection stays as a whole, but V is a view of it unless it is expanded; a LoRA
 * on a part of it pads the update with zeros. */
static void put_in_projection(const struct act_parts *parts, struct act_fsdp_layer *to)
{
    bool query = adapted(parts, ACT_ROLE_QUERY), key = adapted(parts, ACT_ROLE_KEY);
    bool value = adapted(parts, ACT_ROLE_VALUE), padded = !(query && key && value);

    to->fused_qkv = parts->plan->framework.fused_qkv > 0 && to->mla <= 0;
    to->beside = to->repeats <= 0 || fmax(to->g, to->t) == to->a ? 1 : 2;
    to->pad_q = padded && query;
    to->pad_kv = padded ? key + value : 0;
}

static void put_in_attention(const struct act_parts *parts, struct act_fsdp_layer *to)
{
    const struct act_plan *plan = parts->plan;
    const struct act_model_fields *model = &plan->model;
    const struct act_fsdp_profile *fsdp = &parts->profile.fsdp;
    bool mla = model->attention == ACT_MLA;

    to->a = (double)model->heads;
    to->g = (double)model->kv_heads;
    to->e = (double)model->head_dim;
    to->el_a = fsdp->attention_element;
    /* Compilers fuse the repetition. */
    to->repeats = plan->framework.expands_kv > 0 && fsdp->eager;
    to->qk_norm = !mla && model->qk_norm != ACT_QK_NONE;
    to->outputs = parts->profile.adapters && plan->training.adapter == ACT_ADAPTER_LLAMA ? 2 : 1;
    /* The attention output, kept anyway, is the output matrix's input; dropout copies it. */
    to->el_o = fsdp->dropped > 0 && adapted(parts, ACT_ROLE_ATTENTION) ? fsdp->dropped : 0;
    to->math = fsdp->score > 0;
    to->score = fsdp->score;
    to->mla = mla;
    to->r_q = (double)model->q_lora_rank;
    to->r_kv = (double)model->kv_lora_rank;
    to->e_n = (double)model->qk_nope_dim;
    to->e_r = (double)model->qk_rope_dim;
    to->e_v = (double)model->v_head_dim;
    to->el_l = own_input(parts, ACT_ROLE_VALUE);
    to->ups_kept = !act_drops_module(plan, ACT_MODULE_MLA_UP_PROJ);
    put_in_projection(parts, to);
}

static void put_in_mlp(const struct act_parts *parts, enum act_layer_kind kind,
                       struct act_fsdp_layer *to)
{
    const struct act_plan *plan = parts->plan;
    const struct act_profile *profile = &parts->profile;
    bool moe = kind == ACT_LAYER_MOE;
    bool silu = profile->fsdp.eager || plan->framework.keeps_silu > 0;

    to->f = (double)plan->model.ffn;
    to->up = profile->gated ? 2 : 1;
    to->inner = !profile->gated ? 1 : silu ? 3 : 2;
    to->el_m = profile->fsdp.mlp_element;
    to->el_d = own_input(parts, ACT_ROLE_MLP);
    to->moe = moe;
    to->k = moe ? (double)plan->model.experts_per_token : 0;
    to->x = fmax((double)plan->parallel.expert_tensor, 1);
    to->imbalance = plan->parallel.moe_imbalance;
    to->E = (double)plan->model.experts;
    to->f_m = (double)plan->model.expert_ffn;
    to->f_s = (double)plan->model.shared_ffn;
    to->el_e = own_input(parts, ACT_ROLE_EXPERT);
}

static void put_in_policy(const struct act_parts *parts, struct act_fsdp_layer *to)
{
    const struct act_plan *plan = parts->plan;

    to->drop_core = plan->parallel.recompute == ACT_RECOMPUTE_ATTENTION ||
                    act_drops_module(plan, ACT_MODULE_CORE_ATTN);
    to->drop_mlp = act_drops_module(plan, ACT_MODULE_MLP);
    to->drop_act = act_drops_module(plan, ACT_MODULE_MOE_ACT);
    to->op = plan->parallel.recompute == ACT_RECOMPUTE_OP;
    to->op_down = parts->profile.fsdp.eager && parts->profile.gated;
}

void act_fsdp_layer_sheet(const struct act_parts *parts, enum act_layer_kind kind,
                          struct act_fsdp_layer *to)
{
    const struct act_plan *plan = parts->plan;
    const struct act_profile *profile = &parts->profile;

    to->T = parts->layout->tokens;
    to->s = (double)plan->training.sequence;
    to->t = (double)plan->parallel.tensor;
    to->c = (double)plan->parallel.context;
    to->q = profile->sequence_parallel ? 1 / to->t : 1;
    to->h = (double)plan->model.hidden;
    to->el = profile->element;
    to->r = profile->residual;
    put_in_stream(parts, to);
    put_in_attention(parts, to);
    put_in_mlp(parts, kind, to);
    put_in_policy(parts, to);
    work_out(to);
}
