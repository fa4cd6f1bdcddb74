/* Pages that are presented, without a terminal: glyphs, where things stand, and what is said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ui/glyphs.h"
#include "ui/present.h"
#include "ui/present_layout.h"
#include "ui/present_words.h"
#include "ui/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct act_canvas canvas;

static int start(void **state)
{
    (void)state;
    return act_canvas_resize(&canvas, 20, 200) ? 0 : -1;
}

static int stop(void **state)
{
    (void)state;
    act_canvas_free(&canvas);
    return 0;
}

/* ---- glyphs ---- */

/* A row of the canvas with every sign that is not a blank as itself (ASCII) or '*'. */
static const char *row_of(int row, int columns)
{
    static char text[256];

    for (int i = 0; i < columns; i++) {
        uint32_t sign = canvas.cell[row * canvas.columns + i].sign;
        text[i] = sign < 127 ? (char)sign : '*';
    }
    text[columns] = '\0';
    return text;
}

static void a_glyph_is_drawn_pixel_by_pixel(void **state)
{
    (void)state;
    struct act_rect all = act_canvas_rect(&canvas);

    canvas.ascii = true;
    act_glyphs_draw(&canvas, all, 0, 0, ACT_LOOK_VALUE, (struct act_glyphs){5, 1, false}, "2.7");
    assert_string_equal(row_of(0, 10), "###   ### ");
    assert_string_equal(row_of(1, 10), "  #     # ");
    assert_string_equal(row_of(2, 10), "###     # ");
    assert_string_equal(row_of(3, 10), "#      #  ");
    assert_string_equal(row_of(4, 10), "### #  #  ");
    act_draw_fill(&canvas, all, ' ', ACT_LOOK_TEXT);
    act_glyphs_draw(&canvas, all, 0, 0, ACT_LOOK_VALUE, (struct act_glyphs){5, 2, false}, "2");
    assert_string_equal(row_of(1, 7), "    ## ");
}

static void half_cells_hold_two_pixels(void **state)
{
    (void)state;
    struct act_rect all = act_canvas_rect(&canvas);

    canvas.ascii = false;
    act_draw_fill(&canvas, all, ' ', ACT_LOOK_TEXT);
    act_glyphs_draw(&canvas, all, 0, 0, ACT_LOOK_VALUE, (struct act_glyphs){5, 1, true}, "4");
    static const uint32_t expected[3][3] = {
        {0x2588, ' ', 0x2588}, {0x2580, 0x2580, 0x2588}, {' ', ' ', 0x2580}};
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            assert_int_equal(canvas.cell[row * canvas.columns + column].sign,
                             expected[row][column]);
    assert_int_equal(act_glyphs_rows((struct act_glyphs){5, 1, true}), 3);
    assert_int_equal(act_glyphs_rows((struct act_glyphs){7, 1, true}), 4);
}

/* Nothing is drawn beside the columns that were promised, or outside the rectangle. */
static void glyphs_stay_where_they_belong(void **state)
{
    (void)state;
    static const char text[] = "0123456789.,-$kMBTP 1";

    for (int ascii = 0; ascii < 2; ascii++) {
        for (int form = 0; form < ACT_PRESENT_FORMS; form++) {
            struct act_glyphs glyphs = act_present_form(ascii, form);
            for (size_t from = 0; from + 3 < sizeof text; from++) {
                char part[4];
                snprintf(part, sizeof part, "%.3s", text + from);
                int columns = act_glyphs_columns(&canvas, glyphs, part);
                int rows = act_glyphs_rows(glyphs), last = 0, least = (int)from % 9;
                struct act_rect clip = {2, 5, rows - least % 3, columns - least};
                canvas.ascii = ascii;
                for (int clipped = 0; clipped < 2; clipped++) {
                    struct act_rect rect =
                        clipped ? clip : (struct act_rect){2, 5, rows + 4, columns + 40};
                    act_draw_fill(&canvas, act_canvas_rect(&canvas), ' ', ACT_LOOK_TEXT);
                    act_glyphs_draw(&canvas, rect, 0, 0, ACT_LOOK_VALUE, glyphs, part);
                    for (int i = 0; i < canvas.rows * canvas.columns; i++) {
                        int row = i / canvas.columns, column = i % canvas.columns;
                        if (canvas.cell[i].sign == ' ')
                            continue;
                        assert_true(!ascii || canvas.cell[i].sign == '#');
                        assert_in_range(row, rect.row, rect.row + rect.rows - 1);
                        assert_in_range(column, rect.column, rect.column + rect.columns - 1);
                        assert_in_range(row, 2, 2 + rows - 1);
                        last = !clipped && column > last ? column : last;
                    }
                }
                if (strchr(" -", part[2]) == NULL)
                    assert_in_range(last, 5 + columns - 1 - glyphs.wide, 5 + columns - 1);
            }
        }
    }
}

