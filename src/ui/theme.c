#include "ui/theme.h"
#include <ncurses.h>
#include <stdlib.h>

/* Foreground, background (-1: the terminal's own) and attributes of a look. */
struct paint {
    short fg, bg;
    attr_t attributes;
};

/* Mid tones that read on dark and on light backgrounds; text keeps the terminal's own colours. */
static const struct paint paint_256[ACT_LOOK_COUNT] = {
    [ACT_LOOK_TEXT] = {-1, -1, 0},
    [ACT_LOOK_DIM] = {244, -1, 0},
    [ACT_LOOK_VALUE] = {-1, -1, A_BOLD},
    [ACT_LOOK_RULE] = {241, -1, 0},
    [ACT_LOOK_HEADING] = {39, -1, A_BOLD},
    [ACT_LOOK_TAB] = {-1, -1, A_BOLD | A_REVERSE},
    [ACT_LOOK_FOCUS] = {255, 24, A_BOLD},
    [ACT_LOOK_FOCUS_DIM] = {251, 24, 0},
    [ACT_LOOK_EDIT] = {16, 222, 0},
    [ACT_LOOK_GOOD] = {71, -1, 0},
    [ACT_LOOK_WARN] = {172, -1, 0},
    [ACT_LOOK_BAD] = {203, -1, 0},
    [ACT_LOOK_NOTE] = {39, -1, 0},
    [ACT_LOOK_VERDICT_GOOD] = {255, 28, A_BOLD},
    [ACT_LOOK_VERDICT_WARN] = {16, 214, A_BOLD},
    [ACT_LOOK_VERDICT_BAD] = {255, 124, A_BOLD},
    [ACT_LOOK_KEY] = {-1, -1, A_BOLD},
    [ACT_LOOK_BAR + 0] = {255, 25, 0},
    [ACT_LOOK_BAR + 1] = {255, 30, 0},
    [ACT_LOOK_BAR + 2] = {255, 61, 0},
    [ACT_LOOK_BAR + 3] = {255, 136, 0},
    [ACT_LOOK_BAR + 4] = {255, 132, 0},
    [ACT_LOOK_BAR + 5] = {255, 66, 0},
    [ACT_LOOK_BAR + 6] = {252, 240, 0},
    [ACT_LOOK_BAR + 7] = {252, 237, 0},
    [ACT_LOOK_OVERFLOW] = {255, 124, A_BOLD},
};

static const struct paint paint_8[ACT_LOOK_COUNT] = {
    [ACT_LOOK_TEXT] = {-1, -1, 0},
    [ACT_LOOK_DIM] = {-1, -1, A_DIM},
    [ACT_LOOK_VALUE] = {-1, -1, A_BOLD},
    [ACT_LOOK_RULE] = {-1, -1, A_DIM},
    [ACT_LOOK_HEADING] = {COLOR_CYAN, -1, A_BOLD},
    [ACT_LOOK_TAB] = {-1, -1, A_BOLD | A_REVERSE},
    [ACT_LOOK_FOCUS] = {-1, -1, A_REVERSE | A_BOLD},
    [ACT_LOOK_FOCUS_DIM] = {-1, -1, A_REVERSE},
    [ACT_LOOK_EDIT] = {-1, -1, A_UNDERLINE | A_BOLD},
    [ACT_LOOK_GOOD] = {COLOR_GREEN, -1, 0},
    [ACT_LOOK_WARN] = {COLOR_MAGENTA, -1, 0},
    [ACT_LOOK_BAD] = {COLOR_RED, -1, A_BOLD},
    [ACT_LOOK_NOTE] = {COLOR_CYAN, -1, 0},
    [ACT_LOOK_VERDICT_GOOD] = {COLOR_WHITE, COLOR_GREEN, A_BOLD},
    [ACT_LOOK_VERDICT_WARN] = {COLOR_BLACK, COLOR_YELLOW, 0},
    [ACT_LOOK_VERDICT_BAD] = {COLOR_WHITE, COLOR_RED, A_BOLD},
    [ACT_LOOK_KEY] = {-1, -1, A_BOLD},
    [ACT_LOOK_BAR + 0] = {COLOR_WHITE, COLOR_BLUE, 0},
    [ACT_LOOK_BAR + 1] = {COLOR_BLACK, COLOR_CYAN, 0},
    [ACT_LOOK_BAR + 2] = {COLOR_WHITE, COLOR_MAGENTA, 0},
    [ACT_LOOK_BAR + 3] = {COLOR_BLACK, COLOR_YELLOW, 0},
    [ACT_LOOK_BAR + 4] = {COLOR_WHITE, COLOR_RED, 0},
    [ACT_LOOK_BAR + 5] = {COLOR_BLACK, COLOR_GREEN, 0},
    [ACT_LOOK_BAR + 6] = {COLOR_BLACK, COLOR_WHITE, 0},
    [ACT_LOOK_BAR + 7] = {-1, -1, A_REVERSE},
    [ACT_LOOK_OVERFLOW] = {COLOR_WHITE, COLOR_RED, A_BOLD},
};

