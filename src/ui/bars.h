/* Stacked bars on one scale, with a capacity line. Letters carry the meaning, colour helps. */
#ifndef ACTUARY_UI_BARS_H
#define ACTUARY_UI_BARS_H

#include "ui/draw.h"
#include <actuary/memory.h>

enum { ACT_SEGMENTS_MAX = 16 };

struct act_segment {
    double amount;
    char letter; /* a blank: colour alone */
    enum act_look look;
};

struct act_bar {
    int count;
    struct act_segment segment[ACT_SEGMENTS_MAX];
    double capacity; /* 0: no line */
    double full;     /* the amount at the right end */
};

/* The letters of memory bars: components that share a letter are one segment. */
void act_bar_of_stage(const struct act_stage *stage, struct act_bar *ret);
enum { ACT_LEGEND_FORMS = 3 }; /* full words, short ones, shortest */

/* One entry of the legend: letter, look and word of the i-th bar letter; false past the end. */
bool act_bar_legend(int index, int form, char *ret_letter, enum act_look *ret_look,
                    const char **ret_word);

/* Scale for bars up to `peak` with a line at `capacity`: the line keeps its place as long as
 * everything is below it. */
double act_bar_full(double capacity, double peak);
/* Column of an amount on a bar of `width` columns. */
int act_bar_column(double amount, double full, int width);

/* Draws the bar; every segment ends where its running sum does, so bars of equal sums are equally
 * long. What lies beyond the capacity is drawn with '!' in reverse. */
void act_bar_draw(struct act_canvas *canvas, struct act_rect rect, int row, int column, int width,
                  const struct act_bar *bar);

#endif
