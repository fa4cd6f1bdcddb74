#include "cli/opening.h"

#include "cli/output.h"
#include "io/scenario.h"

int act_cli_open(const struct act_options *options, int operand, struct act_plan *ret)
{
    struct act_problems problems;

    if (act_scenario_open(options->operand[operand], ret, NULL, &problems) >= 0) {
        act_settings_apply(&options->settings, ret);
        if (options->format != ACT_FORMAT_TEXT)
            ret->decimal_sizes = 0; /* programs read the same from everyone */
        return ACT_EXIT_OK;
    }
    act_output_problems(&problems);
    return ACT_EXIT_FILE;
}

int act_cli_set(const struct act_options *options, struct act_plan *plan)
{
    int status = ACT_EXIT_OK;
    char why[512];

    for (int i = 0; i < options->sets; i++) {
        if (act_scenario_set(plan, options->set[i].key, options->set[i].value, why, sizeof why) <
            0) {
            act_output_error(act_verb_name(options->verb), "--set %s", why);
            status = ACT_EXIT_USAGE;
        }
    }
    return status;
}
