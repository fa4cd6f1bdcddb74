/* What the stages hold: bars on one scale, and their contents in figures. */
#include "ui/bars.h"
#include "ui/figure.h"
#include "ui/results.h"
#include "ui/scale.h"
#include <actuary/field.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LABEL = ACT_RESULTS_INDENT, FIGURES = 15, INDENT = ACT_RESULTS_INDENT };

static const double gib = 1073741824.0;

static bool same_stage(const struct act_stage *a, const struct act_stage *b)
{
    return a->layers == b->layers && fabs(a->device - b->device) < 0.05 * gib;
}

void act_stage_rows_of(const struct act_memory *memory, struct act_stage_rows *ret)
{
    ret->count = 0;
    for (int i = 0; i < memory->stages; i++) {
        bool joins = i > 0 && i != memory->worst && i - 1 != memory->worst &&
                     same_stage(&memory->stage[i - 1], &memory->stage[i]);
        if (joins) {
            ret->row[ret->count - 1].last = i;
        } else {
            ret->row[ret->count].first = ret->row[ret->count].last = i;
            ret->count++;
        }
    }
}

enum act_look act_fit_look(double device, double usable)
{
    switch (act_memory_fit_of(device, usable)) {
    case ACT_FITS:
        return ACT_LOOK_GOOD;
    case ACT_TIGHT:
        return ACT_LOOK_WARN;
    default:
        return ACT_LOOK_BAD;
    }
}

static void draw_stage(struct act_canvas *canvas, struct act_rect rect, int row,
                       const struct act_memory *memory, int first, int last, double full, int width)
{
    const struct act_stage *stage = &memory->stage[first];
    bool worst = first == memory->worst;
    char label[32], figure[48];
    struct act_bar bar;
    if (first == last)
        snprintf(label, sizeof label, "stage %d", first);
    else
        snprintf(label, sizeof label, "%d–%d", first, last);
    if (worst)
        act_draw_text(canvas, rect, row, 0, ACT_LOOK_VALUE, "▸");
    act_draw_text(canvas, rect, row, 1, worst ? ACT_LOOK_VALUE : ACT_LOOK_TEXT, label);
    act_bar_of_stage(stage, &bar);
    bar.capacity = memory->usable;
    bar.full = full;
    act_bar_draw(canvas, rect, row, LABEL, width, &bar);
    act_figure_gib(stage->device, figure, sizeof figure);
    act_draw_right(canvas, rect, row, LABEL + width + 8, worst ? ACT_LOOK_VALUE : ACT_LOOK_TEXT,
                   figure);
    double share = memory->usable > 0 ? 100 * stage->device / memory->usable : 0;
    if (share < 9999.5)
        snprintf(figure, sizeof figure, "%.0f %%", share);
    else
        snprintf(figure, sizeof figure, "≫");
    act_draw_right(canvas, rect, row, LABEL + width + FIGURES,
                   act_fit_look(stage->device, memory->usable), figure);
}

void act_results_memory(struct act_canvas *canvas, struct act_rect rect,
                        const struct act_result *result)
{
    const struct act_memory *memory = &result->memory;
    if (rect.rows <= 0)
        return;
    int width = rect.columns - LABEL - FIGURES - 1;
    if (width < 4)
        return;
    double full = act_bar_full(memory->usable, memory->peak);
    int row = 0;
    int column = act_draw_text(canvas, rect, row, 0, ACT_LOOK_HEADING, "MEMORY PER GPU");
    column = act_draw_text(canvas, rect, row, column + 2, ACT_LOOK_DIM, "GiB");
    if (memory->error > 0)
        column = act_draw_format(canvas, rect, row, column + 2, ACT_LOOK_DIM, "±%.0f %%",
                                 100 * memory->error);
    else
        column =
            act_draw_text(canvas, rect, row, column + 2, ACT_LOOK_DIM, "the textbook's arithmetic");
    if (memory->calibration != 1) {
        char factor[32];
        act_number_format(memory->calibration, 2, true, factor, sizeof factor);
        act_draw_format(canvas, rect, row, column + 1, ACT_LOOK_DIM, "calibrated ×%s", factor);
    }
    struct act_stage_rows rows;
    act_stage_rows_of(memory, &rows);
    bool scale = rect.rows >= 4, legend = rect.rows >= (rows.count > 1 ? 5 : 4);
    row++;
    if (scale)
        act_scale_draw(canvas, rect, row++, LABEL, width, full, memory->usable);
    int room = rect.rows - row - (legend ? 1 : 0);
    /* Too many for the room: a window that begins with the first and holds the worst. */
    int start = 0;
    if (rows.count > room) {
        int worst = 0;
        while (worst + 1 < rows.count && rows.row[worst].last < memory->worst)
            worst++;
        start = worst < room ? 0 : worst - room + 1;
    }
    for (int i = start; i < rows.count && i < start + room; i++) {
        bool more = i == start + room - 1 && i + 1 < rows.count && room > 1;
        if (more && rows.row[i].first != memory->worst) {
            act_draw_format(canvas, rect, row++, 1, ACT_LOOK_DIM, "… stages %d to %d",
                            rows.row[i].first, memory->stages - 1);
            break;
        }
        draw_stage(canvas, rect, row++, memory, rows.row[i].first, rows.row[i].last, full, width);
    }
    if (legend)
        act_legend_draw(canvas, rect, row, LABEL, memory);
}

