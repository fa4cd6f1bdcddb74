/* One layer of the Megatron family: what it keeps of a micro batch (memory-megatron.md 1.2), and
 * its distinct weight shapes (1.5). */
#include "core/memory_megatron.h"

#include <math.h>

static void work_out(struct act_megatron_layer *to)
{
#include "core/terms_statements.h"

#include "core/sheets/megatron_layer.def"
#include "core/terms_undef.h"
}

static const struct act_term_row rows[] = {
#define TERMS_STRUCT struct act_megatron_layer
#include "core/terms_rows.h"

#include "core/sheets/megatron_layer.def"
#include "core/terms_undef.h"
#undef TERMS_STRUCT
};
const struct act_term_table act_megatron_layer_table = {sizeof rows / sizeof *rows, rows};

static void put_in_attention(const struct act_parts *parts, struct act_megatron_layer *to)
{
    const struct act_model_fields *model = &parts->plan->model;
    const struct act_profile *profile = &parts->profile;

    to->a = (double)model->heads;
    to->g = (double)model->kv_heads;
    to->e = (double)model->head_dim;
    to->kappa = profile->output_copies;
    to->lse = profile->statistics;
    to->scores = profile->scores;
    /* A QK norm keeps its inputs too (engine.md 3.2). */
    to->qk_norm = model->attention != ACT_MLA && model->qk_norm != ACT_QK_NONE;
    to->mla = model->attention == ACT_MLA;
    to->r_q = (double)model->q_lora_rank;
    to->r_kv = (double)model->kv_lora_rank;
    to->e_n = (double)model->qk_nope_dim;
    to->e_r = (double)model->qk_rope_dim;
    to->e_v = (double)model->v_head_dim;
}

static void put_in_mlp(const struct act_parts *parts, enum act_layer_kind kind,
                       struct act_megatron_layer *to)
{
    const struct act_plan *plan = parts->plan;
    const struct act_profile *profile = &parts->profile;
    bool moe = kind == ACT_LAYER_MOE;

    to->f = (double)plan->model.ffn;
    to->w = profile->mlp;
    to->dw = profile->mlp_gradient;
    to->moe = moe;
    to->k = moe ? (double)plan->model.experts_per_token : 0;
    to->x = fmax((double)plan->parallel.expert_tensor, 1);
    to->imbalance = plan->parallel.moe_imbalance;
    to->E = (double)plan->model.experts;
    to->f_m = (double)plan->model.expert_ffn;
    to->f_s = (double)plan->model.shared_ffn;
    to->w_m = profile->expert_mlp;
    to->combine = plan->framework.moe_combine_kept > 0;
    to->all_gather = plan->parallel.moe_dispatcher == ACT_ALL_GATHER && plan->parallel.expert > 1;
}

static void put_in_policy(const struct act_plan *plan, struct act_megatron_layer *to)
{
    to->drop_norm = act_drops_module(plan, ACT_MODULE_LAYERNORM);
    to->drop_core = plan->parallel.recompute == ACT_RECOMPUTE_ATTENTION ||
                    act_drops_module(plan, ACT_MODULE_CORE_ATTN);
    to->drop_up =
        plan->model.attention == ACT_MLA && act_drops_module(plan, ACT_MODULE_MLA_UP_PROJ);
    to->drop_mlp = act_drops_module(plan, ACT_MODULE_MLP);
    to->drop_act = act_drops_module(plan, ACT_MODULE_MOE_ACT);
    to->op = plan->parallel.recompute == ACT_RECOMPUTE_OP;
}

void act_megatron_layer_sheet(const struct act_parts *parts, enum act_layer_kind kind,
                              struct act_megatron_layer *to)
{
    const struct act_plan *plan = parts->plan;
    const struct act_profile *profile = &parts->profile;

    to->T = parts->layout->tokens;
    to->s = (double)plan->training.sequence;
    to->t = (double)plan->parallel.tensor;
    to->c = (double)plan->parallel.context;
    to->n = (double)plan->parallel.expert;
    to->q = profile->sequence_parallel ? 1 / to->t : 1;
    to->h = (double)plan->model.hidden;
    to->el = profile->element;
    to->r = profile->residual;
    to->norms = (double)plan->model.norms_per_layer;
    to->kept_norm = profile->residual + profile->norm_copy;
    /* In a parallel block one norm's output serves both halves. */
    to->reads = plan->model.norms_per_layer == 1 ? 1 : 2;
    to->masks = profile->hidden_dropout ? 2 : 0;
    put_in_attention(parts, to);
    put_in_mlp(parts, kind, to);
    put_in_policy(plan, to);
    work_out(to);
}

/* A list of distinct local weight shapes. */
struct shapes {
    int count;
    double in[16], out[16];
    double elements;
};

static void add_shape(struct shapes *shapes, double in, double out)
{
    for (int i = 0; i < shapes->count; i++)
        if (shapes->in[i] == in && shapes->out[i] == out)
            return;
    shapes->in[shapes->count] = in;
    shapes->out[shapes->count] = out;
    shapes->count++;
    shapes->elements += in * out;
}

double act_megatron_shapes(const struct act_parts *parts, const bool present[ACT_LAYER_KINDS])
{
    const struct act_plan *plan = parts->plan;
    const struct act_model_fields *model = &plan->model;
    double gate = parts->profile.gated ? 2 : 1;
    double h = (double)model->hidden, t = (double)plan->parallel.tensor;
    double heads = (double)model->heads / t;
    double kv = fmax((double)model->kv_heads, t) / t;
    struct shapes shapes = {0};

    if (model->attention == ACT_MLA) {
        double query = (double)model->q_lora_rank, latent = (double)model->kv_lora_rank;
        double nope = (double)model->qk_nope_dim, rope = (double)model->qk_rope_dim;
        double value = (double)model->v_head_dim;
        if (query > 0)
            add_shape(&shapes, h, query);
        add_shape(&shapes, h, latent + rope);
        add_shape(&shapes, query > 0 ? query : h, heads * (nope + rope));
        add_shape(&shapes, latent, heads * (nope + value));
        add_shape(&shapes, heads * value, h);
    } else {
        double width = (double)model->head_dim;
        add_shape(&shapes, h, (heads + 2 * kv) * width);
        add_shape(&shapes, heads * width, h);
    }
    if (present[ACT_LAYER_DENSE]) {
        double ffn = (double)model->ffn / t;
        add_shape(&shapes, h, gate * ffn);
        add_shape(&shapes, ffn, h);
    }
    if (present[ACT_LAYER_MOE]) {
        double expert = (double)model->expert_ffn / fmax((double)plan->parallel.expert_tensor, 1);
        double shared = (double)model->shared_ffn / t;
        add_shape(&shapes, h, gate * expert);
        add_shape(&shapes, expert, h);
        if (shared > 0) {
            add_shape(&shapes, h, gate * shared);
            add_shape(&shapes, shared, h);
        }
    }
    return shapes.elements;
}
