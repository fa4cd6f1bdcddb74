/* FLOPs of a trained token (engine.md 4). A matmul weight costs 2 forward and 4 backward, 2 when it
 * is frozen under an adapter; the scores of causal attention are counted half. */
#include <actuary/model.h>

#include "core/model_matrices.h"

#include <math.h>

/* One forward pass of a token through everything, in FLOP. */
struct forward {
    double matmul;    /* all matrices, head included */
    double layers;    /* those of the layers */
    double mlp;       /* those of MLPs and experts */
    double mla_up;    /* MLA's up-projections */
    double attention; /* scores and their product with the values */
};

static void add_layers(const struct act_plan *plan, enum act_layer_kind kind, bool lightning,
                       double layers, struct forward *sum)
{
    struct act_layer_matrices list;

    act_layer_matrices_of(plan, kind, lightning, &list);
    for (int i = 0; i < list.count; i++) {
        const struct act_matrix *matrix = &list.item[i];
        double flops = 2 * layers * matrix->in * matrix->out * matrix->used;
        bool up = plan->model.attention == ACT_MLA && matrix->place == ACT_PLACE_SPLIT &&
                  (matrix->role == ACT_ROLE_QUERY || matrix->role == ACT_ROLE_VALUE);

        sum->layers += flops;
        if (matrix->role == ACT_ROLE_MLP || matrix->role == ACT_ROLE_EXPERT)
            sum->mlp += flops;
        if (up)
            sum->mla_up += flops;
    }
}

/* Tokens that a token's attention spans before the causal half: the document for a global layer,
 * twice the window at most for a local one (decisions 1). */
static double span_of(const struct act_plan *plan, bool local)
{
    int64_t span = plan->training.sequence, document = plan->training.document_length;

    if (document > 0 && document < span)
        span = document;
    if (local && plan->model.window < (span + 1) / 2)
        span = 2 * plan->model.window;
    return (double)span;
}

/* Scores and values of all layers, forward, a token. Lightning attention has no scores: its small
 * state is left out. */
static double attention_of(const struct act_plan *plan)
{
    const struct act_model_fields *model = &plan->model;
    double softmax =
        (double)(model->layers -
                 (model->linear_layers < model->layers ? model->linear_layers : model->layers));
    double local = 0;
    double widths = model->attention == ACT_MLA
                        ? (double)(model->qk_nope_dim + model->qk_rope_dim + model->v_head_dim)
                        : 2 * (double)model->head_dim;

    if (model->window > 0) {
        double every = (double)model->global_every;
        double global = every > 0 ? (double)(model->layers / model->global_every) : 0;
        local = softmax > global ? softmax - global : 0;
    }
    double global = softmax - local + (double)model->mtp_layers;
    return (double)model->heads * widths *
           (global * span_of(plan, false) + local * span_of(plan, true));
}

static struct forward forward_of(const struct act_plan *plan,
                                 const struct act_parameters *parameters)
{
    const struct act_model_fields *model = &plan->model;
    double h = (double)model->hidden, width = (double)model->embedding_width;
    double mtp = (double)model->mtp_layers;
    double linear =
        (double)(model->linear_layers < model->layers ? model->linear_layers : model->layers);
    bool moe_last = act_model_layer_is_moe(plan, model->layers - 1);
    double dense = parameters->dense_layers + (moe_last ? 0 : mtp);
    double moe = parameters->moe_layers + (moe_last ? mtp : 0);
    struct forward sum = {0};

    add_layers(plan, ACT_LAYER_DENSE, false, dense, &sum);
    if (moe > 0)
        add_layers(plan, ACT_LAYER_MOE, false, moe, &sum);
    if (linear > 0) {
        add_layers(plan, ACT_LAYER_DENSE, true, linear, &sum);
        add_layers(plan, ACT_LAYER_DENSE, false, -linear, &sum);
    }

    double head = 2 * width * (double)model->vocab;
    if (model->embedding_width != model->hidden)
        head += 2 * 2 * width * h;
    /* Each MTP layer has its projection and passes the head once more. */
    sum.matmul = sum.layers + head + mtp * (2 * 2 * h * h + head);
    sum.attention = attention_of(plan);

    /* An overruled parameter count scales the matrices with it. */
    sum.matmul *= parameters->scale;
    sum.layers *= parameters->scale;
    sum.mlp *= parameters->scale;
    sum.mla_up *= parameters->scale;
    return sum;
}

/* FLOP a token that recomputation does again. Full is one more forward (engine.md 4: 8/6); op-level
 * saves every second matmul's output (timing.md 2.6). */
static double recomputed(const struct act_plan *plan, const struct forward *forward)
{
    const struct act_parallel_fields *parallel = &plan->parallel;
    double whole = forward->matmul + forward->attention;
    double n = (double)parallel->recompute_layers;
    /* first-n counts in every chunk, as Megatron's block method does. */
    double stage_layers =
        (double)plan->model.layers / ((double)parallel->pipeline * (double)parallel->interleave);
    double sum = 0;

    switch ((enum act_recompute)parallel->recompute) {
    case ACT_RECOMPUTE_NONE:
        return 0;
    case ACT_RECOMPUTE_ATTENTION:
        return forward->attention;
    case ACT_RECOMPUTE_OP:
        return forward->layers / 2;
    case ACT_RECOMPUTE_MODULES:
        if (parallel->recompute_modules & ACT_MODULE_MLP)
            sum += forward->mlp;
        if (parallel->recompute_modules & ACT_MODULE_MLA_UP_PROJ)
            sum += forward->mla_up;
        if (parallel->recompute_modules & ACT_MODULE_CORE_ATTN)
            sum += forward->attention;
        return sum;
    case ACT_RECOMPUTE_ALTERNATE:
        return whole / n;
    case ACT_RECOMPUTE_FIRST_N:
        return n < stage_layers ? whole * n / stage_layers : whole;
    case ACT_RECOMPUTE_FULL:
        return whole;
    }
    return 0;
}

/* A trained matrix costs its forward twice again (gradients of input and weight), a frozen one once
 * (of the input, on the way to an adapter), and layers below the first trained one nothing. */
static double backward_of(const struct act_plan *plan, const struct act_parameters *parameters,
                          const struct forward *forward)
{
    double whole = forward->matmul + forward->attention;
    double frozen = (double)plan->training.frozen_layers / (double)plan->model.layers;

    switch ((enum act_method)plan->training.method) {
    case ACT_LORA:
    case ACT_QLORA:
        return forward->matmul + 2 * forward->attention + 6 * parameters->trainable;
    case ACT_FREEZE:
        return 2 * (whole - fmin(frozen, 1) * (forward->layers + forward->attention));
    default:
        return 2 * whole;
    }
}

void act_model_flops(const struct act_plan *plan, const struct act_parameters *parameters,
                     struct act_flops *ret)
{
    struct forward forward = forward_of(plan, parameters);
    double tokens = plan->training.tokens;

    /* The chapter: 6 P a token, nothing for attention (engine.md 7). */
    if (plan->framework.family == ACT_TEXTBOOK) {
        forward.matmul = 2 * parameters->total;
        forward.attention = 0;
    }
    ret->per_token = forward.matmul + forward.attention + backward_of(plan, parameters, &forward);
    ret->per_token_hardware = ret->per_token + recomputed(plan, &forward);
    ret->total = ret->per_token * tokens;
    /* The rule of thumb counts the weights a token uses: the head, not the embedding's rows. */
    ret->six_pd =
        6 * tokens *
        (plan->model.experts > 0 ? parameters->active_without_embedding : parameters->total);
}
