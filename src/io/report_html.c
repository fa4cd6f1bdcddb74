/* HTML that is well-formed XML too: every tag is closed, every attribute quoted. */
#include "io/escape.h"
#include "io/report.h"
#include "io/report_facts.h"
#include "io/report_style.h"
#include "io/report_svg.h"

#include <actuary/conclusion.h>
#include <actuary/units.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *class_of(enum act_cell_look look)
{
    static const char *const names[] = {
        [ACT_CELL_PLAIN] = "",    [ACT_CELL_LABEL] = "",          [ACT_CELL_STRONG] = "strong",
        [ACT_CELL_GOOD] = "good", [ACT_CELL_CAREFUL] = "careful", [ACT_CELL_BAD] = "bad"};
    return names[look];
}

static void put_tag(struct act_buffer *out, const char *tag, const char *text)
{
    act_buffer_printf(out, "<%s>", tag);
    act_escape_prose(out, text);
    act_buffer_printf(out, "</%s>\n", tag);
}

static void put_cell(struct act_buffer *out, const struct act_grid *grid, int row, int column,
                     enum act_cell_look look, const char *text)
{
    const char *tag = row == 0 || column == 0 ? "th" : "td";
    const char *scope = row == 0 ? " scope=\"col\"" : column == 0 ? " scope=\"row\"" : "";
    const char *class = row == 0 ? "" : class_of(look);
    const char *right = grid->right[column] ? "right" : "";

    act_buffer_printf(out, "<%s%s", tag, scope);
    if (class[0] || right[0])
        act_buffer_printf(out, " class=\"%s%s%s\"", right, class[0] && right[0] ? " " : "", class);
    act_buffer_puts(out, ">");
    act_escape_prose(out, text);
    act_buffer_printf(out, "</%s>", tag);
}

static void put_grid(const struct act_grid *grid, const char *class, struct act_buffer *out)
{
    const char *at = NULL, *text;
    enum act_cell_look look;
    int column = 0, row = 0;

    out->failed = out->failed || grid->cells.failed;
    if (act_grid_rows(grid) == 0)
        return;
    act_buffer_printf(out, "<div class=\"table %s\"><table>\n<thead><tr>", class);
    while ((text = act_grid_next(grid, &at, &look)) != NULL) {
        if (row > 0 && column == 0)
            act_buffer_puts(out, "<tr>");
        put_cell(out, grid, row, column, look, text);
        if (++column < grid->columns)
            continue;
        act_buffer_puts(out, row++ == 0 ? "</tr></thead>\n<tbody>\n" : "</tr>\n");
        column = 0;
    }
    act_buffer_puts(out, "</tbody></table></div>\n");
}

static void put_table(const struct act_case *item, const char *title, const char *class,
                      void (*facts)(const struct act_case *, struct act_grid *),
                      struct act_buffer *out)
{
    struct act_grid grid;

    facts(item, &grid);
    if (act_grid_rows(&grid) > 0 && title[0])
        put_tag(out, "h3", title);
    put_grid(&grid, class, out);
    act_grid_free(&grid);
}

static void put_tiles(const struct act_case *item, struct act_buffer *out)
{
    static const char *const parts[] = {"name", "value", "remark"};
    const char *at = NULL, *text;
    enum act_cell_look look;
    struct act_grid grid;
    int cell = 0;

    act_facts_headline(item, &grid);
    out->failed = out->failed || grid.cells.failed;
    act_buffer_puts(out, "<ul class=\"tiles\">\n");
    for (; (text = act_grid_next(&grid, &at, &look)) != NULL; cell++) {
        int part = cell % grid.columns;
        bool coloured = look != ACT_CELL_STRONG && class_of(look)[0];
        if (cell < grid.columns) /* the headings */
            continue;
        act_buffer_printf(out, "%s<span class=\"%s%s%s\">", part == 0 ? "<li>" : " ", parts[part],
                          coloured ? " " : "", coloured ? class_of(look) : "");
        act_escape_prose(out, text);
        act_buffer_printf(out, "</span>%s", part + 1 == grid.columns ? "</li>\n" : "");
    }
    act_buffer_puts(out, "</ul>\n");
    act_grid_free(&grid);
}

