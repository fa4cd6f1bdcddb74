#include "ui/present_layout.h"

#include <stddef.h>

/* From top to bottom. */
enum block {
    HEAD,
    WHAT,
    VERDICT,
    FIGURES,
    CAPTIONS,
    MEMORY,
    LEGEND,
    DEADLINE,
    BUDGET,
    AGAINST,
    TEXT,
    FOOT,
    BLOCKS
};

enum {
    LARGE_ROWS = 16, /* smaller screens have no large figures */
    LARGE_COLUMNS = 60,
    ROOMY_ROWS = 34, /* the bar of memory is thicker */
    WIDE_ROWS = 48,  /* so is everything */
    WORD_ROWS = 28,  /* the verdict is in large letters */
    FIGURE_GAP = 3,
    TEXT_ROWS = 6, /* a conclusion and its assumptions at 80 columns */
    TEXT_COLUMNS = 120,
    GAP_MOST = 4
};

static const struct {
    struct act_glyphs glyphs;
    int rows; /* of the least screen */
} forms[2][ACT_PRESENT_FORMS] = {
    {{{7, 2, false}, 40}, {{5, 2, false}, 34}, {{7, 1, true}, 26}, {{5, 1, true}, LARGE_ROWS}},
    {{{7, 2, false}, 40}, {{5, 2, false}, 34}, {{7, 1, false}, 34}, {{5, 1, false}, 20}},
};

struct act_glyphs act_present_form(bool ascii, int index)
{
    return forms[ascii][index].glyphs;
}

static int margin_of(int columns)
{
    return columns >= 160 ? 6 : columns >= 100 ? 3 : columns >= 20 ? 1 : 0;
}

/* Columns that are left over beside the figures of a form, with a gap after each. */
static int spare_columns(int columns, const int figure[ACT_PRESENT_FIGURES])
{
    int spare = columns - 2 * margin_of(columns);
    for (int i = 0; i < ACT_PRESENT_FIGURES; i++)
        spare -= figure[i] + FIGURE_GAP;
    return spare;
}

/* The index of the largest form with room, or -1. */
static int choose(int rows, int columns, const struct act_present_needs *needs)
{
    if (rows < LARGE_ROWS || columns < LARGE_COLUMNS)
        return -1;
    for (int i = 0; i < ACT_PRESENT_FORMS; i++)
        if (rows >= forms[needs->ascii][i].rows && spare_columns(columns, needs->figure[i]) >= 0)
            return i;
    return -1;
}

/* The verdict's letters: "DOES NOT FIT" and some words beside it. */
static struct act_glyphs word_of(int rows, int columns, bool ascii)
{
    if (rows >= WIDE_ROWS && columns >= 160)
        return (struct act_glyphs){5, 2, false};
    if (rows >= (ascii ? ROOMY_ROWS : WORD_ROWS) && columns >= 90)
        return (struct act_glyphs){5, 1, !ascii};
    return (struct act_glyphs){0};
}

/* Rows being shared out. */
struct share {
    int left;
    int height[BLOCKS], gap[BLOCKS]; /* gap: rows below the block */
};

/* `rows` for a block: all of them or none. */
static void give(struct share *share, enum block block, bool wanted, int rows)
{
    if (!wanted || share->left < rows)
        return;
    share->height[block] += rows;
    share->left -= rows;
}

