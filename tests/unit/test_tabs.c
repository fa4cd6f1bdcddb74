/* Scenarios as a whole: copied, closed and brought back, moved, pinned, values copied from one to
 * another; and their results beside each other. The example has TP 4 x PP 2 x DP 8 = 64 GPUs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "session/action.h"
#include "session/desk.h"
#include "ui/compare.h"
#include "ui/delta.h"
#include <actuary/field.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct act_desk desk;
static int64_t now_ms;

static struct act_tab *tab(void)
{
    return act_desk_tab(&desk);
}

static void open_preset(const char *name)
{
    struct act_problems problems;
    act_problems_init(&problems, name);
    assert_int_equal(act_desk_open(&desk, name, &problems), 0);
}

static int start(void **state)
{
    (void)state;
    now_ms = 5000;
    open_preset("example");
    return 0;
}

static int stop(void **state)
{
    (void)state;
    act_desk_free(&desk);
    return 0;
}

static bool run(enum act_action_id id)
{
    now_ms += 10000;
    return act_action(id)->run(&desk, now_ms);
}

static void type(enum act_field_id field, const char *text)
{
    struct act_plan plan;
    double held;
    char why[256] = "";
    now_ms += 10000;
    if (act_desk_try(&desk, tab(), field, 0, text, &plan, &held, why, sizeof why) != 0)
        fail_msg("%s: %s", text, why);
    act_desk_commit(&desk, &plan, held, field, false, now_ms);
}

static const char *name_of(int index)
{
    return desk.tab[index]->plan.scenario.name;
}

static void a_copy_stands_beside_under_its_own_name(void **state)
{
    (void)state;
    char first[96], expected[110];
    snprintf(first, sizeof first, "%s", name_of(0));
    open_preset("chapter-7");
    desk.current = 0;
    tab()->focus = ACT_F_parallel_pipeline;
    assert_true(run(ACT_DO_duplicate));
    assert_int_equal(desk.count, 3);
    assert_int_equal(desk.current, 1);
    assert_int_equal(tab()->focus, ACT_F_parallel_pipeline);
    snprintf(expected, sizeof expected, "%s (2)", first);
    assert_string_equal(name_of(1), expected);
    assert_true(run(ACT_DO_duplicate)); /* of the copy: still of the first */
    snprintf(expected, sizeof expected, "%s (3)", first);
    assert_string_equal(name_of(2), expected);
    /* Nothing of it could be lost, until something changes. */
    assert_false(act_tab_modified(tab()));
    assert_string_equal(tab()->path, "");
    type(ACT_F_parallel_tensor, "8");
    assert_true(act_tab_modified(tab()));
    assert_int_equal(desk.tab[0]->plan.parallel.tensor, 4);
    /* A copy of unsaved work is unsaved. */
    assert_true(run(ACT_DO_duplicate));
    assert_true(act_tab_modified(tab()));
    assert_int_equal(tab()->plan.parallel.tensor, 8);
    assert_int_equal(tab()->history.count, 0);
}

/* The name keeps whole characters. */
static void long_names_are_cut_at_a_character(void **state)
{
    (void)state;
    char name[sizeof tab()->plan.scenario.name] = "";
    while (strlen(name) + 4 < sizeof name)
        snprintf(name + strlen(name), sizeof name - strlen(name), "宽");
    type(ACT_F_scenario_name, name);
    assert_true(run(ACT_DO_duplicate));
    size_t length = strlen(name_of(1));
    assert_true(length < sizeof name);
    assert_string_equal(name_of(1) + length - 4, " (2)");
    assert_int_equal((length - 4) % 3, 0);
    assert_memory_equal(name_of(1), name, length - 4);
}

static void no_more_than_the_limit(void **state)
{
    (void)state;
    for (int i = 1; i < ACT_TABS_MAX; i++)
        assert_true(run(ACT_DO_duplicate));
    for (int i = 0; i < desk.count; i++)
        for (int k = 0; k < i; k++)
            assert_string_not_equal(name_of(i), name_of(k));
    assert_false(run(ACT_DO_duplicate));
    assert_int_equal(desk.said, ACT_SAY_ERROR);
    assert_int_equal(desk.count, ACT_TABS_MAX);
}

