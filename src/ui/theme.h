/* Meaning to appearance: the screen draws semantic styles, a theme says how they look. */
#ifndef ACTUARY_UI_THEME_H
#define ACTUARY_UI_THEME_H

#include "io/settings.h"
#include <stdbool.h>

enum act_look {
    ACT_LOOK_TEXT,
    ACT_LOOK_DIM,   /* units, captions, derived values */
    ACT_LOOK_VALUE, /* values and figures */
    ACT_LOOK_RULE,  /* lines between areas */
    ACT_LOOK_HEADING,
    ACT_LOOK_TAB,   /* the current scenario's tab */
    ACT_LOOK_FOCUS, /* row under the cursor */
    ACT_LOOK_FOCUS_DIM,
    ACT_LOOK_EDIT, /* text being typed */
    ACT_LOOK_GOOD,
    ACT_LOOK_WARN,
    ACT_LOOK_BAD,
    ACT_LOOK_NOTE,
    ACT_LOOK_VERDICT_GOOD, /* filled boxes at the top */
    ACT_LOOK_VERDICT_WARN,
    ACT_LOOK_VERDICT_BAD,
    ACT_LOOK_KEY, /* a key on the key line */
    ACT_LOOK_BAR, /* first of the bar looks, one for each bar letter (bars.c) */
    ACT_LOOK_BAR_LAST = ACT_LOOK_BAR + 7,
    ACT_LOOK_OVERFLOW, /* what lies beyond the capacity line */
    ACT_LOOK_COUNT
};

/* Sets up colours for the terminal curses has started on: 256, 16 or 8 colours, or none (also
 * when NO_COLOR is set to anything but "", whatever the theme). `plain` takes grounds and reverse
 * video away. */
void act_theme_start(enum act_scheme scheme, bool plain);
/* Another theme from now on; everything must be painted again. */
void act_theme_use(enum act_scheme scheme, bool plain);
bool act_theme_coloured(void);

/* Does a blank of this look show nothing: no background of its own, no reverse, no line? */
bool act_theme_bare(enum act_look look);

/* Attributes and pair of a look, for setcchar. */
unsigned act_theme_attributes(enum act_look look);
short act_theme_pair(enum act_look look);

#endif