static const struct paint paint_mono[ACT_LOOK_COUNT] = {
    [ACT_LOOK_DIM] = {-1, -1, A_DIM},
    [ACT_LOOK_VALUE] = {-1, -1, A_BOLD},
    [ACT_LOOK_RULE] = {-1, -1, A_DIM},
    [ACT_LOOK_HEADING] = {-1, -1, A_BOLD},
    [ACT_LOOK_TAB] = {-1, -1, A_BOLD | A_REVERSE},
    [ACT_LOOK_FOCUS] = {-1, -1, A_REVERSE | A_BOLD},
    [ACT_LOOK_FOCUS_DIM] = {-1, -1, A_REVERSE},
    [ACT_LOOK_EDIT] = {-1, -1, A_UNDERLINE | A_BOLD},
    [ACT_LOOK_WARN] = {-1, -1, A_BOLD},
    [ACT_LOOK_BAD] = {-1, -1, A_BOLD},
    [ACT_LOOK_VERDICT_GOOD] = {-1, -1, A_REVERSE | A_BOLD},
    [ACT_LOOK_VERDICT_WARN] = {-1, -1, A_REVERSE | A_BOLD},
    [ACT_LOOK_VERDICT_BAD] = {-1, -1, A_REVERSE | A_BOLD},
    [ACT_LOOK_KEY] = {-1, -1, A_BOLD},
    [ACT_LOOK_OVERFLOW] = {-1, -1, A_REVERSE | A_BOLD},
};

static const struct paint *scheme = paint_mono;
static bool coloured;

void act_theme_start(void)
{
    const char *none = getenv("NO_COLOR");
    scheme = paint_mono;
    coloured = false;
    if ((none != NULL && none[0] != '\0') || !has_colors() || start_color() != OK)
        return;
    use_default_colors();
    if (COLORS < 8 || COLOR_PAIRS < ACT_LOOK_COUNT + 1)
        return;
    scheme = COLORS >= 256 ? paint_256 : paint_8;
    coloured = true;
    for (int look = 0; look < ACT_LOOK_COUNT; look++)
        init_pair((short)(look + 1), scheme[look].fg, scheme[look].bg);
}

bool act_theme_coloured(void)
{
    return coloured;
}

bool act_theme_bare(enum act_look look)
{
    bool ground = !coloured || scheme[look].bg == -1;
    return ground && (scheme[look].attributes & (A_REVERSE | A_UNDERLINE)) == 0;
}

unsigned act_theme_attributes(enum act_look look)
{
    return (unsigned)scheme[look].attributes;
}

short act_theme_pair(enum act_look look)
{
    bool plain = scheme[look].fg == -1 && scheme[look].bg == -1;
    return coloured && !plain ? (short)(look + 1) : 0;
}
