/* What each pipeline schedule keeps alive (memory-megatron.md 1.3). */
#include "core/schedule.h"

static void work_out(struct act_schedule_sheet *to)
{
#include "core/terms_statements.h"

#include "core/sheets/schedule.def"
#include "core/terms_undef.h"
}

static const struct act_term_row rows[] = {
#define TERMS_STRUCT struct act_schedule_sheet
#include "core/terms_rows.h"

#include "core/sheets/schedule.def"
#include "core/terms_undef.h"
#undef TERMS_STRUCT
};
const struct act_term_table act_schedule_table = {sizeof rows / sizeof *rows, rows};

void act_schedule_sheet_of(const struct act_plan *plan, const struct act_layout *layout, int stage,
                           struct act_schedule_sheet *to)
{
    int64_t schedule = plan->parallel.schedule;

    to->m = layout->micro_batches;
    to->p = layout->stages;
    to->r = stage;
    to->v = layout->chunks;
    to->gpipe = schedule == ACT_GPIPE;
    to->zb_1p = schedule == ACT_ZB_1P;
    to->zb_2p = schedule == ACT_ZB_2P;
    to->dualpipe = schedule == ACT_DUALPIPE;
    to->interleaved = schedule == ACT_1F1B && layout->chunks > 1;
    work_out(to);
}
