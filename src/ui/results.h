/* The results at the right of the dashboard: stage bars, step, what-if, checks, contents. Each
 * draws what it can into its rectangle. */
#ifndef ACTUARY_UI_RESULTS_H
#define ACTUARY_UI_RESULTS_H

#include "session/choices.h"
#include "ui/draw.h"
#include <actuary/estimators.h>

/* Rows of stage bars, equal neighbours folded into one. */
struct act_stage_rows {
    int count;
    struct {
        int first, last;
    } row[ACT_STAGES_MAX];
};
void act_stage_rows_of(const struct act_memory *memory, struct act_stage_rows *ret);

/* Where the contents of every block begin, after its heading. */
enum { ACT_RESULTS_INDENT = 10 };

/* Good, warning or bad, by how a device figure fits. */
enum act_look act_fit_look(double device, double usable);

/* What the whole comes down to: " FITS ", and a sign that says so without words. */
struct act_fit_verdict {
    const char *word, *sign;
    enum act_look box, text;
};
struct act_fit_verdict act_fit_verdict_of(const struct act_result *result);

void act_results_memory(struct act_canvas *canvas, struct act_rect rect,
                        const struct act_result *result);
void act_results_step(struct act_canvas *canvas, struct act_rect rect, const struct act_plan *plan,
                      const struct act_result *result);
void act_results_what_if(struct act_canvas *canvas, struct act_rect rect,
                         const struct act_plan *plan, enum act_field_id field,
                         const struct act_choice *near, int count);
/* `leftover` stands above the checks of the plan unless it is "". */
void act_results_checks(struct act_canvas *canvas, struct act_rect rect,
                        const struct act_plan *resolved, const struct act_result *result,
                        const char *leftover);
/* One stage at its peak: the three counters, and the components of the device figure. */
void act_results_stage(struct act_canvas *canvas, struct act_rect rect,
                       const struct act_memory *memory, int index, const char *heading);
/* What other tools would print for the first stage, by term, below our own figures. */
void act_results_tools(struct act_canvas *canvas, struct act_rect rect,
                       const struct act_stage *stage, const struct act_tool *tools, int count);
void act_results_contents(struct act_canvas *canvas, struct act_rect rect,
                          const struct act_result *result);

#endif