static void closed_tabs_come_back_to_their_place(void **state)
{
    (void)state;
    open_preset("chapter-7");
    open_preset("llama3-8b-h100");
    desk.current = 1;
    run(ACT_DO_pin);
    type(ACT_F_parallel_pipeline, "2");
    struct act_tab *middle = tab();
    assert_true(run(ACT_DO_close));
    assert_int_equal(desk.count, 2);
    assert_null(desk.pinned);
    assert_true(act_desk_modified(&desk)); /* what is closed can still be lost */
    assert_true(run(ACT_DO_undo));
    assert_ptr_equal(tab(), middle);
    assert_int_equal(desk.current, 1);
    assert_ptr_equal(desk.pinned, middle);
    assert_true(run(ACT_DO_undo)); /* and then its own change */
    assert_false(act_desk_modified(&desk));
    /* The last closed comes first. */
    desk.current = 2;
    assert_true(run(ACT_DO_close));
    assert_int_equal(desk.current, 1);
    assert_true(run(ACT_DO_close));
    assert_false(run(ACT_DO_close)); /* the only one stays */
    assert_int_equal(desk.count, 1);
    assert_true(run(ACT_DO_undo));
    assert_ptr_equal(tab(), middle);
    assert_true(run(ACT_DO_undo));
    assert_int_equal(desk.current, 2);
    assert_false(run(ACT_DO_undo));
}

/* What was done last is taken back first. */
static void changes_after_a_closing_are_undone_before_it(void **state)
{
    (void)state;
    open_preset("chapter-7");
    run(ACT_DO_close);
    type(ACT_F_parallel_tensor, "8");
    assert_true(run(ACT_DO_undo));
    assert_int_equal(desk.count, 1);
    assert_int_equal(tab()->plan.parallel.tensor, 4);
    assert_true(run(ACT_DO_undo));
    assert_int_equal(desk.count, 2);
    /* A baseline that was chosen since stays. */
    run(ACT_DO_pin);
    run(ACT_DO_close);
    run(ACT_DO_pin);
    run(ACT_DO_undo);
    assert_ptr_equal(desk.pinned, desk.tab[0]);
}

/* Closed tabs that hold nothing make room; unsaved work is never dropped for it. */
static void unsaved_work_is_never_dropped_for_room(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_true(run(ACT_DO_duplicate));
        assert_true(run(ACT_DO_close));
    }
    for (int i = 3; i < 2 * ACT_CLOSED_MAX - 3 + 3; i++) {
        assert_true(run(ACT_DO_duplicate));
        type(ACT_F_training_sequence, "8192");
        if (!run(ACT_DO_close))
            break;
    }
    assert_int_equal(desk.closed_count, ACT_CLOSED_MAX);
    assert_int_equal(desk.said, ACT_SAY_ERROR);
    for (int i = 0; i < ACT_CLOSED_MAX; i++)
        assert_true(act_tab_modified(desk.closed[i].tab));
    while (desk.closed_count > 0)
        assert_true(act_desk_reopen(&desk, desk.closed_count - 1));
    assert_int_equal(desk.count, ACT_CLOSED_MAX + 2);
    assert_false(act_desk_reopen(&desk, 0));
}

static void tabs_move_by_one_place(void **state)
{
    (void)state;
    open_preset("chapter-7");
    open_preset("llama3-8b-h100");
    struct act_tab *last = tab();
    assert_false(run(ACT_DO_move_right));
    assert_true(run(ACT_DO_move_left));
    assert_ptr_equal(desk.tab[1], last);
    assert_ptr_equal(tab(), last);
    assert_true(run(ACT_DO_move_left));
    assert_false(run(ACT_DO_move_left));
    assert_ptr_equal(desk.tab[0], last);
}

static void values_are_copied_as_changes_of_the_other(void **state)
{
    (void)state;
    run(ACT_DO_duplicate);
    desk.current = 0;
    type(ACT_F_parallel_tensor, "8");
    tab()->focus = ACT_F_parallel_tensor;
    assert_true(run(ACT_DO_copy_right));
    assert_int_equal(desk.current, 1);
    assert_int_equal(tab()->plan.parallel.tensor, 8);
    assert_int_equal(tab()->plan.parallel.data, 4); /* its 64 GPUs are held */
    assert_int_equal(tab()->result.layout.gpus, 64);
    assert_int_equal(tab()->history.done, 1);
    assert_true(run(ACT_DO_undo));
    assert_int_equal(tab()->plan.parallel.tensor, 4);
    assert_int_equal(tab()->plan.parallel.data, 8);
    assert_false(run(ACT_DO_copy_right)); /* nothing at the right */
    /* A preset brings its values; a list is a text. */
    desk.current = 0;
    type(ACT_F_hardware_preset, "h100-sxm");
    tab()->focus = ACT_F_hardware_preset;
    assert_true(run(ACT_DO_copy_right));
    assert_true(tab()->result.time.peak > 900e12);
    desk.current = 0;
    type(ACT_F_parallel_layers_per_stage, "[41, 39]");
    tab()->focus = ACT_F_parallel_layers_per_stage;
    assert_true(run(ACT_DO_copy_right));
    assert_int_equal(tab()->plan.parallel.layers_per_stage.item[0], 41);
}

