/* Parameters by component, exact to the last digit (engine.md 2). */
#include <actuary/model.h>

#include "core/model_adapters.h"
#include "core/model_matrices.h"

double act_norm_size(int64_t norm, double width)
{
    switch ((enum act_norm)norm) {
    case ACT_RMSNORM:
    case ACT_LAYERNORM_NO_BIAS:
        return width;
    case ACT_LAYERNORM:
        return 2 * width;
    case ACT_NO_NORM:
        return 0;
    }
    return width;
}

double act_layer_sum(const struct act_layer_parameters *layer)
{
    return layer->attention_split + layer->attention_kv + layer->attention_whole +
           layer->mlp_split + layer->mlp_whole + layer->experts + layer->norms;
}

static bool is_attention(enum act_role role)
{
    return role <= ACT_ROLE_INDEXER;
}

static double *part_of(struct act_layer_parameters *layer, enum act_role role, enum act_place place)
{
    if (role == ACT_ROLE_EXPERT)
        return &layer->experts;
    if (!is_attention(role))
        return place == ACT_PLACE_WHOLE ? &layer->mlp_whole : &layer->mlp_split;
    switch (place) {
    case ACT_PLACE_SPLIT:
        return &layer->attention_split;
    case ACT_PLACE_KV:
        return &layer->attention_kv;
    case ACT_PLACE_WHOLE:
        break;
    }
    return &layer->attention_whole;
}

/* Norms and other vectors inside the attention. */
static void count_attention_vectors(const struct act_model_fields *model, bool lightning,
                                    struct act_layer_parameters *layer)
{
    double heads = (double)model->heads, width = (double)model->head_dim;

    if (model->attention_sinks > 0)
        layer->attention_split += heads;
    if (lightning) {
        layer->attention_split += act_norm_size(model->norm, heads * width);
        return;
    }
    if (model->attention == ACT_MLA) {
        /* A norm on each latent; the indexer's key norm is a LayerNorm. */
        layer->attention_whole += act_norm_size(model->norm, (double)model->q_lora_rank) +
                                  act_norm_size(model->norm, (double)model->kv_lora_rank);
        if (model->index_heads > 0)
            layer->attention_whole += 2 * (double)model->index_dim;
        return;
    }
    switch ((enum act_qk_norm)model->qk_norm) {
    case ACT_QK_NONE:
        break;
    case ACT_QK_HEAD:
        layer->attention_whole += 2 * act_norm_size(model->norm, width);
        break;
    case ACT_QK_FULL:
        layer->attention_whole += act_norm_size(model->norm, heads * width) +
                                  act_norm_size(model->norm, (double)model->kv_heads * width);
        break;
    }
}

static struct act_layer_parameters count_layer(const struct act_plan *plan,
                                               enum act_layer_kind kind, bool lightning)
{
    const struct act_model_fields *model = &plan->model;
    struct act_layer_parameters layer = {0};
    struct act_layer_matrices list;

    act_layer_matrices_of(plan, kind, lightning, &list);
    for (int i = 0; i < list.count; i++) {
        const struct act_matrix *matrix = &list.item[i];
        *part_of(&layer, matrix->role, matrix->place) += matrix->in * matrix->out * matrix->count;
        *part_of(&layer, matrix->role, matrix->bias_place) += matrix->bias * matrix->count;
    }
    count_attention_vectors(model, lightning, &layer);
    layer.norms =
        (double)model->norms_per_layer * act_norm_size(model->norm, (double)model->hidden);
    return layer;
}

/* MoE layers among the first `layers`; as Megatron's moe-layer-freq, a group of moe_every layers
 * begins with its MoE layer. */
static double moe_among(const struct act_model_fields *model, int64_t layers)
{
    int64_t every = model->moe_every > 1 ? model->moe_every : 1;

    if (model->experts <= 0 || layers <= model->dense_layers)
        return 0;
    return (double)((layers - model->dense_layers + every - 1) / every);
}

bool act_model_layer_is_moe(const struct act_plan *plan, int64_t index)
{
    return moe_among(&plan->model, index + 1) > moe_among(&plan->model, index);
}

