/* WHAT IT TAKES: the deadline and the GPUs for it, the largest values within each limit, and the
 * changes that would help, each to be made with Enter. */
#ifndef ACTUARY_UI_TAKES_H
#define ACTUARY_UI_TAKES_H

#include "session/takes.h"
#include "ui/draw.h"
#include "ui/edit.h"

struct act_takes_view {
    struct act_takes takes;
    int cursor, top; /* answers: 0 is the GPUs for the deadline; top: the first change shown */
    int page;        /* changes that are seen, set by drawing */
    bool typing;     /* a deadline */
    struct act_edit edit;
    double before;     /* the deadline that Esc goes back to */
    char problem[160]; /* why what is typed is no deadline, or "" */
};

void act_takes_open(struct act_takes_view *view, const struct act_tab *tab);
/* False when the key leaves. */
bool act_takes_key(struct act_takes_view *view, struct act_desk *desk, int key, int64_t now_ms);
/* Text goes into the deadline, when one is being typed; else false. */
bool act_takes_paste(struct act_takes_view *view, const char *text, size_t size);
void act_takes_draw(struct act_takes_view *view, struct act_canvas *canvas, struct act_desk *desk);

#endif
