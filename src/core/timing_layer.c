/* One layer, one micro batch, one rank (timing.md 2.2 to 2.4 and 2.6). */
#include "core/timing_parts.h"

#include <math.h>
#include <string.h>

/* Forward and backward of a part of the layer, without traffic. */
struct pair {
    double forward, backward;
};

static void add(struct pair *sum, struct pair more)
{
    sum->forward += more.forward;
    sum->backward += more.backward;
}

static struct pair linear_at(const struct act_step_plan *step, const struct act_matmul_rate *rate,
                             double batch, double m, double n, double k, double share)
{
    struct act_linear both = act_linear_of(rate, batch, m, n, k, share, step->lora, step->m);

    return (struct pair){both.forward, both.backward};
}

static struct pair linear(const struct act_step_plan *step, double m, double n, double k)
{
    return linear_at(step, &step->narrow, 1, m, n, k, 1);
}

/* Forward of MLA's up-projections is told apart: a module that can be recomputed. */
static struct pair projections(const struct act_step_plan *step, double *ret_up)
{
    const struct act_model_fields *model = &step->plan->model;
    double T = step->T, a = step->a, t = step->t, h = step->h;
    struct pair sum = {0};

    *ret_up = 0;
    if (model->attention != ACT_MLA) {
        add(&sum, linear(step, T, (a / t + 2 * step->kv) * step->e, h));
        add(&sum, linear(step, T, h, a * step->e / t));
        return sum;
    }
    double rq = (double)model->q_lora_rank, rk = (double)model->kv_lora_rank;
    double rope = (double)model->qk_rope_dim, nope = (double)model->qk_nope_dim;
    /* The down-projections are one matmul, on the tokens that SP leaves a rank. */
    add(&sum, linear(step, T * step->q, rq + rk + rope, h));
    struct pair up = linear(step, T, a * step->key / t, rq > 0 ? rq : h);
    add(&up, linear(step, T, a * (nope + step->value) / t, rk));
    *ret_up = up.forward;
    add(&sum, up);
    add(&sum, linear(step, T, h, a * step->value / t));
    return sum;
}

/* Rows that each expert of a rank gets; grouped kernels pad small groups. */
static double rows_of_expert(double rows)
{
    return rows < 1024 ? ceil(rows / 128) * 128 : rows;
}

static struct pair mlp_of(const struct act_step_plan *step, bool moe)
{
    double T = step->T, t = step->t, h = step->h, u = step->gates;
    struct pair sum = {0};

    if (!moe) {
        add(&sum, linear(step, T, u * step->f / t, h));
        add(&sum, linear(step, T, h, step->f / t));
        return sum;
    }
    double inner = step->fm / step->x, batch = step->E / step->n;
    double rows = rows_of_expert(T * step->k * step->x / t * step->n / step->E);
    /* Grouped matmuls reach 85 % of what one large matmul would. */
    add(&sum, linear_at(step, &step->narrow, batch, rows, u * inner, h, 0.85));
    add(&sum, linear_at(step, &step->narrow, batch, rows, h, inner, 0.85));
    add(&sum, linear_at(step, &step->wide, 1, T * step->q, step->E, h, 1));
    if (step->fs > 0) {
        add(&sum, linear(step, T, u * step->fs / t, h));
        add(&sum, linear(step, T, h, step->fs / t));
    }
    return sum;
}

/* Tokens that a query sees on average before the causal half: documents, then local layers of
 * width w, which look at 2 w at most (decisions 1). */
static double span_of(const struct act_step_plan *step)
{
    const struct act_model_fields *model = &step->plan->model;
    double document = (double)step->plan->training.document_length;
    double span = document > 0 ? fmin(step->s, document) : step->s;

    if (model->window <= 0)
        return span;
    double global = model->global_every > 0 ? 1 / (double)model->global_every : 0;
    return global * span + (1 - global) * fmin(span, 2 * (double)model->window);
}

/* Flash kernels skip the masked half but for the diagonal's blocks: 256 tokens in s, also where
 * documents or windows shorten the span. */
static struct pair flash_of(const struct act_step_plan *step)
{
    double widths = step->key + step->value;
    double work = step->T * span_of(step) * (step->a / step->t) * widths * (1 + 256 / step->s);
    double rate = step->attention * sqrt(fmin(1, widths / 256));

    return (struct pair){work / rate + ACT_GAP, 2.5 * work / (0.80 * rate) + 3 * ACT_GAP};
}

