/* Where memory figures come from: an outline of figures and what they are made of, and beside it
 * the one under the cursor in full. */
#ifndef ACTUARY_UI_EXPLAIN_H
#define ACTUARY_UI_EXPLAIN_H

#include "session/desk.h"
#include "ui/draw.h"
#include <actuary/explain.h>

enum { ACT_OUTLINE_MAX = 256 };

/* A line of the outline. */
struct act_outline_row {
    struct act_term term;
    const char *name;
    char letter; /* of the bars, or a blank */
    int depth;
    bool open;
};

struct act_explain_view {
    int stage;
    int count, cursor, top; /* top: the first line shown */
    int scroll, lines;      /* of the explanation; lines: of the whole text, set by drawing */
    int page;               /* lines of the explanation that are seen, set by drawing */
    struct act_outline_row row[ACT_OUTLINE_MAX];
};

/* Begins at the stage's device figure. */
void act_explain_start(struct act_explain_view *view, const struct act_tab *tab, int stage);
/* False when the key leaves. */
bool act_explain_key(struct act_explain_view *view, const struct act_tab *tab, int key);
void act_explain_draw(struct act_explain_view *view, struct act_canvas *canvas,
                      const struct act_tab *tab);

#endif
