/* Layers, stages and the step (timing.md 2.6). */
#include "core/timing_parts.h"

#include <actuary/profile.h>
#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    char letter;
} parts[ACT_TIME_PARTS] = {
    [ACT_TIME_COMPUTE] = {"compute", 'C'},     [ACT_TIME_RECOMPUTE] = {"recompute", 'R'},
    [ACT_TIME_TENSOR] = {"tensor", 'T'},       [ACT_TIME_CONTEXT] = {"context", 'X'},
    [ACT_TIME_EXPERT] = {"expert", 'E'},       [ACT_TIME_PIPELINE] = {"pipeline", 'P'},
    [ACT_TIME_BUBBLE] = {"bubble", 'B'},       [ACT_TIME_DATA] = {"data", 'D'},
    [ACT_TIME_OPTIMIZER] = {"optimizer", 'O'}, [ACT_TIME_OFFLOAD] = {"offload", 'H'},
};

const char *act_time_part_name(enum act_time_part part)
{
    return parts[part].name;
}

char act_time_part_letter(enum act_time_part part)
{
    return parts[part].letter;
}

static double split_layer(const struct act_step_plan *step,
                          const struct act_layer_parameters *layer)
{
    double kv = fmin(step->t, fmax(step->g, 1));

    return (layer->attention_split + layer->mlp_split) / step->t + layer->attention_kv / kv +
           layer->attention_whole + layer->mlp_whole + layer->norms;
}

static void weigh(const struct act_step_plan *step, const struct act_parameters *parameters,
                  struct act_step_weights *ret)
{
    const struct act_layer_parameters *dense = &parameters->dense_layer;
    const struct act_layer_parameters *moe = &parameters->moe_layer;
    const struct act_layer_parameters *gathered = parameters->moe_layers > 0 ? moe : dense;
    bool head = step->p <= 1 && parameters->head > 0;
    double ranks = step->n * step->x;

    ret->trained = parameters->total > 0 ? parameters->trainable / parameters->total : 1;
    ret->dense_layers = parameters->dense_layers;
    ret->moe_layers = parameters->moe_layers;
    ret->dense = parameters->scale *
                 ((ret->dense_layers * split_layer(step, dense) +
                   ret->moe_layers * (ret->moe_layers > 0 ? split_layer(step, moe) : 0)) /
                      step->p +
                  (head ? 2 : 1) * parameters->embedding / step->t);
    ret->experts = parameters->scale * ret->moe_layers / step->p * moe->experts / ranks;
    ret->layer = parameters->scale * (act_layer_sum(gathered) - gathered->experts);
    ret->layer_experts = parameters->scale * gathered->experts / ranks;
}

/* As memory deals them: whole layers to whole chunks. */
static void deal(const struct act_step_plan *step, struct act_step_time *ret)
{
    int64_t first[ACT_LIST_MAX], count[ACT_LIST_MAX];
    int p = (int)step->p, v = act_layout_deal(step->plan, first, count);

    ret->first = 0;
    for (int r = 0; r < p; r++) {
        ret->last = 0;
        for (int j = 0; j < v; j++)
            ret->last += (double)count[j * p + r];
        ret->first = fmax(ret->first, ret->last);
    }
}

/* Layers of the longest stage and of the last one. Where p v does not divide the layers, recipes
 * count embedding and loss as layers, or the loss alone, if that divides; the last stage then holds
 * one layer less. Else whole layers are dealt, as if they could be cut where recipes lay chunks out
 * by hand or DeepSpeed balances stages. */
static void stages_of(const struct act_step_plan *step, struct act_step_time *ret)
{
    const struct act_parallel_fields *parallel = &step->plan->parallel;
    double layers = (double)step->plan->model.layers, chunks = step->p * step->v;
    bool listed = step->p > 1 && (parallel->layers_per_stage.count > 0 ||
                                  parallel->embedding_slot > 0 || parallel->loss_slot > 0);
    bool even = step->v <= 1 && step->plan->framework.stage_split == ACT_SPLIT_EVEN;

    if (listed) {
        deal(step, ret);
        return;
    }
    ret->first = ret->last = layers / step->p;
    if (fmod(layers, chunks) == 0)
        return;
    double slots = fmod(layers + 2, chunks) == 0    ? 2
                   : fmod(layers + 1, chunks) == 0  ? 1
                   : fmod(layers + 2, step->p) == 0 ? 2
                                                    : 0;
    if (slots > 0) {
        ret->first = (layers + slots) / step->p;
        ret->last = ret->first - 1;
    } else if (even) {
        deal(step, ret);
    }
}

