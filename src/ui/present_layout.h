/* Where things stand on a page that is presented: a pure function of the size, and of what all
 * scenarios need, so that nothing moves from page to page. Every rectangle lies inside the screen
 * and none overlap; one without room has no rows. */
#ifndef ACTUARY_UI_PRESENT_LAYOUT_H
#define ACTUARY_UI_PRESENT_LAYOUT_H

#include "ui/glyphs.h"

enum { ACT_PRESENT_FIGURES = 3, ACT_PRESENT_FORMS = 4 };

/* The sizes of large figures, from the largest; with ASCII signs there are no half cells. */
struct act_glyphs act_present_form(bool ascii, int index);

/* The most that any scenario needs. */
struct act_present_needs {
    bool ascii;
    int figure[ACT_PRESENT_FORMS][ACT_PRESENT_FIGURES]; /* columns of the figures in each form */
    int against;                                        /* columns of the differences; 0: none */
    bool deadline, budget;                              /* a scenario has one */
};

struct act_present_layout {
    struct act_glyphs glyphs; /* of the figures */
    struct act_glyphs word;   /* of the verdict */
    bool beside; /* captions stand beside the figures, not in rectangles of their own */
    struct act_rect head, what, verdict;
    struct act_rect figure[ACT_PRESENT_FIGURES], caption[ACT_PRESENT_FIGURES];
    struct act_rect memory, legend, deadline, budget, against, text, foot;
};

void act_present_layout_of(int rows, int columns, const struct act_present_needs *needs,
                           struct act_present_layout *ret);

#endif
