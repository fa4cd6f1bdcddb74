/* A text of lines and paragraphs in a rectangle, scrolled. */
#ifndef ACTUARY_UI_PAGE_H
#define ACTUARY_UI_PAGE_H

#include "ui/draw.h"

struct act_page {
    struct act_canvas *canvas;
    struct act_rect rect;
    int row; /* next row of the text, before scrolling */
    int scroll;
};

/* One line on the present row, cut at the edge; the row stays. */
void act_page_line(struct act_page *page, int column, enum act_look look, const char *text);
/* Wrapped at blanks; the next row is below it. */
void act_page_paragraph(struct act_page *page, int column, enum act_look look, const char *text);

#endif
