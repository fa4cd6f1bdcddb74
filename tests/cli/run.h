/* Runs the program as a script would: arguments and input in, output, errors and status out. */
#ifndef ACTUARY_TESTS_RUN_H
#define ACTUARY_TESTS_RUN_H

#include <stddef.h>

/* Where the program's output goes. */
enum run_output { RUN_CAPTURE, RUN_CLOSED_PIPE, RUN_FULL_DISK };

struct run {
    int status; /* exit status; 128 + number when a signal ended it */
    char *out, *err;
    size_t out_size, err_size;
};

/* A folder of the tests' own: home, user presets and working files. Made by run_start, removed by
 * run_stop. */
extern char run_folder[512];
void run_start(void);
void run_stop(void);

/* Words of the command line after "actuary", NULL-terminated. `input` may be NULL. The result
 * lives until run_free. */
struct run run_words(const char *const *words, const char *input, enum run_output output);
/* The same for words that hold no blanks. */
struct run run(const char *line);
struct run run_input(const char *line, const char *input);
void run_free(struct run *run);

/* The locale of the runs that follow; "C" at first. */
void run_locale(const char *name);

#endif
