#include "ui/figure.h"
#include "ui/results.h"
#include <math.h>
#include <stdio.h>

/* A tool's figure, and behind it ours less the tool's. */
static void draw_term(struct act_canvas *canvas, struct act_rect rect, int row, int column,
                      double figure, double less)
{
    char text[64];
    if (figure > 0) {
        act_figure_gib(figure, text, sizeof text);
        act_draw_right(canvas, rect, row, column, ACT_LOOK_TEXT, text);
    } else {
        act_draw_right(canvas, rect, row, column, ACT_LOOK_DIM, "–");
    }
    snprintf(text, sizeof text, "=");
    if (fabs(less) >= 0.05 * act_figure_unit_bytes()) {
        char size[48];
        act_figure_gib(fabs(less), size, sizeof size);
        snprintf(text, sizeof text, "%s%s", less < 0 ? "−" : "+", size);
    }
    act_draw_text(canvas, rect, row, column + 1, ACT_LOOK_DIM, text);
}

void act_results_tools(struct act_canvas *canvas, struct act_rect rect,
                       const struct act_stage *stage, const struct act_tool *tools, int count)
{
    enum { FIRST = 36, WIDTH = 15, TERMS = 4 };
    static const char *const heads[TERMS] = {"states", "activations", "other", "allocated"};
    const double *ours = stage->component;
    const double sums[TERMS] = {ours[ACT_WEIGHTS] + ours[ACT_GRADIENTS] + ours[ACT_OPTIMIZER],
                                ours[ACT_ACTIVATIONS] + ours[ACT_HEAD],
                                ours[ACT_TRANSIENTS] + ours[ACT_BUFFERS], stage->allocated};
    char text[48];
    act_draw_text(canvas, rect, 0, 0, ACT_LOOK_HEADING, "WHAT OTHER TOOLS PRINT");
    act_draw_text(canvas, rect, 1, ACT_RESULTS_INDENT, ACT_LOOK_VALUE, "actuary");
    act_draw_text(canvas, rect, 1, ACT_RESULTS_INDENT + 8, ACT_LOOK_DIM, "stage 0");
    for (int k = 0; k < TERMS; k++) {
        act_draw_right(canvas, rect, 0, FIRST + WIDTH * k, ACT_LOOK_DIM, heads[k]);
        act_figure_gib(sums[k], text, sizeof text);
        act_draw_right(canvas, rect, 1, FIRST + WIDTH * k, ACT_LOOK_VALUE, text);
    }
    act_draw_text(canvas, rect, 0, FIRST + WIDTH * (TERMS - 1) + 1, ACT_LOOK_DIM, "ours less that");
    for (int i = 0; i < count; i++) {
        const struct act_tool *tool = &tools[i];
        const double figure[TERMS] = {tool->states, tool->activations, 0,
                                      tool->states + tool->activations};
        const double less[TERMS] = {tool->less_states, tool->less_activations, tool->less_other,
                                    tool->less_states + tool->less_activations + tool->less_other};
        act_draw_text(canvas, rect, 2 + i, ACT_RESULTS_INDENT, ACT_LOOK_TEXT, tool->name);
        for (int k = 0; k < TERMS; k++)
            draw_term(canvas, rect, 2 + i, FIRST + WIDTH * k, figure[k], less[k]);
    }
}
