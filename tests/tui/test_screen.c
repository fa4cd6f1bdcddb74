/* First frames at many sizes, and the story of the built-in example. */
#include "planner.h"
#include <stdio.h>
#include <string.h>

static const struct {
    int rows, cols;
    bool verdict; /* there is room for the longest word */
} sizes[] = {{60, 200, true}, {36, 120, true}, {30, 100, true}, {24, 80, true}, {20, 60, true},
             {12, 40, true},  {5, 20, true},   {3, 16, true},   {2, 3, false},  {1, 1, false}};

enum { SIZES = sizeof sizes / sizeof *sizes };

static void the_first_frame_at_every_size(void **state)
{
    (void)state;
    for (int i = 0; i < SIZES; i++) {
        struct tui *t = planner_start(sizes[i].rows, sizes[i].cols, NULL);
        assert_int_equal(tui_state(t), TUI_RUNNING);
        if (sizes[i].verdict)
            planner_expect_verdict(t, PLANNER_DOES_NOT_FIT);
        planner_expect_repaint_equal(t, "first frame");
        planner_leave(t);
    }
}

/* A frame depends on the size, not on the way there. */
static void a_resized_frame_is_the_frame_of_that_size(void **state)
{
    (void)state;
    struct tui *moved = planner_start(36, 120, NULL);
    for (int i = 0; i < SIZES; i++) {
        struct tui *fresh = planner_start(sizes[i].rows, sizes[i].cols, NULL);
        tui_resize(moved, sizes[i].rows, sizes[i].cols);
        tui_expect_same(moved, tui_capture(fresh), tui_capture(moved), "resized against fresh");
    }
}

static void the_example_fits_after_tp_8(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    planner_expect_fit(t, false);
    planner_focus(t, "tensor TP");
    planner_expect_value(t, "tensor TP", "4");
    tui_keys(t, "8"); /* the results follow while the value is being typed */
    planner_expect_fit(t, true);
    tui_keys(t, TUI_ENTER);
    planner_expect_fit(t, true);
    planner_expect_value(t, "tensor TP", "8");
}

static void the_example_has_its_parts(void **state)
{
    (void)state;
    static const char *const parts[] = {"MODEL",    "TRAINING",   "FRAMEWORK",     "PARALLELISM",
                                        "HARDWARE", "llama2-70b", "a800-80gb-sxm", "tensor TP",
                                        "GiB",      "days"};
    struct tui *t = planner_start(60, 200, NULL);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        tui_expect(t, parts[i]);
}

static void the_cursor_is_on_the_focused_field(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    planner_focus(t, "pipeline PP");
    int row, col;
    tui_cursor(t, &row, &col);
    tui_expect_row(t, row, "pipeline PP");
    struct tui_cell cell = tui_cell(t, row, col);
    struct tui_cell other = tui_cell(t, row + 1, col);
    /* Shown by more than the cursor: reverse video or a colour, and a sign. */
    assert_true(cell.reverse != other.reverse || cell.background != other.background);
}

static void help_opens_and_closes(void **state)
{
    (void)state;
    static const char *const keys[] = {"?", TUI_F1};
    struct tui *t = planner_start(36, 120, NULL);
    const char *before = tui_capture(t);
    for (int i = 0; i < 2; i++) {
        tui_keys(t, keys[i]);
        assert_string_not_equal(before, tui_capture(t));
        tui_expect(t, "Take the last change back");
        tui_keys(t, TUI_ESCAPE);
        tui_expect_same(t, before, tui_capture(t), "help closed");
    }
}

/* Memory over a step: opens on the fullest stage, goes from stage to stage, fits every size. */
static void the_graph_shows_each_stage(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    const char *before = tui_capture(t);
    tui_keys(t, "t");
    tui_expect(t, "MEMORY OVER ONE STEP");
    tui_expect(t, "stage 0 of 2, the fullest");
    tui_expect(t, "WHAT OTHER TOOLS PRINT");
    tui_keys(t, TUI_LEFT); /* there is none before */
    tui_expect(t, "stage 0 of 2");
    tui_keys(t, TUI_RIGHT);
    tui_expect(t, "stage 1 of 2");
    tui_expect(t, "loss");
    tui_keys(t, TUI_RIGHT);
    tui_expect(t, "stage 1 of 2");
    planner_expect_repaint_equal(t, "graph");
    for (int i = 0; i < SIZES; i++) {
        tui_resize(t, sizes[i].rows, sizes[i].cols);
        assert_int_equal(tui_state(t), TUI_RUNNING);
        if (sizes[i].cols >= 40 && sizes[i].rows >= 5)
            tui_expect(t, "backward");
    }
    tui_resize(t, 36, 120);
    tui_keys(t, TUI_ESCAPE);
    tui_expect_same(t, before, tui_capture(t), "graph closed");
}

/* i explains the fullest stage's figures; a figure opens into what it is made of, the same figure
 * stays under the cursor from stage to stage, and every size has it. */
static void figures_are_explained(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    const char *before = tui_capture(t);
    tui_keys(t, "i");
    tui_expect(t, "WHERE IT COMES FROM");
    tui_expect(t, "stage 0 of 2, the fullest · peak in backward");
    tui_expect(t, "reserved + context");
    tui_keys(t, "jjjjjjjjj");
    tui_expect(t, "alive·kept_dense·A_dense");
    tui_expect(t, "2 × 40 × 268.2 MiB");
    tui_expect(t, "textbook");
    tui_expect(t, "the form in use");
    tui_keys(t, TUI_RIGHT);
    tui_keys(t, "jjj");
    tui_expect(t, "stream + attention + core + mlp");
    tui_keys(t, TUI_LEFT); /* back to what it belongs to */
    tui_expect(t, "alive·kept_dense·A_dense");
    tui_keys(t, "]");
    tui_expect(t, "stage 1 of 2");
    tui_expect(t, "40 × 268.2 MiB");
    tui_keys(t, "]"); /* there is none after */
    tui_expect(t, "stage 1 of 2");
    planner_expect_repaint_equal(t, "explanation");
    for (int i = 0; i < SIZES; i++) {
        tui_resize(t, sizes[i].rows, sizes[i].cols);
        assert_int_equal(tui_state(t), TUI_RUNNING);
        if (sizes[i].cols >= 40)
            tui_expect(t, "activations");
    }
    tui_resize(t, 36, 120);
    tui_keys(t, TUI_ESCAPE);
    tui_expect_same(t, before, tui_capture(t), "explanation closed");
    /* From the graph it is about the stage that the graph is about. */
    tui_keys(t, "t");
    tui_keys(t, TUI_RIGHT);
    tui_keys(t, "i");
    tui_expect(t, "stage 1 of 2");
}

static void every_field_can_be_reached_at_any_size(void **state)
{
    (void)state;
    static const struct {
        int rows, cols;
    } small[] = {{24, 80}, {20, 60}, {12, 40}, {5, 20}};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        struct tui *t = planner_start(small[i].rows, small[i].cols, NULL);
        planner_focus(t, "tensor TP");
        planner_focus(t, "MFU");
        planner_leave(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        tui_test(the_first_frame_at_every_size),
        tui_test(a_resized_frame_is_the_frame_of_that_size),
        tui_test(the_example_fits_after_tp_8),
        tui_test(the_example_has_its_parts),
        tui_test(the_cursor_is_on_the_focused_field),
        tui_test(help_opens_and_closes),
        tui_test(the_graph_shows_each_stage),
        tui_test(figures_are_explained),
        tui_test(every_field_can_be_reached_at_any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
