/* The dashboard without a terminal: which look a figure has, and what the strip says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ui/bars.h"
#include "ui/figure.h"
#include "ui/results.h"
#include "ui/view.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double gib = 1073741824.0;

static struct act_view view;
static struct act_canvas *const canvas = &view.canvas;

static int start(void **state)
{
    (void)state;
    memset(&view, 0, sizeof view);
    return act_canvas_resize(canvas, 40, 130) ? 0 : -1;
}

static int stop(void **state)
{
    (void)state;
    act_desk_free(&view.desk);
    act_canvas_free(canvas);
    return 0;
}

/* Column of an ASCII text in a row, or -1. */
static int column_of(int row, const char *text)
{
    int length = (int)strlen(text);

    for (int column = 0; column + length <= canvas->columns; column++) {
        const struct act_cell *cell = canvas->cell + row * canvas->columns + column;
        int i = 0;
        while (i < length && cell[i].sign == (uint32_t)text[i])
            i++;
        if (i == length)
            return column;
    }
    return -1;
}

static bool shows(const char *text)
{
    for (int row = 0; row < canvas->rows; row++)
        if (column_of(row, text) >= 0)
            return true;
    return false;
}

static enum act_look look_of(int row, const char *text)
{
    int column = column_of(row, text);

    if (column < 0)
        fail_msg("row %d does not show \"%s\"", row, text);
    return (enum act_look)canvas->cell[row * canvas->columns + column].look;
}

static struct act_choice choice(const char *text, double peak, double days, double cost)
{
    struct act_choice ret = {.tried = true};

    strncat(ret.text, text, sizeof ret.text - 1);
    ret.summary = (struct act_summary){.valid = true,
                                       .fit = act_memory_fit_of(peak * gib, 80 * gib),
                                       .peak = peak * gib,
                                       .usable = 80 * gib,
                                       .days = days,
                                       .cost = cost,
                                       .priced = true};
    return ret;
}

static void draw_what_if_of(enum act_field_id field, double mfu, const struct act_choice *near,
                            int count)
{
    struct act_plan plan;

    act_plan_init(&plan);
    plan.hardware.mfu = mfu;
    act_draw_fill(canvas, act_canvas_rect(canvas), ' ', ACT_LOOK_TEXT);
    act_results_what_if(canvas, (struct act_rect){0, 0, 6, 100}, &plan, field, near, count);
}

static void draw_what_if(const struct act_choice *near, int count)
{
    draw_what_if_of(ACT_F_parallel_tensor, 0.4, near, count);
}

/* Fewer days and less money are good, more are bad, the same is neither. */
static void gains_and_losses(void **state)
{
    (void)state;
    struct act_choice near[] = {choice("1", 85, 40, 4300), choice("2", 75, 50, 5000),
                                choice("4", 50, 50.01, 5001), choice("8", 40, 63, 6700),
                                choice("16", 40, 49.9, 4990)};

    near[1].now = true;
    draw_what_if(near, 5);
    assert_int_equal(look_of(1, "10.0"), ACT_LOOK_GOOD);
    assert_int_equal(look_of(1, "700"), ACT_LOOK_GOOD);
    assert_int_equal(look_of(2, "50.0"), ACT_LOOK_VALUE);
    assert_int_equal(look_of(2, "5,000"), ACT_LOOK_VALUE);
    /* Less than a twentieth of a percent. */
    assert_int_equal(look_of(3, "="), ACT_LOOK_TEXT);
    assert_int_equal(look_of(5, "0.1"), ACT_LOOK_GOOD); /* a fifth of one */
    assert_int_equal(look_of(4, "+13.0"), ACT_LOOK_BAD);
    assert_int_equal(look_of(4, "1,700"), ACT_LOOK_BAD);
    /* Memory by how it fits: 85 of 80 not, 50 does. */
    assert_int_equal(look_of(1, "85.0"), ACT_LOOK_BAD);
    assert_int_equal(look_of(3, "50.0"), ACT_LOOK_GOOD);
    assert_int_equal(look_of(1, "does not fit"), ACT_LOOK_BAD);
    assert_int_equal(look_of(2, "tight"), ACT_LOOK_WARN);
    assert_int_equal(column_of(3, "fit"), -1); /* as the present one does */
}

/* Estimated layouts closer than 5 % are a tie; another number of tokens is not an estimate. */
static void estimated_ties(void **state)
{
    (void)state;
    struct act_choice near[] = {choice("1", 50, 48, 4800), choice("2", 50, 50, 5000),
                                choice("4", 50, 47, 4700)};

    near[1].now = true;
    draw_what_if_of(ACT_F_parallel_tensor, ACT_AUTO, near, 3);
    assert_int_equal(look_of(1, "2.0"), ACT_LOOK_TEXT);
    assert_int_equal(look_of(1, "200"), ACT_LOOK_TEXT);
    assert_int_equal(look_of(3, "3.0"), ACT_LOOK_GOOD);
    draw_what_if_of(ACT_F_training_tokens, ACT_AUTO, near, 3);
    assert_int_equal(look_of(1, "2.0"), ACT_LOOK_GOOD);
}

