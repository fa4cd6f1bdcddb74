/* The plan without its table: what follows from what. act_plan_init and act_plan_equal, which
 * walk the table of fields, stand in field.c. Goodput alone asks other rooms: how long a
 * checkpoint takes follows from the parameters. */
#include "core/peak.h"

#include <actuary/facility.h>
#include <actuary/goodput.h>
#include <actuary/plan.h>

#include <math.h>
#include <string.h>

static const double gib = 1073741824.0;

_Static_assert(sizeof((struct act_cost_fields *)NULL)->price_date ==
                   sizeof((struct act_hardware_fields *)NULL)->rental_price_date,
               "the price's date is copied whole");

static void resolve_int(int64_t *value, int64_t derived)
{
    if (*value == ACT_AUTO)
        *value = derived;
}

static void resolve_real(double *value, double derived)
{
    if (*value == ACT_AUTO)
        *value = derived;
}

static void resolve_model(struct act_plan *plan)
{
    struct act_model_fields *model = &plan->model;
    int64_t width = model->heads > 0 ? model->hidden / model->heads : model->hidden;

    resolve_int(&model->kv_heads, model->heads);
    resolve_int(&model->head_dim, width > 1 ? width : 1);
    resolve_int(&model->ffn, 4 * model->hidden);
    resolve_int(&model->expert_ffn, model->ffn);
    resolve_int(&model->position_rows,
                model->max_positions == ACT_AUTO ? plan->training.sequence : model->max_positions);
    resolve_int(&model->embedding_width, model->hidden);
}

static void resolve_framework(struct act_plan *plan)
{
    struct act_framework_fields *framework = &plan->framework;

    resolve_real(&framework->gradient_bytes_fp16, framework->gradient_bytes);
    resolve_real(&framework->bucket_bytes_fp16, framework->bucket_bytes);
    /* The FSDP family's context holds the workspaces. */
    resolve_real(&framework->workspace, framework->family == ACT_FSDP ? 0 : 0.1 * gib);
}

static void resolve_training(struct act_plan *plan)
{
    const struct act_framework_fields *framework = &plan->framework;
    struct act_training_fields *training = &plan->training;
    bool full = training->method == ACT_FULL;

    resolve_real(&training->tokens, full ? 1e12 : 1e8);
    resolve_int(&training->global_batch, full ? 1024 : 16);
    resolve_int(&training->document_length, training->sequence);
    resolve_int(&training->precision, framework->precision);
    resolve_int(&training->lengths, framework->lengths);
    resolve_int(&training->attention_kernel, framework->attention_kernel);
    resolve_real(&training->hidden_dropout, framework->hidden_dropout);
    resolve_real(&training->attention_dropout, framework->hidden_dropout);
}

static void resolve_parallel(struct act_plan *plan)
{
    const struct act_framework_fields *framework = &plan->framework;
    struct act_parallel_fields *parallel = &plan->parallel;
    bool split_experts = plan->model.experts > 0 && framework->expert_tensor == ACT_ETP_TENSOR;

    resolve_int(&parallel->sequence_parallel, parallel->tensor > 1 &&
                                                  framework->sequence_parallel != 0 &&
                                                  framework->family != ACT_TEXTBOOK);
    resolve_int(&parallel->expert_tensor, split_experts ? parallel->tensor : 1);
    resolve_int(&parallel->zero, framework->zero);
    resolve_int(&parallel->shard_group, parallel->data * parallel->context);
    resolve_int(&parallel->recompute, framework->recompute);
    resolve_int(&parallel->recompute_layers,
                parallel->recompute == ACT_RECOMPUTE_ALTERNATE ? 2 : 1);
}

/* What torch reports of the marketed memory where no preset knows it (decisions 1). */
static double usable_share(int64_t kind)
{
    switch ((enum act_memory_kind)kind) {
    case ACT_HBM:
    case ACT_GDDR:
        return 0.98;
    case ACT_GDDR_ECC:
        return 0.92;
    case ACT_OTHER_MEMORY:
        return 0.95;
    }
    return 0.95;
}

