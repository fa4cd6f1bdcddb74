/* Moving, typing, stepping, taking back. */
#include "planner.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int row_after(struct tui *t, const char *keys)
{
    tui_keys(t, keys);
    return planner_focused_row(t);
}

static void the_focus_moves(void **state)
{
    (void)state;
    static const struct {
        const char *forth, *back;
    } pairs[] = {{TUI_DOWN, TUI_UP},           {"j", "k"},
                 {TUI_END, TUI_HOME},          {"G", "g"},
                 {TUI_PAGE_DOWN, TUI_PAGE_UP}, {TUI_TAB, TUI_BACK_TAB},
                 {"\033[B", "\033[A"}}; /* as sent without application cursor keys */
    struct tui *t = planner_start(36, 120, NULL);
    int first = row_after(t, "g");
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (row_after(t, pairs[i].forth) == first)
            tui_fail(t, "pair %zu does not move", i);
        if (row_after(t, pairs[i].back) != first)
            tui_fail(t, "pair %zu does not come back", i);
    }
}

static void tab_visits_every_pane_and_comes_round(void **state)
{
    (void)state;
    struct tui *t = planner_start(60, 200, NULL);
    int first = row_after(t, "g"), stops = 0;
    do {
        tui_keys(t, TUI_TAB);
        stops++;
    } while (planner_focused_row(t) != first && stops < 20);
    assert_in_range(stops, 5, 8); /* six panes */
}

static void digits_edit_with_live_results(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    planner_focus(t, "tensor TP");
    char before[512];
    (void)snprintf(before, sizeof before, "%s", planner_strip(t));
    tui_keys(t, "1");
    if (strcmp(before, planner_strip(t)) == 0)
        tui_fail(t, "the verdict strip does not follow \"1\"");
    tui_keys(t, TUI_BACKSPACE "8");
    planner_expect_fit(t, true);
    tui_keys(t, TUI_ENTER);
    planner_expect_value(t, "tensor TP", "8");
}

static void arithmetic_and_suffixes_are_understood(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    planner_set(t, "sequence", "2*4k");
    char value[64];
    (void)snprintf(value, sizeof value, "%s", planner_value(t, "sequence"));
    if (strcmp(value, "8000") != 0 && strcmp(value, "8 k") != 0 && strcmp(value, "8,000") != 0 &&
        strcmp(value, "8 000") != 0)
        tui_fail(t, "sequence should be 8000, is \"%s\"", value);
    planner_set(t, "tokens", "15T");
    tui_expect_row(t, planner_focused_row(t), "15");
}

static void escape_restores(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    planner_focus(t, "tensor TP");
    const char *before = tui_capture(t);
    tui_keys(t, "8");
    assert_string_not_equal(before, tui_capture(t));
    tui_keys(t, TUI_ESCAPE);
    tui_expect_same(t, before, tui_capture(t), "after Escape");
    tui_keys(t, TUI_ENTER "2" TUI_ENTER); /* what is typed first replaces the old text */
    planner_expect_value(t, "tensor TP", "2");
    tui_keys(t, "u");
    planner_expect_value(t, "tensor TP", "4");
    tui_keys(t, TUI_ENTER TUI_END "0" TUI_ENTER); /* after a move it is kept */
    planner_expect_value(t, "tensor TP", "40");
    tui_keys(t, "u");
    planner_expect_value(t, "tensor TP", "4");
}

/* A lone Escape cannot be told from the start of a sequence but by time; this is that time. */
static void escape_alone_is_handled_within_60_ms(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    planner_focus(t, "tensor TP");
    for (int i = 0; i < 20; i++) {
        const struct planner_field field = {"tensor TP", "4"};
        tui_keys(t, "8");
        double before = tui_now();
        tui_send(t, TUI_ESCAPE, 1);
        if (!tui_wait_until(t, planner_shows_value, &field, 60))
            tui_fail(t, "Escape was not handled within 60 ms");
        tui_settle(t);
        if (tui_now() - before > 60 * tui_patience())
            tui_fail(t, "Escape took %.1f ms", tui_now() - before);
    }
}

static void alt_keys_are_not_escape(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    planner_focus(t, "tensor TP");
    tui_keys(t, "8");
    tui_keys(t, "\033w"); /* Alt-w means nothing: the edit stays open with its text */
    planner_expect_fit(t, true);
    tui_keys(t, TUI_ENTER);
    planner_expect_value(t, "tensor TP", "8");
}