static void a_value_goes_to_all(void **state)
{
    (void)state;
    run(ACT_DO_duplicate);
    run(ACT_DO_duplicate);
    type(ACT_F_training_sequence, "8192");
    tab()->focus = ACT_F_training_sequence;
    assert_true(run(ACT_DO_copy_all));
    assert_int_equal(desk.current, 2);
    for (int i = 0; i < 3; i++)
        assert_int_equal(desk.tab[i]->plan.training.sequence, 8192);
    assert_non_null(strstr(desk.message, "2 scenarios"));
    /* A field that means nothing elsewhere stays. */
    type(ACT_F_training_method, "lora");
    type(ACT_F_training_lora_rank, "64");
    tab()->focus = ACT_F_training_lora_rank;
    int done = desk.tab[0]->history.done;
    assert_false(run(ACT_DO_copy_all));
    assert_int_equal(desk.tab[0]->history.done, done);
    assert_non_null(strstr(desk.message, "means nothing"));
}

static void assert_delta(const struct act_sides *sides, enum act_figure_id id, const char *text,
                         const char *mark)
{
    struct act_delta delta;
    act_delta_of(id, &sides->side[sides->base], &sides->side[1], true, &delta);
    assert_string_equal(delta.text, text);
    assert_string_equal(delta.mark, mark);
    assert_string_equal(delta.word, *mark == '\0'            ? ""
                                    : strcmp(mark, "▲") == 0 ? "better"
                                                             : "worse");
}

static void differences_have_sign_and_judgement(void **state)
{
    static struct act_sides sides;
    static struct act_result a, b;
    (void)state;
    open_preset("example");
    act_sides_of(&desk, &sides);
    assert_int_equal(sides.count, 2);
    assert_int_equal(sides.base, 0);
    for (int id = 0; id < ACT_FIGURE_COUNT; id++)
        assert_delta(&sides, (enum act_figure_id)id, "=", "");
    a = b = desk.tab[0]->result;
    sides.side[0].result = &a;
    sides.side[1].result = &b;
    b.memory.stage[b.memory.worst].component[ACT_WEIGHTS] += 8 * 1073741824.0;
    b.memory.stage[b.memory.worst].allocated += 8 * 1073741824.0;
    b.memory.stage[b.memory.worst].reserved += 8 * 1073741824.0;
    b.memory.stage[b.memory.worst].device += 8 * 1073741824.0;
    assert_delta(&sides, ACT_FIGURE_MEMORY, "+8.0 GiB", ""); /* it fits as well as before */
    a.fit = ACT_FITS;
    b.fit = ACT_TIGHT;
    assert_delta(&sides, ACT_FIGURE_MEMORY, "+8.0 GiB", "▼");
    a.time.calendar_days = 30;
    b.time.calendar_days = 27.5;
    assert_delta(&sides, ACT_FIGURE_DAYS, "−2.5 days", "▲");
    a.time.mfu = 0.40;
    b.time.mfu = 0.431;
    assert_delta(&sides, ACT_FIGURE_MFU, "+3.1 pt", "▲");
    a.cost.known = b.cost.known = true;
    a.cost.total = 100000;
    b.cost.total = 90000;
    assert_delta(&sides, ACT_FIGURE_COST, "−$ 10,000", "▲");
    b.layout.gpus = 2 * a.layout.gpus;
    assert_delta(&sides, ACT_FIGURE_GPUS, "+64", ""); /* neither good nor bad */
    b.errors = a.errors + 1;
    assert_delta(&sides, ACT_FIGURE_RULES, "+1", "▼");
    /* A price that is not known, and one in another currency. */
    b.cost.known = false;
    assert_delta(&sides, ACT_FIGURE_COST, "–", "");
    b.cost.known = true;
    snprintf(sides.resolved[1].cost.currency, sizeof sides.resolved[1].cost.currency, "EUR");
    assert_delta(&sides, ACT_FIGURE_COST, "–", "");
}

