/* Megatron-LM, DeepSpeed pipeline, Paddle and their kin: one stage in the phases of a step
 * (memory-megatron.md 1.3 to 1.6). */
#include "core/memory_megatron.h"

#include <math.h>

static void work_out(struct act_megatron_stage *to)
{
#include "core/terms_statements.h"

#include "core/sheets/megatron_stage.def"
#include "core/terms_undef.h"
}

static const struct act_term_row rows[] = {
#define TERMS_STRUCT struct act_megatron_stage
#include "core/terms_rows.h"

#include "core/sheets/megatron_stage.def"
#include "core/terms_undef.h"
#undef TERMS_STRUCT
};
const struct act_term_table act_megatron_stage_table = {sizeof rows / sizeof *rows, rows};

/* What the other sheets worked out. */
static void put_in_sheets(const struct act_megatron_sheets *sheets, struct act_megatron_stage *to)
{
    const struct act_megatron_layer *dense = &sheets->layer[ACT_LAYER_DENSE];
    const struct act_megatron_layer *moe = &sheets->layer[ACT_LAYER_MOE];

    to->raw_weights = sheets->states.weights;
    to->raw_gradients = sheets->states.gradients;
    to->raw_optimizer = sheets->states.optimizer;
    to->raw_step_only = sheets->states.step_only;
    to->alive = sheets->schedule.alive;
    to->interleaved = sheets->schedule.interleaved;
    to->A_dense = dense->kept;
    to->A_moe = moe->kept;
    to->whole_dense = dense->whole;
    to->whole_moe = moe->whole;
    to->grad_dense = dense->temporaries;
    to->grad_moe = moe->temporaries;
    to->T = dense->T;
    to->h = dense->h;
    to->t = dense->t;
    to->q = dense->q;
    to->el = dense->el;
    to->r = dense->r;
}

static void put_in_layers(const struct act_parts *parts, int stage,
                          const struct act_stage_layers *layers, struct act_megatron_stage *to)
{
    const struct act_plan *plan = parts->plan;
    bool last = stage == parts->layout->stages - 1;
    bool full = plan->parallel.recompute == ACT_RECOMPUTE_FULL;
    double mtp = last ? (double)plan->model.mtp_layers : 0;
    double mtp_alive = layers->live_last * mtp;
    bool moe = parts->mtp_kind == ACT_LAYER_MOE;
    bool present[ACT_LAYER_KINDS] = {layers->kind[ACT_LAYER_DENSE] > 0 || (mtp > 0 && !moe),
                                     layers->kind[ACT_LAYER_MOE] > 0 || (mtp > 0 && moe)};

    to->kept_dense = (double)layers->kept[ACT_LAYER_DENSE];
    to->kept_moe = (double)layers->kept[ACT_LAYER_MOE];
    to->full_layers = (double)(layers->kind[ACT_LAYER_DENSE] + layers->kind[ACT_LAYER_MOE]) -
                      to->kept_dense - to->kept_moe;
    to->chunks_dense = layers->live_kept[ACT_LAYER_DENSE];
    to->chunks_moe = layers->live_kept[ACT_LAYER_MOE];
    to->chunks_full = layers->live_full[ACT_LAYER_DENSE] + layers->live_full[ACT_LAYER_MOE];
    to->masked = stage == 0 && parts->profile.hidden_dropout ? layers->live_first : 0;
    to->outputs =
        parts->layout->stages > 1 && plan->framework.stage_output_kept > 0 ? layers->live_sum : 0;
    to->mtp = mtp;
    to->mtp_dense = !full && !moe ? mtp_alive : 0;
    to->mtp_moe = !full && moe ? mtp_alive : 0;
    to->mtp_full = full ? mtp_alive : 0;
    to->has_dense = present[ACT_LAYER_DENSE];
    to->has_moe = present[ACT_LAYER_MOE];
    /* One layer is replayed at a time; what selective policies drop is not counted again
     * (memory-megatron.md 1.4). */
    to->replays_dense = present[ACT_LAYER_DENSE] && layers->full[ACT_LAYER_DENSE];
    to->replays_moe = present[ACT_LAYER_MOE] && layers->full[ACT_LAYER_MOE];
    to->scratch_on = plan->framework.weight_gradient_scratch > 0 && !parts->profile.adapters;
    to->shapes = to->scratch_on > 0 ? act_megatron_shapes(parts, present) : 0;
    to->last = last;
}

static void put_in_rest(const struct act_parts *parts, struct act_megatron_stage *to)
{
    const struct act_plan *plan = parts->plan;
    const struct act_profile *profile = &parts->profile;

    to->m = parts->layout->micro_batches;
    to->V = parts->vocabulary;
    to->H = profile->logit;
    to->loss_there = plan->framework.loss != ACT_LOSS_NONE;
    to->whole_logits = profile->whole_logits;
    to->deferred_on = plan->framework.defer_embedding_gradient > 0;
    to->edges = profile->sequence_parallel ? 2 : 1;
    to->workspace = profile->workspace;
    to->bucket = profile->bucket;
    to->low = profile->low_precision;
    to->slack = profile->slack;
    to->slack_typed = plan->hardware.fragmentation >= 1;
    to->context_typed = plan->hardware.context_memory >= 0;
    to->context_base = profile->context;
    to->context_group = profile->context_per_group;
    to->groups = parts->layout->groups;
    to->usable = plan->hardware.usable_memory;
    to->calibration = plan->calibration.memory_factor;
}

void act_megatron_stage_sheets(const struct act_parts *parts, int stage,
                               const struct act_stage_layers *layers,
                               struct act_megatron_sheets *to)
{
    act_schedule_sheet_of(parts->plan, parts->layout, stage, &to->schedule);
    act_parameters_sheet_of(parts, stage, layers, &to->parameters);
    act_megatron_states_sheet(parts, stage, layers, &to->parameters, &to->states);
    put_in_sheets(to, &to->stage);
    put_in_layers(parts, stage, layers, &to->stage);
    put_in_rest(parts, &to->stage);
    work_out(&to->stage);
}

static void read_out(const struct act_megatron_sheets *sheets,
                     const struct act_stage_layers *layers, struct act_stage *ret)
{
    const struct act_megatron_stage *from = &sheets->stage;

    act_stage_clear(ret);
#include "core/terms_contents.h"

#include "core/sheets/megatron_stage.def"
#include "core/terms_undef.h"
    act_stage_layers_of(layers, ret);
    ret->parameters = sheets->states.parameters;
    act_stage_peak(ret);
    act_stage_counters(from->reserved, from->context, ret);
}

/* LoRA and freezing change the states only: activations are counted as in full training, since
 * the page has no measured Megatron row that shows what frozen layers save. */
void act_memory_megatron(const struct act_parts *parts, struct act_memory *ret)
{
    struct act_megatron_sheets sheets;

    for (int kind = 0; kind < ACT_LAYER_KINDS; kind++)
        act_megatron_layer_sheet(parts, (enum act_layer_kind)kind, &sheets.layer[kind]);
    for (int i = 0; i < ret->stages; i++) {
        struct act_stage_layers layers;
        act_stage_walk(parts, i, &layers);
        act_megatron_stage_sheets(parts, i, &layers, &sheets);
        read_out(&sheets, &layers, &ret->stage[i]);
        ret->host = fmax(ret->host, sheets.states.host);
    }
}
