#include "ui/scale.h"
#include "ui/bars.h"
#include "ui/figure.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

void act_scale_draw(struct act_canvas *canvas, struct act_rect rect, int row, int margin, int width,
                    double full, double capacity)
{
    static const double steps[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000};
    const double unit = act_figure_unit_bytes();
    size_t pick = 0;
    while (pick + 1 < sizeof steps / sizeof steps[0] && full / unit / steps[pick] * 9 > width)
        pick++;
    char text[48];
    act_figure_gib(capacity, text, sizeof text);
    size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, "▾");
    int line = act_bar_column(capacity, full, width - 1);
    int start = line + 1 - act_text_columns(canvas, text);
    for (double tick = 0; tick * unit < full; tick += steps[pick]) {
        char label[32];
        int column = act_bar_column(tick * unit, full, width);
        snprintf(label, sizeof label, "%.0f", tick);
        int end = column + act_text_columns(canvas, label);
        if ((end < start || column > line + 1) && end <= width)
            act_draw_text(canvas, rect, row, margin + column, ACT_LOOK_DIM, label);
    }
    if (start >= 0)
        act_draw_text(canvas, rect, row, margin + start, ACT_LOOK_WARN, text);
}

void act_legend_draw(struct act_canvas *canvas, struct act_rect rect, int row, int margin,
                     const struct act_memory *memory)
{
    char text[16][24];
    enum act_look look[16];
    int count = 0;
    for (int form = 0; form < ACT_LEGEND_FORMS; form++) {
        int width = 0;
        count = 0;
        for (int i = 0; count < 16; i++) {
            char letter;
            const char *word;
            if (!act_bar_legend(i, form, &letter, &look[count], &word))
                break;
            double most = 0;
            for (int stage = 0; stage < memory->stages; stage++) {
                struct act_bar bar;
                act_bar_of_stage(&memory->stage[stage], &bar);
                most = fmax(most, bar.segment[i].amount);
            }
            if (most < 0.004 * memory->peak)
                continue;
            snprintf(text[count], sizeof text[count], "%c %s", letter, word);
            width += 1 + act_text_columns(canvas, text[count++]);
        }
        if (margin + width - 1 <= rect.columns || form == ACT_LEGEND_FORMS - 1 ||
            (form == ACT_LEGEND_FORMS - 2 && width <= rect.columns)) {
            int column = margin + width - 1 <= rect.columns ? margin : 1;
            for (int i = 0; i < count; i++) {
                struct act_rect letter = {rect.row + row, rect.column + column, 1, 1};
                act_canvas_hit(canvas, letter.row, letter.column, act_text_columns(canvas, text[i]),
                               ACT_HIT_LEGEND, text[i][0]);
                act_draw_text(canvas, act_rect_clip(rect, letter), 0, 0, look[i], text[i]);
                column = act_draw_cut(canvas, rect, row, column + 1, rect.columns - column - 1,
                                      ACT_LOOK_DIM, text[i] + 1) +
                         1;
            }
            return;
        }
    }
}
