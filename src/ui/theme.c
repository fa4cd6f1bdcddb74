#include "ui/theme.h"
#include "ui/theme_paints.h"
#include <ncurses.h>
#include <stdlib.h>

/* The theme in use; plain has made its changes to it. */
static struct act_paint paint[ACT_LOOK_COUNT];
static bool coloured;
static bool refused; /* NO_COLOR, or a terminal that has none */

/* Nothing stands out by its ground alone where a reader hears the screen. */
static void make_plain(void)
{
    for (int look = 0; look < ACT_LOOK_COUNT; look++) {
        paint[look].attributes &= ~(attr_t)(A_REVERSE | A_DIM);
        if (paint[look].bg != -1)
            paint[look] = (struct act_paint){-1, -1, paint[look].attributes};
    }
}

void act_theme_use(enum act_scheme scheme, bool plain)
{
    int colors = refused ? 0 : COLORS;
    const struct act_paint *wanted = act_paints(scheme, colors);
    coloured = !refused && scheme != ACT_SCHEME_MONO && colors >= 8;
    for (int look = 0; look < ACT_LOOK_COUNT; look++)
        paint[look] = wanted[look];
    if (!coloured)
        for (int look = 0; look < ACT_LOOK_COUNT; look++)
            paint[look].fg = paint[look].bg = -1;
    if (plain)
        make_plain();
    for (int look = 0; coloured && look < ACT_LOOK_COUNT; look++)
        init_pair((short)(look + 1), paint[look].fg, paint[look].bg);
}

void act_theme_start(enum act_scheme scheme, bool plain)
{
    const char *none = getenv("NO_COLOR");
    refused = (none != NULL && none[0] != '\0') || !has_colors() || start_color() != OK;
    if (!refused) {
        use_default_colors();
        refused = COLORS < 8 || COLOR_PAIRS < ACT_LOOK_COUNT + 1;
    }
    act_theme_use(scheme, plain);
}

bool act_theme_coloured(void)
{
    return coloured;
}

bool act_theme_bare(enum act_look look)
{
    bool ground = !coloured || paint[look].bg == paint[ACT_LOOK_TEXT].bg;
    return ground && (paint[look].attributes & (A_REVERSE | A_UNDERLINE)) == 0;
}

unsigned act_theme_attributes(enum act_look look)
{
    return (unsigned)paint[look].attributes;
}

short act_theme_pair(enum act_look look)
{
    bool plain = paint[look].fg == -1 && paint[look].bg == -1;
    return coloured && !plain ? (short)(look + 1) : 0;
}
