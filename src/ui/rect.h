/* Rectangles and the dashboard's layout: a pure function of the size and of how much there is to
 * show. Every rectangle lies inside the screen and none overlap; one without room has no rows. */
#ifndef ACTUARY_UI_RECT_H
#define ACTUARY_UI_RECT_H

#include <stdbool.h>

struct act_rect {
    int row, column, rows, columns;
};

/* The part of `inner` that lies within `outer`. */
struct act_rect act_rect_clip(struct act_rect outer, struct act_rect inner);

/* What wants to be shown. */
struct act_needs {
    int stages;  /* rows the stage bars would like, without heading and legend */
    int what_if; /* rows of the what-if table */
    int checks;
    int contents; /* rows of the worst stage's contents */
    int step;     /* rows of the step: 2, or 3 with a bar of its own */
    bool versus;  /* a line of differences from the baseline */
};

enum act_form {
    ACT_FORM_LINE,   /* one line: the verdict alone */
    ACT_FORM_SMALL,  /* verdict, focused field, one bar */
    ACT_FORM_COLUMN, /* too narrow for two columns: fields, then bars */
    ACT_FORM_FULL    /* fields at the left, results at the right */
};

struct act_layout_view {
    enum act_form form;
    struct act_rect tabs, verdict, rule_top, fields, divider, memory, step, what_if, checks,
        contents, rule_bottom, hint, keys;
};

void act_rect_layout(int rows, int columns, const struct act_needs *needs,
                     struct act_layout_view *ret);

#endif
