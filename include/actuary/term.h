/* What the rows of a sheet of formulas are (core/terms.h has the sheets' own notation). */
#ifndef ACTUARY_TERM_H
#define ACTUARY_TERM_H

/* The sheets of formulas of one stage. The textbook has the first alone. */
enum act_sheet {
    ACT_SHEET_STAGE,      /* phases and counters */
    ACT_SHEET_STATES,     /* weights, gradients, optimizer */
    ACT_SHEET_PARAMETERS, /* parameters on one GPU */
    ACT_SHEET_SCHEDULE,   /* micro batches alive */
    ACT_SHEET_DENSE,      /* one dense layer of one micro batch */
    ACT_SHEET_MOE,        /* one MoE layer of one micro batch */
    ACT_SHEET_COUNT
};

enum act_term_unit {
    ACT_TERM_BYTES,
    ACT_TERM_PARAMETERS,
    ACT_TERM_COUNT,  /* of things: layers, tokens, GPUs */
    ACT_TERM_NUMBER, /* a width, a share or a factor */
    ACT_TERM_FACTOR, /* a correction, mostly 1 */
    ACT_TERM_SWITCH  /* 1 when something holds, else 0 */
};

#endif
