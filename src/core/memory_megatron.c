/* Megatron-LM, DeepSpeed pipeline, Paddle and their kin: activations, head, buffers and phases
 * (memory-megatron.md 1.2 to 1.5). */
#include "core/memory_parts.h"

#include <math.h>

/* Bytes of one layer of one micro batch. */
struct layer_bytes {
    double whole;       /* A: nothing recomputed */
    double kept;        /* under the plan's policy */
    double temporaries; /* gradients alive inside the MLP's backward */
};

/* Local sizes that every term uses. */
struct shape {
    double tokens; /* T */
    double h, t, q;
    double heads, kv; /* a/t and max(g, t)/t: a rank holds one KV head at least */
    double head_dim;
    double rows;            /* R: routed rows of a rank */
    double ffn, expert_ffn; /* f/t, f_m/x */
    double shared_ffn;      /* f_s/t */
    double experts;         /* E/t */
};

static struct shape shape_of(const struct act_parts *parts)
{
    const struct act_plan *plan = parts->plan;
    const struct act_model_fields *model = &plan->model;
    double t = (double)plan->parallel.tensor;
    double x = fmax((double)plan->parallel.expert_tensor, 1);
    double tokens = parts->layout->tokens;

    return (struct shape){
        .tokens = tokens,
        .h = (double)model->hidden,
        .t = t,
        .q = parts->profile.sequence_parallel ? 1 / t : 1,
        .heads = (double)model->heads / t,
        .kv = fmax((double)model->kv_heads, t) / t,
        .head_dim = (double)model->head_dim,
        .rows = (double)model->experts_per_token * tokens * x / t * plan->parallel.moe_imbalance,
        .ffn = (double)model->ffn / t,
        .expert_ffn = (double)model->expert_ffn / x,
        .shared_ffn = (double)model->shared_ffn / t,
        .experts = (double)model->experts / t,
    };
}

/* Norms and the residual stream: (8 + 2 delta) h q with two norms. Each norm keeps its input;
 * each block's first linear keeps the norm's output (one for both in a parallel block). */
static double stream_bytes(const struct act_parts *parts, const struct shape *s, bool policy)
{
    const struct act_profile *profile = &parts->profile;
    double norms = (double)parts->plan->model.norms_per_layer;
    double inputs = norms == 1 ? 1 : 2;
    double kept = norms * (profile->residual + profile->norm_copy);

    if (!policy || !act_drops_module(parts->plan, ACT_MODULE_LAYERNORM))
        kept += inputs * profile->element;
    if (profile->hidden_dropout)
        kept += 2;
    return s->tokens * s->h * s->q * kept;
}

static double attention_bytes(const struct act_parts *parts, const struct shape *s, bool policy)
{
    const struct act_plan *plan = parts->plan;
    const struct act_model_fields *model = &plan->model;
    const struct act_profile *profile = &parts->profile;
    double el = profile->element;
    double bytes;

    if (model->attention == ACT_MLA) {
        double latent = 2 * (double)model->q_lora_rank + 2 * (double)model->kv_lora_rank +
                        (double)model->qk_rope_dim;
        double value = (double)model->v_head_dim;
        double key = (double)model->qk_nope_dim + (double)model->qk_rope_dim;
        bytes = el * latent * s->q + profile->output_copies * el * s->heads * value;
        if (!policy || !act_drops_module(plan, ACT_MODULE_MLA_UP_PROJ))
            bytes += el * s->heads * (2 * key + value);
    } else {
        bytes = el * (s->heads + 2 * s->kv) * s->head_dim +
                profile->output_copies * el * s->heads * s->head_dim;
        /* A QK norm keeps its inputs too (engine.md 3.2). */
        if (model->qk_norm != ACT_QK_NONE)
            bytes += el * (s->heads + s->kv) * s->head_dim;
    }
    bool core = policy && (plan->parallel.recompute == ACT_RECOMPUTE_ATTENTION ||
                           act_drops_module(plan, ACT_MODULE_CORE_ATTN));
    if (!core)
        bytes += profile->statistics * s->heads + profile->scores * s->heads *
                                                      (double)plan->training.sequence /
                                                      (double)plan->parallel.context;
    return s->tokens * bytes;
}

