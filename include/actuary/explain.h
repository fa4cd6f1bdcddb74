/* Where a memory figure comes from: the formula that computed it, the numbers put in, its source,
 * and the planning chapter's own figure beside it.
 *
 * The formulas are those of the engine itself: a sheet is the table of rows from which the
 * statements that compute are compiled (core/terms.h), so that what is printed cannot differ from
 * what is computed. */
#ifndef ACTUARY_EXPLAIN_H
#define ACTUARY_EXPLAIN_H

#include <actuary/memory.h>
#include <actuary/plan.h>
#include <actuary/term.h>
#include <stddef.h>

enum { ACT_TERMS_MAX = 128, ACT_USES_MAX = 32, ACT_FORMULA_MAX = 768 };

struct act_term_table;

/* Every value of every sheet of one stage. */
struct act_sheets {
    const struct act_term_table *table[ACT_SHEET_COUNT]; /* NULL: the plan has no such sheet */
    double value[ACT_SHEET_COUNT][ACT_TERMS_MAX];
    int stage;
    bool decimal_sizes;                   /* as the plan has it: formulas are filled in with GB */
    double error_allocated, error_device; /* as in struct act_memory */
};

/* One term of one sheet. */
struct act_term {
    enum act_sheet sheet;
    int row;
};

/* Works the plan's sheets out for a stage, 0 … stages - 1. */
void act_sheets_of(const struct act_plan *plan, int stage, struct act_sheets *ret);

/* The term of that symbol. False when the sheet has none. */
bool act_sheets_find(const struct act_sheets *sheets, enum act_sheet sheet, const char *symbol,
                     struct act_term *ret);

/* The term that is this component (weights … buffers; ACT_FRAGMENTATION, ACT_CONTEXT) in this
 * phase. False when the component is empty then. */
bool act_sheets_component(const struct act_sheets *sheets, enum act_phase phase,
                          enum act_component component, struct act_term *ret);

/* "stage", "states", "parameters", "schedule", "dense", "moe". */
const char *act_sheet_name(enum act_sheet sheet);

/* A figure that the planner shows of a stage. */
struct act_figure {
    struct act_term term;
    const char *name; /* "device", "in backward", "activations" */
    char letter;      /* of its bar, or a blank */
};

enum { ACT_FIGURES_MAX = 24 };

/* The counters, the phases, what the peak holds and what is left, the empty ones left out.
 * `peak` is the phase of the peak. Returns how many there are. */
int act_sheets_figures(const struct act_sheets *sheets, enum act_phase peak,
                       struct act_figure ret[ACT_FIGURES_MAX]);

/* The figure that a text names: a component as the peak holds it ("weights"), a symbol of the first
 * sheet that has it ("device"), or of a certain one ("dense.whole"). */
bool act_sheets_named(const struct act_sheets *sheets, enum act_phase peak, const char *text,
                      struct act_figure *ret);

/* The next term of all sheets after *term, which begins as {0, -1}. False at their end. */
bool act_sheets_next(const struct act_sheets *sheets, struct act_term *term);

const char *act_term_symbol(const struct act_sheets *sheets, struct act_term term);
double act_term_value(const struct act_sheets *sheets, struct act_term term);

/* How a formula is written. */
enum act_notation { ACT_NOTATION_UTF8, ACT_NOTATION_ASCII, ACT_NOTATION_EXACT };

/* A symbol of a formula. */
struct act_use {
    const char *symbol, *meaning;
    enum act_term_unit unit;
    double value;
    struct act_term term; /* where it is worked out, or put in */
};

struct act_explanation {
    const char *symbol, *meaning;
    enum act_term_unit unit;
    double value;
    double error; /* half width of its error bar, a share; 0: it has none of its own */
    bool given;   /* put in, not worked out: formula, numbers, source are empty */
    char formula[ACT_FORMULA_MAX]; /* without the addends that are 0 here */
    char numbers[ACT_FORMULA_MAX]; /* the same with values put in */
    const char *source;
    int uses; /* symbols of the formula in the order in which they stand */
    struct act_use use[ACT_USES_MAX];
};

/* EXACT writes C with nothing left out: symbols as they stand, values with all their digits. */
void act_explain(const struct act_sheets *sheets, struct act_term term, enum act_notation notation,
                 struct act_explanation *ret);

/* A value as explanations write it, with four digits: "21.04 GiB", "8.624 B" (parameters),
 * "4,096", "0.25". */
void act_term_format(double value, enum act_term_unit unit, char *out, size_t size);
/* The same, with sizes in powers of 1000 ("22.59 GB") when `decimal`. */
void act_term_format_in(bool decimal, double value, enum act_term_unit unit, char *out,
                        size_t size);

/* The planning chapter's figure for the same thing. */
struct act_chapter {
    const char *meaning, *note;
    double bytes;
    bool in_use; /* of several forms the one that the textbook's framework would compute with: that
                    of full recompute, or framework.textbook_activations */
    char formula[ACT_FORMULA_MAX], numbers[ACT_FORMULA_MAX]; /* empty when it only names a figure */
};

enum { ACT_CHAPTER_MAX = 5 };

/* What the chapter says of weights, gradients, optimizer, activations or allocated memory of this
 * plan; 0 lines for every other term, and for a plan that is the chapter's own arithmetic. */
int act_explain_chapter(const struct act_plan *plan, const struct act_sheets *sheets,
                        struct act_term term, enum act_notation notation,
                        struct act_chapter ret[ACT_CHAPTER_MAX]);

#endif
