/* Whole screens against golden/: every cell, its attributes and the cursor. UPDATE_GOLDEN=1
 * writes the files anew: look at the difference before it is kept. */
#include "planner.h"
#include <stdio.h>

struct frame {
    const char *golden;
    int rows, cols;
    const char *scenario;    /* NULL: the built-in example */
    const char *environment; /* one entry, or NULL */
    const char *option[2];   /* after the scenario */
    const char *field;       /* focused first, or NULL */
    const char *keys;        /* pressed then, or NULL */
    const char *more[2];     /* other scenarios that are open */
};

static void expect(const struct frame *frame)
{
    const char *arguments[6] = {NULL};
    const char *given[] = {frame->scenario, frame->more[0], frame->more[1], frame->option[0],
                           frame->option[1]};
    for (int i = 0, count = 0; i < 5; i++)
        if (given[i])
            arguments[count++] = given[i];
    const char *environment[] = {frame->environment, NULL};
    struct tui *t = tui_start(frame->rows, frame->cols, arguments, environment);
    if (frame->field)
        planner_focus(t, frame->field);
    if (frame->keys)
        tui_keys(t, frame->keys);
    tui_expect_golden(t, frame->golden);
    /* What curses believes to be there is what is there. */
    planner_expect_repaint_equal(t, frame->golden);
}

/* Sizes: both panes with room to spare, a plain terminal, and the smallest with all parts. */
static void the_example(void **state)
{
    (void)state;
    static const struct frame frames[] = {{.golden = "example-36x120", .rows = 36, .cols = 120},
                                          {.golden = "example-24x80", .rows = 24, .cols = 80},
                                          {.golden = "example-12x40", .rows = 12, .cols = 40}};
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++)
        expect(&frames[i]);
}

static void without_colours(void **state)
{
    (void)state;
    expect(&(struct frame){
        .golden = "example-no-color", .rows = 36, .cols = 120, .environment = "NO_COLOR=1"});
}

static void in_ascii(void **state)
{
    (void)state;
    expect(&(struct frame){
        .golden = "example-ascii", .rows = 36, .cols = 120, .environment = "LC_ALL=C"});
}

/* Every theme at every size that is laid out differently. */
static void in_every_theme(void **state)
{
    (void)state;
    static const char *const themes[] = {"terminal", "light", "dark", "high-contrast", "mono"};
    static const int sizes[][2] = {{36, 120}, {24, 80}, {12, 40}};
    for (size_t i = 0; i < sizeof themes / sizeof *themes; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            char name[64];
            (void)snprintf(name, sizeof name, "theme-%s-%dx%d", themes[i], sizes[k][0],
                           sizes[k][1]);
            expect(&(struct frame){.golden = name,
                                   .rows = sizes[k][0],
                                   .cols = sizes[k][1],
                                   .option = {"--theme", themes[i]}});
            (void)tui_teardown(NULL);
        }
}

/* For screen readers: lines of words; the cursor's place is part of the frame. */
static void plain(void **state)
{
    (void)state;
    static const struct frame frames[] = {
        {.golden = "plain-36x120", .rows = 36, .cols = 120},
        {.golden = "plain-24x80", .rows = 24, .cols = 80},
        {.golden = "plain-12x40", .rows = 12, .cols = 40},
        {.golden = "plain-edit", .rows = 24, .cols = 80, .keys = "16"},
        {.golden = "plain-list", .rows = 24, .cols = 80, .keys = " "},
        {.golden = "plain-palette", .rows = 24, .cols = 80, .keys = ":seq"},
        {.golden = "plain-over-time", .rows = 24, .cols = 80, .keys = "t"},
        {.golden = "plain-explain", .rows = 24, .cols = 80, .keys = "ij"},
    };
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        struct frame frame = frames[i];
        frame.option[0] = "--plain";
        expect(&frame);
        (void)tui_teardown(NULL);
    }
}

static void the_palette(void **state)
{
    (void)state;
    expect(&(struct frame){.golden = "palette-36x120", .rows = 36, .cols = 120, .keys = ":tp 8"});
    expect(&(struct frame){.golden = "palette-24x80", .rows = 24, .cols = 80, .keys = ":h100"});
    expect(&(struct frame){.golden = "palette-12x40", .rows = 12, .cols = 40, .keys = ":seq"});
}

static void help(void **state)
{
    (void)state;
    expect(&(struct frame){
        .golden = "help", .rows = 36, .cols = 120, .field = "tensor TP", .keys = "?"});
}

/* Memory over a step of the fullest stage. */
static void over_time(void **state)
{
    (void)state;
    expect(&(struct frame){.golden = "over-time", .rows = 36, .cols = 120, .keys = "t"});
}

/* Where a figure comes from: the activations, opened down to a layer; beside each other and one
 * above the other. */
static void explained(void **state)
{
    (void)state;
    static const char keys[] = "ijjjjjjjjjl";
    expect(&(struct frame){.golden = "explain-36x120", .rows = 36, .cols = 120, .keys = keys});
    expect(&(struct frame){.golden = "explain-24x80", .rows = 24, .cols = 80, .keys = keys});
    expect(&(struct frame){.golden = "explain-12x40", .rows = 12, .cols = 40, .keys = keys});
    expect(&(struct frame){.golden = "explain-ascii",
                           .rows = 36,
                           .cols = 120,
                           .environment = "LC_ALL=C",
                           .keys = keys});
}

/* Three scenarios for a meeting: the one that is late and over its budget, with and without
 * colours, from a projector down to a corner of the screen. */
