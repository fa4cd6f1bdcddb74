/* Figures large enough for the back of a room: every pixel of a small font is a block of cells. */
#ifndef ACTUARY_UI_GLYPHS_H
#define ACTUARY_UI_GLYPHS_H

#include "ui/draw.h"

/* How large. Fonts are 5 or 7 pixels high; 0 is the terminal's own letters, one row. A pixel is a
 * cell or two beside each other, or half of one: signs above and below half a cell are not ASCII.
 */
struct act_glyphs {
    int font;
    int wide; /* columns of a pixel */
    bool half;
};

int act_glyphs_rows(struct act_glyphs glyphs);
int act_glyphs_columns(const struct act_canvas *canvas, struct act_glyphs glyphs, const char *text);
/* Is there a glyph for every character? Others take no room. */
bool act_glyphs_known(struct act_glyphs glyphs, const char *text);
/* Draws at (row, column) relative to `rect`, clipped to it. */
void act_glyphs_draw(struct act_canvas *canvas, struct act_rect rect, int row, int column,
                     enum act_look look, struct act_glyphs glyphs, const char *text);

#endif
