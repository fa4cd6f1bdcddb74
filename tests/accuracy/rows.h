/* The 411 measured runs: settings that reproduce a published run, the study's prediction for them
 * (GiB), the measurement, and what the engine gives. tests/data/memory-megatron.jsonl (208) and
 * memory-fsdp-lora.jsonl (203). */
#ifndef ACTUARY_TESTS_ROWS_H
#define ACTUARY_TESTS_ROWS_H

#include <stdbool.h>

enum row_study { ROW_MEGATRON, ROW_FSDP, ROW_STUDIES };

enum { ROWS_MEGATRON = 208, ROWS_FSDP = 203, ROWS_ALL = ROWS_MEGATRON + ROWS_FSDP };

struct row {
    enum row_study study;
    char id[40];
    char counter[12]; /* allocated, reserved, device */
    double measured;  /* GiB, as are the other two */
    double predicted; /* by the study, from the same settings */
    double figure;    /* by the engine */
    char wrong[160];  /* "" or how the phase or the worst stage differs from the study's */
};

/* Name of a study, as in the data's file names. */
const char *row_study_name(enum row_study study);

/* Reads and estimates all rows, in the order of the files. Fails the test when one is broken. */
void rows_load(struct row ret[ROWS_ALL]);

/* Error against the measurement and distance to the study's prediction, percent. */
double row_error(const struct row *row);
double row_distance(const struct row *row);

#endif