/* ---- layout ---- */

enum { RECTS = 15, ROWS = 300, COLUMNS = 100 };

struct named {
    const char *name;
    struct act_rect rect;
};

static void name_all(const struct act_present_layout *layout, struct named named[RECTS])
{
    const struct named all[RECTS] = {
        {"head", layout->head},
        {"what", layout->what},
        {"verdict", layout->verdict},
        {"figure 0", layout->figure[0]},
        {"figure 1", layout->figure[1]},
        {"figure 2", layout->figure[2]},
        {"caption 0", layout->caption[0]},
        {"caption 1", layout->caption[1]},
        {"caption 2", layout->caption[2]},
        {"memory", layout->memory},
        {"legend", layout->legend},
        {"deadline", layout->deadline},
        {"budget", layout->budget},
        {"against", layout->against},
        {"text", layout->text},
    };
    memcpy(named, all, sizeof all);
}

static bool overlap(struct act_rect a, struct act_rect b)
{
    return a.rows > 0 && b.rows > 0 && a.columns > 0 && b.columns > 0 && a.row < b.row + b.rows &&
           b.row < a.row + a.rows && a.column < b.column + b.columns &&
           b.column < a.column + a.columns;
}

static int form_of(bool ascii, struct act_glyphs glyphs)
{
    for (int i = 0; i < ACT_PRESENT_FORMS; i++) {
        struct act_glyphs form = act_present_form(ascii, i);
        if (form.font == glyphs.font && form.wide == glyphs.wide && form.half == glyphs.half)
            return i;
    }
    fail_msg("no such form");
    return 0;
}

static void check_layout(int rows, int columns, const struct act_present_needs *needs)
{
    struct act_present_layout layout;
    struct named named[RECTS + 1];

    act_present_layout_of(rows, columns, needs, &layout);
    name_all(&layout, named);
    named[RECTS] = (struct named){"foot", layout.foot};
    for (int i = 0; i <= RECTS; i++) {
        struct act_rect rect = named[i].rect;
        if (rect.row < 0 || rect.column < 0 || rect.rows < 0 || rect.columns < 0 ||
            (rect.rows > 0 &&
             (rect.row + rect.rows > rows || rect.column + rect.columns > columns)))
            fail_msg("%dx%d: %s leaves the screen", columns, rows, named[i].name);
        for (int k = 0; k < i; k++)
            if (overlap(rect, named[k].rect))
                fail_msg("%dx%d: %s and %s overlap", columns, rows, named[i].name, named[k].name);
    }
    if (layout.verdict.rows == 0 || layout.verdict.columns != columns)
        fail_msg("%dx%d: no verdict", columns, rows);
    if (rows > 2 && layout.foot.rows != 1)
        fail_msg("%dx%d: no keys", columns, rows);
    if (rows >= 4 && layout.figure[0].rows == 0)
        fail_msg("%dx%d: no figures", columns, rows);
    if (rows >= 16 && (layout.text.rows < 2 || layout.memory.rows == 0 ||
                       (needs->deadline && layout.deadline.rows == 0) ||
                       (needs->budget && layout.budget.rows == 0) ||
                       (needs->against > 0 && layout.against.rows == 0)))
        fail_msg("%dx%d: something is missing", columns, rows);
    if (layout.word.font > 0 && layout.verdict.rows < act_glyphs_rows(layout.word))
        fail_msg("%dx%d: the verdict is cut below", columns, rows);
    for (int i = 0; i < ACT_PRESENT_FIGURES && !layout.beside; i++) {
        int form = form_of(needs->ascii, layout.glyphs);
        if (layout.figure[i].columns < needs->figure[form][i])
            fail_msg("%dx%d: figure %d is cut", columns, rows, i);
        if (layout.figure[i].rows != act_glyphs_rows(layout.glyphs))
            fail_msg("%dx%d: figure %d is cut below", columns, rows, i);
    }
}

