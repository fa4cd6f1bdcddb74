#include "cli/opening.h"

#include "cli/output.h"
#include "io/measured.h"
#include "io/scenario.h"
#include <actuary/field.h>

int act_cli_open(const struct act_options *options, int operand, struct act_plan *ret)
{
    struct act_problems problems;

    if (act_scenario_open(options->operand[operand], ret, NULL, &problems) >= 0)
        return ACT_EXIT_OK;
    act_output_problems(&problems);
    return ACT_EXIT_FILE;
}

int act_cli_set(const struct act_options *options, struct act_plan *plan)
{
    int status = ACT_EXIT_OK;
    unsigned pins = 0;
    char why[512];

    for (int i = 0; i < options->sets; i++) {
        if (act_scenario_set(plan, options->set[i].key, options->set[i].value, why, sizeof why) <
            0) {
            act_output_error(act_verb_name(options->verb), "--set %s", why);
            status = ACT_EXIT_USAGE;
            continue;
        }
        const struct act_field *field = act_field_find(options->set[i].key);
        if (field)
            pins |= act_measured_changed(plan, field->id);
    }
    if (status != ACT_EXIT_OK)
        return status;
    /* Whatever else is set belongs to the run, in whichever order it stands. */
    if (act_measured_pin(plan, pins, why, sizeof why) < 0) {
        act_output_error(act_verb_name(options->verb), "--set %s", why);
        return ACT_EXIT_USAGE;
    }
    if (options->measured_log &&
        act_measured_log(plan, options->measured_log, NULL, 0, why, sizeof why) < 0) {
        act_output_error(act_verb_name(options->verb), "%s", why);
        return ACT_EXIT_FILE;
    }
    return status;
}

int act_cli_open_all(const struct act_options *options, struct act_plan *plans)
{
    int status = ACT_EXIT_OK;

    for (int i = 0; i < options->operands; i++) {
        int one = act_cli_open(options, i, &plans[i]);
        status = one != ACT_EXIT_OK ? one : status;
    }
    for (int i = 0; i < options->operands && status == ACT_EXIT_OK; i++)
        status = act_cli_set(options, &plans[i]);
    return status;
}