static double mlp_bytes(const struct act_parts *parts, const struct shape *s, int kind, bool policy)
{
    const struct act_plan *plan = parts->plan;
    const struct act_profile *profile = &parts->profile;
    double dense = policy && act_drops_module(plan, ACT_MODULE_MLP) ? 0 : profile->mlp * s->tokens;

    if (kind == ACT_LAYER_DENSE)
        return dense * s->ffn;
    double expert = profile->expert_mlp;
    if (policy && act_drops_module(plan, ACT_MODULE_MOE_ACT))
        expert -= profile->element;
    double input = profile->element * s->h;
    double bytes = s->rows * (input + expert * s->expert_ffn) + 8 * s->rows +
                   13 * s->tokens * s->experts + dense * s->shared_ffn;
    if (plan->framework.moe_combine_kept > 0)
        bytes += s->rows * input;
    if (plan->parallel.moe_dispatcher == ACT_ALL_GATHER && plan->parallel.expert > 1)
        bytes += s->tokens * input * (double)plan->parallel.expert;
    return bytes;
}

/* Op-level checkpointing keeps the layer's input, every second matmul's output and the attention
 * output (memory-fsdp-lora.md 2.5, compiled); experts and MLA by the same rule. */
static double op_bytes(const struct act_parts *parts, const struct shape *s, int kind)
{
    const struct act_model_fields *model = &parts->plan->model;
    const struct act_profile *profile = &parts->profile;
    double el = profile->element;
    double bytes = profile->residual * s->h * s->q + 4 * s->heads;

    if (model->attention == ACT_MLA)
        bytes +=
            el * ((double)(model->q_lora_rank + model->kv_lora_rank + model->qk_rope_dim) * s->q +
                  s->heads * (double)(model->qk_nope_dim + model->qk_rope_dim + model->v_head_dim));
    else
        bytes += el * (2 * s->heads + s->kv) * s->head_dim;
    bytes *= s->tokens;
    if (kind == ACT_LAYER_DENSE)
        return bytes + el * s->tokens * s->ffn;
    return bytes + s->rows * (el * (s->h + s->expert_ffn) + 8) + 13 * s->tokens * s->experts +
           el * s->tokens * s->shared_ffn;
}

static struct layer_bytes layer_of(const struct act_parts *parts, const struct shape *s, int kind)
{
    const struct act_profile *profile = &parts->profile;
    struct layer_bytes ret;

