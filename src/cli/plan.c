/* actuary plan: estimate scenarios and print. */
#include "cli/opening.h"
#include "cli/output.h"
#include "cli/text.h"
#include "cli/verbs.h"
#include "io/json.h"

#include <actuary/estimate.h>

#include <stdlib.h>
#include <string.h>

/* Reads all scenarios before anything is computed, so that one bad file means no result. */
static int read_plans(const struct act_options *options, struct act_plan *plans)
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

static void put_text(const struct act_options *options, int index, const struct act_plan *plan,
                     const struct act_result *result, struct act_buffer *out)
{
    struct act_plan resolved;

    act_plan_resolve(plan, &resolved);
    act_buffer_puts(out, index > 0 ? "\n\n" : "");
    act_text_plan(&resolved, result, act_output_color(options), out);
}

static void put_json(int index, int count, const struct act_plan *plan,
                     const struct act_result *result, struct act_buffer *out)
{
    bool many = count > 1, last = index + 1 == count;

    if (many) {
        act_buffer_puts(out, index == 0 ? "[\n" : ",\n");
    }
    if (act_json_plan(plan, result, out) < 0) {
        out->failed = true;
    }
    if (many && last) {
        act_buffer_puts(out, "]\n");
    }
}

static int estimate(const struct act_options *options, struct act_plan *plans, int count,
                    struct act_result *result, struct act_buffer *out)
{
    int status = ACT_EXIT_OK;

    for (int i = 0; i < count; i++) {
        if (options->format == ACT_FORMAT_JSON)
            plans[i].decimal_sizes = 0; /* programs read the same from everyone */
        act_estimate(&plans[i], result);
        if (options->format == ACT_FORMAT_JSON) {
            put_json(i, count, &plans[i], result, out);
        } else {
            put_text(options, i, &plans[i], result, out);
        }
        if (result->fit == ACT_DOES_NOT_FIT || result->errors > 0) {
            status = ACT_EXIT_UNFIT;
        }
    }
    return status;
}

/* Each scenario is a few kilobytes; nobody plans more at once. */
enum { SCENARIOS_MAX = 4096 };

int act_cli_print_plans(const struct act_options *options, struct act_plan *plans, int count)
{
    struct act_buffer out;
    struct act_result *result = malloc(sizeof *result);

    if (!result) {
        act_output_error(act_verb_name(options->verb), "out of memory");
        return ACT_EXIT_WRITE;
    }
    act_buffer_init(&out, ACT_OUTPUT_MAX);
    int status = estimate(options, plans, count, result, &out);
    status = act_output_write(options, &out, status);
    act_buffer_free(&out);
    free(result);
    return status;
}

int act_cli_plan(const struct act_options *options)
{
    if (options->operands == 0 || options->operands > SCENARIOS_MAX) {
        act_output_error("plan", options->operands == 0
                                     ? "which scenario? Name a file, a preset (actuary list "
                                       "scenarios) or - for standard input"
                                     : "too many scenarios at once; plan them in parts");
        return ACT_EXIT_USAGE;
    }
    struct act_plan *plans = calloc((size_t)options->operands, sizeof *plans);
    if (!plans) {
        act_output_error("plan", "out of memory");
        return ACT_EXIT_WRITE;
    }
    int status = read_plans(options, plans);
    if (status == ACT_EXIT_OK)
        status = act_cli_print_plans(options, plans, options->operands);
    free(plans);
    return status;
}
