/* The sheet of formulas that both layered families use: parameters on a GPU. */
#ifndef ACTUARY_CORE_MEMORY_SHEETS_H
#define ACTUARY_CORE_MEMORY_SHEETS_H

#include "core/memory_parts.h"
#include "core/schedule.h"
#include "core/terms.h"

struct act_parameters_sheet {
#include "core/terms_members.h"

#include "core/sheets/parameters.def"
#include "core/terms_undef.h"
};

extern const struct act_term_table act_parameters_table;

/* What the stage holds, and what of it is trained (adapters: among the matrices). */
void act_parameters_sheet_of(const struct act_parts *parts, int stage,
                             const struct act_stage_layers *layers,
                             struct act_parameters_sheet *to);

#endif
