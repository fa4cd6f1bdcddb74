/* The 659 measured step times: settings that reproduce a published run, the study's prediction from
 * them (s) with its parts, the measurement, and what the engine gives. tests/data/timing.jsonl. */
#ifndef ACTUARY_TESTS_TIMING_ROWS_H
#define ACTUARY_TESTS_TIMING_ROWS_H

#include <stdbool.h>

enum { TIMING_ROWS = 659 };

/* Parts of a step as the study names them: a mean layer, head and stage transfers of one micro
 * batch; body, bubble, data-parallel traffic and optimizer of a step before growth. */
enum timing_part {
    PART_LAYER,
    PART_HEAD,
    PART_TRANSFER,
    PART_BODY,
    PART_BUBBLE,
    PART_DATA,
    PART_OPTIMIZER,
    TIMING_PARTS
};

enum timing_kind { KIND_DENSE, KIND_DENSE_LOW, KIND_MOE, KIND_MOE_LOW, KIND_LORA, TIMING_KINDS };

struct timing_row {
    char id[40], device[12];
    enum timing_kind kind;
    double measured, predicted, figure;
    double part[TIMING_PARTS], part_predicted[TIMING_PARTS];
    double error_bar; /* that is shown with it */
    double tokens;    /* a GPU and step */
    bool unpublished; /* recompute, and perhaps the virtual stages, are the study's choice */
    double plain;     /* figure without that choice: no recompute, most virtual stages */
    double layers, hidden, vocabulary;
};

const char *timing_part_name(enum timing_part part);
const char *timing_kind_name(enum timing_kind kind);

struct act_plan;
/* The plan of one row. Fails the test when there is none. */
void timing_plan_of(const char *id, struct act_plan *ret);

/* Reads and estimates all rows, in the order of the file. Fails the test when one is broken. */
void timing_rows_load(struct timing_row ret[TIMING_ROWS]);

#endif
