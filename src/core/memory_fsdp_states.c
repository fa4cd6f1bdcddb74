/* Weights, gradients and optimizer of one GPU under FSDP, ZeRO and adapters, and the whole
 * weights and gradients that stand beside the shards (memory-fsdp-lora.md 2.1 to 2.3, 2.6). */
#include "core/memory_fsdp.h"

#include <math.h>

/* A trained embedding or head beside adapters: 16-bit copy, gradient and 16-bit Adam moments as
 * other states; the incoming gradient and temporaries whole. 11 bytes in all (2.6). */
static const struct {
    double weight, gradient, optimizer, extra;
} saved_module = {2, 2, 4, 3};

/* Shares of a GPU after ZeRO. */
struct shares {
    double weights, gradients, optimizer; /* of dense parameters */
    double expert_weights, expert_gradients, expert_optimizer;
};

static struct shares shares_of(const struct act_parts *parts)
{
    int64_t zero = parts->plan->parallel.zero;
    double dense = 1 / (double)parts->layout->shard;
    double experts = 1 / (double)parts->layout->expert_shard;

    return (struct shares){
        .weights = zero >= 3 ? dense : 1,
        .gradients = zero >= 2 ? dense : 1,
        .optimizer = zero >= 1 ? dense : 1,
        .expert_weights = zero >= 3 ? experts : 1,
        .expert_gradients = zero >= 2 ? experts : 1,
        .expert_optimizer = zero >= 1 ? experts : 1,
    };
}

/* Embedding and head of the stage. */
static double vocabulary_of(const struct act_parts *parts, int stage)
{
    double rows = stage == 0 ? parts->embedding : 0;

    if (stage == parts->layout->stages - 1)
        rows += parts->head;
    return rows * parts->parameters->scale;
}

static double sum_of(const struct act_rank_parameters *parameters)
{
    return parameters->matrix + parameters->experts + parameters->rest;
}

/* What the stage holds with a quantised head counted among the linear matrices. */
static struct act_rank_parameters linear_of(const struct act_parts *parts, int stage,
                                            const struct act_rank_parameters *held)
{
    struct act_rank_parameters ret = *held;

    if (parts->profile.fsdp.quantised_head > 0 && stage == parts->layout->stages - 1) {
        double head = parts->head * parts->parameters->scale;
        ret.matrix += head;
        ret.rest -= head;
    }
    return ret;
}

/* Scales of a quantised base are no parameters: they stay whole on every GPU. */
static double scale_bytes(const struct act_parts *parts, const struct act_rank_parameters *base)
{
    return parts->profile.adapters ? parts->profile.base_scales * (base->matrix + base->experts)
                                   : 0;
}

static double weight_bytes(const struct act_parts *parts, const struct shares *share,
                           const struct act_rank_parameters *base,
                           const struct act_rank_parameters *trained)
{
    const struct act_profile *profile = &parts->profile;

    if (!profile->adapters)
        return profile->weight * ((base->matrix + base->rest) * share->weights +
                                  base->experts * share->expert_weights);
    return (profile->base_linear * base->matrix + profile->base_rest * base->rest +
            profile->weight * trained->matrix) *
               share->weights +
           profile->base_linear * base->experts * share->expert_weights;
}

/* The largest layer of the stage whose parameters `trained_only` or all count. */
static struct act_rank_parameters largest_layer(const struct act_parts *parts,
                                                const struct act_stage_layers *layers,
                                                bool trained_only)
{
    struct act_rank_parameters ret = {0};

    for (int kind = 0; kind < ACT_LAYER_KINDS; kind++) {
        int64_t count = layers->kind[kind] - (trained_only ? layers->frozen[kind] : 0);
        if (count > 0 && sum_of(&parts->layer[kind]) > sum_of(&ret))
            ret = parts->layer[kind];
    }
    double scale = parts->parameters->scale;
    ret.matrix *= scale;
    ret.experts *= scale;
    ret.rest *= scale;
    return ret;
}

/* Bytes of parameters when gathered: matrices in the base's own type if it is quantised. */
static double gathered_bytes(const struct act_parts *parts,
                             const struct act_rank_parameters *parameters)
{
    return parts->profile.fsdp.gathered_linear * (parameters->matrix + parameters->experts) +
           parts->profile.element * parameters->rest;
}

/* Whole weights beside the shards under ZeRO-3: the root unit through the loss, this layer and the
 * prefetched one; all of them in a pipeline or without resharding; DeepSpeed's live limit. */
