/* WHAT IT TAKES without a screen: what is asked, and what making an answer does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "session/action.h"
#include "session/takes.h"
#include <actuary/field.h>
#include <string.h>

static struct act_desk desk;
static struct act_takes takes;

static int open_example(void **state)
{
    struct act_problems problems;

    (void)state;
    act_problems_init(&problems, "example");
    takes = (struct act_takes){0};
    if (act_desk_open(&desk, "example", &problems) != 0)
        return -1;
    act_takes_start(&takes, act_desk_tab(&desk));
    return 0;
}

static int free_desk(void **state)
{
    (void)state;
    act_desk_free(&desk);
    return 0;
}

static const struct act_tab *tab(void)
{
    return act_desk_tab(&desk);
}

static void set(enum act_field_id field, double value)
{
    struct act_plan plan;
    double held;
    char why[128];

    assert_int_equal(act_desk_try(&desk, tab(), field, value, NULL, &plan, &held, why, sizeof why),
                     0);
    act_desk_commit(&desk, &plan, held, field, false, 0);
}

/* The example has no deadline of its own: 90 days, as the planning chapter asks. */
static void the_question(void **state)
{
    (void)state;
    assert_true(takes.deadline.days == 90);
    assert_true(takes.deadline.spare == 0);
    assert_int_equal(takes.deadline.round, ACT_ROUND_NODE);
    assert_true(takes.answers.gpus.chosen == 1024);
    act_takes_next_spare(&takes);
    assert_true(takes.deadline.spare == 0.05);
    act_takes_update(&takes, tab());
    assert_true(takes.answers.gpus.with_spare == 1076);
    for (int i = 0; i < 3; i++)
        act_takes_next_spare(&takes);
    assert_true(takes.deadline.spare == 0);
    act_takes_next_round(&takes);
    assert_int_equal(takes.deadline.round, ACT_ROUND_POWER2);
    set(ACT_F_training_deadline_days, 60);
    act_takes_start(&takes, tab());
    assert_true(takes.deadline.days == 60);
    assert_int_equal(takes.deadline.round, ACT_ROUND_POWER2); /* as last */
    act_takes_set_days(&takes, 400);
    act_takes_update(&takes, tab());
    assert_true(takes.answers.gpus.days <= 400);
    assert_true(tab()->plan.training.deadline_days == 60); /* the plan keeps its own */
    set(ACT_F_training_deadline_days, ACT_AUTO);
    act_takes_start(&takes, tab());
    assert_true(takes.deadline.days == 400);
}

/* Answers follow the scenario. */
static void answers_follow(void **state)
{
    (void)state;
    assert_int_equal(takes.answers.advices.now.fit, ACT_DOES_NOT_FIT);
    set(ACT_F_parallel_tensor, 8);
    act_takes_update(&takes, tab());
    assert_int_equal(takes.answers.advices.now.fit, ACT_FITS);
    assert_true(takes.answers.advices.now.peak == tab()->result.memory.peak);
}

/* Every change gives what was said, keeps or sets the GPUs that are held, and is one undo. */
static void changes_are_made(void **state)
{
    (void)state;
    const struct act_plan before = tab()->plan;

    assert_int_equal(act_takes_count(&takes), 1 + takes.answers.advices.count);
    for (int i = 1; i < act_takes_count(&takes); i++) {
        const struct act_advice *advice = &takes.answers.advices.item[i - 1];
        assert_true(act_takes_make(&takes, &desk, i, 0));
        assert_true(tab()->result.memory.peak == advice->peak);
        assert_true(tab()->result.time.calendar_days == advice->days);
        assert_true(tab()->held == act_plan_gpus(&tab()->plan));
        assert_true(tab()->held == advice->gpus);
        assert_int_equal(desk.said, ACT_SAY_NOTE);
        assert_non_null(strstr(desk.message, act_field(advice->set[0].field)->label));
        assert_true(act_action(ACT_DO_undo)->run(&desk, 0));
        assert_memory_equal(&tab()->plan, &before, sizeof before);
        assert_true(tab()->held == 64);
    }
    assert_false(act_takes_make(&takes, &desk, act_takes_count(&takes), 0));
}

static void the_change_is_labelled(void **state)
{
    (void)state;
    assert_true(act_takes_make(&takes, &desk, 1, 0));
    assert_string_equal(desk.message, "pipeline PP 2 -> 4; u takes it back");
    assert_int_equal(tab()->plan.parallel.pipeline, 4);
    assert_int_equal(tab()->plan.parallel.data, 4);
    assert_true(act_action(ACT_DO_undo)->run(&desk, 0));
    assert_string_equal(desk.message, "undone: pipeline PP 2 -> 4");
}

static void the_gpus_are_made(void **state)
{
    (void)state;
    assert_true(act_takes_make(&takes, &desk, 0, 0));
    assert_string_equal(desk.message, "GPUs for 90 days 64 -> 1,024; u takes it back");
    assert_true(act_plan_gpus(&tab()->plan) == 1024);
    assert_true(tab()->held == 1024);
    assert_true(tab()->result.time.calendar_days <= 90);
    assert_true(act_action(ACT_DO_undo)->run(&desk, 0));
    assert_true(act_plan_gpus(&tab()->plan) == 64 && tab()->held == 64);
    act_takes_set_days(&takes, 1);
    act_takes_update(&takes, tab());
    assert_false(act_takes_make(&takes, &desk, 0, 0));
    assert_string_equal(desk.message, "no number of GPUs makes this deadline");
    assert_int_equal(tab()->history.done, 0);
}

#define ON_EXAMPLE(test) cmocka_unit_test_setup_teardown(test, open_example, free_desk)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_EXAMPLE(the_question),      ON_EXAMPLE(answers_follow),
        ON_EXAMPLE(changes_are_made),  ON_EXAMPLE(the_change_is_labelled),
        ON_EXAMPLE(the_gpus_are_made),
    };
    return cmocka_run_group_tests_name("takes", tests, NULL, NULL);
}