static void resolve_hardware(struct act_plan *plan)
{
    struct act_hardware_fields *hardware = &plan->hardware;

    /* A preset's measured figure is of its own memory, not of one typed beside it. */
    if (act_plan_given(plan, ACT_F_hardware_memory) &&
        !act_plan_given(plan, ACT_F_hardware_usable_memory))
        hardware->usable_memory = ACT_AUTO;
    resolve_real(&hardware->usable_memory, hardware->memory * usable_share(hardware->memory_kind));
    resolve_real(&hardware->peak_tflops, act_peak_of(hardware, plan->training.precision));
    resolve_int(&hardware->link_domain, hardware->gpus_per_node);
    /* A chip that nobody ran: three quarters of a burst share of 0.8, and the median flash kernel
     * (timing.md 3.1). */
    resolve_real(&hardware->matmul_efficiency, 0.75 * 0.80);
    resolve_real(&hardware->fp8_efficiency, hardware->matmul_efficiency);
    resolve_real(&hardware->fp4_efficiency, 0.55);
    resolve_real(&hardware->attention_efficiency, 0.45);
    /* The chapter's formulas know no step to estimate (decisions 5): its prudent figure stands. */
    if (plan->framework.family == ACT_TEXTBOOK && hardware->mfu == ACT_AUTO) {
        hardware->mfu = 0.30;
        act_plan_set_given(plan, ACT_F_hardware_mfu, false); /* what was given was "auto" */
    }
    /* Nor is its server's power that of a server or a card typed beside it. */
    if ((act_plan_given(plan, ACT_F_hardware_gpus_per_node) ||
         act_plan_given(plan, ACT_F_hardware_tdp)) &&
        !act_plan_given(plan, ACT_F_hardware_node_power))
        hardware->node_power = ACT_AUTO;
    if (hardware->tdp > 0)
        resolve_real(&hardware->node_power,
                     (double)hardware->gpus_per_node * hardware->tdp * ACT_RATED_OVERHEAD);
    if (hardware->sm_count == ACT_AUTO && hardware->peak_bf16 != ACT_AUTO) {
        double count = floor(hardware->peak_bf16 / 2.9e12 + 0.5); /* decisions 1 */
        hardware->sm_count = count < 1 ? 1 : (int64_t)count;
    }
}

/* The share of calendar time that trains: from the failures where they are given, else the usual
 * one (decisions 6). No less than the least that can be typed: days stay finite, and a check says
 * so. */
static double goodput_of(const struct act_plan *plan)
{
    enum { LARGE = 1000 };
    const double least = 0.01; /* of the field */
    double gpus = act_plan_gpus(plan);
    struct act_parameters parameters;
    struct act_goodput goodput;

    if (plan->cost.failures_per_1000_gpu_days == ACT_AUTO)
        return gpus >= LARGE ? 0.90 : 0.97;
    act_model_count(plan, &parameters);
    act_goodput_of(plan, &parameters, gpus, &goodput);
    return fmax(least, goodput.share);
}

static void resolve_cost(struct act_plan *plan)
{
    const struct act_hardware_fields *hardware = &plan->hardware;
    struct act_cost_fields *cost = &plan->cost;

    /* Presets' prices are in USD, and no currency is converted: there is none in another. */
    bool dollars = strcmp(cost->currency, "USD") == 0;
    if (dollars && cost->price_per_gpu_hour == ACT_AUTO && hardware->rental_price != ACT_AUTO) {
        cost->price_per_gpu_hour = hardware->rental_price;
        memcpy(cost->price_date, hardware->rental_price_date, sizeof cost->price_date);
    }
    if (cost->checkpoint_bytes_per_parameter == ACT_AUTO)
        cost->checkpoint_bytes_per_parameter = act_checkpoint_width(plan);
    if (cost->goodput == ACT_AUTO) {
        cost->goodput = goodput_of(plan);
        act_plan_set_given(plan, ACT_F_cost_goodput, false); /* a typed "auto" gives no goodput */
    }
}

/* Without a measured run the estimates stand as they are; a typed "auto" is no run. */
static void resolve_factor(struct act_plan *plan, double *factor, enum act_field_id id)
{
    if (*factor != ACT_AUTO)
        return;
    *factor = 1;
    act_plan_set_given(plan, id, false);
}

void act_plan_resolve(const struct act_plan *plan, struct act_plan *ret_plan)
{
    if (ret_plan != plan)
        *ret_plan = *plan;
    resolve_model(ret_plan);
    resolve_framework(ret_plan);
    resolve_training(ret_plan);
    resolve_parallel(ret_plan);
    resolve_hardware(ret_plan);
    resolve_factor(ret_plan, &ret_plan->calibration.time_factor, ACT_F_calibration_time_factor);
    resolve_factor(ret_plan, &ret_plan->calibration.memory_factor, ACT_F_calibration_memory_factor);
    resolve_cost(ret_plan);
}

/* GPUs that hold one copy of the model. */
static double replica_of(const struct act_plan *plan)
{
    const struct act_parallel_fields *parallel = &plan->parallel;

    return (double)parallel->tensor * (double)parallel->context * (double)parallel->pipeline;
}

double act_plan_gpus(const struct act_plan *plan)
{
    return replica_of(plan) * (double)plan->parallel.data;
}

double act_plan_set_gpus(struct act_plan *plan, double gpus)
{
    enum { DATA_MAX = 1048576 }; /* the range of parallel.data */
    double data = floor(gpus / replica_of(plan));

    if (!(data >= 1)) /* also when it is not a number */
        data = 1;
    plan->parallel.data = data > DATA_MAX ? DATA_MAX : (int64_t)data;
    return act_plan_gpus(plan);
}
