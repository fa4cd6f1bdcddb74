/* The step: its seconds, and where they go. */
#include "ui/bars.h"
#include "ui/figure.h"
#include "ui/results.h"
#include <actuary/calibrate.h>
#include <actuary/timing.h>
#include <actuary/units.h>
#include <math.h>
#include <stdio.h>

enum { INDENT = ACT_RESULTS_INDENT };

/* Looks of the parts' bar: neighbours differ, letters carry the meaning. */
static const enum act_look looks[ACT_TIME_PARTS] = {
    [ACT_TIME_COMPUTE] = ACT_LOOK_BAR + 0,   [ACT_TIME_RECOMPUTE] = ACT_LOOK_BAR + 2,
    [ACT_TIME_TENSOR] = ACT_LOOK_BAR + 1,    [ACT_TIME_CONTEXT] = ACT_LOOK_BAR + 5,
    [ACT_TIME_EXPERT] = ACT_LOOK_BAR + 3,    [ACT_TIME_PIPELINE] = ACT_LOOK_BAR + 6,
    [ACT_TIME_BUBBLE] = ACT_LOOK_BAR + 7,    [ACT_TIME_DATA] = ACT_LOOK_BAR + 4,
    [ACT_TIME_OPTIMIZER] = ACT_LOOK_BAR + 6, [ACT_TIME_OFFLOAD] = ACT_LOOK_BAR + 3,
};

/* Parts of less than half a percent are left out of legends. */
static bool shows(const struct act_time *time, int part)
{
    return time->part[part] >= 0.005 * time->step_seconds;
}

static void draw_bar(struct act_canvas *canvas, struct act_rect rect, int row, int width,
                     const struct act_time *time)
{
    struct act_bar bar = {.count = ACT_TIME_PARTS, .full = time->step_seconds};

    for (int i = 0; i < ACT_TIME_PARTS; i++) {
        bar.segment[i].amount = time->part[i];
        bar.segment[i].letter = act_time_part_letter((enum act_time_part)i);
        bar.segment[i].look = looks[i];
    }
    act_bar_draw(canvas, rect, row, INDENT, width, &bar);
}

/* How an entry of the legend may be written, from the longest on. */
enum legend { LEGEND_PERCENT, LEGEND_WORDS, LEGEND_LETTERS, LEGENDS };

/* What follows the letter of a part: " compute 71 %", " compute 71" or " 71". */
static void legend_text(const struct act_time *time, int part, enum legend form, char *out,
                        size_t size)
{
    double share = 100 * time->part[part] / time->step_seconds;
    const char *word = act_time_part_name((enum act_time_part)part);

    if (form == LEGEND_LETTERS)
        snprintf(out, size, " %.0f", share);
    else
        snprintf(out, size, " %s %.0f%s", word, share, form == LEGEND_PERCENT ? " %" : "");
}

/* Returns the column after. */
static int draw_legend(struct act_canvas *canvas, struct act_rect rect, int row, int column,
                       const struct act_time *time)
{
    enum legend form = LEGEND_PERCENT;
    char text[48];

    for (; form < LEGEND_LETTERS; form++) {
        int width = -1;
        for (int i = 0; i < ACT_TIME_PARTS; i++) {
            legend_text(time, i, form, text, sizeof text);
            width += shows(time, i) ? 2 + act_text_columns(canvas, text) : 0;
        }
        if (column + width < rect.columns)
            break;
    }
    for (int i = 0; i < ACT_TIME_PARTS; i++) {
        if (!shows(time, i))
            continue;
        const char letter[2] = {act_time_part_letter((enum act_time_part)i), '\0'};
        legend_text(time, i, form, text, sizeof text);
        if (column + 1 + act_text_columns(canvas, text) >= rect.columns)
            break;
        column = act_draw_text(canvas, rect, row, column, looks[i], letter);
        column = act_draw_text(canvas, rect, row, column, ACT_LOOK_DIM, text) + 1;
    }
    return column;
}