/* The head's two or three matmuls, its loss and norm, and the gather that TP needs before it. */
static double head_of(const struct act_step_plan *step, double *ret_traffic)
{
    double T = step->T, stream = step->plan->framework.stream;
    double logits = T * step->V / step->t;
    struct act_linear both =
        act_linear_of(&step->wide, 1, T, step->V / step->t, step->h, 1, step->lora, step->m);
    /* Unfused loops pass over the logits three times more. */
    double bytes = (stream >= 1.6 ? 20 : 14) * logits + 24 * T * step->h * step->q;

    *ret_traffic = step->t > 1 ? act_ring(&step->wires, 4 * T * step->h, step->t,
                                          act_ranks_inside(&step->wires, step->t, 1)) *
                                     step->plan->framework.tp_exposed
                               : 0;
    return both.forward + both.backward + bytes / step->memory + *ret_traffic;
}

/* Part of 1F1B's bubble that is left: zero-bubble fills it with weight gradients (arXiv
 * 2401.10241), DualPipe with the other direction (DeepSeek-V3). */
double act_bubble_share(int64_t schedule)
{
    switch ((enum act_schedule)schedule) {
    case ACT_ZB_1P:
        return 1.0 / 3;
    case ACT_ZB_2P:
        return 0;
    case ACT_DUALPIPE:
        return 0.5;
    case ACT_1F1B:
    case ACT_GPIPE:
        break;
    }
    return 1;
}

double act_offload_factor(int64_t offload)
{
    switch ((enum act_offload)offload) {
    case ACT_OFFLOAD_OPTIMIZER:
        return 1.9;
    case ACT_OFFLOAD_ALL:
        return 4.2;
    case ACT_OFFLOAD_NONE:
        break;
    }
    return 1;
}

/* Read and written by the update of a parameter: its states; fp32 master, gradient twice, for its
 * norm first, and the 16-bit copy: AdamW's 34. Loops that keep all in 16 bits read and write less:
 * 14. */
static double update_bytes(const struct act_plan *plan)
{
    const struct act_framework_fields *framework = &plan->framework;
    bool pure = framework->master_weights <= 0 && framework->weight_bytes <= 2;

    return 2 * act_optimizer_bytes(plan, true) + (pure ? 6 : 18);
}

static double optimizer_of(const struct act_step_plan *step, const struct act_step_weights *weights)
{
    const struct act_layout *layout = step->layout;
    bool sharded = step->plan->parallel.zero > 0;

    if (step->lora)
        return 2e-3;
    double parameters = sharded ? weights->dense / (double)layout->shard +
                                      weights->experts / (double)layout->expert_shard
                                : weights->dense + weights->experts;
    return 2e-3 + weights->trained * parameters * update_bytes(step->plan) / step->memory;
}

/* Layers below the first trained one have no backward. */
static void spare_frozen(const struct act_step_plan *step, struct act_layer_time *layer)
{
    const struct act_model_fields *model = &step->plan->model;
    double frozen = fmin(1, (double)step->plan->training.frozen_layers / (double)model->layers);

    if (step->plan->training.method != ACT_FREEZE || frozen <= 0)
        return;
    double work = layer->forward + layer->backward;
    double kept = 1 - frozen * (1 - layer->forward / work);
    layer->backward *= 1 - frozen;
    layer->seconds = 0;
    for (int i = 0; i < ACT_TIME_PARTS; i++) {
        layer->part[i] *= i == ACT_TIME_RECOMPUTE ? 1 - frozen : kept;
        layer->seconds += layer->part[i];
    }
    layer->launch *= kept;
    layer->host *= kept;
}

static void mix(double *sum, const struct act_layer_time *layer, double share)
{
    for (int i = 0; i < ACT_TIME_PARTS; i++)
        sum[i] += share * layer->part[i];
}

/* What the slowest stage does in one step: its layers and, on the last stage, `ends` heads with
 * the MTP layers before all but one of them. */
static void body_of(const struct act_step_plan *step, const double *layer, double ends,
                    double head_traffic, bool last, struct act_step_time *ret)
{
    double layers = last ? ret->last + ends - 1 : ret->first, m = step->m;

    for (int i = 0; i < ACT_TIME_PARTS; i++)
        ret->part[i] = m * layers * layer[i];
    if (last) {
        ret->part[ACT_TIME_COMPUTE] += m * ends * (ret->head - head_traffic);
        ret->part[ACT_TIME_TENSOR] += m * ends * head_traffic;
    }
    ret->part[ACT_TIME_PIPELINE] = m * ret->transfer;
    ret->launch *= m * layers;
    ret->launched *= m * layers;
}

