/* Training logs: what a run measured, read from the lines of Megatron-LM, torchtitan, the Hugging
 * Face Trainer and DeepSpeed. */
#ifndef ACTUARY_IO_LOG_H
#define ACTUARY_IO_LOG_H

#include <actuary/plan.h>
#include <stddef.h>

enum {
    ACT_LOG_SIZE_MAX = 64 * 1024 * 1024, /* of a log */
    ACT_LOG_LINE_MAX = 4096,             /* of a line: what stands beyond is not looked at */
    ACT_LOG_SAMPLES_MAX = 65536          /* lines with a figure: the last so many count */
};

/* A figure that is not in the log is 0. Rates and times are medians without the warm-up. */
struct act_log {
    const char *writer;         /* "Megatron-LM" */
    int steps;                  /* lines that the time was taken from */
    double step_seconds;        /* one of the three, the most direct */
    double tokens_per_second;   /* … a GPU */
    double samples_per_second;  /* … of all GPUs */
    double allocated, reserved; /* bytes, the largest of all lines */
    double global_batch;        /* sequences, of the last line that tells */
    char date[11];              /* "2026-11-30" of the last line with figures, or "" */
};

/* Reads the text of a log. Returns 0, or -1 with a sentence in `why` when no line has a figure. */
int act_log_parse(const char *text, size_t size, struct act_log *ret, char *why, size_t why_size);

/* The same of a file, "-" for standard input. */
int act_log_read(const char *path, struct act_log *ret, char *why, size_t why_size);

#endif
