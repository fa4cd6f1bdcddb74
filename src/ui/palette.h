/* The palette: a line to type, what it would do, and below it everything that fits. */
#ifndef ACTUARY_UI_PALETTE_H
#define ACTUARY_UI_PALETTE_H

#include "session/palette.h"
#include "ui/draw.h"
#include "ui/edit.h"

enum { ACT_RECENT_MAX = 50 };

struct act_palette_view {
    struct act_palette palette;
    struct act_edit line;
    bool chosen;                 /* the cursor was moved: Enter takes the entry, not the line */
    int cursor, scroll, page;    /* into palette.order; page: rows drawn last */
    char preview[256];           /* what the line would do, or why it does nothing */
    bool valid;                  /* the line is a command */
    bool best;                   /* it is none, but an entry fits it */
    bool stale;                  /* the line has changed since the entries were ranked: preview,
                                    valid, best and what is shown are to come */
    int recent_count, recent_at; /* at: the one shown; recent_count while none is */
    char recent[ACT_RECENT_MAX][ACT_COMMAND_MAX];
};

bool act_palette_open(struct act_palette_view *view, const struct act_desk *desk);
void act_palette_close(struct act_palette_view *view);
/* The line has changed. */
void act_palette_typed(struct act_palette_view *view);
/* Reads the line and ranks the entries, if it has changed: before they are shown or taken. */
void act_palette_ready(struct act_palette_view *view, const struct act_desk *desk);
/* Keys that move or edit; false for others. */
bool act_palette_key(struct act_palette_view *view, const struct act_desk *desk, int key);
/* The entry under the cursor, or NULL; of a list that is ready. */
const struct act_entry *act_palette_current(struct act_palette_view *view);
/* Remembers a line that was carried out. */
void act_palette_remember(struct act_palette_view *view, const char *line);
void act_palette_draw(struct act_palette_view *view, struct act_canvas *canvas,
                      const struct act_desk *desk);

#endif
