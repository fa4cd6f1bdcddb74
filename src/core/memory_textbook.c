/* The chapter's arithmetic (decisions 5, engine.md 7): states shared evenly by TP and PP, one
 * activation formula with L/p layers and no in-flight factor, nothing else. */
#include "core/memory_textbook.h"

static void work_out(struct act_textbook_sheet *to)
{
#include "core/terms_statements.h"

#include "core/sheets/textbook.def"
#include "core/terms_undef.h"
}

static const struct act_term_row rows[] = {
#define TERMS_STRUCT struct act_textbook_sheet
#include "core/terms_rows.h"

#include "core/sheets/textbook.def"
#include "core/terms_undef.h"
#undef TERMS_STRUCT
};
const struct act_term_table act_textbook_table = {sizeof rows / sizeof *rows, rows};

void act_textbook_sheet_of(const struct act_parts *parts, struct act_textbook_sheet *to)
{
    const struct act_plan *plan = parts->plan;
    const struct act_profile *profile = &parts->profile;
    double d = (double)plan->parallel.data;
    int64_t zero = plan->parallel.zero, form = plan->framework.textbook_activations;

    to->P = parts->parameters->total;
    to->P_trained = parts->parameters->trainable;
    to->t = (double)plan->parallel.tensor;
    to->p = (double)plan->parallel.pipeline;
    to->d_w = zero >= 3 ? d : 1;
    to->d_g = zero >= 2 ? d : 1;
    to->d_o = zero >= 1 ? d : 1;
    to->W = profile->weight;
    to->G = profile->gradient;
    to->O = profile->optimizer_matrix;
    to->lora = profile->adapters;
    to->base = profile->base_linear + profile->base_scales;
    to->moved = plan->parallel.offload != ACT_OFFLOAD_NONE;
    to->moved_weights = plan->parallel.offload == ACT_OFFLOAD_ALL;
    to->s = (double)plan->training.sequence;
    to->b = (double)plan->training.micro_batch;
    to->h = (double)plan->model.hidden;
    to->a = (double)plan->model.heads;
    to->L = (double)plan->model.layers;
    to->sequence_parallel = form == ACT_TEXTBOOK_SEQUENCE_PARALLEL;
    to->simple = form == ACT_TEXTBOOK_SIMPLE;
    to->bloom = form == ACT_TEXTBOOK_BLOOM;
    to->full = plan->parallel.recompute == ACT_RECOMPUTE_FULL;
    to->usable = plan->hardware.usable_memory;
    to->calibration = plan->calibration.memory_factor;
    work_out(to);
}

static void read_out(const struct act_textbook_sheet *from, struct act_stage *ret)
{
    act_stage_clear(ret);
#include "core/terms_contents.h"

#include "core/sheets/textbook.def"
#include "core/terms_undef.h"
    ret->in_flight = 1;
    ret->parameters = from->held + (from->lora > 0 ? from->P_trained / (from->t * from->p) : 0);
    act_stage_peak(ret);
    act_stage_counters(from->reserved, 0, ret);
}

void act_memory_textbook(const struct act_parts *parts, struct act_memory *ret)
{
    struct act_textbook_sheet sheet;

    act_textbook_sheet_of(parts, &sheet);
    ret->host = sheet.host;
    for (int i = 0; i < ret->stages; i++) {
        struct act_stage *stage = &ret->stage[i];
        read_out(&sheet, stage);
        stage->layers = 0;
        for (int j = 0; j < parts->layout->chunks; j++)
            stage->layers += parts->count[j * ret->stages + i];
    }
}
