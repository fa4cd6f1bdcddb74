/* Scenarios side by side: what stands in the columns and rows. */
#ifndef ACTUARY_UI_COMPARE_H
#define ACTUARY_UI_COMPARE_H

#include "ui/delta.h"
#include "ui/view.h"

enum { ACT_COLUMNS_TABS = ACT_TABS_MAX + ACT_CLOSED_MAX };

/* Every open scenario with its resolved plan. */
struct act_sides {
    int count, base; /* base: the baseline, or the first scenario */
    struct act_plan resolved[ACT_COLUMNS_TABS];
    const struct act_plan *plans[ACT_COLUMNS_TABS]; /* the resolved ones, for diff.h */
    struct act_side side[ACT_COLUMNS_TABS];
};

void act_sides_of(const struct act_desk *desk, struct act_sides *ret);

/* Makes view->rows: headings and fields as in the panes, of whichever scenario has them; with
 * `only` those that differ, and the focused one. Counts what that keeps back. */
void act_compare_rows(struct act_view *view, const struct act_sides *sides);

#endif
