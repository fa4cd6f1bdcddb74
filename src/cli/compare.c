/* actuary compare: scenarios side by side. */
#include "cli/cases.h"
#include "cli/output.h"
#include "cli/text_compare.h"
#include "cli/verbs.h"
#include "io/csv.h"
#include "io/json_compare.h"
#include "io/report.h"

static void print(const struct act_options *options, const struct act_cases *cases,
                  struct act_buffer *out)
{
    bool only = options->differences;

    switch (options->format) {
    case ACT_FORMAT_JSON:
        out->failed = act_json_comparison(cases->item, cases->count, only, out) < 0 || out->failed;
        break;
    case ACT_FORMAT_CSV:
        act_csv_comparison(cases->item, cases->count, only, out);
        break;
    case ACT_FORMAT_MARKDOWN:
        act_report_markdown(cases->item, cases->count,
                            only ? ACT_REPORT_DIFFERENCES : ACT_REPORT_COMPARISON, out);
        break;
    case ACT_FORMAT_HTML:
        act_report_html(cases->item, cases->count,
                        only ? ACT_REPORT_DIFFERENCES : ACT_REPORT_COMPARISON, out);
        break;
    case ACT_FORMAT_TEXT:
        act_text_compare(cases->item, cases->count, only, act_output_color(options), out);
        break;
    }
}

int act_cli_compare(const struct act_options *options)
{
    struct act_cases cases;
    struct act_buffer out;

    if (options->operands < 2) {
        act_output_error("compare", "compare what? Name two scenarios or more: files, presets "
                                    "(actuary list scenarios) or - for standard input");
        return ACT_EXIT_USAGE;
    }
    int status = act_cases_open(options, &cases);
    if (status == ACT_EXIT_OK) {
        act_buffer_init(&out, ACT_OUTPUT_MAX);
        print(options, &cases, &out);
        status = act_output_write(options, &out, act_cases_status(&cases));
        act_buffer_free(&out);
    }
    act_cases_free(&cases);
    return status;
}
