/* The desk: GPUs that are held while the layout changes, what the planner says about those left
 * over, and which steps one undo takes back. The example has TP 4 x PP 2 x DP 8 = 64 GPUs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "session/action.h"
#include "session/desk.h"
#include <actuary/field.h>
#include <stdlib.h>
#include <string.h>

static struct act_desk desk;
static int64_t now_ms;

static struct act_tab *tab(void)
{
    return act_desk_tab(&desk);
}

static int open_example(void **state)
{
    struct act_problems problems;

    (void)state;
    act_problems_init(&problems, "example");
    now_ms = 5000;
    return act_desk_open(&desk, "example", &problems);
}

static int free_desk(void **state)
{
    (void)state;
    act_desk_free(&desk);
    return 0;
}

/* Types a text into a field, well after the last change. */
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

static bool run(enum act_action_id id)
{
    return act_action(id)->run(&desk, now_ms);
}

static void assert_gpus(double used, double held)
{
    assert_true(act_plan_gpus(&tab()->plan) == used);
    assert_true(tab()->held == held);
}

static void assert_leftover(const char *expected)
{
    char text[160];

    act_desk_leftover(tab(), text, sizeof text);
    assert_string_equal(text, expected);
}

static void held_gpus_stay_held(void **state)
{
    (void)state;
    assert_gpus(64, 64);
    assert_leftover("");
    type(ACT_F_parallel_gpus, "100"); /* what was asked is not forgotten */
    assert_leftover("96 of 100 GPUs used, 8 a replica: 96 or 104 are whole");
    type(ACT_F_parallel_gpus, "64");
    assert_leftover("");
    /* 3 x 2 = 6 a replica: ten replicas are 60. */
    type(ACT_F_parallel_tensor, "3");
    assert_int_equal(tab()->plan.parallel.data, 10);
    assert_gpus(60, 64);
    assert_leftover("60 of 64 GPUs used, 6 a replica: 60 or 66 are whole");
    /* What is no layout forgets nothing. */
    type(ACT_F_training_sequence, "8192");
    type(ACT_F_hardware_preset, "h100-sxm");
    assert_gpus(60, 64);
    type(ACT_F_parallel_tensor, "4");
    assert_gpus(64, 64);
    /* CP is a layout too: 4 x 2 x 3 = 24, two of them are 48. */
    type(ACT_F_parallel_context, "3");
    assert_int_equal(tab()->plan.parallel.data, 2);
    assert_gpus(48, 64);
    assert_leftover("48 of 64 GPUs used, 24 a replica: 48 or 72 are whole");
    type(ACT_F_parallel_context, "2");
    assert_gpus(64, 64);
    /* 4 x 2 x 16 = 128 is more than there are. */
    type(ACT_F_parallel_pipeline, "16");
    assert_int_equal(tab()->plan.parallel.data, 1);
    assert_gpus(128, 64);
    assert_leftover("TP x PP x CP takes 128 GPUs, more than the 64 held");
    type(ACT_F_parallel_pipeline, "2");
    type(ACT_F_parallel_context, "1");
    assert_gpus(64, 64);
    assert_leftover("");
}

static void large_counts_are_grouped(void **state)
{
    (void)state;
    type(ACT_F_parallel_gpus, "1024");
    assert_gpus(1024, 1024);
    type(ACT_F_parallel_tensor, "8");
    type(ACT_F_parallel_pipeline, "7"); /* 56 a replica: 18 are 1,008 */
    assert_gpus(1008, 1024);
    assert_leftover("1,008 of 1,024 GPUs used, 56 a replica: 1,008 or 1,064 are whole");
}

static void a_count_typed_is_the_one_held(void **state)
{
    (void)state;
    type(ACT_F_parallel_tensor, "3");
    assert_gpus(60, 64);
    /* The count in use, as the message offers it. */
    type(ACT_F_parallel_gpus, "60");
    assert_gpus(60, 60);
    assert_leftover("");
    type(ACT_F_parallel_tensor, "4"); /* 8 a replica: seven are 56 */
    assert_gpus(56, 60);
    type(ACT_F_parallel_gpus, "8*16");
    assert_gpus(128, 128);
    /* DP is a count of GPUs as well. */
    type(ACT_F_parallel_data, "5");
    assert_gpus(40, 40);
}

static void data_may_be_held_instead(void **state)
{
    (void)state;
    assert_true(run(ACT_DO_hold));
    type(ACT_F_parallel_tensor, "3");
    assert_int_equal(tab()->plan.parallel.data, 8);
    assert_gpus(48, 48);
    assert_leftover("");
    type(ACT_F_parallel_context, "2");
    assert_gpus(96, 96);
    assert_true(run(ACT_DO_hold)); /* GPUs again: those in use */
    type(ACT_F_parallel_context, "1");
    assert_int_equal(tab()->plan.parallel.data, 16);
    assert_gpus(96, 96);
}

