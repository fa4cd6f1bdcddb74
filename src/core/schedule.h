/* The sheet of micro batches alive on a stage. */
#ifndef ACTUARY_CORE_SCHEDULE_H
#define ACTUARY_CORE_SCHEDULE_H

#include "core/terms.h"

#include <actuary/layout.h>

struct act_schedule_sheet {
#include "core/terms_members.h"

#include "core/sheets/schedule.def"
#include "core/terms_undef.h"
};

extern const struct act_term_table act_schedule_table;

/* act_layout_in_flight is about one chunk; this is about the whole stage. */
void act_schedule_sheet_of(const struct act_plan *plan, const struct act_layout *layout, int stage,
                           struct act_schedule_sheet *to);

#endif