/* Scores in full, written and read by every kernel between the two products. */
static struct pair math_of(const struct act_step_plan *step)
{
    double batch = step->b * step->a / step->t, s = step->s / step->c;
    double share = fmod(step->key, 8) != 0 ? ACT_ODD_SCORES_SHARE : ACT_SCORES_SHARE;
    bool dropout = step->plan->training.attention_dropout > 0;
    double scores = batch * s * step->s / step->memory * step->element / 2;
    double products = act_gemm(&step->wide, batch, s, step->s, step->key, share) +
                      act_gemm(&step->wide, batch, s, step->value, step->s, share);

    return (struct pair){products + (dropout ? 13 : 8) * scores + 4 * ACT_GAP,
                         2 * products + (dropout ? 19 : 14) * scores + 6 * ACT_GAP};
}

/* Bytes of what streams through memory: norms, residuals, activations, rotary. */
struct streams {
    double norms; /* of both norms: what recomputing layernorm does again */
    double activation;
    double all;
};

static struct streams streams_of(const struct act_step_plan *step, bool moe)
{
    const struct act_model_fields *model = &step->plan->model;
    double T = step->T, h = step->h, t = step->t, q = step->q, a = step->a;
    double unit = step->gates > 1 ? 6 : 4; /* bytes a unit of inner width */
    double residual = step->plan->training.hidden_dropout > 0 ? 26 : 20;
    struct streams ret = {.norms = 8 * T * h * q};

    if (moe) {
        double rows = T * step->k * step->x / t;
        ret.activation = unit * (rows * step->fm / step->x + T * step->fs / t);
        /* Permuting rows to experts and back, and the router's probabilities. */
        ret.all = 6 * rows * h + 12 * T * step->E * q;
    } else {
        ret.activation = unit * T * step->f / t;
    }
    ret.all += residual * T * h * q + ret.activation;
    if (model->attention == ACT_MLA)
        ret.all += 6 * T * (double)(model->q_lora_rank + model->kv_lora_rank) * q +
                   12 * T * a * step->key / t;
    else if (model->positions == ACT_ROPE)
        ret.all += 4 * T * (a / t + step->kv) * step->e;
    double scale = step->element / 2;
    ret.norms *= scale;
    ret.activation *= scale;
    ret.all *= scale;
    return ret;
}

/* Adapters pass over the outputs of what they adapt, and over the input. */
static double adapter_bytes(const struct act_step_plan *step)
{
    double attention = (step->a + 2 * step->g) * step->e / step->t;
    double mlp = 3 * step->f / step->t + 2 * step->h, width = 0;

    switch ((enum act_lora_targets)step->plan->training.lora_targets) {
    case ACT_TARGETS_QV:
        width = (step->a + step->g) * step->e / step->t;
        break;
    case ACT_TARGETS_QKV:
        width = attention;
        break;
    case ACT_TARGETS_ATTENTION:
        width = attention + step->h;
        break;
    case ACT_TARGETS_MLP:
        width = mlp;
        break;
    case ACT_TARGETS_QKV_MLP:
        width = attention + mlp;
        break;
    case ACT_TARGETS_ALL:
    case ACT_TARGETS_ALL_HEAD:
        width = attention + step->h + mlp;
        break;
    }
    return 4 * step->T * (width + step->h);
}

/* Seconds of one forward pass, and of what policies of recomputation tell apart. */
struct forward {
    double all, matmul, attention, stream;
    double up, mlp;           /* of matmul: MLA's up-projections, MLP and experts */
    double norms, activation; /* of stream */
};

/* What backward computes again, and the share of forward's traffic that comes with it. */
struct again {
    double seconds, traffic;
};

static double modules_of(int64_t modules, const struct forward *forward)
{
    double sum = 0;

    if (modules & ACT_MODULE_LAYERNORM)
        sum += forward->norms;
    if (modules & ACT_MODULE_MLA_UP_PROJ)
        sum += forward->up;
    if (modules & ACT_MODULE_MLP)
        sum += forward->mlp;
    if (modules & (ACT_MODULE_MOE_ACT | ACT_MODULE_MLP))
        sum += forward->activation;
    if (modules & ACT_MODULE_CORE_ATTN)
        sum += forward->attention;
    return sum;
}

static struct again recompute_of(const struct act_step_plan *step, const struct forward *forward)
{
    const struct act_parallel_fields *parallel = &step->plan->parallel;
    double layers = (double)step->plan->model.layers / (step->p * step->v);
    double n = fmax((double)parallel->recompute_layers, 1), share = 1;