/* What is scarce goes first to the verdict, then to the figures, and so on down this list. */
static void share_out(struct share *share, const struct act_present_layout *layout, int rows,
                      int columns, const struct act_present_needs *needs)
{
    static const enum block gaps[] = {VERDICT, CAPTIONS, BUDGET, AGAINST, WHAT, TEXT};
    static const enum block more[] = {LEGEND, DEADLINE}; /* once the others have theirs */
    enum { GAPS = sizeof gaps / sizeof *gaps, MORE = sizeof more / sizeof *more };
    bool large = layout->glyphs.font > 0, stacked = !large && columns < LARGE_COLUMNS;
    int width = columns - 2 * margin_of(columns);
    bool roomy = rows >= ROOMY_ROWS, wide = rows >= WIDE_ROWS;

    give(share, VERDICT, true, 1);
    give(share, FOOT, rows > 2, 1);
    give(share, FIGURES, true, act_glyphs_rows(layout->glyphs));
    give(share, FIGURES, stacked, 2);
    give(share, CAPTIONS, large, 1);
    give(share, HEAD, true, 1);
    give(share, MEMORY, true, 1);
    give(share, DEADLINE, needs->deadline, 1);
    give(share, BUDGET, needs->budget, 1);
    give(share, AGAINST, needs->against > 0, 1);
    give(share, TEXT, true, 2);
    give(share, WHAT, true, 1);
    give(share, AGAINST, share->height[AGAINST] > 0 && needs->against > width, 1);
    for (int i = 2; i < TEXT_ROWS; i++)
        give(share, TEXT, true, 1);
    give(share, LEGEND, true, 1);
    give(share, VERDICT, true, act_glyphs_rows(layout->word) - 1);
    for (int round = 0; round < GAP_MOST; round++) {
        for (int i = 0; i < GAPS && share->left > 0; i++) {
            share->gap[gaps[i]]++;
            share->left--;
        }
        for (int i = 0; i < MORE && round == 1; i++) {
            if (share->left > 0 && share->height[more[i]] > 0) {
                share->gap[more[i]]++;
                share->left--;
            }
        }
        if (round == 0) {
            give(share, VERDICT, wide, 2);
            give(share, MEMORY, roomy, wide ? 2 : 1);
            give(share, DEADLINE, wide && share->height[DEADLINE] > 0, 1);
            give(share, BUDGET, wide && share->height[BUDGET] > 0, 1);
            give(share, TEXT, roomy, 2);
        }
    }
    give(share, TEXT, true, share->left);
}

/* Beside each other, each as wide as its figure and a part of what is left over, or one below the
 * other. `figure`: NULL shares evenly. */
static void divide(struct act_rect area, bool stacked, const int *figure, int spare,
                   struct act_rect ret[ACT_PRESENT_FIGURES])
{
    int column = area.column, end = area.column + area.columns;

    for (int i = 0; i < ACT_PRESENT_FIGURES; i++) {
        int columns = figure != NULL ? figure[i] + FIGURE_GAP + spare / ACT_PRESENT_FIGURES
                                     : area.columns / ACT_PRESENT_FIGURES;
        if (stacked) {
            ret[i] = (struct act_rect){area.row + i, area.column, i < area.rows, area.columns};
            continue;
        }
        if (column + columns > end)
            columns = end - column;
        ret[i] = (struct act_rect){area.row, column, area.rows, columns > 1 ? columns - 1 : 0};
        column += columns;
    }
}

void act_present_layout_of(int rows, int columns, const struct act_present_needs *needs,
                           struct act_present_layout *ret)
{
    int form = choose(rows, columns, needs);
    struct act_present_layout layout = {.beside = form < 0,
                                        .word = word_of(rows, columns, needs->ascii)};
    struct share share = {.left = rows};
    struct act_rect block[BLOCKS], whole = {0, 0, rows, columns};
    int margin = margin_of(columns), spare = 0;
    const int *figure = NULL;
    bool stacked = columns < LARGE_COLUMNS;

    if (form >= 0) {
        layout.glyphs = act_present_form(needs->ascii, form);
        figure = needs->figure[form];
        spare = spare_columns(columns, figure);
    }
    share_out(&share, &layout, rows, columns, needs);
    if (share.height[VERDICT] < act_glyphs_rows(layout.word))
        layout.word = (struct act_glyphs){0};
    for (int i = 0, row = 0; i < BLOCKS; i++) {
        block[i] = (struct act_rect){row, margin, share.height[i], columns - 2 * margin};
        row += share.height[i] + share.gap[i];
    }
    layout.head = block[HEAD];
    layout.what = block[WHAT];
    layout.verdict = block[VERDICT];
    layout.verdict.column = 0;
    layout.verdict.columns = columns;
    divide(block[FIGURES], stacked, figure, spare, layout.figure);
    divide(block[CAPTIONS], false, figure, spare, layout.caption);
    layout.memory = block[MEMORY];
    layout.legend = block[LEGEND];
    layout.deadline = block[DEADLINE];
    layout.budget = block[BUDGET];
    layout.against = block[AGAINST];
    layout.text = block[TEXT];
    if (layout.text.columns > TEXT_COLUMNS)
        layout.text.columns = TEXT_COLUMNS;
    layout.foot = act_rect_clip(
        whole, (struct act_rect){rows - share.height[FOOT], 0, share.height[FOOT], columns});
    *ret = layout;
}
