#include "cli/cases.h"

#include "cli/opening.h"
#include "cli/output.h"

#include <stdlib.h>

static int refuse_count(const struct act_options *options)
{
    act_output_error(act_verb_name(options->verb),
                     "%d scenarios at once; at most %d stand side by side", options->operands,
                     ACT_CASES_MAX);
    return ACT_EXIT_USAGE;
}

int act_cases_open(const struct act_options *options, struct act_cases *ret)
{
    size_t count = (size_t)options->operands;

    *ret = (struct act_cases){.count = options->operands};
    if (options->operands > ACT_CASES_MAX)
        return refuse_count(options);
    ret->plans = calloc(count, sizeof *ret->plans);
    ret->results = calloc(count, sizeof *ret->results);
    ret->item = calloc(count, sizeof *ret->item);
    if (!ret->plans || !ret->results || !ret->item) {
        act_output_error(act_verb_name(options->verb), "out of memory");
        return ACT_EXIT_WRITE;
    }
    int status = act_cli_open_all(options, ret->plans);
    for (int i = 0; i < ret->count && status == ACT_EXIT_OK; i++)
        act_case_estimate(&ret->plans[i], &ret->results[i], &ret->item[i]);
    return status;
}

void act_cases_free(struct act_cases *cases)
{
    free(cases->plans);
    free(cases->results);
    free(cases->item);
}

int act_cases_status(const struct act_cases *cases)
{
    for (int i = 0; i < cases->count; i++) {
        if (!act_case_sound(&cases->item[i]))
            return ACT_EXIT_UNFIT;
    }
    return ACT_EXIT_OK;
}
