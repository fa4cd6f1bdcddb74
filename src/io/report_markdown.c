#include "io/escape.h"
#include "io/report.h"
#include "io/report_facts.h"

#include <actuary/conclusion.h>
#include <actuary/units.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Columns of a memory bar. */
enum { BAR = 48 };

static void put_rule(const struct act_grid *grid, struct act_buffer *out)
{
    for (int i = 0; i < grid->columns; i++)
        act_buffer_puts(out, grid->right[i] ? "| ---: " : "| --- ");
    act_buffer_puts(out, "|\n");
}

static void put_grid(const struct act_grid *grid, struct act_buffer *out)
{
    const char *at = NULL, *text;
    enum act_cell_look look;
    int column = 0, row = 0;

    out->failed = out->failed || grid->cells.failed;
    if (act_grid_rows(grid) == 0)
        return;
    while ((text = act_grid_next(grid, &at, &look)) != NULL) {
        bool bold = row > 0 && (look == ACT_CELL_STRONG || look == ACT_CELL_BAD) && text[0];
        act_buffer_puts(out, bold ? "| **" : "| ");
        act_escape_markdown(out, text, false);
        act_buffer_puts(out, bold ? "** " : " ");
        if (++column < grid->columns)
            continue;
        act_buffer_puts(out, "|\n");
        if (row++ == 0)
            put_rule(grid, out);
        column = 0;
    }
    act_buffer_puts(out, "\n");
}

static void put_table(const struct act_case *item, const char *title,
                      void (*facts)(const struct act_case *, struct act_grid *),
                      struct act_buffer *out)
{
    struct act_grid grid;

    facts(item, &grid);
    if (act_grid_rows(&grid) > 0)
        act_buffer_printf(out, "### %s\n\n", title);
    put_grid(&grid, out);
    act_grid_free(&grid);
}

/* Letters up to their share of the scale; the line of what is usable stands between two columns. */
static void put_bar(const struct act_stage *stage, double usable, double full,
                    struct act_buffer *out)
{
    int line = (int)floor(usable / full * BAR + 0.5), drawn = 0;
    double sum = 0;

    for (int i = 0; i < ACT_COMPONENT_COUNT; i++) {
        sum += stage->component[i];
        int end = (int)floor(sum / full * BAR + 0.5);
        for (; drawn < end && drawn < BAR; drawn++)
            act_buffer_printf(out, "%s%c", drawn == line ? "|" : "",
                              act_component_letter((enum act_component)i));
    }
    for (; drawn < BAR; drawn++)
        act_buffer_puts(out, drawn == line ? "|." : ".");
    act_buffer_puts(out, drawn == line ? "|" : "");
}

static void put_stages(const struct act_case *item, struct act_buffer *out)
{
    const struct act_memory *memory = &item->result->memory;
    double full = fmax(memory->usable, memory->peak);
    char name[48], device[32];

    act_buffer_puts(out, "### Memory of a GPU, stage by stage\n\n```text\n");
    for (int first = 0; first < memory->stages;) {
        const struct act_stage *stage = &memory->stage[first];
        int last = act_facts_run(memory, first);
        act_facts_run_name(first, last, name, sizeof name);
        act_number_format(stage->device / 1073741824.0, 1, true, device, sizeof device);
        act_buffer_printf(out, "%-14s ", name);
        put_bar(stage, memory->usable, full, out);
        act_buffer_printf(out, " %7s GiB\n", device);
        first = last + 1;
    }
    act_number_format(memory->usable / 1073741824.0, 1, true, device, sizeof device);
    act_buffer_printf(out,
                      "```\n\nThe line is at %s GiB, what a GPU has to give. W weights, "
                      "G gradients, O optimizer, A activations, H head and loss, B buffers "
                      "and transients, F allocator slack, C context.\n\n",
                      device);
}

