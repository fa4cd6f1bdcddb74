/* Weights, gradients and optimizer of one GPU under FSDP, ZeRO and adapters, and the whole
 * weights and gradients that stand beside the shards (memory-fsdp-lora.md 2.1 to 2.3, 2.6). */
#include "core/memory_fsdp.h"

static void work_out(struct act_fsdp_states *to)
{
#include "core/terms_statements.h"

#include "core/sheets/fsdp_states.def"
#include "core/terms_undef.h"
}

static const struct act_term_row rows[] = {
#define TERMS_STRUCT struct act_fsdp_states
#include "core/terms_rows.h"

#include "core/sheets/fsdp_states.def"
#include "core/terms_undef.h"
#undef TERMS_STRUCT
};
const struct act_term_table act_fsdp_states_table = {sizeof rows / sizeof *rows, rows};

static void put_in_parameters(const struct act_parts *parts, int stage,
                              const struct act_stage_layers *layers,
                              const struct act_parameters_sheet *parameters,
                              struct act_fsdp_states *to)
{
    to->matrix = parameters->matrix;
    to->experts = parameters->experts;
    to->rest = parameters->rest;
    to->held = parameters->held;
    to->trained_matrix = parameters->trained_matrix;
    to->trained_experts = parameters->trained_experts;
    to->trained_rest = parameters->trained_rest;
    to->trained = parameters->trained;
    to->head = parameters->head;
    to->scale = parameters->scale;
    to->M_dense = parameters->M_dense;
    to->M_moe = parameters->M_moe;
    to->X_moe = parameters->X_moe;
    to->R_dense = parameters->R_dense;
    to->R_moe = parameters->R_moe;
    to->embedding = stage == 0 ? parts->embedding : 0;
    to->has_dense = layers->kind[ACT_LAYER_DENSE] > 0;
    to->has_moe = layers->kind[ACT_LAYER_MOE] > 0;
    to->trains_dense = layers->kind[ACT_LAYER_DENSE] > layers->frozen[ACT_LAYER_DENSE];
    to->trains_moe = layers->kind[ACT_LAYER_MOE] > layers->frozen[ACT_LAYER_MOE];
}

static void put_in_shares(const struct act_parts *parts, struct act_fsdp_states *to)
{
    int64_t zero = parts->plan->parallel.zero;
    double dense = (double)parts->layout->shard, experts = (double)parts->layout->expert_shard;

    to->D_w = zero >= 3 ? dense : 1;
    to->D_g = zero >= 2 ? dense : 1;
    to->D_o = zero >= 1 ? dense : 1;
    to->X_w = zero >= 3 ? experts : 1;
    to->X_g = zero >= 2 ? experts : 1;
    to->X_o = zero >= 1 ? experts : 1;
}

static void put_in_widths(const struct act_parts *parts, int stage, struct act_fsdp_states *to)
{
    const struct act_plan *plan = parts->plan;
    const struct act_profile *profile = &parts->profile;
    bool last = stage == parts->layout->stages - 1;

    to->el = profile->element;
    to->W = profile->weight;
    to->G = profile->gradient;
    to->G_o = profile->gradient_partition;
    to->O = profile->optimizer_matrix;
    to->O_rest = profile->optimizer_rest;
    to->S = profile->step;
    to->lora = profile->adapters;
    to->b = profile->base_linear;
    to->b_rest = profile->base_rest;
    to->b_scales = profile->base_scales;
    to->four_bit_head = last && profile->fsdp.quantised_head > 0;
    to->saved = profile->adapters && plan->training.trained_embeddings > 0;
}

/* Whole weights and gradients stand beside shards alone: without ZeRO-3 nothing is gathered. */
static void put_in_whole(const struct act_parts *parts, struct act_fsdp_states *to)
{
    const struct act_framework_fields *framework = &parts->plan->framework;
    const struct act_profile *profile = &parts->profile;
    bool sharded = parts->plan->parallel.zero >= 3;
    bool accumulates = sharded && parts->layout->micro_batches > 1;
    bool stays = profile->fsdp.whole_after_forward;

    to->sharded = sharded;
    to->stays = stays;
    to->b_g = profile->fsdp.gathered_linear;
    to->live = framework->live_parameters;
    to->waits = accumulates && framework->no_sync > 0;
    to->unreduced = accumulates && stays && framework->no_sync <= 0;
    to->mixed = profile->fsdp.mixed_units;
    to->G_w = profile->gradient > 0 ? profile->gradient : profile->element;
    to->G_u = sharded ? profile->fsdp.unit_gradient : profile->gradient;
    if (profile->adapters)
        to->G_u = 0;
    to->loads_whole = sharded && framework->load_whole > 0 && parts->layout->shard > 1;
}

static void put_in_offload(const struct act_plan *plan, struct act_fsdp_states *to)
{
    bool moved = plan->parallel.offload != ACT_OFFLOAD_NONE;
    bool all = plan->parallel.offload == ACT_OFFLOAD_ALL;

    to->moved = moved;
    to->moved_gradients = moved && (all || plan->parallel.zero >= 2);
    to->moved_weights = all;
}

void act_fsdp_states_sheet(const struct act_parts *parts, int stage,
                           const struct act_stage_layers *layers,
                           const struct act_parameters_sheet *parameters,
                           struct act_fsdp_states *to)
{
    put_in_parameters(parts, stage, layers, parameters, to);
    put_in_shares(parts, to);
    put_in_widths(parts, stage, to);
    put_in_whole(parts, to);
    put_in_offload(parts->plan, to);
    work_out(to);
}