    switch ((enum act_recompute)parallel->recompute) {
    case ACT_RECOMPUTE_NONE:
        return (struct again){0, 0};
    case ACT_RECOMPUTE_ATTENTION:
        return (struct again){forward->attention, 0};
    case ACT_RECOMPUTE_OP:
        /* torchtitan's policy saves every second matmul and the scores. */
        return (struct again){forward->stream + 0.5 * forward->matmul, 0};
    case ACT_RECOMPUTE_MODULES:
        return (struct again){modules_of(parallel->recompute_modules, forward), 0};
    case ACT_RECOMPUTE_ALTERNATE:
        share = 1 / n;
        break;
    case ACT_RECOMPUTE_FIRST_N:
        share = fmin(1, n / fmax(layers, 1));
        break;
    case ACT_RECOMPUTE_FULL:
        break;
    }
    return (struct again){share * forward->all, share};
}

/* CPU time of a layer's launches, forward and backward. */
static double host_of(const struct act_step_plan *step, bool moe)
{
    double host = moe ? 9.8e-3 : 1.4e-3;

    if (step->plan->parallel.recompute == ACT_RECOMPUTE_FULL)
        host *= 1.3;
    return step->plan->framework.cuda_graphs > 0 ? 0.5 * host : host;
}

/* Megatron's MoE layers of June 2026 and later: the only dated factor (timing.md 3.3). */
static double software_of(const struct act_step_plan *step, bool moe)
{
    const struct act_framework_fields *framework = &step->plan->framework;
    bool newer = strcmp(framework->software_date, "2026-06") >= 0;

    return moe && newer && framework->family == ACT_MEGATRON ? 0.75 : 1;
}

/* A 4-bit base is expanded before each use. */
static double expand_of(const struct act_step_plan *step, double weights)
{
    return step->quantised ? 5.2 * weights / step->t / step->memory : 0;
}

/* GPU alone: what streams back is 1.8 times what streamed, from 14 kernels instead of 10. */
static void work_of(const struct act_step_plan *step, bool moe, double weights,
                    struct act_layer_time *ret, struct pair *ret_attention,
                    struct forward *ret_forward)
{
    double up, a_byte = step->plan->framework.stream / step->memory;
    struct pair attention = step->flash ? flash_of(step) : math_of(step);
    struct pair mlp = mlp_of(step, moe), matmul = projections(step, &up);
    struct streams bytes = streams_of(step, moe);
    double stream = (bytes.all + (step->lora ? adapter_bytes(step) : 0)) * a_byte;
    double expand = expand_of(step, weights);

    add(&matmul, mlp);
    ret->attention = attention.forward;
    ret->forward = matmul.forward + attention.forward + stream + 10 * ACT_GAP + expand;
    ret->backward = matmul.backward + attention.backward + 1.8 * stream + 14 * ACT_GAP + expand;
    *ret_attention = attention;
    *ret_forward = (struct forward){.all = ret->forward,
                                    .matmul = matmul.forward,
                                    .attention = attention.forward,
                                    .stream = stream + 10 * ACT_GAP,
                                    .up = up,
                                    .mlp = mlp.forward,
                                    .norms = bytes.norms * a_byte,
                                    .activation = bytes.activation * a_byte};
}

void act_layer_time_of(const struct act_step_plan *step, bool moe, double weights,
                       struct act_layer_time *ret)
{
    struct act_layer_traffic traffic;
    struct pair attention;
    struct forward forward;

    work_of(step, moe, weights, ret, &attention, &forward);
    act_layer_traffic_of(step, moe, attention.forward, attention.backward, &traffic);
    ret->traffic = traffic.tensor + traffic.expert + traffic.context_forward;

    struct again again = recompute_of(step, &forward);
    double factor = software_of(step, moe), ways = 2 + again.traffic;
    memset(ret->part, 0, sizeof ret->part);
    ret->part[ACT_TIME_COMPUTE] = factor * (ret->forward + ret->backward);
    ret->part[ACT_TIME_RECOMPUTE] = factor * again.seconds;
    ret->part[ACT_TIME_TENSOR] = factor * ways * traffic.tensor;
    ret->part[ACT_TIME_EXPERT] = factor * ways * traffic.expert;
    ret->part[ACT_TIME_CONTEXT] =
        factor * ((1 + again.traffic) * traffic.context_forward + traffic.context_backward);
    ret->seconds = 0;
    for (int i = 0; i < ACT_TIME_PARTS; i++)
        ret->seconds += ret->part[i];

    ret->host = host_of(step, moe);
    ret->launch = fmax(0, ret->host - ret->seconds);
    ret->seconds += ret->launch;
    ret->part[ACT_TIME_COMPUTE] += ret->launch;
}