static void gather(const struct act_parts *parts, int stage, const struct act_stage_layers *layers,
                   const struct act_rank_parameters *held, struct act_fsdp_states *ret)
{
    const struct act_profile *profile = &parts->profile;
    struct act_rank_parameters layer = largest_layer(parts, layers, false);

    ret->root = profile->element * vocabulary_of(parts, stage);
    if (profile->fsdp.whole_after_forward)
        ret->gathered = gathered_bytes(parts, held);
    else
        ret->gathered =
            fmin(ret->root + 2 * gathered_bytes(parts, &layer), gathered_bytes(parts, held));
    double live = fmin(parts->plan->framework.live_parameters, sum_of(held));
    ret->gathered = fmax(ret->gathered, profile->element * live);
}

/* Whole gradients that wait for the last micro batch: of everything in a mixed FSDP1 unit. In a
 * pipeline and without resharding they are fp32 and stand beside the sharded ones. */
static void hold_gradients(const struct act_parts *parts, const struct act_rank_parameters *held,
                           const struct act_rank_parameters *trained, struct act_fsdp_states *ret)
{
    const struct act_framework_fields *framework = &parts->plan->framework;
    const struct act_profile *profile = &parts->profile;
    double parameters = sum_of(profile->fsdp.mixed_units ? held : trained);

    if (framework->no_sync > 0) {
        double width = profile->gradient > 0 ? profile->gradient : profile->element;
        ret->unsharded = width * parameters;
        ret->waits = true;
    } else if (profile->fsdp.whole_after_forward) {
        ret->unsharded = 4 * parameters;
    }
}

static void trained_states(const struct act_parts *parts, const struct shares *share,
                           const struct act_rank_parameters *trained, struct act_fsdp_states *ret)
{
    const struct act_profile *profile = &parts->profile;
    double whole = trained->matrix + trained->rest;

    ret->gradients = profile->gradient *
                         (whole * share->gradients + trained->experts * share->expert_gradients) +
                     profile->gradient_partition *
                         (whole * share->optimizer + trained->experts * share->expert_optimizer);
    ret->optimizer = profile->optimizer_matrix * (trained->matrix * share->optimizer +
                                                  trained->experts * share->expert_optimizer) +
                     profile->optimizer_rest * trained->rest * share->optimizer;
    ret->step =
        profile->step * (whole * share->optimizer + trained->experts * share->expert_optimizer);
}

static void move_out(const struct act_parts *parts, double scales, struct act_fsdp_states *ret)
{
    const struct act_plan *plan = parts->plan;
    bool all = plan->parallel.offload == ACT_OFFLOAD_ALL;

    if (plan->parallel.offload == ACT_OFFLOAD_NONE)
        return;
    ret->host = ret->optimizer;
    ret->optimizer = 0;
    /* Sharded gradients go where the optimizer is. */
    if (all || plan->parallel.zero >= 2) {
        ret->host += ret->gradients;
        ret->gradients = ret->step = 0;
    }
    if (all) {
        ret->host += ret->weights - scales;
        ret->weights = scales;
    }
}

void act_fsdp_states_of(const struct act_parts *parts, int stage,
                        const struct act_stage_layers *layers, struct act_fsdp_states *ret)
{
    const struct act_plan *plan = parts->plan;
    const struct act_profile *profile = &parts->profile;
    struct shares share = shares_of(parts);
    struct act_rank_parameters held, trained;
    bool sharded = plan->parallel.zero >= 3;
    bool accumulates = parts->layout->micro_batches > 1;

    *ret = (struct act_fsdp_states){0};
    act_stage_parameters(parts, stage, layers, &held, &trained);
    struct act_rank_parameters base = linear_of(parts, stage, &held);
    double scales = scale_bytes(parts, &base);
    ret->parameters = sum_of(&held) + (profile->adapters ? trained.matrix : 0);
    ret->weights = weight_bytes(parts, &share, &base, &trained) + scales;
    trained_states(parts, &share, &trained, ret);
    if (profile->adapters && plan->training.trained_embeddings > 0) {
        double rows = vocabulary_of(parts, stage);
        ret->weights += saved_module.weight * rows * share.weights;
        ret->gradients += saved_module.gradient * rows * share.gradients;
        ret->optimizer += saved_module.optimizer * rows * share.optimizer;
        ret->extra = saved_module.extra * rows;
    }
    /* Adapters' bytes are counted whole: what they would save at the loss is too small to show. */
    ret->accumulated = accumulates || plan->framework.gradients_kept > 0 || profile->adapters;

    struct act_rank_parameters unit = largest_layer(parts, layers, true);
    if (!profile->adapters)
        ret->unit = (sharded ? profile->fsdp.unit_gradient : profile->gradient) * sum_of(&unit);
    if (sharded) {
        gather(parts, stage, layers, &base, ret);
        if (accumulates)
            hold_gradients(parts, &held, &trained, ret);
        if (plan->framework.load_whole > 0 && parts->layout->shard > 1)
            ret->loaded = profile->element * sum_of(&held) * (1 + share.weights);
    }
    move_out(parts, scales, ret);
}
