/* A page a scenario for a meeting: turning pages, and the notes typed on them. */
#include "planner.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two scenarios in files of their own; the second is late. */
static struct tui *start(int rows, int cols)
{
    static const char *const arguments[] = {"one.yaml", "two.yaml", "chapter-7", NULL};

    tui_write_file("one.yaml", "schema: 1\nname: One\nparallel: {tensor: 8, data: 16}\n"
                               "cost: {price_per_gpu_hour: 1.5}\n");
    tui_write_file("two.yaml", "schema: 1\nname: Two\ntraining: {deadline_days: 90}\n"
                               "parallel: {tensor: 8, data: 32}\n"
                               "cost: {price_per_gpu_hour: 1.5}\n");
    struct tui *t = tui_start(rows, cols, arguments, NULL);
    return t;
}

static void expect_page(struct tui *t, int page, const char *name)
{
    char text[32];

    (void)snprintf(text, sizeof text, "page %d of 3", page);
    tui_expect_row(t, tui_rows(t) - 1, text);
    tui_expect_row(t, 0, name);
}

static void pages_are_turned(void **state)
{
    (void)state;
    struct tui *t = start(36, 120);
    static const struct {
        const char *key;
        int page;
        const char *name;
    } turns[] = {{TUI_F5, 1, "One"},        {TUI_RIGHT, 2, "Two"},
                 {TUI_PAGE_DOWN, 3, "Ch"},  {" ", 3, "Ch"},
                 {TUI_LEFT, 2, "Two"},      {TUI_PAGE_UP, 1, "One"},
                 {TUI_LEFT, 1, "One"},      {TUI_END, 3, "Ch"},
                 {TUI_HOME, 1, "One"},      {" ", 2, "Two"},
                 {TUI_BACKSPACE, 1, "One"}, {"\0333", 3, "Ch"},
                 {"\0339", 3, "Ch"},        {"[", 2, "Two"},
                 {"x", 2, "Two"}, /* a stray key neither leaves nor changes the plan */
                 {"\033[99~", 2, "Two"}};
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        tui_keys(t, turns[i].key);
        expect_page(t, turns[i].page, turns[i].name);
    }
    tui_keys(t, TUI_ESCAPE); /* the dashboard of the page that was shown */
    tui_expect(t, "WHAT IF");
    planner_expect_value(t, "data DP", "32");
    tui_keys(t, "P");
    expect_page(t, 2, "Two");
    tui_keys(t, "q");
    tui_expect(t, "WHAT IF");
    tui_send(t, "q", 1); /* nothing was changed */
    planner_expect_left(t);
}

static void differences_are_told_in_words(void **state)
{
    (void)state;
    struct tui *t = start(36, 120);
    tui_keys(t, "P");
    tui_expect(t, "the baseline of the comparison");
    tui_expect(t, "no deadline");
    tui_keys(t, TUI_RIGHT);
    tui_expect(t, "days sooner and");
    tui_expect(t, "than 1 One, with 128 GPUs more");
    tui_expect(t, "of 90 days \u2717");
    tui_expect(t, "after the deadline of 90.0.");
    tui_expect(t, "This assumes an MFU of");
    planner_leave(t);
}

static void one_scenario_has_no_pages(void **state)
{
    (void)state;
    struct tui *t = planner_start(24, 80, NULL);
    tui_keys(t, "P");
    tui_expect(t, "DOES NOT FIT");
    tui_expect(t, "GiB too much on the fullest GPU");
    tui_expect_not(t, "page 1");
    tui_expect_not(t, "baseline");
    tui_keys(t, TUI_RIGHT);
    tui_expect(t, "DOES NOT FIT");
    planner_leave(t);
}

static bool file_has(const char *name, const char *text)
{
    char *contents = tui_read_file(name);
    bool has = contents && strstr(contents, text);
    free(contents);
    return has;
}