static void undo_brings_held_gpus_back(void **state)
{
    (void)state;
    type(ACT_F_parallel_tensor, "3");
    type(ACT_F_parallel_data, "4");
    assert_gpus(24, 24);
    assert_true(run(ACT_DO_undo));
    assert_gpus(60, 64);
    assert_true(run(ACT_DO_undo));
    assert_gpus(64, 64);
    assert_false(run(ACT_DO_undo));
    assert_true(run(ACT_DO_redo));
    assert_gpus(60, 64);
    assert_true(run(ACT_DO_redo));
    assert_gpus(24, 24);
    assert_false(run(ACT_DO_redo));
}

/* Sequences 4096, 8192, 16384 … in steps, the second `pause` after the first. */
static int steps_after(int pause)
{
    int before = tab()->history.done;

    now_ms += 60000;
    tab()->focus = ACT_F_training_sequence;
    assert_true(run(ACT_DO_step_up));
    now_ms += pause;
    assert_true(run(ACT_DO_step_up));
    return tab()->history.done - before;
}

static void steps_within_a_second_join(void **state)
{
    (void)state;
    assert_int_equal(steps_after(0), 1);
    assert_int_equal(steps_after(1000), 1);
    assert_int_equal(steps_after(1001), 2);
    assert_int_equal(steps_after(2000), 2);
    assert_int_equal(tab()->plan.training.sequence, 4096 << 8);
    /* The label has both ends. */
    for (int i = 0; i < 4; i++)
        assert_true(run(ACT_DO_undo));
    assert_string_equal(desk.message, "undone: sequence 65536 -> 131072");
    assert_true(run(ACT_DO_undo));
    assert_string_equal(desk.message, "undone: sequence 16384 -> 65536");
    assert_true(run(ACT_DO_undo));
    assert_string_equal(desk.message, "undone: sequence 4096 -> 16384");
    assert_false(act_tab_modified(tab()));
    assert_int_equal(tab()->plan.training.sequence, 4096);
}

static void other_fields_do_not_join(void **state)
{
    (void)state;
    tab()->focus = ACT_F_training_sequence;
    assert_true(run(ACT_DO_step_up));
    tab()->focus = ACT_F_training_micro_batch;
    assert_true(run(ACT_DO_step_up));
    tab()->focus = ACT_F_training_sequence;
    assert_true(run(ACT_DO_step_up));
    assert_int_equal(tab()->history.done, 3);
    /* Nor does a step join one that was taken back. */
    assert_true(run(ACT_DO_undo));
    assert_true(run(ACT_DO_undo));
    assert_true(run(ACT_DO_step_up));
    assert_int_equal(tab()->history.done, 2);
    assert_false(run(ACT_DO_redo));
}

/* A name that is shorter than the one before leaves nothing of it: megatron lies before
 * megatron-2021 in the list. */
static void presets_there_and_back_leave_nothing(void **state)
{
    (void)state;
    struct act_plan opened = tab()->plan;

    tab()->focus = ACT_F_framework_preset;
    assert_true(run(ACT_DO_step_up));
    assert_string_equal(tab()->plan.framework.preset, "megatron-2021");
    assert_int_equal(tab()->history.done, 1);
    assert_true(run(ACT_DO_step_down));
    assert_string_equal(tab()->plan.framework.preset, "megatron");
    assert_int_equal(tab()->history.done, 0);
    assert_memory_equal(&opened, &tab()->plan, sizeof opened);
}

/* + on the last preset says so. */
static void presets_end(void **state)
{
    (void)state;
    type(ACT_F_hardware_preset, "v100-16gb");
    tab()->focus = ACT_F_hardware_preset;
    assert_true(run(ACT_DO_step_up));
    assert_string_equal(tab()->plan.hardware.preset, "v100-32gb");
    assert_false(run(ACT_DO_step_up));
    assert_string_equal(desk.message, "hardware: no preset after this; Enter lists them");
    type(ACT_F_hardware_preset, "a10");
    assert_false(run(ACT_DO_step_down));
    assert_string_equal(desk.message, "hardware: no preset before this; Enter lists them");
}

/* The oldest of very many steps falls off, and the rest can still be undone. */
static void undo_has_an_end(void **state)
{
    (void)state;
    struct act_history history = {0};
    struct act_plan plans[2] = {tab()->plan, tab()->plan}, plan = tab()->plan;
    double held = 64;
    int undone = 0;

    plans[1].parallel.tensor = 8;
    for (int i = 0; i < ACT_UNDO_MAX + 5; i++)
        assert_true(act_history_record(&history, &plans[i % 2], &plans[(i + 1) % 2], i, i + 1,
                                       "a step", -1, 0));
    plan = plans[(ACT_UNDO_MAX + 5) % 2];
    assert_int_equal(history.count, ACT_UNDO_MAX);
    assert_int_equal(history.done, ACT_UNDO_MAX);
    while (act_history_undo(&history, &plan, &held))
        undone++;
    assert_int_equal(undone, ACT_UNDO_MAX);
    assert_true(held == 5);
    assert_memory_equal(&plan, &plans[1], sizeof plan);
    act_history_free(&history);
}

