/* Which matrices a layer has. Shapes as the families' published configurations define them
 * (engine.md 2; facts: presets.md 4). */
#include "core/model_matrices.h"

double act_lightning_layers(const struct act_model_fields *model)
{
    return (double)(model->linear_layers < model->layers ? model->linear_layers : model->layers);
}

static void add(struct act_layer_matrices *list, struct act_matrix matrix)
{
    if (list->count < ACT_LAYER_MATRICES_MAX)
        list->item[list->count++] = matrix;
}

/* A matrix whose output is split over the ranks, and its bias with it. */
static void add_column(struct act_layer_matrices *list, enum act_role role, double in, double out,
                       bool bias)
{
    add(list,
        (struct act_matrix){
            .role = role, .in = in, .out = out, .bias = bias ? out : 0, .count = 1, .used = 1});
}

/* A matrix whose input is split: the bias is added after the sum, so every rank has it. */
static void add_row(struct act_layer_matrices *list, enum act_role role, double in, double out,
                    bool bias)
{
    add(list, (struct act_matrix){.role = role,
                                  .bias_place = ACT_PLACE_WHOLE,
                                  .in = in,
                                  .out = out,
                                  .bias = bias ? out : 0,
                                  .count = 1,
                                  .used = 1});
}

static void add_whole(struct act_layer_matrices *list, enum act_role role, double in, double out,
                      bool bias)
{
    add(list, (struct act_matrix){.role = role,
                                  .place = ACT_PLACE_WHOLE,
                                  .bias_place = ACT_PLACE_WHOLE,
                                  .in = in,
                                  .out = out,
                                  .bias = bias ? out : 0,
                                  .count = 1,
                                  .used = 1});
}

static void add_grouped_attention(struct act_layer_matrices *list,
                                  const struct act_model_fields *model)
{
    double h = (double)model->hidden;
    double width = (double)model->heads * (double)model->head_dim;
    double kv_width = (double)model->kv_heads * (double)model->head_dim;
    bool bias = model->qkv_bias > 0;
    struct act_matrix kv = {.role = ACT_ROLE_KEY,
                            .place = ACT_PLACE_KV,
                            .bias_place = ACT_PLACE_KV,
                            .in = h,
                            .out = kv_width,
                            .bias = bias ? kv_width : 0,
                            .count = 1,
                            .used = 1};

    add_column(list, ACT_ROLE_QUERY, h, width, bias);
    add(list, kv);
    kv.role = ACT_ROLE_VALUE;
    add(list, kv);
    add_row(list, ACT_ROLE_ATTENTION, width, h, model->out_bias > 0);
}

/* MiniMax-01's lightning layers: no grouped heads, and an output gate. */
static void add_lightning_attention(struct act_layer_matrices *list,
                                    const struct act_model_fields *model)
{
    double h = (double)model->hidden;
    double width = (double)model->heads * (double)model->head_dim;
    bool bias = model->qkv_bias > 0;

    add_column(list, ACT_ROLE_QUERY, h, width, bias);
    add_column(list, ACT_ROLE_KEY, h, width, bias);
    add_column(list, ACT_ROLE_VALUE, h, width, bias);
    add_column(list, ACT_ROLE_ATTENTION, h, width, false);
    add_row(list, ACT_ROLE_ATTENTION, width, h, model->out_bias > 0);
}

/* DeepSeek-V2's latent attention (arXiv 2405.04434): keys share one rotated part. */
static void add_latent_attention(struct act_layer_matrices *list,
                                 const struct act_model_fields *model)
{
    double h = (double)model->hidden, heads = (double)model->heads;
    double nope = (double)model->qk_nope_dim, rope = (double)model->qk_rope_dim;
    double value = (double)model->v_head_dim;
    double query_rank = (double)model->q_lora_rank, kv_rank = (double)model->kv_lora_rank;
    bool bias = model->qkv_bias > 0;

    if (query_rank > 0) {
        add_whole(list, ACT_ROLE_ATTENTION, h, query_rank, bias);
        add_column(list, ACT_ROLE_QUERY, query_rank, heads * (nope + rope), false);
    } else {
        add_column(list, ACT_ROLE_QUERY, h, heads * (nope + rope), bias);
    }
    add_whole(list, ACT_ROLE_ATTENTION, h, kv_rank + rope, bias);
    add_column(list, ACT_ROLE_VALUE, kv_rank, heads * (nope + value), false);
    add_row(list, ACT_ROLE_ATTENTION, heads * value, h, model->out_bias > 0);

    if (model->index_heads > 0) {
        double index_heads = (double)model->index_heads, width = (double)model->index_dim;
        double from = query_rank > 0 ? query_rank : h;

        add_whole(list, ACT_ROLE_INDEXER, from, index_heads * width, false);
        add_whole(list, ACT_ROLE_INDEXER, h, width, false);
        add_whole(list, ACT_ROLE_INDEXER, h, index_heads, false);
    }
}

static void add_mlp(struct act_layer_matrices *list, double h, double inner, bool gated, bool bias)
{
    if (inner <= 0)
        return;
    if (gated)
        add_column(list, ACT_ROLE_MLP, h, inner, bias);
    add_column(list, ACT_ROLE_MLP, h, inner, bias);
    add_row(list, ACT_ROLE_MLP, inner, h, bias);
}

static void add_experts(struct act_layer_matrices *list, const struct act_model_fields *model,
                        bool gated)
{
    double h = (double)model->hidden, inner = (double)model->expert_ffn;
    double experts = (double)model->experts, used = (double)model->experts_per_token;
    bool bias = model->expert_bias > 0;
    struct act_matrix matrix = {.role = ACT_ROLE_EXPERT,
                                .in = h,
                                .out = inner,
                                .bias = bias ? inner : 0,
                                .count = gated ? 2 * experts : experts};

    used = used < experts ? used : experts;
    matrix.used = gated ? 2 * used : used;
    add(list, matrix);
    add(list, (struct act_matrix){.role = ACT_ROLE_EXPERT,
                                  .in = inner,
                                  .out = h,
                                  .bias = bias ? h : 0,
                                  .count = experts,
                                  .used = used});
    add_whole(list, ACT_ROLE_ROUTER, h, experts, model->router_bias > 0);
    add_mlp(list, h, (double)model->shared_ffn, gated, false);
    if (model->shared_gate > 0)
        add_whole(list, ACT_ROLE_ROUTER, h, 1, false);
}

void act_layer_matrices_of(const struct act_plan *plan, enum act_layer_kind kind, bool lightning,
                           struct act_layer_matrices *ret)
{
    const struct act_model_fields *model = &plan->model;
    bool gated = model->activation == ACT_SWIGLU || model->activation == ACT_GEGLU;

    ret->count = 0;
    if (lightning)
        add_lightning_attention(ret, model);
    else if (model->attention == ACT_MLA)
        add_latent_attention(ret, model);
    else
        add_grouped_attention(ret, model);

    if (kind == ACT_LAYER_MOE)
        add_experts(ret, model, gated);
    else
        add_mlp(ret, (double)model->hidden, (double)model->ffn, gated, model->mlp_bias > 0);
}
