/* FSDP2 and HSDP, DeepSpeed ZeRO and Hugging Face loops, LoRA and QLoRA: the phases of a step and
 * the three counters (memory-fsdp-lora.md 2.1, 2.4, 2.7). */
#include "core/memory_fsdp.h"

#include <math.h>

/* The allocator never grows to the very end of the card (2.7). */
static const double margin = 0.6 * 1024 * 1024 * 1024;

/* What a stage's activations amount to. */
struct activations {
    double live;        /* of all micro batches alive, at the end of forward */
    double replay;      /* one layer recomputed in backward */
    double temporaries; /* gradients inside one layer's backward */
};

/* Leading frozen layers have nothing trained before them: they keep nothing at all. */
static void activations_of(const struct act_parts *parts, int stage,
                           const struct act_stage_layers *layers,
                           const struct act_fsdp_layer layer[ACT_LAYER_KINDS],
                           struct activations *ret)
{
    const struct act_plan *plan = parts->plan;
    const struct act_profile *profile = &parts->profile;
    double q = profile->sequence_parallel ? 1 / (double)plan->parallel.tensor : 1;
    double unit = parts->layout->tokens * (double)plan->model.hidden * q;
    double input = profile->residual * unit;
    bool replays = plan->parallel.recompute != ACT_RECOMPUTE_NONE;
    bool full = plan->parallel.recompute == ACT_RECOMPUTE_FULL;
    bool partly = plan->parallel.recompute == ACT_RECOMPUTE_ATTENTION ||
                  plan->parallel.recompute == ACT_RECOMPUTE_MODULES;

    *ret = (struct activations){0};
    for (int kind = 0; kind < ACT_LAYER_KINDS; kind++) {
        double mtp = 0;
        if (stage == parts->layout->stages - 1 && kind == parts->mtp_kind)
            mtp = (double)plan->model.mtp_layers;
        ret->live += (layers->live_kept[kind] - layers->live_frozen_kept[kind]) * layer[kind].kept +
                     (layers->live_full[kind] - layers->live_frozen_full[kind]) * input;
        /* An MTP layer has the inputs of its projection (2h wide) and of its norms as well. */
        ret->live += layers->live_last * mtp *
                     ((full ? input : layer[kind].kept) + 3 * profile->element * unit);
        if ((double)(layers->kind[kind] - layers->frozen[kind]) + mtp <= 0)
            continue;
        ret->temporaries = fmax(ret->temporaries, layer[kind].temporaries);
        if (replays)
            ret->replay = fmax(ret->replay, layer[kind].whole - (partly ? layer[kind].kept : 0));
    }
}

/* Logits and loss (2.4), the final norm's and the head's input, and a quantised head expanded. */
static double head_of(const struct act_parts *parts)
{
    const struct act_plan *plan = parts->plan;
    const struct act_profile *profile = &parts->profile;
    double t = (double)plan->parallel.tensor, tokens = parts->layout->tokens;
    double passes = 1 + (double)plan->model.mtp_layers;

    if (plan->framework.loss == ACT_LOSS_NONE)
        return 0;
    double logit = profile->logit;
    if (logit > 0 && plan->model.soft_cap > 0)
        logit += 2;
    return passes * logit * tokens * act_padded_vocabulary(plan) / t +
           8 * tokens * (double)plan->model.hidden / t +
           profile->fsdp.quantised_head * parts->head * parts->parameters->scale;
}

/* The largest matrix of a layer, expanded for use. */
static double expanded_of(const struct act_parts *parts, const struct act_stage_layers *layers)
{
    double largest = 0, t = (double)parts->plan->parallel.tensor;

    if (parts->profile.fsdp.expanded <= 0)
        return 0;
    for (int kind = 0; kind < ACT_LAYER_KINDS; kind++) {
        struct act_layer_matrices list;
        if (layers->kind[kind] == 0)
            continue;
        act_layer_matrices_of(parts->plan, (enum act_layer_kind)kind, false, &list);
        for (int i = 0; i < list.count; i++) {
            double split = list.item[i].place == ACT_PLACE_WHOLE ? 1 : t;
            largest = fmax(largest, list.item[i].in * list.item[i].out / split);
        }
    }
    return parts->profile.fsdp.expanded * largest;
}

/* What the allocator holds and the device shows. `whole` is the largest phase as if the sharded
 * gradients stood in all of them: blocks once made stay. */