static void count_outside(const struct act_model_fields *model, struct act_parameters *count)
{
    double h = (double)model->hidden, vocab = (double)model->vocab;
    double width = (double)model->embedding_width;

    count->embedding = vocab * width;
    count->positions = model->positions == ACT_LEARNED ? (double)model->position_rows * h : 0;
    /* A narrow embedding is projected to the stream and back (OPT-350M). */
    count->embedding_extra = model->embedding_width != model->hidden ? 2 * width * h : 0;
    if (model->embedding_norm > 0)
        count->embedding_extra += act_norm_size(model->norm, h);
    count->final_norm = model->final_norm > 0 ? act_norm_size(model->norm, h) : 0;
    count->head = model->tied_embeddings > 0 ? 0 : vocab * width;
    if (model->head_bias > 0)
        count->head += vocab;
}

/* Parameters of one MTP layer: a layer of the model's last kind, a projection of 2h to h and
 * three norms (memory-megatron.md 1.1; DeepSeek-V3, arXiv 2412.19437, 2.2). */
static double count_mtp(const struct act_plan *plan, const struct act_layer_parameters *layer)
{
    double h = (double)plan->model.hidden;

    return act_layer_sum(layer) + 2 * h * h + 3 * act_norm_size(plan->model.norm, h);
}

/* What a token leaves unused of one MoE layer: the experts it is not routed to. */
static double unused_experts(const struct act_model_fields *model,
                             const struct act_parameters *count)
{
    double experts = (double)model->experts, used = (double)model->experts_per_token;

    /* Divided first: the quotient is whole, so the count stays exact. */
    return used < experts ? count->moe_layer.experts / experts * (experts - used) : 0;
}

/* The leading layers and what stands before them. Which layers are lightning ones is not told, so
 * they count as spread evenly. */
static double count_frozen(const struct act_plan *plan, const struct act_parameters *count)
{
    const struct act_model_fields *model = &plan->model;
    int64_t frozen = plan->training.frozen_layers;

    if (frozen <= 0)
        return 0;
    if (frozen > model->layers)
        frozen = model->layers;
    double moe = moe_among(model, frozen), share = (double)frozen / (double)model->layers;
    return ((double)frozen - moe) * act_layer_sum(&count->dense_layer) +
           moe * act_layer_sum(&count->moe_layer) +
           share * act_lightning_layers(model) * count->linear_layer_extra + count->embedding +
           count->positions + count->embedding_extra;
}

static double count_trainable(const struct act_plan *plan, const struct act_parameters *count)
{
    switch ((enum act_method)plan->training.method) {
    case ACT_LORA:
    case ACT_QLORA:
        return act_adapter_count(plan, count);
    case ACT_FREEZE:
        return (count->counted - count_frozen(plan, count)) * count->scale;
    case ACT_FULL:
        break;
    }
    return count->total;
}

void act_model_count(const struct act_plan *plan, struct act_parameters *ret)
{
    const struct act_model_fields *model = &plan->model;
    struct act_parameters count = {0};
    double linear = act_lightning_layers(model), mtp = (double)model->mtp_layers;

    count.dense_layer = count_layer(plan, ACT_LAYER_DENSE, false);
    if (model->experts > 0)
        count.moe_layer = count_layer(plan, ACT_LAYER_MOE, false);
    count.moe_layers = moe_among(model, model->layers);
    count.dense_layers = (double)model->layers - count.moe_layers;
    if (linear > 0) {
        struct act_layer_parameters lightning = count_layer(plan, ACT_LAYER_DENSE, true);
        count.linear_layer_extra = act_layer_sum(&lightning) - act_layer_sum(&count.dense_layer);
    }
    count_outside(model, &count);

    bool moe_last = act_model_layer_is_moe(plan, model->layers - 1);
    if (mtp > 0)
        count.mtp = mtp * count_mtp(plan, moe_last ? &count.moe_layer : &count.dense_layer);

    count.counted = count.dense_layers * act_layer_sum(&count.dense_layer) +
                    count.moe_layers * act_layer_sum(&count.moe_layer) +
                    linear * count.linear_layer_extra + count.embedding + count.positions +
                    count.embedding_extra + count.final_norm + count.head + count.mtp;
    count.total = model->parameters > 0 ? model->parameters : count.counted;
    count.scale = count.total / count.counted;

    double moe_used = count.moe_layers + (moe_last ? mtp : 0);
    count.active = (count.counted - moe_used * unused_experts(model, &count)) * count.scale;
    /* A tied embedding is the head as well, and a token does pass the head. */
    count.active_without_embedding =
        count.active - (model->tied_embeddings > 0 ? 0 : count.embedding * count.scale);
    count.trainable = count_trainable(plan, &count);
    *ret = count;
}