static void put_gib(struct act_buffer *out, double bytes)
{
    char text[64];

    act_number_format(bytes / 1073741824.0, 1, true, text, sizeof text);
    act_buffer_puts(out, text);
}

/* A bar with its name before and its figure behind it. */
static void put_bar(struct act_buffer *out, const char *name, const struct act_stage *stage,
                    double usable, double full)
{
    char share[32];

    act_number_format(100 * stage->device / usable, 0, false, share, sizeof share);
    act_buffer_puts(out, "<div class=\"row\"><span class=\"name\">");
    act_escape_html(out, name);
    act_buffer_puts(out, "</span>");
    act_svg_stage(out, name, stage, usable, full);
    act_buffer_printf(out, "<span class=\"value %s\">", stage->device > usable ? "bad" : "");
    put_gib(out, stage->device);
    act_buffer_printf(out, " GiB, %s&#160;%%</span></div>\n", share);
}

static void put_stages(const struct act_case *item, struct act_buffer *out)
{
    const struct act_memory *memory = &item->result->memory;
    const struct act_stage *stages[ACT_STAGES_MAX];
    double full = act_svg_full(memory->usable, memory->peak);
    char name[48];

    put_tag(out, "h3", "Memory of a GPU, stage by stage");
    act_buffer_puts(out, "<div class=\"chart\">\n");
    for (int first = 0; first < memory->stages;) {
        int last = act_facts_run(memory, first);
        act_facts_run_name(first, last, name, sizeof name);
        put_bar(out, name, &memory->stage[first], memory->usable, full);
        first = last + 1;
    }
    for (int i = 0; i < memory->stages; i++)
        stages[i] = &memory->stage[i];
    act_svg_stage_legend(out, stages, memory->stages);
    act_buffer_puts(out, "</div>\n<p class=\"note\">The dashed line is at ");
    put_gib(out, memory->usable);
    act_buffer_puts(out, " GiB, what a GPU has to give.");
    if (memory->error > 0)
        act_buffer_printf(out, " Device figures are within %.0f %% either way.",
                          100 * memory->error);
    act_buffer_puts(out, "</p>\n");
    put_table(item, "", "stages", act_facts_stages, out);
}

static void put_step(const struct act_case *item, struct act_buffer *out)
{
    const struct act_time *time = &item->result->time;

    if (!(time->step_seconds > 0) || !isfinite(time->step_seconds))
        return;
    put_tag(out, "h3", "Where a step's time goes");
    act_buffer_puts(out, "<div class=\"chart\">\n");
    act_svg_step(out, time);
    act_svg_step_legend(out, time);
    act_buffer_puts(out, "</div>\n");
    if (!time->estimated)
        act_buffer_puts(out, "<p class=\"note\">The MFU is given: what GPUs wait for is part of "
                             "compute.</p>\n");
    put_table(item, "", "step", act_facts_step, out);
}

static void put_checks(const struct act_case *item, struct act_buffer *out)
{
    char holds[ACT_CHECK_TEXT * 2];

    put_tag(out, "h3", "Checks");
    act_check_summary(&item->resolved, holds, sizeof holds);
    if (holds[0]) {
        act_buffer_puts(out, "<p><span class=\"good\">Holds:</span> ");
        act_escape_prose(out, holds);
        act_buffer_puts(out, ".</p>\n");
    }
    if (item->result->checks.count == 0)
        put_tag(out, "p", "No rule is broken.");
    put_table(item, "", "checks", act_facts_checks, out);
}

static void put_badge(const struct act_case *item, struct act_buffer *out)
{
    bool tight = item->result->fit == ACT_TIGHT;

    act_buffer_printf(out, "<div class=\"badge %s\">%s</div>\n",
                      !act_case_sound(item) ? "bad"
                      : tight               ? "careful"
                                            : "good",
                      act_case_verdict(item));
}