static void without_a_time_there_is_no_difference(void **state)
{
    static struct act_sides sides;
    static struct act_result b;
    char text[48];
    (void)state;
    open_preset("example");
    act_sides_of(&desk, &sides);
    b = desk.tab[1]->result;
    b.time.step_seconds = b.time.calendar_days = b.time.mfu = 0;
    sides.side[1].result = &b;
    assert_delta(&sides, ACT_FIGURE_DAYS, "–", "");
    assert_delta(&sides, ACT_FIGURE_MFU, "–", "");
    assert_delta(&sides, ACT_FIGURE_MEMORY, "=", "");
    act_figure_value(ACT_FIGURE_DAYS, &sides.side[1], text, sizeof text);
    assert_string_equal(text, "–");
}

/* Estimates of layouts that are closer than 5 % do not say which is better. */
static void close_layouts_are_a_tie(void **state)
{
    static struct act_sides sides;
    static struct act_result a, b;
    (void)state;
    open_preset("example");
    type(ACT_F_parallel_recompute, "full");
    act_sides_of(&desk, &sides);
    a = b = desk.tab[1]->result;
    assert_true(a.time.estimated);
    sides.side[0].result = &a;
    sides.side[1].result = &b;
    a.time.calendar_days = 100;
    b.time.calendar_days = 104;
    assert_delta(&sides, ACT_FIGURE_DAYS, "+4.0 days", "");
    b.time.calendar_days = 106;
    assert_delta(&sides, ACT_FIGURE_DAYS, "+6.0 days", "▼");
    /* The same layout on longer data is longer, by however little. */
    b.time.calendar_days = 104;
    sides.resolved[1].parallel = sides.resolved[0].parallel;
    assert_delta(&sides, ACT_FIGURE_DAYS, "+4.0 days", "▼");
}

/* In a place a key stands for one action; columns have their own first, then the others. */
static void a_key_has_one_meaning(void **state)
{
    (void)state;
    for (int a = 0; a < ACT_ACTION_COUNT; a++) {
        const struct act_action *one = act_action((enum act_action_id)a);
        assert_int_equal(one->id, a);
        int key;
        for (int i = 0; (key = act_action_key(one, i)) != 0; i++) {
            assert_int_not_equal(key, ACT_KEY_NONE); /* a name that is none */
            bool columns = one->place == ACT_PLACE_COLUMNS;
            if ((columns ? act_action_in_columns(key) : act_action_of_key(key)) != one)
                fail_msg("key %d of %s is another action's", i + 1, one->name);
            if (!columns && act_action_in_columns(key)->place == ACT_PLACE_MAIN)
                assert_ptr_equal(act_action_in_columns(key), one);
        }
    }
    assert_int_equal(act_action_of_key('=')->id, ACT_DO_step_up);
    assert_int_equal(act_action_in_columns('=')->id, ACT_DO_only_differences);
    assert_null(act_action_of_key('Y'));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_copy_stands_beside_under_its_own_name, start, stop),
        cmocka_unit_test_setup_teardown(long_names_are_cut_at_a_character, start, stop),
        cmocka_unit_test_setup_teardown(no_more_than_the_limit, start, stop),
        cmocka_unit_test_setup_teardown(closed_tabs_come_back_to_their_place, start, stop),
        cmocka_unit_test_setup_teardown(changes_after_a_closing_are_undone_before_it, start, stop),
        cmocka_unit_test_setup_teardown(unsaved_work_is_never_dropped_for_room, start, stop),
        cmocka_unit_test_setup_teardown(tabs_move_by_one_place, start, stop),
        cmocka_unit_test_setup_teardown(values_are_copied_as_changes_of_the_other, start, stop),
        cmocka_unit_test_setup_teardown(a_value_goes_to_all, start, stop),
        cmocka_unit_test_setup_teardown(differences_have_sign_and_judgement, start, stop),
        cmocka_unit_test_setup_teardown(without_a_time_there_is_no_difference, start, stop),
        cmocka_unit_test_setup_teardown(close_layouts_are_a_tie, start, stop),
        cmocka_unit_test(a_key_has_one_meaning),
    };
    /* No presets but those compiled in. */
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
    setenv("XDG_DATA_HOME", "/nonexistent", 1);
    setenv("XDG_DATA_DIRS", "/nonexistent", 1);
    return cmocka_run_group_tests_name("tabs", tests, NULL, NULL);
}