    ret.whole = stream_bytes(parts, s, false) + attention_bytes(parts, s, false) +
                mlp_bytes(parts, s, kind, false);
    switch ((enum act_recompute)parts->plan->parallel.recompute) {
    case ACT_RECOMPUTE_ATTENTION:
    case ACT_RECOMPUTE_MODULES:
        ret.kept = stream_bytes(parts, s, true) + attention_bytes(parts, s, true) +
                   mlp_bytes(parts, s, kind, true);
        break;
    case ACT_RECOMPUTE_OP:
        ret.kept = fmin(op_bytes(parts, s, kind), ret.whole);
        break;
    default:
        ret.kept = ret.whole;
        break;
    }
    ret.temporaries =
        kind == ACT_LAYER_DENSE
            ? profile->mlp_gradient * s->tokens * s->ffn
            : s->rows * (profile->element * s->h + profile->mlp_gradient * s->expert_ffn);
    return ret;
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

/* Transformer Engine's weight-gradient scratch: one for each distinct local weight shape; of the
 * experts one expert's (memory-megatron.md 1.5). */
static double scratch_bytes(const struct act_parts *parts, const struct shape *s,
                            const bool present[ACT_LAYER_KINDS])
{
    const struct act_model_fields *model = &parts->plan->model;
    double gate = parts->profile.gated ? 2 : 1;
    struct shapes shapes = {0};

    if (model->attention == ACT_MLA) {
        double query = (double)model->q_lora_rank, latent = (double)model->kv_lora_rank;
        double nope = (double)model->qk_nope_dim, rope = (double)model->qk_rope_dim;
        double value = (double)model->v_head_dim;
        if (query > 0)
            add_shape(&shapes, s->h, query);
        add_shape(&shapes, s->h, latent + rope);
        add_shape(&shapes, query > 0 ? query : s->h, s->heads * (nope + rope));
        add_shape(&shapes, latent, s->heads * (nope + value));
        add_shape(&shapes, s->heads * value, s->h);
    } else {
        add_shape(&shapes, s->h, (s->heads + 2 * s->kv) * s->head_dim);
        add_shape(&shapes, s->heads * s->head_dim, s->h);
    }
    if (present[ACT_LAYER_DENSE]) {
        add_shape(&shapes, s->h, gate * s->ffn);
        add_shape(&shapes, s->ffn, s->h);
    }
    if (present[ACT_LAYER_MOE]) {
        add_shape(&shapes, s->h, gate * s->expert_ffn);
        add_shape(&shapes, s->expert_ffn, s->h);
        if (s->shared_ffn > 0) {
            add_shape(&shapes, s->h, gate * s->shared_ffn);
            add_shape(&shapes, s->shared_ffn, s->h);
        }
    }
    return parts->profile.element * shapes.elements;
}

/* Head and loss of the last stage, and what stays of it until backward. */
struct head_bytes {
    double loss, deferred;
};

static struct head_bytes head_of(const struct act_parts *parts, const struct shape *s)
{
    const struct act_plan *plan = parts->plan;
    const struct act_profile *profile = &parts->profile;
    double el = profile->element;
    double rows = act_padded_vocabulary(plan) / s->t;
    double loss = profile->logit * s->tokens * rows * (1 + (double)plan->model.mtp_layers);
    struct head_bytes ret = {0};

    /* The head's own backward: logit gradient where logits exist as a whole, its weight-gradient
     * scratch, the input's gradient. It decides whenever the loss is fused. */
    if (plan->framework.loss != ACT_LOSS_NONE) {
        double backward = el * (rows * s->h + s->tokens * s->h);
        if (profile->whole_logits)
            backward += el * s->tokens * rows;
        loss = fmax(loss, backward);
    }
    if (plan->framework.defer_embedding_gradient > 0)
        ret.deferred = (parts->layout->micro_batches - 1) * el * s->tokens * (rows + s->h * s->q);
    ret.loss = 2 * el * s->tokens * s->h * s->q + loss + ret.deferred;
    return ret;
}

/* Live activations of a stage at the end of its warm-up. */
static double live_bytes(const struct act_parts *parts, const struct shape *s, int stage,
                         const struct act_stage_layers *layers, const struct layer_bytes *layer)
{
    const struct act_plan *plan = parts->plan;
    const struct act_profile *profile = &parts->profile;
    double unit = s->tokens * s->h * s->q;
    double input = profile->residual * unit;
    double live = 0;

    for (int kind = 0; kind < ACT_LAYER_KINDS; kind++)
        live += layers->live_kept[kind] * layer[kind].kept + layers->live_full[kind] * input;
    if (stage == 0 && profile->hidden_dropout)
        live += layers->live_first * unit;
    if (parts->layout->stages > 1 && plan->framework.stage_output_kept > 0)
        live += layers->live_sum * profile->element * unit;
    if (stage == parts->layout->stages - 1 && plan->model.mtp_layers > 0) {
        /* One more layer each, and the inputs of its projection (2h wide) and of its norms. */
        int kind = parts->mtp_kind;
        double one = plan->parallel.recompute == ACT_RECOMPUTE_FULL ? input : layer[kind].kept;
        live += layers->live_last * (double)plan->model.mtp_layers *
                (one + 3 * profile->element * unit);
    }
    return live;
}

static void stage_of(const struct act_parts *parts, const struct shape *s,
                     const struct layer_bytes layer[ACT_LAYER_KINDS], int index,
                     struct act_stage *ret, double *ret_host)
{
    const struct act_plan *plan = parts->plan;
    const struct act_profile *profile = &parts->profile;
    bool last = index == parts->layout->stages - 1;
    struct act_stage_layers layers;
    struct act_states states;

