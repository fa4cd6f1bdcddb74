/* A line being typed: text, cursor, the usual keys. */
#ifndef ACTUARY_UI_EDIT_H
#define ACTUARY_UI_EDIT_H

#include "ui/draw.h"
#include <stdbool.h>
#include <stddef.h>

enum { ACT_EDIT_MAX = 1024 };

struct act_edit {
    char text[ACT_EDIT_MAX]; /* UTF-8, terminated */
    size_t size, cursor;     /* bytes */
    size_t limit;            /* of size; at most ACT_EDIT_MAX - 1 */
    bool fresh;              /* the first character typed replaces the whole text */
};

void act_edit_start(struct act_edit *edit, const char *text, size_t limit);
/* true when the key was an editing key (the text may be unchanged). */
bool act_edit_key(struct act_edit *edit, int key);
/* Inserts pasted text; line breaks become blanks, other control characters are dropped. */
void act_edit_paste(struct act_edit *edit, const char *text, size_t size);
/* Draws it in `width` columns at (row, column), scrolled to the cursor, and parks the real cursor
 * there. */
void act_edit_draw(const struct act_edit *edit, struct act_canvas *canvas, struct act_rect rect,
                   int row, int column, int width);

#endif