static void draw_estimated(struct act_canvas *canvas, struct act_rect rect,
                           const struct act_time *time)
{
    if (rect.rows == 2) { /* bar and shares on one row */
        int width = (rect.columns - INDENT) / 2;
        draw_bar(canvas, rect, 1, width, time);
        draw_legend(canvas, rect, 1, INDENT + width + 1, time);
        return;
    }
    draw_bar(canvas, rect, 1, rect.columns - INDENT - 1, time);
    int column = draw_legend(canvas, rect, 2, INDENT, time);
    const char *bound = act_binding_text(time->binding);
    if (column + act_text_columns(canvas, bound) + 1 < rect.columns)
        act_draw_right(canvas, rect, 2, rect.columns - 1, ACT_LOOK_DIM, bound);
}

static void draw_given(struct act_canvas *canvas, struct act_rect rect, const struct act_plan *plan,
                       const struct act_time *time)
{
    char share[64] = "";
    if (time->share_recompute > 0.005)
        snprintf(share, sizeof share, ". %s: HFU %.0f %%",
                 plan->parallel.recompute == ACT_RECOMPUTE_FULL ? "Recompute costs 20–33 %"
                                                                : "With recompute",
                 100 * time->hfu);
    else if (plan->parallel.recompute == ACT_RECOMPUTE_NONE)
        snprintf(share, sizeof share, ". Full recompute adds 20–33 %%");
    const char *given = !act_plan_given(plan, ACT_F_hardware_mfu)
                            ? "MFU by default: layout moves no days"
                        : plan->framework.family == ACT_TEXTBOOK
                            ? "MFU given: layout moves no days"
                            : "MFU given: layout moves no days; m estimates it";
    int column = act_draw_cut(canvas, rect, 1, INDENT, rect.columns - INDENT, ACT_LOOK_DIM, given);
    if (column + act_text_columns(canvas, share) <= rect.columns)
        act_draw_text(canvas, rect, 1, column, ACT_LOOK_DIM, share);
}

void act_results_step(struct act_canvas *canvas, struct act_rect rect, const struct act_plan *plan,
                      const struct act_result *result)
{
    const struct act_time *time = &result->time;
    if (rect.rows <= 0)
        return;
    char text[64];
    int column = act_draw_text(canvas, rect, 0, 0, ACT_LOOK_HEADING, "STEP");
    if (!(time->step_seconds > 0)) {
        act_draw_cut(canvas, rect, 0, INDENT, rect.columns - INDENT, ACT_LOOK_DIM,
                     "no time without a peak and bandwidths");
        return;
    }
    act_figure_seconds(time->step_seconds, text, sizeof text);
    column =
        act_draw_text(canvas, rect, 0, INDENT > column ? INDENT : column + 1, ACT_LOOK_VALUE, text);
    if (time->error_bar > 0)
        column = act_draw_format(canvas, rect, 0, column + 1, ACT_LOOK_DIM, "±%.0f %%",
                                 100 * time->error_bar);
    if (time->estimated && act_calibrated(plan, ACT_PIN_TIME)) {
        act_number_format(plan->calibration.time_factor, 2, true, text, sizeof text);
        column = act_draw_format(canvas, rect, 0, column + 1, ACT_LOOK_DIM, "calibrated ×%s", text);
    }
    act_figure_count(ceil(time->steps), text, sizeof text);
    if (column + 2 + act_text_columns(canvas, text) + 6 < rect.columns)
        column = act_draw_format(canvas, rect, 0, column + 2, ACT_LOOK_DIM, "%s step%s", text,
                                 time->steps > 1 ? "s" : "");
    act_figure_count(time->tokens_per_second_per_gpu, text, sizeof text);
    struct act_rect line = {rect.row, rect.column, 1, rect.columns};
    if (column + 22 < rect.columns)
        column =
            act_draw_format(canvas, line, 0, column + 2, ACT_LOOK_DIM, "%s tokens/s/GPU", text);
    if (column + 18 < rect.columns)
        act_draw_format(canvas, line, 0, column + 2, ACT_LOOK_DIM, "%.0f TFLOP/s/GPU",
                        time->tflops_per_gpu);
    if (rect.rows < 2)
        return;
    if (time->estimated)
        draw_estimated(canvas, rect, time);
    else
        draw_given(canvas, rect, plan, time);
}