static void put_scenario(const struct act_case *item, bool titled, struct act_buffer *out)
{
    char text[2 * ACT_CONCLUSION_MAX];

    if (titled)
        put_tag(out, "h2", item->plan->scenario.name);
    put_badge(item, out);
    act_report_conclusion(item, text, sizeof text);
    act_buffer_puts(out, "<p class=\"conclusion\">");
    act_escape_prose(out, text);
    act_buffer_puts(out, "</p>\n");
    if (item->plan->scenario.notes[0])
        put_tag(out, "blockquote", item->plan->scenario.notes);
    put_tiles(item, out);
    put_stages(item, out);
    put_step(item, out);
    put_table(item, "Cost and needs", "cost", act_facts_cost, out);
    put_checks(item, out);
    put_table(item, "Presets and their sources", "sources", act_facts_presets, out);
    put_table(item, "Assumptions", "assumptions", act_facts_assumptions, out);
    put_table(item, "Formulas of the fullest stage", "formulas", act_facts_formulas, out);
}

/* The fullest stage of every scenario on one scale, each with its own line. */
static void put_fullest(const struct act_case *cases, int count, struct act_buffer *out)
{
    const struct act_stage *stages[ACT_CASES_MAX];
    double full = 0;

    for (int i = 0; i < count; i++) {
        const struct act_memory *memory = &cases[i].result->memory;
        stages[i] = &memory->stage[memory->worst];
        full = fmax(full, act_svg_full(memory->usable, memory->peak));
    }
    put_tag(out, "h3", "The fullest GPU");
    act_buffer_puts(out, "<div class=\"chart wide\">\n");
    for (int i = 0; i < count; i++)
        put_bar(out, cases[i].plan->scenario.name, stages[i], cases[i].result->memory.usable, full);
    act_svg_stage_legend(out, stages, count);
    act_buffer_puts(out,
                    "</div>\n<p class=\"note\">Dashed lines are at what a GPU has to give.</p>\n");
}

static void put_comparison(const struct act_case *cases, int count, bool only,
                           struct act_buffer *out)
{
    char text[ACT_CONCLUSION_MAX];
    struct act_grid grid;
    int beside = act_compare_beside(cases, count);

    act_buffer_puts(out, "<h2 class=\"first\">Comparison</h2>\n<ul>\n");
    for (int i = 1; i < count; i++) {
        act_conclusion_against(&cases[0].resolved, cases[0].result, &cases[i].resolved,
                               cases[i].result, text, sizeof text);
        put_tag(out, "li", text);
    }
    act_buffer_puts(out, "</ul>\n");
    act_facts_results(cases, count, &grid);
    put_grid(&grid, "results", out);
    act_grid_free(&grid);
    put_fullest(cases, count, out);
    put_tag(out, "h3", "What was chosen");
    act_facts_fields(cases, count, only, &grid);
    put_grid(&grid, "fields", out);
    act_grid_free(&grid);
    act_buffer_puts(out, "<p class=\"note\">Bold: not as in the first scenario.");
    if (beside > 0)
        act_buffer_printf(out, " %d more value%s differ%s with the presets.", beside,
                          beside > 1 ? "s" : "", beside > 1 ? "" : "s");
    act_buffer_puts(out, "</p>\n");
}

void act_report_html(const struct act_case *cases, int count, enum act_report_parts parts,
                     struct act_buffer *out)
{
    char title[160];

    act_report_title(cases, count, title, sizeof title);
    act_buffer_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                         "<meta name=\"viewport\" content=\"width=device-width, "
                         "initial-scale=1\"/>\n"
                         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                         "'none'; style-src 'unsafe-inline'\"/>\n");
    put_tag(out, "title", title);
    act_buffer_printf(out, "<style>\n%s</style>\n</head>\n<body>\n<main>\n", act_report_style);
    put_tag(out, "h1", title);
    if (count > 1)
        put_comparison(cases, count, parts == ACT_REPORT_DIFFERENCES, out);
    for (int i = 0; i < count && parts == ACT_REPORT_WHOLE; i++)
        put_scenario(&cases[i], count > 1, out);
    act_buffer_printf(out,
                      "<footer>Made by actuary %s. Memory in GiB (2<sup>30</sup> bytes)."
                      "</footer>\n</main>\n</body>\n</html>\n",
                      ACTUARY_VERSION);
}
