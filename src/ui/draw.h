/* Drawing into a grid of cells. Everything is clipped to a rectangle; the terminal takes the grid
 * as a whole (term.h). Texts are UTF-8; on an ASCII canvas the planner's own signs are replaced
 * by letters and everything else outside ASCII by '?'. */
#ifndef ACTUARY_UI_DRAW_H
#define ACTUARY_UI_DRAW_H

#include "ui/rect.h"
#include "ui/theme.h"
#include <stdbool.h>
#include <stdint.h>

struct act_cell {
    uint32_t sign; /* Unicode; 0 is the right half of a wide sign */
    uint8_t look;
};

/* What a press at some place means. */
enum act_hit_kind {
    ACT_HIT_NOTHING,
    ACT_HIT_FIELD, /* value: its id */
    ACT_HIT_KEY,   /* value: the key it stands for */
    ACT_HIT_ENTRY, /* value: index in the list that is shown */
    ACT_HIT_TAB,   /* value: index of the scenario */
    ACT_HIT_LEGEND /* value: the letter of a bar */
};

struct act_hit {
    int row, column, columns;
    enum act_hit_kind kind;
    int value;
};

enum { ACT_HITS_MAX = 512 };

struct act_canvas {
    int rows, columns;
    bool ascii;
    bool plain;                    /* for ears: lines and frames are left out */
    int cursor_row, cursor_column; /* where the real cursor is parked */
    bool cursor_shown;
    struct act_cell *cell;
    int hits; /* the last that holds a place is the one on top */
    struct act_hit hit[ACT_HITS_MAX];
};

enum { ACT_ROWS_MAX = 1000, ACT_COLUMNS_MAX = 2000 };

/* Makes the canvas this large (clamped to 1 … MAX) and blank. false when out of memory. */
bool act_canvas_resize(struct act_canvas *canvas, int rows, int columns);
void act_canvas_free(struct act_canvas *canvas);
struct act_rect act_canvas_rect(const struct act_canvas *canvas);

void act_draw_fill(struct act_canvas *canvas, struct act_rect rect, uint32_t sign,
                   enum act_look look);
/* Draws at (row, column) relative to `rect`; returns the column after the text, also when it was
 * cut. */
int act_draw_text(struct act_canvas *canvas, struct act_rect rect, int row, int column,
                  enum act_look look, const char *text);
int act_draw_format(struct act_canvas *canvas, struct act_rect rect, int row, int column,
                    enum act_look look, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
/* Ends at column `end` (exclusive); returns the column where it starts. */
int act_draw_right(struct act_canvas *canvas, struct act_rect rect, int row, int end,
                   enum act_look look, const char *text);
/* Cut with "…" when wider than `width`; returns the column after it. */
int act_draw_cut(struct act_canvas *canvas, struct act_rect rect, int row, int column, int width,
                 enum act_look look, const char *text);
/* Changes the look of cells without touching their signs. */
void act_draw_look(struct act_canvas *canvas, struct act_rect rect, enum act_look look);

/* An empty box with a line around it. */
void act_draw_frame(struct act_canvas *canvas, struct act_rect box);

/* Notes that columns of a row can be pressed; what does not fit in the table cannot be. */
void act_canvas_hit(struct act_canvas *canvas, int row, int column, int columns,
                    enum act_hit_kind kind, int value);
/* What stands at a place. */
struct act_hit act_canvas_hit_at(const struct act_canvas *canvas, int row, int column);

/* Columns a text takes on this canvas. */
int act_text_columns(const struct act_canvas *canvas, const char *text);

#endif
