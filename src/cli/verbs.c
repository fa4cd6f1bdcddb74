#include "cli/verbs.h"

#include "cli/output.h"
#include "io/presets.h"

/* The build names the version of the project; a library user's own build may not. */
#ifndef ACTUARY_VERSION
#define ACTUARY_VERSION "0.1.0"
#endif

static int print(const struct act_options *options, const char *text)
{
    struct act_buffer out;

    act_buffer_init(&out, ACT_OUTPUT_MAX);
    act_buffer_puts(&out, text);
    int status = act_output_write(options, &out, ACT_EXIT_OK);
    act_buffer_free(&out);
    return status;
}

int act_cli_run(const struct act_options *options)
{
    int status = ACT_EXIT_OK;

    if (options->help) {
        return print(options, act_options_help(options->verb));
    }
    if (options->version) {
        return print(options, "actuary " ACTUARY_VERSION "\n");
    }
    switch (options->verb) {
    case ACT_VERB_PLAN:
        status = act_cli_plan(options);
        break;
    case ACT_VERB_COMPARE:
        status = act_cli_compare(options);
        break;
    case ACT_VERB_EXPLAIN:
        status = act_cli_explain(options);
        break;
    case ACT_VERB_NEED:
        status = act_cli_need(options);
        break;
    case ACT_VERB_LIST:
        status = act_cli_list(options);
        break;
    case ACT_VERB_SHOW:
        status = act_cli_show(options);
        break;
    case ACT_VERB_PLANNER:
    case ACT_VERB_COUNT:
        break;
    }
    act_presets_free();
    return status;
}
