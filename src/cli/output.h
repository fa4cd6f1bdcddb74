/* Where results and errors go. A result is written whole or not at all. */
#ifndef ACTUARY_CLI_OUTPUT_H
#define ACTUARY_CLI_OUTPUT_H

#include "cli/options.h"
#include "io/buffer.h"
#include "io/problem.h"

/* No result of the program comes near this. */
enum { ACT_OUTPUT_MAX = 64 * 1024 * 1024 };

/* Writes the result to -o or standard output and returns `status`, or ACT_EXIT_WRITE with a
 * message on standard error. A reader that went away is no error. */
int act_output_write(const struct act_options *options, const struct act_buffer *result,
                     int status);

/* Printed on standard error, one a line. */
void act_output_problems(const struct act_problems *problems);
void act_output_error(const char *verb, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* May the result have colours? Only on a terminal that has them and a user who wants them. */
bool act_output_color(const struct act_options *options);

#endif
