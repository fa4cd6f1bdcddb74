/* FSDP2 and HSDP, DeepSpeed ZeRO and Hugging Face loops, LoRA and QLoRA: one stage in the phases
 * of a step (memory-fsdp-lora.md 2.1, 2.4, 2.7). */
#include "core/memory_fsdp.h"

#include <math.h>

/* The allocator never grows to the very end of the card (2.7). */
static const double end_of_card = 0.6 * 1024 * 1024 * 1024;

static void work_out(struct act_fsdp_stage *to)
{
#include "core/terms_statements.h"

#include "core/sheets/fsdp_stage.def"
#include "core/terms_undef.h"
}

static const struct act_term_row rows[] = {
#define TERMS_STRUCT struct act_fsdp_stage
#include "core/terms_rows.h"

#include "core/sheets/fsdp_stage.def"
#include "core/terms_undef.h"
#undef TERMS_STRUCT
};
const struct act_term_table act_fsdp_stage_table = {sizeof rows / sizeof *rows, rows};

/* What the other sheets worked out. */
static void put_in_sheets(const struct act_fsdp_sheets *sheets, struct act_fsdp_stage *to)
{
    const struct act_fsdp_states *states = &sheets->states;
    const struct act_fsdp_layer *dense = &sheets->layer[ACT_LAYER_DENSE];
    const struct act_fsdp_layer *moe = &sheets->layer[ACT_LAYER_MOE];

    to->raw_weights = states->weights;
    to->raw_gradients = states->gradients;
    to->raw_optimizer = states->optimizer;
    to->raw_extra = states->extra;
    to->step_only = states->step_only;
    to->gathered = states->gathered;
    to->root = states->root;
    to->unsharded = states->unsharded;
    to->unit = states->unit;
    to->raw_loaded = states->loaded;
    to->moved_states = states->host;
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

/* Leading frozen layers have nothing trained before them: they keep nothing at all. */
static void put_in_layers(const struct act_parts *parts, int stage,
                          const struct act_stage_layers *layers, struct act_fsdp_stage *to)
{
    const struct act_plan *plan = parts->plan;
    int64_t policy = plan->parallel.recompute;
    bool last = stage == parts->layout->stages - 1;
    bool full = policy == ACT_RECOMPUTE_FULL;
    double mtp = last ? (double)plan->model.mtp_layers : 0;
    double mtp_alive = layers->live_last * mtp;
    bool moe = parts->mtp_kind == ACT_LAYER_MOE;
    int64_t trained[ACT_LAYER_KINDS], kept[ACT_LAYER_KINDS], replayed = 0;
    double live_kept[ACT_LAYER_KINDS], live_full = 0;

    for (int kind = 0; kind < ACT_LAYER_KINDS; kind++) {
        trained[kind] = layers->kind[kind] - layers->frozen[kind];
        kept[kind] = layers->kept[kind] - layers->frozen_kept[kind];
        replayed += trained[kind] - kept[kind];
        live_kept[kind] = layers->live_kept[kind] - layers->live_frozen_kept[kind];
        live_full += layers->live_full[kind] - layers->live_frozen_full[kind];
    }
    to->kept_dense = (double)kept[ACT_LAYER_DENSE];
    to->kept_moe = (double)kept[ACT_LAYER_MOE];
    to->full_layers = (double)replayed;
    to->chunks_dense = live_kept[ACT_LAYER_DENSE];
    to->chunks_moe = live_kept[ACT_LAYER_MOE];
    to->chunks_full = live_full;
    to->mtp_dense = !full && !moe ? mtp_alive : 0;
    to->mtp_moe = !full && moe ? mtp_alive : 0;
    to->mtp_full = full ? mtp_alive : 0;
    to->trains_dense = trained[ACT_LAYER_DENSE] > 0 || (mtp > 0 && !moe);
    to->trains_moe = trained[ACT_LAYER_MOE] > 0 || (mtp > 0 && moe);
    /* Of whole layers a stage may have none. */
    bool by_layer = full || policy == ACT_RECOMPUTE_ALTERNATE || policy == ACT_RECOMPUTE_FIRST_N;
    to->replays = by_layer ? replayed > 0 || to->mtp_full > 0 : policy != ACT_RECOMPUTE_NONE;
    to->partly = policy == ACT_RECOMPUTE_ATTENTION || policy == ACT_RECOMPUTE_MODULES;
    to->offloads = plan->parallel.activation_offload > 0;
    to->with_loss = last && plan->framework.loss != ACT_LOSS_NONE;
}

/* Elements of the largest matrix among the stage's layers. */
static double largest_of(const struct act_parts *parts, const struct act_stage_layers *layers)
{
    double largest = 0, t = (double)parts->plan->parallel.tensor;

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
    return largest;
}

static void put_in_head(const struct act_parts *parts, const struct act_stage_layers *layers,
                        const struct act_parameters_sheet *parameters, struct act_fsdp_stage *to)
{
    const struct act_plan *plan = parts->plan;
    const struct act_profile *profile = &parts->profile;

    to->V = parts->vocabulary;
    to->H = profile->logit;
    to->capped = profile->logit > 0 && plan->model.soft_cap > 0;
    to->passes = 1 + (double)plan->model.mtp_layers;
    to->head_parameters = parameters->head * parameters->scale;
    to->b_head = profile->fsdp.quantised_head;
    to->b_x = profile->fsdp.expanded;
    to->largest = to->b_x > 0 ? largest_of(parts, layers) : 0;
}

static void put_in_counters(const struct act_parts *parts, const struct act_fsdp_states *states,
                            struct act_fsdp_stage *to)
{
    const struct act_plan *plan = parts->plan;
    const struct act_profile *profile = &parts->profile;
    /* Adapters' bytes are counted whole: what they would save at the loss is too small to show. */
    bool accumulated =
        parts->layout->micro_batches > 1 || plan->framework.gradients_kept > 0 || profile->adapters;

    to->early = accumulated && states->waits <= 0;
    to->late = !accumulated && states->waits <= 0;
    to->workspace = profile->workspace;
    to->bucket = profile->bucket;
    to->S = profile->fsdp.slack;
    to->S_V = profile->fsdp.head_slack;
    to->margin = end_of_card;
    to->typed = plan->hardware.fragmentation >= 1;
    to->factor = plan->hardware.fragmentation;
    to->context_typed = plan->hardware.context_memory >= 0;
    to->context_base = profile->context;
    to->context_group = profile->context_per_group;
    to->groups = parts->layout->groups;
    to->usable = plan->hardware.usable_memory;
    to->calibration = plan->calibration.memory_factor;
}

void act_fsdp_stage_sheets(const struct act_parts *parts, int stage,
                           const struct act_stage_layers *layers, struct act_fsdp_sheets *to)
{
    act_schedule_sheet_of(parts->plan, parts->layout, stage, &to->schedule);
    act_parameters_sheet_of(parts, stage, layers, &to->parameters);
    act_fsdp_states_sheet(parts, stage, layers, &to->parameters, &to->states);
    put_in_sheets(to, &to->stage);
    put_in_layers(parts, stage, layers, &to->stage);
    put_in_head(parts, layers, &to->parameters, &to->stage);
    put_in_counters(parts, &to->states, &to->stage);
    work_out(&to->stage);
}

static void read_out(const struct act_fsdp_sheets *sheets, const struct act_stage_layers *layers,
                     struct act_stage *ret)
{
    const struct act_fsdp_stage *from = &sheets->stage;

    act_stage_clear(ret);
#include "core/terms_contents.h"

#include "core/sheets/fsdp_stage.def"
#include "core/terms_undef.h"
    act_stage_layers_of(layers, ret);
    ret->parameters = sheets->states.parameters;
    act_stage_peak(ret);
    act_stage_counters(from->reserved, from->context, ret);
}

void act_memory_fsdp(const struct act_parts *parts, struct act_memory *ret)
{
    struct act_fsdp_sheets sheets;

    act_fsdp_layer_sheet(parts, ACT_LAYER_DENSE, &sheets.layer[ACT_LAYER_DENSE]);
    /* Most models have one kind of layer: what no stage has counts 0 times. */
    if (parts->plan->model.experts > 0)
        act_fsdp_layer_sheet(parts, ACT_LAYER_MOE, &sheets.layer[ACT_LAYER_MOE]);
    else
        sheets.layer[ACT_LAYER_MOE] = (struct act_fsdp_layer){0};
    for (int i = 0; i < ret->stages; i++) {
        struct act_stage_layers layers;
        act_stage_walk(parts, i, &layers);
        act_fsdp_stage_sheets(parts, i, &layers, &sheets);
        read_out(&sheets, &layers, &ret->stage[i]);
        ret->host = fmax(ret->host, sheets.stage.host);
    }
}