static void count(const struct act_parts *parts, double persistent, double whole, double head,
                  struct act_stage *ret)
{
    const struct act_plan *plan = parts->plan;
    const struct act_profile *profile = &parts->profile;
    double usable = plan->hardware.usable_memory;

    if (plan->hardware.fragmentation >= 1)
        ret->reserved = plan->hardware.fragmentation * ret->allocated;
    else
        ret->reserved = fmin(persistent + profile->fsdp.slack * fmax(whole - persistent - head, 0) +
                                 profile->fsdp.head_slack * head,
                             usable - margin);
    ret->reserved = fmax(ret->reserved, ret->allocated);

    /* A card that would overflow by cached blocks alone gives them back: only what is allocated
     * decides that it does not fit. */
    double context = profile->context + profile->context_per_group * parts->layout->groups;
    double most = fmax(usable, ret->allocated + context);
    if (plan->hardware.fragmentation < 1)
        context = fmax(fmin(context, most - ret->reserved), 0);
    act_stage_counters(ret->reserved, context, ret);
}

static void stage_of(const struct act_parts *parts,
                     const struct act_fsdp_layer layer[ACT_LAYER_KINDS], int index,
                     struct act_stage *ret, double *ret_host)
{
    const struct act_plan *plan = parts->plan;
    bool last = index == parts->layout->stages - 1;
    struct act_stage_layers layers;
    struct act_fsdp_states states;
    struct activations activations;
    double(*phase)[ACT_ALLOCATED_COUNT] = ret->contents;

    act_stage_clear(ret);

    act_stage_walk(parts, index, &layers);
    act_fsdp_states_of(parts, index, &layers, &states);
    activations_of(parts, index, &layers, layer, &activations);
    double head = last ? head_of(parts) : 0;
    double offloaded = 0;
    if (plan->parallel.activation_offload > 0) {
        offloaded = activations.live;
        activations.live = 0;
    }

    double bucket = parts->profile.bucket + parts->profile.workspace;
    for (int k = 0; k <= ACT_PHASE_STEP; k++) {
        bool step = k == ACT_PHASE_STEP;
        bool there = step || (states.accumulated && !states.waits);
        phase[k][ACT_WEIGHTS] = states.weights;
        phase[k][ACT_GRADIENTS] = (there ? states.gradients : 0) + (step ? 0 : states.unsharded);
        phase[k][ACT_OPTIMIZER] = states.optimizer;
        phase[k][ACT_ACTIVATIONS] = step ? 0 : activations.live;
        phase[k][ACT_TRANSIENTS] = states.extra;
        phase[k][ACT_BUFFERS] = bucket + (step ? states.root : states.gathered);
    }
    phase[ACT_PHASE_LOSS][ACT_HEAD] = head;
    phase[ACT_PHASE_BACKWARD][ACT_TRANSIENTS] +=
        activations.replay + activations.temporaries + states.unit + expanded_of(parts, &layers);
    phase[ACT_PHASE_STEP][ACT_TRANSIENTS] += states.step;
    phase[ACT_PHASE_LOAD][ACT_WEIGHTS] = states.loaded;

    act_stage_layers_of(&layers, ret);
    ret->parameters = states.parameters;
    act_stage_peak(ret);

    double absent = states.accumulated && !states.waits ? 0 : states.gradients;
    double whole = ret->phases[ACT_PHASE_STEP];
    for (int k = 0; k < ACT_PHASE_STEP; k++)
        whole = fmax(whole, ret->phases[k] + (states.waits ? 0 : absent));
    whole = fmax(whole, ret->phases[ACT_PHASE_LOAD]);
    count(parts, states.weights + states.gradients + states.optimizer + states.extra, whole, head,
          ret);
    *ret_host = states.host + offloaded;
}

void act_memory_fsdp(const struct act_parts *parts, struct act_memory *ret)
{
    struct act_fsdp_layer layer[ACT_LAYER_KINDS] = {{0}};

    act_fsdp_layer_of(parts, ACT_LAYER_DENSE, &layer[ACT_LAYER_DENSE]);
    if (parts->plan->model.experts > 0)
        act_fsdp_layer_of(parts, ACT_LAYER_MOE, &layer[ACT_LAYER_MOE]);
    for (int i = 0; i < ret->stages; i++) {
        double host;
        stage_of(parts, layer, i, &ret->stage[i], &host);
        ret->host = fmax(ret->host, host);
    }
}
