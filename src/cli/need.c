/* actuary need: what it takes. */
#include "cli/opening.h"
#include "cli/output.h"
#include "cli/text_need.h"
#include "cli/verbs.h"
#include "io/json_need.h"

#include <stdlib.h>

/* Everything that is too large for a stack. */
struct work {
    struct act_plan plan;
    struct act_answers answers;
};

/* Of the plan on the GPUs that were found, or of the plan as it is where no deadline was asked
 * for. */
static int status_of(const struct act_answers *answers)
{
    const struct act_advice *now = &answers->advices.now;
    const struct act_result *found = &answers->gpus.result;
    bool fine = answers->asked ? answers->gpus.found && found->errors == 0
                               : now->fit != ACT_DOES_NOT_FIT && now->errors == 0;

    return fine ? ACT_EXIT_OK : ACT_EXIT_UNFIT;
}

static void put(const struct act_options *options, int index, const struct work *work,
                struct act_buffer *out)
{
    bool json = options->format == ACT_FORMAT_JSON, many = options->operands > 1;

    if (!json) {
        act_buffer_puts(out, index > 0 ? "\n\n" : "");
        act_text_need(&work->plan, &work->answers, act_output_color(options), out);
        return;
    }
    if (many)
        act_buffer_puts(out, index == 0 ? "[\n" : ",\n");
    if (act_json_need(&work->plan, &work->answers, out) < 0)
        out->failed = true;
    if (many && index + 1 == options->operands)
        act_buffer_puts(out, "]\n");
}

static int answer(const struct act_options *options, struct work *work, struct act_buffer *out)
{
    const struct act_deadline deadline = {options->days, options->spare, options->round};
    int status = ACT_EXIT_OK;

    for (int i = 0; i < options->operands; i++) {
        int opened = act_cli_open(options, i, &work->plan);
        if (opened == ACT_EXIT_OK)
            opened = act_cli_set(options, &work->plan);
        if (opened != ACT_EXIT_OK)
            return opened;
        act_answers_of(&work->plan, &deadline, options->budget, &work->answers);
        put(options, i, work, out);
        if (status_of(&work->answers) != ACT_EXIT_OK)
            status = ACT_EXIT_UNFIT;
    }
    return act_output_write(options, out, status);
}

int act_cli_need(const struct act_options *options)
{
    struct act_buffer out;

    if (options->operands == 0) {
        act_output_error("need", "which scenario? Name a file, a preset (actuary list scenarios) "
                                 "or - for standard input");
        return ACT_EXIT_USAGE;
    }
    struct work *work = malloc(sizeof *work);
    if (work == NULL) {
        act_output_error("need", "out of memory");
        return ACT_EXIT_WRITE;
    }
    act_buffer_init(&out, ACT_OUTPUT_MAX);
    int status = answer(options, work, &out);
    act_buffer_free(&out);
    free(work);
    return status;
}
