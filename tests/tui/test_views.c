/* Every view at every size that it is made for, in colour, without, in ASCII and in words, against
 * golden/. UPDATE_GOLDEN=1 writes the files anew: look at the difference before it is kept. */
#include "planner.h"
#include <stdio.h>

static const struct {
    const char *name;
    const char *keys; /* from the home screen of three scenarios */
} views[] = {
    {"home", ""},
    {"baseline", "p]"},
    {"columns", "c"},
    {"present", "P"},
    {"explain", "ijjjjjjjjjl"},
    {"over-time", "t"},
    {"takes", "y"},
    {"help", "?"},
    {"list", " "},
    {"open", "o"},
    {"palette", ":tp 8"},
    {"typing", "12"},
    {"filter", "/par"},
};

static const struct {
    int rows, cols;
} sizes[] = {{36, 120}, {24, 80}, {12, 40}};

static const struct {
    const char *name, *environment, *option;
} modes[] = {
    {"colour", NULL, NULL},
    {"mono", "NO_COLOR=1", NULL},
    {"ascii", "LC_ALL=C", NULL},
    {"plain", NULL, "--plain"},
};

enum {
    VIEWS = sizeof views / sizeof *views,
    SIZES = sizeof sizes / sizeof *sizes,
    MODES = sizeof modes / sizeof *modes
};

static void expect(int view, int size, int mode)
{
    const char *arguments[] = {"example", "llama3-8b-h100", "deepseek-v3-h800", modes[mode].option,
                               NULL};
    const char *environment[] = {modes[mode].environment, NULL};
    char golden[96];

    snprintf(golden, sizeof golden, "view-%s-%dx%d-%s", views[view].name, sizes[size].rows,
             sizes[size].cols, modes[mode].name);
    struct tui *t = tui_start(sizes[size].rows, sizes[size].cols, arguments, environment);
    if (views[view].keys[0] != '\0')
        tui_keys(t, views[view].keys);
    tui_expect_golden(t, golden);
    /* What curses believes to be there is what is there. */
    planner_expect_repaint_equal(t, golden);
}

/* One test a view and mode: each has a folder of its own. */
static int cases[VIEWS * MODES];

static void at_all_sizes(void **state)
{
    int which = *(const int *)*state;

    for (int size = 0; size < SIZES; size++)
        expect(which / MODES, size, which % MODES);
}

int main(void)
{
    static struct CMUnitTest tests[VIEWS * MODES];
    static char names[VIEWS * MODES][48];

    for (int i = 0; i < VIEWS * MODES; i++) {
        cases[i] = i;
        snprintf(names[i], sizeof names[i], "%s_%s", views[i / MODES].name, modes[i % MODES].name);
        tests[i] = (struct CMUnitTest){.name = names[i],
                                       .test_func = at_all_sizes,
                                       .teardown_func = tui_teardown,
                                       .initial_state = &cases[i]};
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
