#include "ui/glyphs.h"

#include <string.h>

enum { LOW = 5, HIGH = 7 };

/* What figures are written with: digits, their points, the dollar, a dash for what is not known,
 * and suffixes of amounts; in the low font also the letters of verdicts. */
struct glyph {
    char letter;
    const char *low[LOW], *high[HIGH];
};

/* clang-format off */
static const struct glyph glyphs[] = {
    {'0', {"###", "# #", "# #", "# #", "###"},
          {" ### ", "#   #", "#   #", "#   #", "#   #", "#   #", " ### "}},
    {'1', {" # ", "## ", " # ", " # ", "###"},
          {"  #  ", " ##  ", "  #  ", "  #  ", "  #  ", "  #  ", " ### "}},
    {'2', {"###", "  #", "###", "#  ", "###"},
          {" ### ", "#   #", "    #", "  ## ", " #   ", "#    ", "#####"}},
    {'3', {"###", "  #", " ##", "  #", "###"},
          {" ### ", "#   #", "    #", "  ## ", "    #", "#   #", " ### "}},
    {'4', {"# #", "# #", "###", "  #", "  #"},
          {"   # ", "  ## ", " # # ", "#  # ", "#####", "   # ", "   # "}},
    {'5', {"###", "#  ", "###", "  #", "###"},
          {"#####", "#    ", "#### ", "    #", "    #", "#   #", " ### "}},
    {'6', {"###", "#  ", "###", "# #", "###"},
          {" ### ", "#    ", "#    ", "#### ", "#   #", "#   #", " ### "}},
    {'7', {"###", "  #", "  #", " # ", " # "},
          {"#####", "    #", "   # ", "  #  ", "  #  ", "  #  ", "  #  "}},
    {'8', {"###", "# #", "###", "# #", "###"},
          {" ### ", "#   #", "#   #", " ### ", "#   #", "#   #", " ### "}},
    {'9', {"###", "# #", "###", "  #", "###"},
          {" ### ", "#   #", "#   #", " ####", "    #", "    #", " ### "}},
    {'.', {" ", " ", " ", " ", "#"},
          {"  ", "  ", "  ", "  ", "  ", "##", "##"}},
    {',', {"  ", "  ", "  ", " #", "# "},
          {"  ", "  ", "  ", "  ", "##", " #", "# "}},
    {'-', {"   ", "   ", "###", "   ", "   "},
          {"    ", "    ", "    ", "####", "    ", "    ", "    "}},
    {'$', {" ####", "# #  ", " ### ", "  # #", "#### "},
          {"  #  ", " ####", "# #  ", " ### ", "  # #", "#### ", "  #  "}},
    {'k', {"#  ", "# #", "## ", "## ", "# #"},
          {"#   ", "#  #", "# # ", "##  ", "# # ", "#  #", "#  #"}},
    {'M', {"#   #", "## ##", "# # #", "#   #", "#   #"},
          {"#   #", "## ##", "# # #", "# # #", "#   #", "#   #", "#   #"}},
    {'B', {"### ", "#  #", "### ", "#  #", "### "},
          {"#### ", "#   #", "#   #", "#### ", "#   #", "#   #", "#### "}},
    {'T', {"###", " # ", " # ", " # ", " # "},
          {"#####", "  #  ", "  #  ", "  #  ", "  #  ", "  #  ", "  #  "}},
    {'P', {"###", "# #", "###", "#  ", "#  "},
          {"#### ", "#   #", "#   #", "#### ", "#    ", "#    ", "#    "}},
    {'A', {"###", "# #", "###", "# #", "# #"}, {NULL}},
    {'D', {"## ", "# #", "# #", "# #", "## "}, {NULL}},
    {'E', {"###", "#  ", "## ", "#  ", "###"}, {NULL}},
    {'F', {"###", "#  ", "## ", "#  ", "#  "}, {NULL}},
    {'G', {"###", "#  ", "# #", "# #", "###"}, {NULL}},
    {'H', {"# #", "# #", "###", "# #", "# #"}, {NULL}},
    {'I', {"###", " # ", " # ", " # ", "###"}, {NULL}},
    {'K', {"# #", "# #", "## ", "# #", "# #"}, {NULL}},
    {'L', {"#  ", "#  ", "#  ", "#  ", "###"}, {NULL}},
    {'N', {"#  #", "## #", "# ##", "#  #", "#  #"}, {NULL}},
    {'O', {"###", "# #", "# #", "# #", "###"}, {NULL}},
    {'R', {"## ", "# #", "## ", "# #", "# #"}, {NULL}},
    {'S', {"###", "#  ", "###", "  #", "###"}, {NULL}},
    {'U', {"# #", "# #", "# #", "# #", "###"}, {NULL}},
    {'V', {"# #", "# #", "# #", "# #", " # "}, {NULL}},
    {' ', {" ", " ", " ", " ", " "}, {" ", " ", " ", " ", " ", " ", " "}},
};
/* clang-format on */