static void presented(void **state)
{
    (void)state;
#define PRESENTED SOURCE_ROOT "/tests/data/present/"
    static const struct {
        const char *golden, *environment, *keys;
        int rows, cols;
    } frames[] = {
        {"present-36x120", NULL, "P", 36, 120},
        {"present-36x120-no-color", "NO_COLOR=1", "P]]", 36, 120},
        {"present-36x120-ascii", "LC_ALL=C", "P]", 36, 120},
        {"present-24x80", NULL, "P]", 24, 80},
        {"present-24x80-no-color", "NO_COLOR=1", "P", 24, 80},
        {"present-24x80-ascii", "LC_ALL=C", "P]]", 24, 80},
        {"present-60x200", NULL, "P]]", 60, 200},
        {"present-60x200-ascii", "LC_ALL=C", "P", 60, 200},
        {"present-12x40", NULL, "P]]", 12, 40},
        {"present-12x40-no-color", "NO_COLOR=1", "P]", 12, 40},
        {"present-12x40-ascii", "LC_ALL=C", "P", 12, 40},
        {"present-notes", NULL, "P]e\025Take it.", 24, 80},
    };
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++)
        expect(&(struct frame){.golden = frames[i].golden,
                               .rows = frames[i].rows,
                               .cols = frames[i].cols,
                               .scenario = PRESENTED "a800.yaml",
                               .more = {PRESENTED "910b.yaml", PRESENTED "h100.yaml"},
                               .environment = frames[i].environment,
                               .keys = frames[i].keys});
}

/* All values of a field, each with its result. */
static void a_list_of_values(void **state)
{
    (void)state;
    expect(&(struct frame){
        .golden = "list-tensor", .rows = 36, .cols = 120, .field = "tensor TP", .keys = " "});
}

static void a_plan_of_the_textbook(void **state)
{
    (void)state;
    expect(
        &(struct frame){.golden = "chapter-7", .rows = 36, .cols = 120, .scenario = "chapter-7"});
}

/* A measured run: its factors beside the error bars, its pane, and the line that pins one. */
static void a_calibrated_plan(void **state)
{
    (void)state;
    static const char scenario[] = SOURCE_ROOT "/tests/data/calibrated.yaml";
    expect(&(struct frame){.golden = "calibrated-36x120",
                           .rows = 36,
                           .cols = 120,
                           .scenario = scenario,
                           .field = "memory factor"});
    expect(&(struct frame){.golden = "calibrated-24x80",
                           .rows = 24,
                           .cols = 80,
                           .scenario = scenario,
                           .keys = "Mpeak 80GiB"});
}

/* Experts, 16 uneven stages, fp8. */
static void a_plan_with_experts(void **state)
{
    (void)state;
    expect(&(struct frame){
        .golden = "deepseek-v3-h800", .rows = 50, .cols = 200, .scenario = "deepseek-v3-h800"});
}

/* Four plans of one model, the second one pinned: beside the dashboard's own figures, and side by
 * side. */
static void a_baseline(void **state)
{
    (void)state;
    static const char *const arguments[] = {"a.yaml", "b.yaml", "c.yaml", "d.yaml", NULL};
    static const struct {
        const char *golden;
        int rows, cols;
        const char *environment, *keys;
    } frames[] = {
        {"baseline-36x120", 36, 120, NULL, "]p]"},
        {"baseline-24x80", 24, 80, NULL, "]p]"},
        {"baseline-12x40", 12, 40, NULL, "]p]"},
        {"columns-36x120", 36, 120, NULL, "]p]c"},
        {"columns-24x80", 24, 80, NULL, "]p]c"},
        {"columns-12x40", 12, 40, NULL, "]p]c"},
        {"columns-all-50x200", 50, 200, NULL, "]p]c=a"},
        {"columns-no-color", 36, 120, "NO_COLOR=1", "]p]c"},
        {"columns-ascii", 36, 120, "LC_ALL=C", "]p]c="},
    };
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        const char *environment[] = {frames[i].environment, NULL};
        tui_write_file("a.yaml", "schema: 1\nname: tp4-pp2\n"
                                 "parallel: {tensor: 4, pipeline: 2, data: 16}\n");
        tui_write_file("b.yaml", "schema: 1\nname: tp8-pp2\n"
                                 "parallel: {tensor: 8, pipeline: 2, data: 8}\n");
        tui_write_file("c.yaml", "schema: 1\nname: long-context\nhardware: h100-sxm\n"
                                 "training: {sequence: 8192}\n"
                                 "parallel: {tensor: 8, pipeline: 4, data: 8, recompute: full}\n");
        tui_write_file("d.yaml", "schema: 1\nname: on-910b\nframework: mindspeed\n"
                                 "hardware: ascend-910b\n"
                                 "parallel: {tensor: 8, pipeline: 4, data: 4}\n");
        struct tui *t = tui_start(frames[i].rows, frames[i].cols, arguments, environment);
        tui_keys(t, frames[i].keys);
        tui_expect_golden(t, frames[i].golden);
        planner_expect_repaint_equal(t, frames[i].golden);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        tui_test(the_example),
        tui_test(without_colours),
        tui_test(in_ascii),
        tui_test(in_every_theme),
        tui_test(plain),
        tui_test(the_palette),
        tui_test(help),
        tui_test(over_time),
        tui_test(explained),
        tui_test(presented),
        tui_test(a_list_of_values),
        tui_test(a_plan_of_the_textbook),
        tui_test(a_plan_with_experts),
        tui_test(a_calibrated_plan),
        tui_test(a_baseline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