    act_stage_walk(parts, index, &layers);
    act_states_of(parts, index, &layers, &states);

    bool present[ACT_LAYER_KINDS] = {layers.kind[ACT_LAYER_DENSE] > 0,
                                     layers.kind[ACT_LAYER_MOE] > 0};
    if (last && plan->model.mtp_layers > 0)
        present[parts->mtp_kind] = true;
    double temporaries = 0, replay = 0;
    for (int kind = 0; kind < ACT_LAYER_KINDS; kind++) {
        if (!present[kind])
            continue;
        temporaries = fmax(temporaries, layer[kind].temporaries);
        /* One layer is replayed at a time; what selective policies drop is not counted again
         * (memory-megatron.md 1.4). */
        if (layers.full[kind])
            replay = fmax(replay, layer[kind].whole);
    }

    double base[ACT_ALLOCATED_COUNT] = {0};
    base[ACT_WEIGHTS] = states.weights;
    base[ACT_GRADIENTS] = states.gradients;
    base[ACT_OPTIMIZER] = states.optimizer;
    base[ACT_BUFFERS] = profile->workspace + profile->bucket;
    if (plan->framework.weight_gradient_scratch > 0 && !profile->adapters)
        base[ACT_BUFFERS] += scratch_bytes(parts, s, present);

    /* Activations are free by the time of the step: a maximum, not a sum. */
    double phase[ACT_PHASE_COUNT][ACT_ALLOCATED_COUNT] = {{0}};
    for (int k = 0; k <= ACT_PHASE_STEP; k++)
        for (int i = 0; i < ACT_ALLOCATED_COUNT; i++)
            phase[k][i] = base[i];
    double live = live_bytes(parts, s, index, &layers, layer);
    phase[ACT_PHASE_LOSS][ACT_ACTIVATIONS] = live;
    phase[ACT_PHASE_BACKWARD][ACT_ACTIVATIONS] = live;
    if (last) {
        struct head_bytes head = head_of(parts, s);
        phase[ACT_PHASE_LOSS][ACT_HEAD] = head.loss;
        phase[ACT_PHASE_BACKWARD][ACT_HEAD] = head.deferred;
    }
    double input = profile->element * s->tokens * s->h;
    phase[ACT_PHASE_BACKWARD][ACT_TRANSIENTS] =
        input * (profile->sequence_parallel ? 2 : 1) + temporaries + replay;
    phase[ACT_PHASE_STEP][ACT_TRANSIENTS] = states.step;

    ret->layers = layers.kind[ACT_LAYER_DENSE] + layers.kind[ACT_LAYER_MOE];
    double alive = layers.live_kept[ACT_LAYER_DENSE] + layers.live_kept[ACT_LAYER_MOE] +
                   layers.live_full[ACT_LAYER_DENSE] + layers.live_full[ACT_LAYER_MOE];
    ret->in_flight = ret->layers > 0 ? alive / (double)ret->layers : layers.live_first;
    ret->parameters = states.parameters;
    act_stage_finish(parts, phase, ret);
    *ret_host = states.host;
}

/* LoRA and freezing change the states only: activations are counted as in full training, since
 * the page has no measured Megatron row that shows what frozen layers save. */
void act_memory_megatron(const struct act_parts *parts, struct act_memory *ret)
{
    struct shape shape = shape_of(parts);
    struct layer_bytes layer[ACT_LAYER_KINDS];

    for (int kind = 0; kind < ACT_LAYER_KINDS; kind++)
        layer[kind] = layer_of(parts, &shape, kind);
    for (int i = 0; i < ret->stages; i++) {
        double host;
        stage_of(parts, &shape, layer, i, &ret->stage[i], &host);
        ret->host = fmax(ret->host, host);
    }
}
