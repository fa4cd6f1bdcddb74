/* What stands above and below memory bars: the scale and the legend. Bars begin at column `margin`
 * of the rectangle. */
#ifndef ACTUARY_UI_SCALE_H
#define ACTUARY_UI_SCALE_H

#include "ui/draw.h"
#include <actuary/memory.h>

/* Ticks at round GiB, and the capacity at its line. */
void act_scale_draw(struct act_canvas *canvas, struct act_rect rect, int row, int margin, int width,
                    double full, double capacity);
/* Letters that stand for something visible, named; from the margin and in short words when the
 * line is narrow. */
void act_legend_draw(struct act_canvas *canvas, struct act_rect rect, int row, int margin,
                     const struct act_memory *memory);

#endif
