#include "cli/output.h"

#include "io/save.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void act_output_error(const char *verb, const char *format, ...)
{
    char text[1024];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "actuary%s%s: %s\n", verb[0] ? " " : "", verb, text);
}

void act_output_problems(const struct act_problems *problems)
{
    char text[1024];

    for (int i = 0; i < problems->count; i++) {
        act_problem_text(problems, i, text, sizeof text);
        fprintf(stderr, "%s\n", text);
    }
    if (problems->more) {
        fprintf(stderr, "%s: there are more problems than these\n", problems->file);
    }
}

int act_output_write(const struct act_options *options, const struct act_buffer *result, int status)
{
    const char *verb = act_verb_name(options->verb);
    char why[512];

    if (result->failed) {
        act_output_error(verb, "the result is too large to hold; ask for fewer scenarios at once");
        return ACT_EXIT_WRITE;
    }
    if (options->output) {
        if (act_save(options->output, result->text, result->size, NULL, true, why, sizeof why) ==
            ACT_SAVED) {
            return status;
        }
        act_output_error(verb, "%s", why);
        return ACT_EXIT_WRITE;
    }
    if (act_write_all(STDOUT_FILENO, result->text, result->size) < 0 && errno != EPIPE) {
        act_output_error(verb, "standard output: %s", strerror(errno));
        return ACT_EXIT_WRITE;
    }
    return status;
}

bool act_output_color(const struct act_options *options)
{
    const char *refused = getenv("NO_COLOR"), *terminal = getenv("TERM");

    if (options->no_color || options->output || options->format != ACT_FORMAT_TEXT) {
        return false;
    }
    return !(refused && refused[0]) && terminal && terminal[0] && strcmp(terminal, "dumb") != 0 &&
           isatty(STDOUT_FILENO);
}
