/* Stacked bars as inline SVG, one element a bar.
 *
 * Lengths along a bar are percentages of the element's width, so that a bar is as wide as the page
 * lets it be while letters keep their size. Colours are classes: the page has the palette. */
#ifndef ACTUARY_IO_REPORT_SVG_H
#define ACTUARY_IO_REPORT_SVG_H

#include "io/buffer.h"
#include <actuary/memory.h>
#include <actuary/timing.h>

/* The amount at the right end of every bar of a chart: the largest of what it shows. */
double act_svg_full(double capacity, double peak);

/* A stage on a scale that ends at `full`, with a line at `usable` and what is beyond it marked.
 * `name` is for readers who do not see it. */
void act_svg_stage(struct act_buffer *out, const char *name, const struct act_stage *stage,
                   double usable, double full);

/* The seconds of a step. */
void act_svg_step(struct act_buffer *out, const struct act_time *time);

/* The letters that the bars use, named, as a list. `stages`: those that stand for nothing in any of
 * them are left out. */
void act_svg_stage_legend(struct act_buffer *out, const struct act_stage *const *stages, int count);
void act_svg_step_legend(struct act_buffer *out, const struct act_time *time);

#endif
