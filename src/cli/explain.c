/* actuary explain: where memory figures come from. */
#include "cli/opening.h"
#include "cli/output.h"
#include "cli/text_explain.h"
#include "cli/verbs.h"
#include "io/json_explain.h"
#include "io/nearest.h"

#include <actuary/estimate.h>
#include <actuary/explain.h>

#include <stdlib.h>
#include <string.h>

/* Everything that is too large for a stack. */
struct work {
    struct act_plan plan;
    struct act_result result;
    struct act_sheets sheets;
    struct act_figure figure[ACT_FIGURES_MAX];
    int count;
};

static int refuse_figure(const struct work *work, const char *text)
{
    const char *names[ACT_SHEET_COUNT * ACT_TERMS_MAX + ACT_COMPONENT_COUNT + 1];
    struct act_term term = {ACT_SHEET_STAGE, -1};
    char word[64];
    int count = 0;

    for (int i = 0; i < ACT_COMPONENT_COUNT; i++)
        names[count++] = act_component_name((enum act_component)i);
    while (act_sheets_next(&work->sheets, &term))
        names[count++] = act_term_symbol(&work->sheets, term);
    names[count] = NULL;
    act_printable(text, strlen(text), word, sizeof word);
    for (int i = 0; i < ACT_COMPONENT_COUNT; i++) {
        if (strcmp(text, act_component_name((enum act_component)i)) == 0) {
            act_output_error("explain", "%s: stage %d holds none at its peak", word,
                             work->sheets.stage);
            return ACT_EXIT_USAGE;
        }
    }
    const char *nearest = act_nearest(names, text);
    if (nearest != NULL)
        act_output_error("explain", "%s: there is no such figure; did you mean %s?", word, nearest);
    else
        act_output_error("explain",
                         "%s: there is no such figure; without one all of them are listed", word);
    return ACT_EXIT_USAGE;
}

static int find_figures(const struct act_options *options, struct work *work)
{
    enum act_phase peak = work->result.memory.stage[work->sheets.stage].phase;

    work->count = 0;
    if (options->operands == 1)
        work->count = act_sheets_figures(&work->sheets, peak, work->figure);
    for (int i = 1; i < options->operands; i++) {
        if (work->count == ACT_FIGURES_MAX) {
            act_output_error("explain", "more than %d figures; ask for them in parts",
                             ACT_FIGURES_MAX);
            return ACT_EXIT_USAGE;
        }
        if (!act_sheets_named(&work->sheets, peak, options->operand[i],
                              &work->figure[work->count++]))
            return refuse_figure(work, options->operand[i]);
    }
    return ACT_EXIT_OK;
}

static void print(const struct act_options *options, const struct work *work,
                  struct act_buffer *out)
{
    const struct act_memory *memory = &work->result.memory;
    enum act_phase peak = memory->stage[work->sheets.stage].phase;
    char name[96];

    if (options->format == ACT_FORMAT_JSON) {
        if (act_json_explain(&work->plan, &work->sheets, peak, work->figure, work->count, out) < 0)
            out->failed = true;
        return;
    }
    act_printable(work->plan.scenario.name, strlen(work->plan.scenario.name), name, sizeof name);
    act_buffer_printf(out, "%s: stage %d of %d, peak in %s\n\n", name, work->sheets.stage,
                      memory->stages, act_phase_name(peak));
    act_text_explain(&work->plan, &work->sheets, work->figure, work->count, options->operands > 1,
                     act_output_color(options), out);
}

static int explain(const struct act_options *options, struct work *work, struct act_buffer *out)
{
    int status = act_cli_open(options, 0, &work->plan);

    if (status == ACT_EXIT_OK)
        status = act_cli_set(options, &work->plan);
    if (status != ACT_EXIT_OK)
        return status;
    act_estimate(&work->plan, &work->result);
    const struct act_memory *memory = &work->result.memory;
    int stage = options->stage >= 0 ? options->stage : memory->worst;
    if (stage >= memory->stages) {
        act_output_error("explain", "--stage %d: the plan has %d, counted from 0", stage,
                         memory->stages);
        return ACT_EXIT_USAGE;
    }
    act_sheets_of(&work->plan, stage, &work->sheets);
    status = find_figures(options, work);
    if (status != ACT_EXIT_OK)
        return status;
    print(options, work, out);
    bool unfit = !act_result_sound(&work->result);
    return act_output_write(options, out, unfit ? ACT_EXIT_UNFIT : ACT_EXIT_OK);
}

int act_cli_explain(const struct act_options *options)
{
    struct act_buffer out;

    if (options->operands == 0) {
        act_output_error("explain", "which scenario? Name a file, a preset (actuary list "
                                    "scenarios) or - for standard input");
        return ACT_EXIT_USAGE;
    }
    struct work *work = malloc(sizeof *work);
    if (work == NULL) {
        act_output_error("explain", "out of memory");
        return ACT_EXIT_WRITE;
    }
    act_buffer_init(&out, ACT_OUTPUT_MAX);
    int status = explain(options, work, &out);
    act_buffer_free(&out);
    free(work);
    return status;
}
