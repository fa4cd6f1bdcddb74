/* actuary plan: estimate scenarios and print. */
#include "cli/cases.h"
#include "cli/opening.h"
#include "cli/output.h"
#include "cli/text.h"
#include "cli/verbs.h"
#include "io/csv.h"
#include "io/json.h"
#include "io/report.h"

#include <actuary/estimate.h>

#include <stdlib.h>
#include <string.h>

static void put_text(const struct act_options *options, int index, const struct act_plan *plan,
                     const struct act_result *result, struct act_buffer *out)
{
    struct act_plan resolved;

    act_plan_resolve(plan, &resolved);
    act_buffer_puts(out, index > 0 ? "\n\n" : "");
    act_text_plan(&resolved, result, act_output_color(options), out);
}

static void put_json(const struct act_options *options, int index, const struct act_plan *plan,
                     const struct act_result *result, struct act_buffer *out)
{
    bool many = options->operands > 1, last = index + 1 == options->operands;

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

static int estimate(const struct act_options *options, const struct act_plan *plans,
                    struct act_result *result, struct act_buffer *out)
{
    int status = ACT_EXIT_OK;

    if (options->format == ACT_FORMAT_CSV) {
        act_csv_header(out);
    }
    for (int i = 0; i < options->operands; i++) {
        act_estimate_cured(&plans[i], result);
        if (options->format == ACT_FORMAT_JSON) {
            put_json(options, i, &plans[i], result, out);
        } else if (options->format == ACT_FORMAT_CSV) {
            act_csv_plan(&plans[i], result, out);
        } else {
            put_text(options, i, &plans[i], result, out);
        }
        if (result->fit == ACT_DOES_NOT_FIT || result->errors > 0) {
            status = ACT_EXIT_UNFIT;
        }
    }
    return status;
}

/* A report has all of its scenarios at hand, to compare them. */
static int report(const struct act_options *options)
{
    struct act_cases cases;
    struct act_buffer out;
    int status = act_cases_open(options, &cases);

    if (status == ACT_EXIT_OK) {
        act_buffer_init(&out, ACT_OUTPUT_MAX);
        if (options->format == ACT_FORMAT_HTML) {
            act_report_html(cases.item, cases.count, ACT_REPORT_WHOLE, &out);
        } else {
            act_report_markdown(cases.item, cases.count, ACT_REPORT_WHOLE, &out);
        }
        status = act_output_write(options, &out, act_cases_status(&cases));
        act_buffer_free(&out);
    }
    act_cases_free(&cases);
    return status;
}

/* Each scenario is a few kilobytes; nobody plans more at once. */
enum { SCENARIOS_MAX = 4096 };

int act_cli_plan(const struct act_options *options)
{
    struct act_buffer out;

    if (options->operands == 0 || options->operands > SCENARIOS_MAX) {
        act_output_error("plan", options->operands == 0
                                     ? "which scenario? Name a file, a preset (actuary list "
                                       "scenarios) or - for standard input"
                                     : "too many scenarios at once; plan them in parts");
        return ACT_EXIT_USAGE;
    }
    if (options->format == ACT_FORMAT_MARKDOWN || options->format == ACT_FORMAT_HTML) {
        return report(options);
    }
    struct act_plan *plans = calloc((size_t)options->operands, sizeof *plans);
    struct act_result *result = malloc(sizeof *result);
    if (!plans || !result) {
        act_output_error("plan", "out of memory");
        free(plans);
        free(result);
        return ACT_EXIT_WRITE;
    }
    act_buffer_init(&out, ACT_OUTPUT_MAX);
    int status = act_cli_open_all(options, plans);
    if (status == ACT_EXIT_OK) {
        status = estimate(options, plans, result, &out);
        status = act_output_write(options, &out, status);
    }
    act_buffer_free(&out);
    free(plans);
    free(result);
    return status;
}