static void invalid_text_keeps_the_last_valid_result(void **state)
{
    (void)state;
    static const char *const wrong[] = {"x", "1,000", "-5", "99999999999999999999", "4..4", "nan"};
    struct tui *t = planner_start(36, 120, NULL);
    planner_focus(t, "tensor TP");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *before = tui_capture(t);
        tui_keys(t, TUI_ENTER TUI_BACKSPACE);
        tui_keys(t, "8");
        planner_expect_fit(t, true);
        tui_keys(t, TUI_CTRL('u'));
        tui_keys(t, wrong[i]);
        if (planner_verdict(t) == PLANNER_NO_VERDICT)
            tui_fail(t, "no verdict while the text is invalid");
        tui_keys(t, TUI_ENTER); /* refused, with the reason */
        if (!tui_shows(t, wrong[i]))
            tui_fail(t, "the refused text \"%s\" is not on the screen", wrong[i]);
        tui_keys(t, TUI_ESCAPE);
        tui_keys(t, TUI_ESCAPE);
        planner_expect_value(t, "tensor TP", "4");
        tui_expect_same(t, before, tui_capture(t), wrong[i]);
    }
}

static void invalid_text_says_why(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    planner_focus(t, "tensor TP");
    tui_keys(t, "8");
    tui_keys(t, "z");
    planner_expect_fit(t, true);
    static const char *const reasons[] = {"number", "invalid", "not a", "expected", "unit"};
    bool said = false;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        said = said || tui_shows(t, reasons[i]);
    if (!said)
        tui_fail(t, "\"8z\" is not explained");
}

static void steps_halves_and_doubles(void **state)
{
    (void)state;
    static const struct {
        const char *key, *value;
    } steps[] = {{"+", "8"}, {"-", "4"},       {"=", "8"},      {"{", "4"}, {"{", "2"},
                 {"}", "4"}, {TUI_RIGHT, "8"}, {TUI_LEFT, "4"}, {"l", "8"}, {"h", "4"}};
    struct tui *t = planner_start(36, 120, NULL);
    planner_focus(t, "tensor TP");
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        tui_keys(t, steps[i].key);
        planner_expect_value(t, "tensor TP", steps[i].value);
    }
}

static void steps_end_at_both_ends(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    planner_focus(t, "tensor TP");
    for (int i = 0; i < 40; i++)
        tui_keys(t, "-");
    planner_expect_value(t, "tensor TP", "1");
    tui_keys(t, "{");
    planner_expect_value(t, "tensor TP", "1");
    for (int i = 0; i < 40; i++)
        tui_keys(t, "+");
    char top[64];
    (void)snprintf(top, sizeof top, "%s", planner_value(t, "tensor TP"));
    tui_keys(t, "+");
    tui_keys(t, "}");
    planner_expect_value(t, "tensor TP", top);
    assert_true(strtol(top, NULL, 10) >= 8);
}

static void choices_turn_and_toggle(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    char before[64];
    planner_focus(t, "recompute");
    (void)snprintf(before, sizeof before, "%s", planner_value(t, "recompute"));
    assert_string_equal(before, "none");
    tui_keys(t, TUI_RIGHT);
    assert_string_not_equal(planner_value(t, "recompute"), before);
    tui_keys(t, TUI_LEFT);
    planner_expect_value(t, "recompute", before);

    tui_keys(t, "a"); /* all fields */
    planner_focus(t, "tied embeddings");
    (void)snprintf(before, sizeof before, "%s", planner_value(t, "tied embeddings"));
    tui_keys(t, " ");
    assert_string_not_equal(planner_value(t, "tied embeddings"), before);
    tui_keys(t, "u");
    planner_expect_value(t, "tied embeddings", before);
}

static void a_list_filters_and_chooses(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    planner_focus(t, "a800-80gb-sxm");
    const char *before = tui_capture(t);
    tui_keys(t, TUI_ENTER);
    assert_string_not_equal(before, tui_capture(t));
    tui_keys(t, "910b");
    tui_expect(t, "ascend-910b");
    tui_keys(t, TUI_ESCAPE);
    tui_keys(t, TUI_ESCAPE);
    tui_expect_same(t, before, tui_capture(t), "list closed");
    tui_keys(t, TUI_ENTER "910b");
    tui_keys(t, TUI_ENTER);
    tui_expect(t, "ascend-910b");
    tui_expect_not(t, "a800-80gb-sxm ");
}

static void a_repair_is_one_key(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    planner_set(t, "tensor TP", "3"); /* does not divide 64 heads */
    const char *broken = tui_capture(t);
    tui_keys(t, "x");
    assert_string_not_equal(broken, tui_capture(t));
    assert_string_not_equal(planner_value(t, "tensor TP"), "3");
    tui_keys(t, "u");
    planner_expect_value(t, "tensor TP", "3");
}