/* Every row of stages with its components, for wide screens. */
static void draw_table(struct act_canvas *canvas, struct act_rect rect,
                       const struct act_memory *memory)
{
    enum { FIRST = 28, WIDTH = 8 };
    struct act_stage_rows rows;
    char text[48];
    act_stage_rows_of(memory, &rows);
    act_draw_text(canvas, rect, 0, 0, ACT_LOOK_HEADING, "STAGES");
    act_draw_right(canvas, rect, 0, INDENT + 7, ACT_LOOK_DIM, "layers");
    act_draw_right(canvas, rect, 0, INDENT + 18, ACT_LOOK_DIM, "in flight");
    for (int i = 0; i < ACT_COMPONENT_COUNT; i++) {
        act_draw_right(canvas, rect, 0, FIRST + WIDTH * (i + 1), ACT_LOOK_DIM,
                       act_component_brief((enum act_component)i));
    }
    int end = FIRST + WIDTH * (ACT_COMPONENT_COUNT + 1);
    act_draw_right(canvas, rect, 0, end, ACT_LOOK_DIM, "device");
    for (int i = 0; i < rows.count && i + 1 < rect.rows; i++) {
        int first = rows.row[i].first, last = rows.row[i].last;
        const struct act_stage *stage = &memory->stage[first];
        enum act_look look = first == memory->worst ? ACT_LOOK_VALUE : ACT_LOOK_TEXT;
        if (i + 2 == rect.rows && i + 1 < rows.count) {
            act_draw_format(canvas, rect, i + 1, 1, ACT_LOOK_DIM, "… stages %d to %d", first,
                            memory->stages - 1);
            return;
        }
        snprintf(text, sizeof text, first == last ? "stage %d" : "%d–%d", first, last);
        act_draw_text(canvas, rect, i + 1, 1, look, text);
        snprintf(text, sizeof text, "%lld", (long long)stage->layers);
        act_draw_right(canvas, rect, i + 1, INDENT + 7, look, text);
        act_number_format(stage->in_flight, 1, true, text, sizeof text);
        act_draw_right(canvas, rect, i + 1, INDENT + 18, look, text);
        for (int k = 0; k < ACT_COMPONENT_COUNT; k++) {
            act_figure_gib(stage->component[k], text, sizeof text);
            act_draw_right(canvas, rect, i + 1, FIRST + WIDTH * (k + 1), look, text);
        }
        act_figure_gib(stage->device, text, sizeof text);
        act_draw_right(canvas, rect, i + 1, end, look, text);
        act_draw_cut(canvas, rect, i + 1, end + 2, rect.columns - end - 2, ACT_LOOK_DIM,
                     act_phase_name(stage->phase));
    }
}

void act_results_stage(struct act_canvas *canvas, struct act_rect rect,
                       const struct act_memory *memory, int index, const char *heading)
{
    const struct act_stage *stage = &memory->stage[index];
    char a[48], b[48], c[48];
    act_figure_gib(stage->allocated, a, sizeof a);
    act_figure_gib(stage->reserved, b, sizeof b);
    act_figure_gib(stage->device, c, sizeof c);
    int column = act_draw_text(canvas, rect, 0, 0, ACT_LOOK_HEADING, heading);
    char line[224];
    snprintf(line, sizeof line, "%s: allocated %s · reserved %s · device %s GiB",
             act_phase_name(stage->phase), a, b, c);
    column = column < INDENT ? INDENT : column + 1;
    act_draw_cut(canvas, rect, 0, column, rect.columns - column, ACT_LOOK_DIM, line);
    int across = rect.columns >= 66 ? 3 : 2;
    int width = (rect.columns - INDENT) / across;
    width = width > 26 ? 26 : width;
    int place = 0;
    for (int i = 0; i < ACT_COMPONENT_COUNT; i++) {
        if (stage->component[i] <= 0)
            continue;
        int row = 1 + place / across, at = INDENT + width * (place % across);
        if (row >= rect.rows)
            break;
        act_figure_gib(stage->component[i], a, sizeof a);
        act_draw_cut(canvas, rect, row, at, width - 8, ACT_LOOK_TEXT,
                     act_component_label((enum act_component)i));
        act_draw_right(canvas, rect, row, at + width - 3, ACT_LOOK_VALUE, a);
        place++;
    }
}

void act_results_contents(struct act_canvas *canvas, struct act_rect rect,
                          const struct act_result *result)
{
    char heading[24];
    if (rect.rows < 2)
        return;
    if (rect.columns >= 116) {
        draw_table(canvas, rect, &result->memory);
        return;
    }
    snprintf(heading, sizeof heading, "STAGE %d", result->memory.worst);
    act_results_stage(canvas, rect, &result->memory, result->memory.worst, heading);
}