static void a_change_that_would_fit(void **state)
{
    (void)state;
    struct act_choice near[] = {choice("4", 85, 50, 5000), choice("8", 40, 50, 5000),
                                choice("16", 72, 50, 5000), choice("32", 40, 50, 5000)};

    near[0].now = true;
    strncat(near[3].summary.note, "leaves node", sizeof near[3].summary.note - 1);
    draw_what_if(near, 4);
    assert_int_equal(look_of(2, "fits"), ACT_LOOK_GOOD);
    assert_int_equal(look_of(3, "tight"), ACT_LOOK_WARN); /* 72 is 90 % of 80 */
    assert_int_equal(look_of(4, "leaves node"), ACT_LOOK_WARN);
    /* A price that is not known is no gain. */
    near[1].summary.priced = false;
    near[1].summary.cost = 0;
    draw_what_if(near, 4);
    assert_int_equal(column_of(2, "5,000"), -1);
}

static void type(enum act_field_id field, const char *text)
{
    struct act_plan plan;
    double held;
    char why[256];
    struct act_tab *tab = act_desk_tab(&view.desk);

    if (act_desk_try(&view.desk, tab, field, 0, text, &plan, &held, why, sizeof why) != 0)
        fail_msg("%s: %s", text, why);
    act_desk_commit(&view.desk, &plan, held, field, false, 0);
    act_draw_fill(canvas, act_canvas_rect(canvas), ' ', ACT_LOOK_TEXT);
    act_dashboard_draw(&view);
}

static void open_example(void)
{
    struct act_problems problems;

    act_problems_init(&problems, "example");
    assert_int_equal(act_desk_open(&view.desk, "example", &problems), 0);
}

/* An estimated step shows where it goes and how far it may be off; a given MFU that it does not. */
static void step_estimated_or_given(void **state)
{
    (void)state;
    open_example();
    act_dashboard_draw(&view);
    assert_true(shows("12 %  477 k steps"));
    assert_true(shows("est. "));
    assert_true(shows("C compute"));
    assert_true(shows("GPU bound"));
    assert_false(shows("layout moves no days"));
    type(ACT_F_hardware_mfu, "40%");
    assert_true(shows("MFU given: layout moves no days"));
    assert_false(shows("C compute"));
    assert_false(shows("est. "));
    type(ACT_F_hardware_mfu, "auto");
    assert_true(shows("C compute"));
    type(ACT_F_framework_preset, "textbook");
    assert_true(shows("MFU by default: layout moves no days"));
    assert_true(shows("30 %"));
}

/* The strip tells of GPUs that are left over, and only then. */
static void strip_tells_what_is_left_over(void **state)
{
    (void)state;
    open_example();
    act_dashboard_draw(&view);
    assert_true(shows("64 GPUs"));
    assert_true(shows("8 nodes"));
    assert_false(shows(" used"));
    type(ACT_F_parallel_tensor, "3");
    assert_true(shows("60 GPUs"));
    int row = 0;
    while (column_of(row, "of 64 used") < 0 && row < 10)
        row++;
    assert_int_equal(look_of(row, "of 64 used"), ACT_LOOK_WARN);
    assert_false(shows("8 nodes"));
    assert_true(shows("60 of 64 GPUs used, 6 a replica"));
    /* More than are held are no leftover. */
    type(ACT_F_parallel_tensor, "4");
    type(ACT_F_parallel_pipeline, "40");
    assert_true(shows("160 GPUs"));
    assert_true(shows("20 nodes"));
    assert_true(shows("takes 160 GPUs, more than the 64 held"));
    type(ACT_F_parallel_pipeline, "2");
    assert_true(shows("8 nodes"));
}

/* What the total is of, and what of it is shown, follows from how it is paid. */
static void owned_servers_have_a_total(void **state)
{
    (void)state;
    open_example();
    type(ACT_F_hardware_mfu, "40%"); /* 1,280 days */
    assert_true(shows("$ 2.95 M"));
    assert_true(shows("$ 1.50/GPU-h"));
    assert_true(shows("COST         $ 1.50 / GPU-h           2026-08"));
    assert_false(shows("years in use"));
    type(ACT_F_cost_staff_per_year, "1M");
    assert_true(shows("$ 6.46 M")); /* and 1,280 days of a year's million */
    type(ACT_F_cost_staff_per_year, "0");

    type(ACT_F_cost_price_date, "");
    type(ACT_F_cost_basis, "own");
    assert_true(shows("no price")); /* of a server, in the strip and at its heading */
    assert_true(shows("what a server costs is not known"));
    type(ACT_F_cost_server_price, "300k");
    assert_true(shows("COST         $ 300,000 / server"));
    assert_true(shows("paid by"));
    assert_true(shows("years in use"));
    assert_true(shows("price a kWh"));
    /* 8 x 300,000 x 1.24 x 1,280 / 1,825 over 1.966 M GPU-hours */
    assert_true(shows("$ 2.09 M"));
    assert_true(shows("$ 1.06/GPU-h"));
    assert_true(shows("the total is without 1,356 MWh of energy"));
    type(ACT_F_cost_electricity_price, "0.1");
    assert_true(shows("$ 2.22 M")); /* and 135,636 of energy */
    assert_false(shows("without 1,356 MWh"));
}

