/* Parameters on one GPU of a stage (engine.md 2, memory-megatron.md 1.1). */
#include "core/memory_sheets.h"

static void work_out(struct act_parameters_sheet *to)
{
#include "core/terms_statements.h"

#include "core/sheets/parameters.def"
#include "core/terms_undef.h"
}

static const struct act_term_row rows[] = {
#define TERMS_STRUCT struct act_parameters_sheet
#include "core/terms_rows.h"

#include "core/sheets/parameters.def"
#include "core/terms_undef.h"
#undef TERMS_STRUCT
};
const struct act_term_table act_parameters_table = {sizeof rows / sizeof *rows, rows};

void act_parameters_sheet_of(const struct act_parts *parts, int stage,
                             const struct act_stage_layers *layers, struct act_parameters_sheet *to)
{
    const struct act_plan *plan = parts->plan;
    bool first = stage == 0, last = stage == parts->layout->stages - 1;
    const struct act_rank_parameters *dense = &parts->layer[ACT_LAYER_DENSE];
    const struct act_rank_parameters *moe = &parts->layer[ACT_LAYER_MOE];

    to->n_dense = (double)layers->kind[ACT_LAYER_DENSE];
    to->n_moe = (double)layers->kind[ACT_LAYER_MOE];
    to->n_mtp = last ? (double)plan->model.mtp_layers : 0;
    to->t_dense = to->n_dense - (double)layers->frozen[ACT_LAYER_DENSE];
    to->t_moe = to->n_moe - (double)layers->frozen[ACT_LAYER_MOE];
    to->M_dense = dense->matrix;
    to->M_moe = moe->matrix;
    to->M_mtp = parts->mtp.matrix;
    to->X_moe = moe->experts;
    to->X_mtp = parts->mtp.experts;
    to->R_dense = dense->rest;
    to->R_moe = moe->rest;
    to->R_mtp = parts->mtp.rest;
    to->embedding = first ? parts->embedding + parts->positions : 0;
    bool frozen = plan->training.method == ACT_FREEZE && plan->training.frozen_layers > 0;
    to->t_embedding = frozen ? 0 : to->embedding;
    to->head = last ? parts->head : 0;
    to->final_norm = last ? parts->final_norm : 0;
    to->mtp_embedding = last && !first ? parts->embedding * to->n_mtp : 0;
    to->scale = parts->parameters->scale;
    to->ratio = parts->adapters;
    to->lora = parts->profile.adapters;
    work_out(to);
}