/* 64 heads do not divide by TP 3; a repair of the layout keeps the GPUs that are held. */
static void a_repair_keeps_held_gpus(void **state)
{
    (void)state;
    type(ACT_F_parallel_tensor, "3");
    assert_string_equal(tab()->result.checks.check[0].rule, "tensor-divides-heads");
    assert_true(run(ACT_DO_repair));
    assert_string_equal(desk.message, "tensor TP set to 2; u takes it back");
    assert_int_equal(tab()->plan.parallel.tensor, 2);
    assert_int_equal(tab()->plan.parallel.data, 16);
    assert_gpus(64, 64);
    assert_true(run(ACT_DO_undo));
    assert_string_equal(desk.message, "undone: fix tensor-divides-heads");
    assert_gpus(60, 64);
    /* With data held, the repair changes the count. */
    assert_true(run(ACT_DO_hold));
    assert_true(run(ACT_DO_repair));
    assert_int_equal(tab()->plan.parallel.data, 10);
    assert_gpus(40, 40);
}

/* A framework that is made for the task is named, and x chooses its preset. */
static void a_repair_may_be_a_preset(void **state)
{
    (void)state;
    type(ACT_F_hardware_preset, "ascend-910b");
    type(ACT_F_parallel_tensor, "8");
    type(ACT_F_parallel_pipeline, "4");
    for (int i = 0; i < 5 && strcmp(tab()->plan.framework.preset, "mindspeed") != 0; i++)
        assert_true(run(ACT_DO_repair)); /* what weighs more comes before */
    assert_string_equal(tab()->plan.framework.preset, "mindspeed");
    assert_int_equal(tab()->plan.framework.allocator, ACT_CLASSIC); /* with its values */
    assert_string_equal(desk.message, "framework set to mindspeed; u takes it back");
}

static void summaries_tell_of_more_gpus_than_held(void **state)
{
    (void)state;
    struct act_summary summary;

    act_desk_summarise(&tab()->plan, 64, &summary);
    assert_string_equal(summary.note, "");
    assert_int_equal(summary.fit, ACT_DOES_NOT_FIT);
    act_desk_summarise(&tab()->plan, 63, &summary);
    assert_string_equal(summary.note, "64 GPUs");
    type(ACT_F_parallel_tensor, "3");
    act_desk_summarise(&tab()->plan, 64, &summary);
    assert_string_equal(summary.note, "heads split");
}

static void assert_suggested(const char *name, const char *expected)
{
    char path[128];

    type(ACT_F_scenario_name, name);
    act_desk_suggest_path(tab(), path, sizeof path);
    assert_string_equal(path, expected);
}

static void file_names_are_plain(void **state)
{
    (void)state;
    assert_suggested("Llama-2-70B on 64 A800", "llama-2-70b-on-64-a800.yaml");
    assert_suggested("  two  words!", "two-words.yaml");
    assert_suggested("...", "scenario.yaml");
    assert_suggested("Größe v1.5", "gr-e-v1.5.yaml");
}

#define ON_EXAMPLE(test) cmocka_unit_test_setup_teardown(test, open_example, free_desk)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_EXAMPLE(held_gpus_stay_held),
        ON_EXAMPLE(large_counts_are_grouped),
        ON_EXAMPLE(a_count_typed_is_the_one_held),
        ON_EXAMPLE(data_may_be_held_instead),
        ON_EXAMPLE(undo_brings_held_gpus_back),
        ON_EXAMPLE(steps_within_a_second_join),
        ON_EXAMPLE(other_fields_do_not_join),
        ON_EXAMPLE(presets_there_and_back_leave_nothing),
        ON_EXAMPLE(presets_end),
        ON_EXAMPLE(undo_has_an_end),
        ON_EXAMPLE(a_repair_keeps_held_gpus),
        ON_EXAMPLE(a_repair_may_be_a_preset),
        ON_EXAMPLE(summaries_tell_of_more_gpus_than_held),
        ON_EXAMPLE(file_names_are_plain),
    };
    /* No presets but those compiled in. */
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
    setenv("XDG_DATA_HOME", "/nonexistent", 1);
    setenv("XDG_DATA_DIRS", "/nonexistent", 1);
    return cmocka_run_group_tests_name("desk", tests, NULL, NULL);
}