static const char *const *pixels_of(char letter, int font)
{
    for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++)
        if (glyphs[i].letter == letter)
            return font == LOW ? glyphs[i].low : glyphs[i].high[0] ? glyphs[i].high : NULL;
    return NULL;
}

int act_glyphs_rows(struct act_glyphs form)
{
    return form.font == 0 ? 1 : form.half ? (form.font + 1) / 2 : form.font;
}

bool act_glyphs_known(struct act_glyphs form, const char *text)
{
    while (*text != '\0' && form.font > 0)
        if (pixels_of(*text++, form.font) == NULL)
            return false;
    return true;
}

int act_glyphs_columns(const struct act_canvas *canvas, struct act_glyphs form, const char *text)
{
    int pixels = 0;

    if (form.font == 0)
        return act_text_columns(canvas, text);
    for (; *text != '\0'; text++) {
        const char *const *pixel = pixels_of(*text, form.font);
        if (pixel != NULL)
            pixels += (pixels > 0) + (int)strlen(pixel[0]);
    }
    return pixels * form.wide;
}

/* The sign of a cell whose upper and lower half are set, or whose whole is. */
static uint32_t sign_of(const struct act_canvas *canvas, bool upper, bool lower)
{
    if (!upper && !lower)
        return 0;
    if (canvas->ascii)
        return '#';
    return upper && lower ? 0x2588 : upper ? 0x2580 : 0x2584; /* █ ▀ ▄ */
}

static void draw_glyph(struct act_canvas *canvas, struct act_rect rect, struct act_rect cell,
                       enum act_look look, struct act_glyphs form, const char *const *pixel)
{
    int columns = (int)strlen(pixel[0]) * form.wide, rows = act_glyphs_rows(form);

    for (int row = 0; row < rows; row++) {
        int upper = form.half ? 2 * row : row, lower = form.half ? upper + 1 : row;
        for (int column = 0; column < columns; column++) {
            int x = column / form.wide;
            uint32_t sign = sign_of(canvas, pixel[upper][x] == '#',
                                    lower < form.font && pixel[lower][x] == '#');
            struct act_rect at = {cell.row + row, cell.column + column, 1, 1};
            if (sign != 0)
                act_draw_fill(canvas, act_rect_clip(rect, at), sign, look);
        }
    }
}

void act_glyphs_draw(struct act_canvas *canvas, struct act_rect rect, int row, int column,
                     enum act_look look, struct act_glyphs form, const char *text)
{
    if (form.font == 0) {
        act_draw_text(canvas, rect, row, column, look, text);
        return;
    }
    for (; *text != '\0'; text++) {
        const char *const *pixel = pixels_of(*text, form.font);
        if (pixel == NULL)
            continue;
        struct act_rect cell = {rect.row + row, rect.column + column, 0, 0};
        draw_glyph(canvas, rect, cell, look, form, pixel);
        column += ((int)strlen(pixel[0]) + 1) * form.wide;
    }
}
