/* The sheet of the chapter's arithmetic (decisions 5, engine.md 7). */
#ifndef ACTUARY_CORE_MEMORY_TEXTBOOK_H
#define ACTUARY_CORE_MEMORY_TEXTBOOK_H

#include "core/memory_parts.h"
#include "core/terms.h"

struct act_textbook_sheet {
#include "core/terms_members.h"

#include "core/sheets/textbook.def"
#include "core/terms_undef.h"
};

extern const struct act_term_table act_textbook_table;

void act_textbook_sheet_of(const struct act_parts *parts, struct act_textbook_sheet *to);

#endif