static void verdicts(void **state)
{
    (void)state;
    open_example();
    act_dashboard_draw(&view);
    assert_true(shows(" DOES NOT FIT "));
    type(ACT_F_parallel_tensor, "8");
    assert_true(shows(" FITS "));
    type(ACT_F_training_global_batch, "1000"); /* by 4 replicas: whole */
    assert_true(shows(" FITS "));
    type(ACT_F_training_global_batch, "1001");
    assert_true(shows(" BREAKS RULES "));
}

/* The rows of the fields scroll as far as the last one stands at the bottom, and not beyond. */
static void fields_scroll_to_the_end(void **state)
{
    (void)state;
    open_example();
    assert_true(act_canvas_resize(canvas, 24, 80));
    view.all_fields = true;
    act_desk_tab(&view.desk)->focus = ACT_F_cost_goodput;
    act_dashboard_draw(&view);
    assert_true(view.rows.count > view.fields_height);
    assert_int_equal(view.scroll, view.rows.count - view.fields_height);
    assert_true(shows("goodput"));
    act_desk_tab(&view.desk)->focus = ACT_F_scenario_name;
    act_dashboard_draw(&view);
    assert_int_equal(view.scroll, 0);
    /* A focus in between stands in the window. */
    for (int i = 0; i < view.rows.count; i += 7) {
        act_desk_tab(&view.desk)->focus = view.rows.row[i].field;
        act_dashboard_draw(&view);
        assert_in_range(i, view.scroll, view.scroll + view.fields_height - 1);
        assert_in_range(view.scroll, 0, view.rows.count - view.fields_height);
    }
    /* Every row fits: nothing to scroll. */
    assert_true(act_canvas_resize(canvas, 300, 80));
    act_dashboard_draw(&view);
    assert_int_equal(view.scroll, 0);
}

/* Stages that are alike fold into one row; the worst stands alone. */
static void equal_stages_fold(void **state)
{
    (void)state;
    static struct act_memory memory;
    struct act_stage_rows rows;
    static const double device[] = {50, 50, 60, 50, 50.04, 50.2, 50.2};

    memory.stages = 7;
    memory.worst = 2;
    for (int i = 0; i < 7; i++)
        memory.stage[i] = (struct act_stage){.layers = 10, .device = device[i] * gib};
    act_stage_rows_of(&memory, &rows);
    assert_int_equal(rows.count, 4);
    static const int expected[][2] = {{0, 1}, {2, 2}, {3, 4}, {5, 6}};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(rows.row[i].first, expected[i][0]);
        assert_int_equal(rows.row[i].last, expected[i][1]);
    }
    memory.stage[6].layers = 11;
    act_stage_rows_of(&memory, &rows);
    assert_int_equal(rows.count, 5);
    for (int i = 0; i < 7; i++)
        memory.stage[i] = (struct act_stage){.layers = 10, .device = 50 * gib};
    memory.worst = 0;
    act_stage_rows_of(&memory, &rows);
    assert_int_equal(rows.count, 2);
    assert_int_equal(rows.row[1].first, 1);
    assert_int_equal(rows.row[1].last, 6);
}

/* Of more stages than there is room for, the worst is among those shown. */
static void the_worst_stage_shows(void **state)
{
    (void)state;
    static struct act_result result;
    struct act_memory *memory = &result.memory;

    memory->stages = 20;
    memory->usable = 80 * gib;
    for (int i = 0; i < 20; i++) {
        memory->stage[i] = (struct act_stage){.layers = 4, .device = (40 - i) * gib};
        memory->stage[i].component[ACT_WEIGHTS] = memory->stage[i].device;
    }
    for (memory->worst = 0; memory->worst < 20; memory->worst++) {
        memory->stage[memory->worst].device = memory->peak = 70 * gib;
        for (int rows = 2; rows <= 12; rows++) {
            char name[32];
            snprintf(name, sizeof name, "stage %d ", memory->worst);
            act_draw_fill(canvas, act_canvas_rect(canvas), ' ', ACT_LOOK_TEXT);
            act_results_memory(canvas, (struct act_rect){0, 0, rows, 90}, &result);
            if (!shows(name))
                fail_msg("%d rows do not show %s", rows, name);
        }
        memory->stage[memory->worst].device = (40 - memory->worst) * gib;
    }
}