static void needs_for(bool ascii, const char *const text[ACT_PRESENT_FIGURES],
                      struct act_present_needs *ret)
{
    *ret = (struct act_present_needs){.ascii = ascii};
    for (int form = 0; form < ACT_PRESENT_FORMS; form++)
        for (int i = 0; i < ACT_PRESENT_FIGURES; i++)
            ret->figure[form][i] =
                act_glyphs_columns(&canvas, act_present_form(ascii, form), text[i]);
}

static void nothing_overlaps_at_any_size(void **state)
{
    (void)state;
    static const char *const texts[][ACT_PRESENT_FIGURES] = {
        {"1", "-", "8"}, {"76.1", "$2.24M", "1,024"}, {"99,999", "$9,999", "99,999"}};

    for (int rows = 1; rows <= ROWS; rows++) {
        for (int columns = 1; columns <= 300; columns++) {
            if (rows > COLUMNS && columns > COLUMNS) /* 300 x 100 and 100 x 300 */
                continue;
            for (int kind = 0; kind < 3 * 2 * 8; kind++) {
                struct act_present_needs needs;
                needs_for(kind / 3 % 2, texts[kind % 3], &needs);
                needs.deadline = kind / 6 % 2;
                needs.budget = kind / 12 % 2;
                needs.against = kind / 24 ? 20 + 7 * columns % 130 : 0;
                check_layout(rows, columns, &needs);
            }
        }
    }
}

/* What the sizes of a laptop and of a projector get. */
static void figures_are_large_where_there_is_room(void **state)
{
    (void)state;
    static const char *const text[ACT_PRESENT_FIGURES] = {"76.1", "$2.24M", "1,024"};
    static const struct {
        int rows, columns, plain, ascii;
    } sizes[] = {{24, 80, 3, 5}, {36, 120, 4, 7}, {60, 200, 7, 7}, {16, 68, 3, 1},
                 {16, 64, 1, 1}, {15, 60, 1, 1},  {16, 59, 1, 1},  {12, 40, 1, 1}};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int ascii = 0; ascii < 2; ascii++) {
            struct act_present_needs needs;
            struct act_present_layout layout;
            needs_for(ascii, text, &needs);
            act_present_layout_of(sizes[i].rows, sizes[i].columns, &needs, &layout);
            assert_int_equal(layout.figure[0].rows, ascii ? sizes[i].ascii : sizes[i].plain);
        }
    }
}

/* ---- words ---- */

static struct act_tab base, other;

static void set(struct act_tab *tab, const char *currency, double days, double cost, double gpus,
                enum act_fit fit)
{
    memset(tab, 0, sizeof *tab);
    snprintf(tab->plan.cost.currency, sizeof tab->plan.cost.currency, "%s", currency);
    tab->result.time.calendar_days = days;
    tab->result.cost.total = cost;
    tab->result.cost.known = isfinite(cost);
    tab->result.layout.gpus = gpus;
    tab->result.fit = fit;
}

static void expect_against(const char *expected)
{
    char text[ACT_PRESENT_WORDS_MAX];

    act_present_against(&base, "1 A800", &other, text, sizeof text);
    assert_string_equal(text, expected);
}

static void differences_in_words(void **state)
{
    (void)state;
    set(&base, "USD", 76.1, 2.4e6, 1024, ACT_FITS);
    set(&other, "USD", 97.1, 2.0e6, 1024, ACT_FITS);
    expect_against("21.0 days later and $400k cheaper than 1 A800");
    set(&other, "USD", 48, 3.4e6, 512, ACT_TIGHT);
    expect_against("28.1 days sooner and $1.00M more expensive than 1 A800, with 512 GPUs fewer");
    set(&other, "USD", 76.1, 2.0e6, 1025, ACT_FITS);
    expect_against("$400k cheaper than 1 A800, in as many days, with 1 GPU more");
    set(&other, "USD", 75.1, 2.4e6, 1024, ACT_FITS);
    expect_against("1.0 day sooner than 1 A800, at the same cost");
    set(&other, "USD", 76.1, 2.4e6, 1024, ACT_DOES_NOT_FIT);
    expect_against("In as many days as 1 A800, at the same cost, but it does not fit");
}