static void undo_and_redo_are_exact(void **state)
{
    (void)state;
    enum { CHANGES = 50 };
    struct tui *t = planner_start(60, 200, NULL);
    char before[512], after[512];
    (void)snprintf(before, sizeof before, "%s", planner_strip(t));
    /* Steps on one field merge into one undo, so two fields take turns. */
    for (int i = 0; i < CHANGES; i++) {
        planner_focus(t, i % 2 ? "micro batch" : "tensor TP");
        tui_keys(t, i % 4 < 2 ? "+" : "-");
    }
    (void)snprintf(after, sizeof after, "%s", planner_strip(t));
    const char *undone[2], *redone[2];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < CHANGES; i++)
            tui_keys(t, "u");
        undone[round] = tui_capture(t);
        planner_expect_value(t, "tensor TP", "4");
        assert_string_equal(planner_strip(t), before);
        for (int i = 0; i < CHANGES; i++)
            tui_keys(t, round ? "U" : TUI_CTRL('r'));
        redone[round] = tui_capture(t);
        assert_string_equal(planner_strip(t), after);
    }
    tui_expect_same(t, undone[0], undone[1], "undone twice");
    tui_expect_same(t, redone[0], redone[1], "redone twice");
    tui_keys(t, "uuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuu");
    assert_string_equal(planner_strip(t), before);
}

static void a_filter_shows_what_it_names(void **state)
{
    (void)state;
    struct tui *t = planner_start(36, 120, NULL);
    tui_keys(t, "g");
    const char *before = tui_capture(t);
    tui_keys(t, "/");
    tui_keys(t, "pipe");
    tui_expect(t, "pipeline PP");
    assert_string_equal(planner_value(t, "tensor TP"), "");
    tui_keys(t, TUI_ENTER); /* kept: the line of keys tells how to get out of it */
    tui_expect(t, "filter: pipe · Esc shows all fields");
    assert_string_equal(planner_value(t, "tensor TP"), "");
    tui_keys(t, TUI_ESCAPE);
    tui_expect_not(t, "shows all fields");
    tui_keys(t, "g");
    tui_expect_same(t, before, tui_capture(t), "filter left");
}

static void all_fields_and_back(void **state)
{
    (void)state;
    struct tui *t = planner_start(60, 200, NULL);
    tui_keys(t, "g");
    const char *before = tui_capture(t);
    tui_keys(t, "a");
    assert_string_not_equal(before, tui_capture(t));
    tui_expect(t, "activation");
    tui_keys(t, "a");
    tui_keys(t, TUI_ESCAPE); /* forgets a message */
    tui_expect_same(t, before, tui_capture(t), "main fields again");
}

static void hold_changes_what_tp_moves(void **state)
{
    (void)state;
    struct tui *t = planner_start(60, 200, NULL);
    char data[64];
    (void)snprintf(data, sizeof data, "%s", planner_value(t, "data DP"));
    tui_keys(t, "H");
    planner_set(t, "tensor TP", "8");
    planner_expect_value(t, "data DP", data);
    tui_keys(t, "u");
    tui_keys(t, "H");
    planner_set(t, "tensor TP", "8");
    assert_string_not_equal(planner_value(t, "data DP"), data);
}

static void a_burst_equals_its_keys(void **state)
{
    (void)state;
    struct tui *one = planner_start(36, 120, NULL), *burst = planner_start(36, 120, NULL);
    static const char keys[] = "gjjjjjjjjjjjjjj++--{}kk" TUI_DOWN TUI_TAB "jj";
    for (size_t i = 0; keys[i]; i++) {
        char key[8] = {keys[i]};
        if (keys[i] == '\033') {
            (void)snprintf(key, sizeof key, "%.3s", keys + i);
            i += 2;
        }
        tui_keys(one, key);
    }
    tui_keys(burst, keys);
    tui_keys(one, TUI_ESCAPE);
    tui_keys(burst, TUI_ESCAPE);
    tui_expect_same(burst, tui_capture(one), tui_capture(burst), "burst");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        tui_test(the_focus_moves),
        tui_test(tab_visits_every_pane_and_comes_round),
        tui_test(digits_edit_with_live_results),
        tui_test(arithmetic_and_suffixes_are_understood),
        tui_test(escape_restores),
        tui_test(escape_alone_is_handled_within_60_ms),
        tui_test(alt_keys_are_not_escape),
        tui_test(invalid_text_keeps_the_last_valid_result),
        tui_test(invalid_text_says_why),
        tui_test(steps_halves_and_doubles),
        tui_test(steps_end_at_both_ends),
        tui_test(choices_turn_and_toggle),
        tui_test(a_list_filters_and_chooses),
        tui_test(a_repair_is_one_key),
        tui_test(undo_and_redo_are_exact),
        tui_test(a_filter_shows_what_it_names),
        tui_test(all_fields_and_back),
        tui_test(hold_changes_what_tp_moves),
        tui_test(a_burst_equals_its_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