void act_step_of(const struct act_plan *plan, const struct act_parameters *parameters,
                 const struct act_layout *layout, struct act_step_time *ret)
{
    double layer[ACT_TIME_PARTS] = {0}, head_traffic;
    double layers = (double)plan->model.layers;
    struct act_step_weights weights;
    struct act_step_plan step;

    memset(ret, 0, sizeof *ret);
    act_step_plan_of(plan, layout, &step);
    /* A parameter count that is typed stretches the matrices, as it does their FLOPs. */
    step.wide.flops /= parameters->scale;
    step.narrow.flops /= parameters->scale;
    weigh(&step, parameters, &weights);
    ret->micro_batches = step.m;
    if (weights.dense_layers > 0) {
        act_layer_time_of(&step, false, act_layer_sum(&parameters->dense_layer), &ret->dense);
        spare_frozen(&step, &ret->dense);
        mix(layer, &ret->dense, weights.dense_layers / layers);
    }
    if (weights.moe_layers > 0) {
        act_layer_time_of(&step, true,
                          act_layer_sum(&parameters->moe_layer) - parameters->moe_layer.experts,
                          &ret->moe);
        spare_frozen(&step, &ret->moe);
        mix(layer, &ret->moe, weights.moe_layers / layers);
    }
    for (int i = 0; i < ACT_TIME_PARTS; i++)
        ret->layer += layer[i];
    ret->launch =
        (weights.dense_layers * ret->dense.launch + weights.moe_layers * ret->moe.launch) / layers;
    ret->launched = ((ret->dense.launch > 0 ? weights.dense_layers * ret->dense.seconds : 0) +
                     (ret->moe.launch > 0 ? weights.moe_layers * ret->moe.seconds : 0)) /
                    layers;

    /* Each MTP layer is one more layer with one more pass through the head, on the last stage. */
    double ends = 1 + (double)plan->model.mtp_layers;
    ret->head = head_of(&step, &head_traffic);
    ret->transfer = act_stage_transfers(&step);
    stages_of(&step, ret);
    double end = ends * ret->head + (ends - 1) * ret->layer;
    double longest = ret->first * ret->layer, final = ret->last * ret->layer + end;
    double mean = (layers * ret->layer + end) / step.p;
    body_of(&step, layer, ends, head_traffic, final >= longest, ret);
    ret->body = step.m * (fmax(longest, final) + ret->transfer);
    ret->bubble =
        (step.p - 1) / step.v * (mean + ret->transfer) * act_bubble_share(plan->parallel.schedule);
    ret->data = act_data_traffic(&step, &weights, ret->layer);
    ret->optimizer = optimizer_of(&step, &weights);

    ret->part[ACT_TIME_BUBBLE] = ret->bubble;
    ret->part[ACT_TIME_DATA] = ret->data;
    ret->part[ACT_TIME_OPTIMIZER] = ret->optimizer;
    ret->growth = 1 + 0.002 * log2(fmax(1, layout->gpus / 8));
    for (int i = 0; i < ACT_TIME_PARTS; i++) {
        ret->part[i] *= ret->growth;
        ret->seconds += ret->part[i];
    }
    ret->launch *= ret->growth;
    ret->launched *= ret->growth;
    /* States that wait in host memory cross to the GPU and back. */
    ret->part[ACT_TIME_OFFLOAD] = ret->seconds * (act_offload_factor(plan->parallel.offload) - 1);
    ret->seconds += ret->part[ACT_TIME_OFFLOAD];
}

static void scale_layer(double factor, struct act_layer_time *layer)
{
    layer->forward *= factor;
    layer->backward *= factor;
    layer->attention *= factor;
    layer->traffic *= factor;
    layer->host *= factor;
    layer->seconds *= factor;
    layer->launch *= factor;
    for (int i = 0; i < ACT_TIME_PARTS; i++)
        layer->part[i] *= factor;
}

void act_step_scale(double factor, struct act_step_time *step)
{
    if (factor == 1)
        return;
    scale_layer(factor, &step->dense);
    scale_layer(factor, &step->moe);
    step->layer *= factor;
    step->head *= factor;
    step->transfer *= factor;
    step->body *= factor;
    step->bubble *= factor;
    step->data *= factor;
    step->optimizer *= factor;
    step->launch *= factor;
    step->launched *= factor;
    step->seconds *= factor;
    for (int i = 0; i < ACT_TIME_PARTS; i++)
        step->part[i] *= factor;
}