static void what_cannot_be_compared_is_left_out(void **state)
{
    (void)state;
    set(&base, "USD", 76.1, 2.4e6, 1024, ACT_DOES_NOT_FIT);
    set(&other, "CNY", 97.1, 9e6, 1024, ACT_FITS);
    expect_against("21.0 days later than 1 A800, and it fits");
    set(&other, "USD", 97.1, NAN, 1024, ACT_DOES_NOT_FIT);
    expect_against("21.0 days later than 1 A800");
    set(&other, "USD", NAN, 2.4e6, 1024, ACT_DOES_NOT_FIT);
    expect_against("At the same cost as 1 A800");
    set(&other, "USD", NAN, NAN, 512, ACT_DOES_NOT_FIT);
    expect_against("Beside 1 A800, with 512 GPUs fewer");
    set(&base, "EUR", NAN, 2.4e6, 512, ACT_FITS);
    set(&other, "EUR", NAN, 3e6, 512, ACT_FITS);
    expect_against("600k EUR more expensive than 1 A800");
}

/* Figures have glyphs, and few of them, whatever they amount to. */
static void figures_are_short(void **state)
{
    (void)state;
    static const struct act_glyphs high = {7, 1, false};
    char text[64];

    for (double amount = 1e-3; amount < 1e17; amount *= 1.0371) {
        set(&other, "USD", amount, amount, ceil(amount), ACT_FITS);
        act_present_days(&other.result, text, sizeof text);
        assert_true(act_glyphs_known(high, text));
        assert_in_range(strlen(text), 1, 7);
        act_present_cost(&other.plan, &other.result, text, sizeof text);
        assert_true(act_glyphs_known(high, text));
        assert_in_range(strlen(text), 2, 7);
        act_present_gpus(&other.result, text, sizeof text);
        assert_true(act_glyphs_known(high, text));
        assert_in_range(strlen(text), 1, 7);
    }
    static const struct {
        double amount;
        const char *text;
    } money[] = {{1.2, "$1.20"},      {99.96, "$100"},     {9999, "$9,999"},
                 {9999.6, "$10.0k"},  {238381, "$238k"},   {999600, "$1.00M"},
                 {2243600, "$2.24M"}, {999.6e6, "$1.00B"}, {1.5e15, "$1.50P"}};
    for (size_t i = 0; i < sizeof money / sizeof *money; i++) {
        act_present_money(money[i].amount, "USD", text, sizeof text);
        assert_string_equal(text, money[i].text);
    }
    set(&other, "USD", INFINITY, NAN, 1, ACT_FITS);
    act_present_days(&other.result, text, sizeof text);
    assert_string_equal(text, "-");
    act_present_cost(&other.plan, &other.result, text, sizeof text);
    assert_string_equal(text, "-");
}

static void verdicts_have_letters(void **state)
{
    (void)state;
    static const struct act_glyphs low = {5, 1, false}, high = {7, 1, false};

    for (int i = 0; i < 6; i++) {
        set(&other, "USD", 1, 1, 1, i < 3 ? (enum act_fit)i : ACT_FITS);
        other.result.errors = i == 3;
        other.result.late = i == 4;
        other.result.over_budget = i == 5;
        assert_true(act_glyphs_known(low, act_fit_verdict_of(&other.result).word));
        assert_false(act_glyphs_known(high, "DOES NOT FIT"));
    }
}

/* Notes that came with a preset are not what the user concludes. */
static void notes_are_the_users_own(void **state)
{
    (void)state;
    memset(&other, 0, sizeof other);
    assert_string_equal(act_present_notes(&other), "");
    strcpy(other.plan.scenario.notes, "from the preset");
    strcpy(other.saved.scenario.notes, "from the preset");
    assert_string_equal(act_present_notes(&other), "");
    strcpy(other.plan.scenario.notes, "typed");
    assert_string_equal(act_present_notes(&other), "typed");
    strcpy(other.path, "ours.yaml");
    strcpy(other.saved.scenario.notes, "typed");
    assert_string_equal(act_present_notes(&other), "typed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_glyph_is_drawn_pixel_by_pixel),
        cmocka_unit_test(half_cells_hold_two_pixels),
        cmocka_unit_test(glyphs_stay_where_they_belong),
        cmocka_unit_test(nothing_overlaps_at_any_size),
        cmocka_unit_test(figures_are_large_where_there_is_room),
        cmocka_unit_test(differences_in_words),
        cmocka_unit_test(what_cannot_be_compared_is_left_out),
        cmocka_unit_test(figures_are_short),
        cmocka_unit_test(verdicts_have_letters),
        cmocka_unit_test(notes_are_the_users_own),
    };
    return cmocka_run_group_tests_name("present", tests, start, stop);
}