static void notes_take_the_conclusions_place_and_are_saved(void **state)
{
    (void)state;
    struct tui *t = start(36, 120);
    tui_keys(t, "P");
    tui_expect(t, "128 GPUs (NVIDIA A800 SXM 80GB) ");
    tui_keys(t, "e\025We buy");
    tui_expect_row(t, 35, "notes We buy");
    tui_paste(t, " this\none.");
    tui_expect_row(t, 35, "notes We buy this one.");
    tui_keys(t, TUI_ENTER);
    tui_expect(t, "notes kept");
    tui_expect(t, "We buy this one.");
    tui_expect(t, "128 GPUs (NVIDIA A800 SXM 80GB) "); /* below, while there is room */
    tui_keys(t, TUI_RIGHT);
    tui_expect_not(t, "We buy");
    tui_keys(t, TUI_LEFT TUI_ESCAPE);
    tui_keys(t, "s");
    tui_expect(t, "saved one.yaml");
    assert_true(file_has("one.yaml", "notes: We buy this one."));
    tui_keys(t, "P" TUI_ENTER); /* what is edited is what is shown */
    tui_expect_row(t, 35, "notes We buy this one.");
    tui_keys(t, " Never." TUI_ESCAPE);
    tui_expect_not(t, "Never");
    tui_keys(t, "u");
    tui_expect(t, "undone: notes");
    tui_expect_not(t, "We buy");
    tui_keys(t, "U");
    tui_expect(t, "We buy this one.");
    tui_keys(t, "e\025" TUI_ENTER); /* nothing typed: the sentence again */
    tui_expect_not(t, "We buy");
    tui_expect(t, "128 GPUs (NVIDIA A800 SXM 80GB) ");
    planner_leave(t);
}

static void our_own_sentence_is_no_change(void **state)
{
    (void)state;
    struct tui *t = start(36, 120);
    tui_keys(t, "Pe");
    tui_expect(t, "Enter keep");
    tui_keys(t, TUI_ENTER TUI_RIGHT TUI_RIGHT);
    expect_page(t, 3, "Chapter 7");
    tui_expect_not(t, "14 bytes a parameter"); /* the preset's notes, not the user's */
    tui_expect(t, "1,024 GPUs (NVIDIA A800 SXM 80GB) train ");
    tui_keys(t, "e" TUI_ENTER TUI_ESCAPE);
    tui_send(t, "q", 1); /* nothing is unsaved */
    planner_expect_left(t);
}

/* Up to the limit of the field, at any size, also where there is room for nothing but the edit. */
static void notes_of_any_length_at_any_size(void **state)
{
    (void)state;
    static char text[1500];
    static const int sizes[][2] = {{1, 1}, {2, 30}, {5, 20}, {12, 40}, {24, 80}, {60, 200}, {3, 9}};
    struct tui *t = start(36, 120);

    memset(text, 'x', sizeof text - 1);
    for (size_t i = 7; i < sizeof text - 1; i += 8)
        text[i] = ' ';
    tui_keys(t, "Pe\025");
    tui_paste(t, text);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        tui_set_size(t, sizes[i][0], sizes[i][1]);
        planner_sync_size(t);
        planner_expect_repaint_equal(t, "typing");
        tui_keys(t, TUI_ENTER);
        planner_expect_repaint_equal(t, "presenting");
        tui_keys(t, "e");
    }
    tui_keys(t, TUI_ESCAPE);
    tui_resize(t, 24, 80);
    tui_expect(t, "\u2026"); /* cut, and said to be */
    planner_leave(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        tui_test(pages_are_turned),
        tui_test(differences_are_told_in_words),
        tui_test(one_scenario_has_no_pages),
        tui_test(notes_take_the_conclusions_place_and_are_saved),
        tui_test(our_own_sentence_is_no_change),
        tui_test(notes_of_any_length_at_any_size),
    };
    return cmocka_run_group_tests_name("present", tests, NULL, NULL);
}
