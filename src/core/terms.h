/* Formulas as data that both compute and print.
 *
 * A sheet of formulas is a .def file of rows. It is included three times, after a different one of
 * terms_members.h, terms_statements.h and terms_rows.h: as the members of a struct, as the
 * statements that work them out in the order they stand, and as a table that can be printed. What
 * is shown to the user is thus the very text that was compiled.
 *
 *   INPUT(symbol, UNIT, meaning)                    put in by code
 *   FROM(symbol, UNIT, meaning, SHEET, term)        put in: that term of another sheet
 *   TERM(symbol, UNIT, meaning, formula, source)    worked out
 *   WHEN(symbol, switch, formula, source)           in place of what stands there, if switch > 0
 *   CONTENT(PHASE, COMPONENT, symbol)               the term is that component in that phase
 *
 * A formula is a C expression over symbols of its sheet that stand above it, numbers, + - * / and
 * fmin, fmax. UNIT is a suffix of enum act_term_unit. A symbol that is a SWITCH is 0
 * or 1: as a factor it only says whether what it stands before applies. Where a SWITCH or FACTOR is
 * 1, and where a divisor is, explanations leave it out, as they do with addends that are 0. */
#ifndef ACTUARY_CORE_TERMS_H
#define ACTUARY_CORE_TERMS_H

#include <actuary/term.h>
#include <stddef.h>

enum act_row_kind { ACT_ROW_INPUT, ACT_ROW_FROM, ACT_ROW_TERM, ACT_ROW_WHEN, ACT_ROW_CONTENT };

struct act_term_row {
    enum act_row_kind kind;
    const char *symbol;
    enum act_term_unit unit;
    const char *meaning;
    const char *formula, *source; /* of TERM and WHEN */
    const char *other;            /* WHEN: the switch; FROM: the term */
    int place;                    /* of its value among the sheet's */
    int sheet;                    /* FROM: enum act_sheet */
    int phase, component;         /* CONTENT */
};

struct act_term_table {
    int count;
    const struct act_term_row *row;
};

/* fmax and fmin of formulas. The library's are calls, since they look out for NaN: two dozen a
 * stage took a fifth of its time. */
static inline double act_larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double act_smaller(double a, double b)
{
    return a < b ? a : b;
}

#endif
