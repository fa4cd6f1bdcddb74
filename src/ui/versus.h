/* The baseline on the dashboard: in what the current scenario differs from it. */
#ifndef ACTUARY_UI_VERSUS_H
#define ACTUARY_UI_VERSUS_H

#include "session/desk.h"
#include "ui/delta.h"
#include "ui/draw.h"

struct act_versus {
    bool on; /* there is a baseline, and it is another scenario */
    struct act_side base, side;
};

/* What the line of differences is about: "vs 2 tp8", "vs 2" in few columns, or that this is the
 * baseline itself. Nothing without one, and in the first row, which is the verdict's. */
void act_versus_label(struct act_canvas *canvas, struct act_rect rect, int row, int width,
                      const struct act_desk *desk);
/* The last row of `rect` for small screens: as many differences as it holds. */
void act_versus_line(struct act_canvas *canvas, struct act_rect rect, const struct act_desk *desk,
                     const struct act_versus *versus);
/* " (baseline 8)" behind the label of a field that differs; returns the column after it. */
int act_versus_value(struct act_canvas *canvas, struct act_rect rect, int column,
                     const struct act_desk *desk, enum act_field_id field);

#endif
