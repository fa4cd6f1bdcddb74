/* Weights, gradients and optimizer of the Megatron family (memory-megatron.md 1.1). */
#include "core/memory_megatron.h"

#include <math.h>

static void work_out(struct act_megatron_states *to)
{
#include "core/terms_statements.h"

#include "core/sheets/megatron_states.def"
#include "core/terms_undef.h"
}

static const struct act_term_row rows[] = {
#define TERMS_STRUCT struct act_megatron_states
#include "core/terms_rows.h"

#include "core/sheets/megatron_states.def"
#include "core/terms_undef.h"
#undef TERMS_STRUCT
};
const struct act_term_table act_megatron_states_table = {sizeof rows / sizeof *rows, rows};

static void put_in(const struct act_parts *parts, const struct act_stage_layers *layers,
                   const struct act_parameters_sheet *parameters, struct act_megatron_states *to)
{
    const struct act_plan *plan = parts->plan;
    const struct act_profile *profile = &parts->profile;
    int64_t zero = plan->parallel.zero;
    double dense = (double)parts->layout->shard, experts = (double)parts->layout->expert_shard;

    to->matrix = parameters->matrix;
    to->experts = parameters->experts;
    to->rest = parameters->rest;
    to->trained_matrix = parameters->trained_matrix;
    to->trained_experts = parameters->trained_experts;
    to->trained_rest = parameters->trained_rest;
    to->n_layers = fmax((double)(layers->kind[ACT_LAYER_DENSE] + layers->kind[ACT_LAYER_MOE]), 1);
    to->W = profile->weight;
    to->G = profile->gradient;
    to->O = profile->optimizer_matrix;
    to->O_rest = profile->optimizer_rest;
    to->S = profile->step;
    to->D_w = zero >= 3 ? dense : 1;
    to->D_g = zero >= 2 ? dense : 1;
    to->D_o = zero >= 1 ? dense : 1;
    to->X_w = zero >= 3 ? experts : 1;
    to->X_g = zero >= 2 ? experts : 1;
    to->X_o = zero >= 1 ? experts : 1;
    to->lora = profile->adapters;
    to->b = profile->base_linear;
    to->b_rest = profile->base_rest;
    to->b_scales = profile->base_scales;
    to->moved = plan->parallel.offload != ACT_OFFLOAD_NONE;
    to->moved_weights = plan->parallel.offload == ACT_OFFLOAD_ALL;
}

/* DualPipe runs both ends of the pipeline on every GPU: two copies of the weights, its own
 * stage's and the opposite one's. */
static void add_opposite(const struct act_parts *parts, int stage, struct act_megatron_states *to)
{
    int opposite = parts->layout->stages - 1 - stage;
    struct act_stage_layers layers;
    struct act_parameters_sheet parameters;
    struct act_megatron_states states;

    to->opposite = to->opposite_parameters = 0;
    if (parts->plan->parallel.schedule != ACT_DUALPIPE || opposite == stage)
        return;
    act_stage_walk(parts, opposite, &layers);
    act_parameters_sheet_of(parts, opposite, &layers, &parameters);
    put_in(parts, &layers, &parameters, &states);
    states.opposite = states.opposite_parameters = 0;
    work_out(&states);
    to->opposite = states.own_weights;
    to->opposite_parameters = parameters.held;
}

void act_megatron_states_sheet(const struct act_parts *parts, int stage,
                               const struct act_stage_layers *layers,
                               const struct act_parameters_sheet *parameters,
                               struct act_megatron_states *to)
{
    put_in(parts, layers, parameters, to);
    add_opposite(parts, stage, to);
    work_out(to);
}
