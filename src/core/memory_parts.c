/* What is worked out once a plan, and the layers of one stage (engine.md 2,
 * memory-megatron.md 1.1). */
#include "core/memory_parts.h"

#include <math.h>

double act_padded_vocabulary(const struct act_plan *plan)
{
    double multiple = (double)plan->framework.vocabulary_padding * (double)plan->parallel.tensor;

    return plan->framework.vocabulary_padding > 1
               ? ceil((double)plan->model.vocab / multiple) * multiple
               : (double)plan->model.vocab;
}

static struct act_rank_parameters rank_layer(const struct act_plan *plan,
                                             const struct act_layer_parameters *layer)
{
    double t = (double)plan->parallel.tensor;
    double expert_ranks = 1;
    struct act_rank_parameters ret;

    if (plan->model.experts > 0)
        expert_ranks =
            (double)plan->parallel.expert * fmax((double)plan->parallel.expert_tensor, 1);
    /* A rank holds one K and V head at least: with g < t they are replicated. */
    double kv = fmax(1 / t, 1 / fmax((double)plan->model.kv_heads, 1));
    ret.matrix = (layer->attention_split + layer->mlp_split) / t + layer->attention_kv * kv +
                 layer->attention_whole + layer->mlp_whole;
    ret.experts = layer->experts / expert_ranks;
    ret.rest = layer->norms;
    return ret;
}

/* Lightning layers are not told apart: what they have more (or less) is spread evenly over all
 * layers, and over the ranks as the rest of the layer's matrices. */
static void spread_extra(struct act_rank_parameters *rank, const struct act_layer_parameters *layer,
                         double extra)
{
    double whole = act_layer_sum(layer) - layer->experts - layer->norms;

    if (whole > 0)
        rank->matrix *= fmax(1 + extra / whole, 0);
}

void act_parts_of(const struct act_plan *plan, const struct act_parameters *parameters,
                  const struct act_layout *layout, struct act_parts *ret)
{
    double t = (double)plan->parallel.tensor;
    double vocab = (double)plan->model.vocab;

    ret->plan = plan;
    ret->parameters = parameters;
    ret->layout = layout;
    act_profile_of(plan, &ret->profile);
    act_layout_deal(plan, ret->first, ret->count);

    ret->layer[ACT_LAYER_DENSE] = rank_layer(plan, &parameters->dense_layer);
    ret->layer[ACT_LAYER_MOE] = rank_layer(plan, &parameters->moe_layer);
    /* An MTP layer is one more layer with a projection of 2h x h and three norms, on every rank
     * (memory-megatron.md 1.1). */
    ret->mtp = (struct act_rank_parameters){0};
    ret->mtp_kind =
        act_model_layer_is_moe(plan, plan->model.layers - 1) ? ACT_LAYER_MOE : ACT_LAYER_DENSE;
    if (plan->model.mtp_layers > 0) {
        const struct act_layer_parameters *whole =
            ret->mtp_kind == ACT_LAYER_MOE ? &parameters->moe_layer : &parameters->dense_layer;
        double extra = parameters->mtp / (double)plan->model.mtp_layers - act_layer_sum(whole);
        ret->mtp = ret->layer[ret->mtp_kind];
        ret->mtp.matrix += fmax(extra, 0);
    }

    if (plan->model.linear_layers > 0) {
        double share = fmin((double)plan->model.linear_layers / (double)plan->model.layers, 1);
        spread_extra(&ret->layer[ACT_LAYER_DENSE], &parameters->dense_layer,
                     parameters->linear_layer_extra * share);
        spread_extra(&ret->layer[ACT_LAYER_MOE], &parameters->moe_layer,
                     parameters->linear_layer_extra * share);
    }

    double rows = act_padded_vocabulary(plan);
    ret->vocabulary = rows;
    ret->embedding = parameters->embedding / vocab * rows / t;
    ret->head = parameters->head / vocab * rows / t;
    /* A tied head is a copy of the embedding when it stands on another stage. */
    bool untied = plan->framework.family == ACT_FSDP && plan->framework.untied_head > 0;
    if (plan->model.tied_embeddings > 0 && (layout->stages > 1 || untied))
        ret->head += ret->embedding;
    ret->positions = parameters->positions + parameters->embedding_extra;
    ret->final_norm = parameters->final_norm;

    ret->adapters = 0;
    if (ret->profile.adapters) {
        const struct act_layer_parameters *dense = &parameters->dense_layer;
        const struct act_layer_parameters *moe = &parameters->moe_layer;
        double layers = (act_layer_sum(dense) - dense->norms) * parameters->dense_layers +
                        (act_layer_sum(moe) - moe->norms) * parameters->moe_layers;
        ret->adapters = layers > 0 ? parameters->trainable / (layers * parameters->scale) : 0;
    }
}

void act_stage_walk(const struct act_parts *parts, int stage, struct act_stage_layers *ret)
{
    const struct act_plan *plan = parts->plan;
    const struct act_layout *layout = parts->layout;
    int64_t every = plan->parallel.recompute_layers > 1 ? plan->parallel.recompute_layers : 1;
    int64_t frozen = plan->training.method == ACT_FREEZE ? plan->training.frozen_layers : 0;
    bool moe = plan->model.experts > 0;

    *ret = (struct act_stage_layers){0};
    for (int j = 0; j < layout->chunks; j++) {
        int place = j * layout->stages + stage;
        double live = act_layout_in_flight(plan, layout, stage, j);
        int64_t kept[ACT_LAYER_KINDS] = {0}, full[ACT_LAYER_KINDS] = {0};
        int64_t frozen_full[ACT_LAYER_KINDS] = {0}, frozen_all[ACT_LAYER_KINDS] = {0};

        for (int64_t i = 0; i < parts->count[place]; i++) {
            int64_t index = parts->first[place] + i;
            int kind = moe && act_model_layer_is_moe(plan, index) ? ACT_LAYER_MOE : ACT_LAYER_DENSE;
            bool replayed = false;

            if (plan->parallel.recompute == ACT_RECOMPUTE_FULL)
                replayed = true;
            else if (plan->parallel.recompute == ACT_RECOMPUTE_ALTERNATE)
                replayed = (index + 1) % every == 0;
            else if (plan->parallel.recompute == ACT_RECOMPUTE_FIRST_N)
                /* Megatron's block method counts in each chunk. */
                replayed = i < every;
            if (replayed)
                full[kind]++;
            else
                kept[kind]++;
            frozen_all[kind] += index < frozen;
            frozen_full[kind] += index < frozen && replayed;
        }
        for (int kind = 0; kind < ACT_LAYER_KINDS; kind++) {
            ret->kind[kind] += kept[kind] + full[kind];
            ret->kept[kind] += kept[kind];
            ret->live_kept[kind] += live * (double)kept[kind];
            ret->live_full[kind] += live * (double)full[kind];
            ret->full[kind] |= full[kind] > 0;
            ret->frozen[kind] += frozen_all[kind];
            ret->frozen_kept[kind] += frozen_all[kind] - frozen_full[kind];
            ret->live_frozen_full[kind] += live * (double)frozen_full[kind];
            ret->live_frozen_kept[kind] += live * (double)(frozen_all[kind] - frozen_full[kind]);
        }
        if (j == 0)
            ret->live_first = live;
        ret->live_last = live;
        ret->live_sum += live;
    }
}