static void assert_figure(void (*write)(double, char *, size_t), double value, const char *expected)
{
    char text[48];

    write(value, text, sizeof text);
    assert_string_equal(text, expected);
}

static void assert_money(double amount, const char *currency, const char *expected)
{
    char text[48];

    act_figure_money(amount, currency, text, sizeof text);
    assert_string_equal(text, expected);
}

static void figures(void **state)
{
    (void)state;
    assert_figure(act_figure_gib, 70.66 * gib, "70.7");
    assert_figure(act_figure_gib, 1234.56 * gib, "1,234.6");
    assert_figure(act_figure_days, 0, "–");
    assert_figure(act_figure_days, 26.74, "26.7");
    assert_figure(act_figure_days, 99.94, "99.9");
    assert_figure(act_figure_days, 99.96, "100");
    assert_figure(act_figure_days, 1041.3, "1,041");
    assert_figure(act_figure_days, 12345, "12,345");
    assert_figure(act_figure_days, 120000, "120 k");
    assert_figure(act_figure_signed_days, -14.23, "−14.2");
    assert_figure(act_figure_signed_days, 14.23, "+14.2");
    assert_figure(act_figure_signed_days, 0, "=");
    assert_figure(act_figure_seconds, 24.04, "24.0 s");
    assert_figure(act_figure_count, 119, "119");
    assert_figure(act_figure_count, 476000, "476 k");
    assert_money(1.5, "USD", "$ 1.50");
    assert_money(2400000, "USD", "$ 2.40 M");
    assert_money(999.4e9, "USD", "$ 999.40 B");
    assert_money(12345, "EUR", "EUR 12,345");
    assert_money(99.99, "USD", "$ 99.99");
    assert_money(150.4, "USD", "$ 150");
    assert_money(999499, "USD", "$ 999,499");
    assert_money(999501, "USD", "$ 1.00 M");
}

static void bars_keep_to_their_scale(void **state)
{
    (void)state;
    /* The line keeps its place while everything is below it. */
    double full = act_bar_full(80, 40);
    assert_true(act_bar_full(80, 70) == full);
    assert_true(full > 80);
    assert_true(act_bar_full(80, 160) == 160);
    assert_true(act_bar_full(80, 1000) == 320); /* the line stays in sight */
    assert_int_equal(act_bar_column(0, 100, 50), 0);
    assert_int_equal(act_bar_column(50, 100, 50), 25);
    assert_int_equal(act_bar_column(100, 100, 50), 50);
    assert_int_equal(act_bar_column(1e9, 100, 50), 50);

    /* 40 of 100 on 50 columns: half W and half A, the line at 80. */
    struct act_bar bar = {.count = 2,
                          .segment = {{20, 'W', ACT_LOOK_BAR}, {20, 'A', ACT_LOOK_BAR}},
                          .capacity = 80,
                          .full = 100};
    act_bar_draw(canvas, act_canvas_rect(canvas), 0, 0, 50, &bar);
    int letters[2] = {0}, over = 0;
    for (int i = 0; i < 50; i++) {
        letters[0] += canvas->cell[i].sign == 'W';
        letters[1] += canvas->cell[i].sign == 'A';
    }
    assert_int_equal(letters[0], 10);
    assert_int_equal(letters[1], 10);
    bar.segment[1].amount = 70; /* 90: beyond the line */
    act_bar_draw(canvas, act_canvas_rect(canvas), 0, 0, 50, &bar);
    for (int i = 0; i < 50; i++)
        over += canvas->cell[i].look == ACT_LOOK_OVERFLOW;
    assert_in_range(over, 4, 6);
}

#define ON_CANVAS(test) cmocka_unit_test_setup_teardown(test, start, stop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_CANVAS(gains_and_losses),
        ON_CANVAS(estimated_ties),
        ON_CANVAS(a_change_that_would_fit),
        ON_CANVAS(step_estimated_or_given),
        ON_CANVAS(strip_tells_what_is_left_over),
        ON_CANVAS(owned_servers_have_a_total),
        ON_CANVAS(verdicts),
        ON_CANVAS(fields_scroll_to_the_end),
        ON_CANVAS(equal_stages_fold),
        ON_CANVAS(the_worst_stage_shows),
        ON_CANVAS(figures),
        ON_CANVAS(bars_keep_to_their_scale),
    };
    /* No presets but those compiled in. */
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
    setenv("XDG_DATA_HOME", "/nonexistent", 1);
    setenv("XDG_DATA_DIRS", "/nonexistent", 1);
    return cmocka_run_group_tests_name("dashboard", tests, NULL, NULL);
}
