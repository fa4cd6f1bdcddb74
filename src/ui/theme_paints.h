/* The colours of every theme. */
#ifndef ACTUARY_UI_THEME_PAINTS_H
#define ACTUARY_UI_THEME_PAINTS_H

#include "ui/theme.h"
#include <ncurses.h>

/* Foreground, background (-1: the terminal's own) and attributes of a look. */
struct act_paint {
    short fg, bg;
    attr_t attributes;
};

/* The paints of a theme, one for each look, on a terminal of so many colours (0: none). */
const struct act_paint *act_paints(enum act_scheme scheme, int colors);

#endif