static void put_notes(const struct act_case *item, struct act_buffer *out)
{
    if (!item->plan->scenario.notes[0])
        return;
    act_buffer_puts(out, "> ");
    act_escape_markdown(out, item->plan->scenario.notes, true);
    act_buffer_puts(out, "\n\n");
}

static void put_checks(const struct act_case *item, struct act_buffer *out)
{
    char holds[ACT_CHECK_TEXT * 2];

    act_check_summary(&item->resolved, holds, sizeof holds);
    act_buffer_puts(out, "### Checks\n\n");
    if (holds[0]) {
        act_buffer_puts(out, "Holds: ");
        act_escape_markdown(out, holds, false);
        act_buffer_puts(out, ".\n\n");
    }
    struct act_grid grid;
    act_facts_checks(item, &grid);
    if (act_grid_rows(&grid) == 0)
        act_buffer_puts(out, "No rule is broken.\n\n");
    put_grid(&grid, out);
    act_grid_free(&grid);
}

static void put_scenario(const struct act_case *item, bool titled, struct act_buffer *out)
{
    char text[2 * ACT_CONCLUSION_MAX];
    struct act_grid grid;

    if (titled) {
        act_buffer_puts(out, "## ");
        act_escape_markdown(out, item->plan->scenario.name, false);
        act_buffer_puts(out, "\n\n");
    }
    act_report_conclusion(item, text, sizeof text);
    act_buffer_printf(out, "**%s.** ", act_case_verdict(item));
    act_escape_markdown(out, text, false);
    act_buffer_puts(out, "\n\n");
    put_notes(item, out);
    act_facts_headline(item, &grid);
    put_grid(&grid, out);
    act_grid_free(&grid);
    put_stages(item, out);
    act_facts_stages(item, &grid);
    put_grid(&grid, out);
    act_grid_free(&grid);
    put_table(item, "Where a step's time goes", act_facts_step, out);
    put_table(item, "Cost and needs", act_facts_cost, out);
    put_checks(item, out);
    put_table(item, "Presets and their sources", act_facts_presets, out);
    put_table(item, "Assumptions", act_facts_assumptions, out);
    put_table(item, "Formulas of the fullest stage", act_facts_formulas, out);
}

static void put_comparison(const struct act_case *cases, int count, bool only,
                           struct act_buffer *out)
{
    char text[ACT_CONCLUSION_MAX];
    struct act_grid grid;
    int beside = act_compare_beside(cases, count);

    act_buffer_puts(out, "## Comparison\n\n");
    for (int i = 1; i < count; i++) {
        act_conclusion_against(&cases[0].resolved, cases[0].result, &cases[i].resolved,
                               cases[i].result, text, sizeof text);
        act_buffer_puts(out, "- ");
        act_escape_markdown(out, text, true);
        act_buffer_puts(out, "\n");
    }
    act_buffer_puts(out, "\n");
    act_facts_results(cases, count, &grid);
    put_grid(&grid, out);
    act_grid_free(&grid);
    act_facts_fields(cases, count, only, &grid);
    put_grid(&grid, out);
    act_grid_free(&grid);
    if (beside > 0)
        act_buffer_printf(out, "%d more value%s differ%s with the presets.\n\n", beside,
                          beside > 1 ? "s" : "", beside > 1 ? "" : "s");
}

void act_report_markdown(const struct act_case *cases, int count, enum act_report_parts parts,
                         struct act_buffer *out)
{
    char title[160];

    act_report_title(cases, count, title, sizeof title);
    act_buffer_puts(out, "# ");
    act_escape_markdown(out, title, false);
    act_buffer_puts(out, "\n\n");
    if (count > 1)
        put_comparison(cases, count, parts == ACT_REPORT_DIFFERENCES, out);
    for (int i = 0; i < count && parts == ACT_REPORT_WHOLE; i++)
        put_scenario(&cases[i], count > 1, out);
    act_buffer_printf(out, "Made by actuary %s. Memory in GiB (2^30 bytes).\n", ACTUARY_VERSION);
}
