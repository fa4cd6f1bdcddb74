/* Parameters and states of one GPU (memory-megatron.md 1.1, engine.md 2 and 3.1). */
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
            ret->live_kept[kind] += live * (double)kept[kind];
            ret->live_full[kind] += live * (double)full[kind];
            ret->full[kind] |= full[kind] > 0;
            ret->frozen[kind] += frozen_all[kind];
            ret->live_frozen_full[kind] += live * (double)frozen_full[kind];
            ret->live_frozen_kept[kind] += live * (double)(frozen_all[kind] - frozen_full[kind]);
        }
        if (j == 0)
            ret->live_first = live;
        ret->live_last = live;
        ret->live_sum += live;
    }
}

static void add(struct act_rank_parameters *to, const struct act_rank_parameters *from,
                double times)
{
    to->matrix += from->matrix * times;
    to->experts += from->experts * times;
    to->rest += from->rest * times;
}

void act_stage_parameters(const struct act_parts *parts, int stage,
                          const struct act_stage_layers *layers,
                          struct act_rank_parameters *ret_held,
                          struct act_rank_parameters *ret_trained)
{
    const struct act_plan *plan = parts->plan;
    int last = parts->layout->stages - 1;
    double scale = parts->parameters->scale;
    struct act_rank_parameters held = {0}, frozen = {0};

    for (int kind = 0; kind < ACT_LAYER_KINDS; kind++) {
        add(&held, &parts->layer[kind], (double)layers->kind[kind]);
        add(&frozen, &parts->layer[kind], (double)layers->frozen[kind]);
    }
    double linear = held.matrix + held.experts;
    if (stage == 0) {
        double embedding = parts->embedding + parts->positions;
        held.rest += embedding;
        if (plan->training.method == ACT_FREEZE && plan->training.frozen_layers > 0)
            frozen.rest += embedding;
    }
    if (stage == last) {
        held.rest += parts->head + parts->final_norm;
        double mtp = (double)plan->model.mtp_layers;
        add(&held, &parts->mtp, mtp);
        if (last > 0)
            held.rest += parts->embedding * mtp;
    }

    struct act_rank_parameters trained = {0};
    if (parts->profile.adapters) {
        trained.matrix = linear * parts->adapters * scale;
    } else {
        trained.matrix = (held.matrix - frozen.matrix) * scale;
        trained.experts = (held.experts - frozen.experts) * scale;
        trained.rest = (held.rest - frozen.rest) * scale;
    }
    held.matrix *= scale;
    held.experts *= scale;
    held.rest *= scale;
    *ret_held = held;
    *ret_trained = trained;
}

/* Weights of one GPU under its share of ZeRO-3. */
static double weight_bytes(const struct act_parts *parts, const struct act_rank_parameters *held,
                           const struct act_rank_parameters *trained, double dense, double experts)
{
    const struct act_profile *profile = &parts->profile;

    if (!profile->adapters)
        return profile->weight * ((held->matrix + held->rest) * dense + held->experts * experts);
    return (profile->base_linear * held->matrix + profile->base_rest * held->rest) * dense +
           profile->base_linear * held->experts * experts +
           profile->base_scales * (held->matrix + held->experts) +
           profile->weight * trained->matrix * dense;
}

/* Offloaded weights come back layer by layer: the one in use and the next. */
static double weights_in_use(double weights, int64_t layers)
{
    return layers > 2 ? weights * 2 / (double)layers : weights;
}

void act_states_of(const struct act_parts *parts, int stage, const struct act_stage_layers *layers,
                   struct act_states *ret)
{
    const struct act_profile *profile = &parts->profile;
    const struct act_plan *plan = parts->plan;
    int64_t zero = plan->parallel.zero;
    double dense = 1 / (double)parts->layout->shard;
    double experts = 1 / (double)parts->layout->expert_shard;
    double od = zero >= 1 ? dense : 1, ox = zero >= 1 ? experts : 1;
    double gd = zero >= 2 ? dense : 1, gx = zero >= 2 ? experts : 1;
    double wd = zero >= 3 ? dense : 1, wx = zero >= 3 ? experts : 1;
    struct act_rank_parameters held, trained;

    act_stage_parameters(parts, stage, layers, &held, &trained);
    ret->parameters = held.matrix + held.experts + held.rest;
    if (profile->adapters)
        ret->parameters += trained.matrix;
    ret->weights = weight_bytes(parts, &held, &trained, wd, wx);

    double whole = trained.matrix + trained.rest;
    ret->gradients = profile->gradient * (whole * gd + trained.experts * gx);
    ret->optimizer = profile->optimizer_matrix * (trained.matrix * od + trained.experts * ox) +
                     profile->optimizer_rest * trained.rest * od;
    ret->step = profile->step * (whole * od + trained.experts * ox);

    /* DualPipe runs both ends of the pipeline on every GPU: two copies of the weights, its own
     * stage's and the opposite one's. */
    int opposite = parts->layout->stages - 1 - stage;
    if (plan->parallel.schedule == ACT_DUALPIPE && opposite != stage) {
        struct act_stage_layers other;
        act_stage_walk(parts, opposite, &other);
        act_stage_parameters(parts, opposite, &other, &held, &trained);
        ret->parameters += held.matrix + held.experts + held.rest;
        ret->weights += weight_bytes(parts, &held, &trained, wd, wx);
    }

    ret->host = 0;
    if (plan->parallel.offload != ACT_OFFLOAD_NONE) {
        ret->host += ret->optimizer;
        ret->optimizer = 0;
    }
    if (plan->parallel.offload == ACT_OFFLOAD_ALL) {
        ret->host += ret->weights;
        ret->weights = weights_in_use(ret->weights,
                                      layers->kind[ACT_LAYER_DENSE] + layers->kind[ACT_LAYER_MOE]);
    }
}
