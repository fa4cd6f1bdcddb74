/* The order of a step, and what is alive when (memory-megatron.md 1.3 and 1.4). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "memory_plans.h"

#include <actuary/timeline.h>
#include <cmocka.h>
#include <math.h>

static struct act_memory memory;
static struct act_timeline timeline;

static void near(double found, double expected, double error)
{
    if (!(fabs(found - expected) <= error))
        fail_msg("%.17g is not %.17g", found, expected);
}

static void timeline_of(const struct act_plan *plan, int stage)
{
    struct act_plan resolved;
    struct act_layout layout;

    memory_of(plan, &memory);
    act_plan_resolve(plan, &resolved);
    act_layout_of(&resolved, &layout);
    act_timeline_of(&resolved, &layout, &memory.stage[stage], &timeline);
}

static void expect_order(const char *order)
{
    static const char letters[] = {'i', 'f', 'l', 'b', 's'};
    char found[ACT_POINTS_MAX + 1] = "";

    for (int i = 0; i < timeline.count; i++)
        found[i] = letters[timeline.point[i].moment];
    assert_string_equal(found, order);
}

/* PP 4, 256 sequences on DP 8: 32 micro batches, 4 alive on the first stage; 10.48 GiB of them
 * (the published case of the acceptance list), so 2.62 for each. */
static void test_first_stage(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_llama2_70b(&plan);
    timeline_of(&plan, 0);
    expect_order("ffffbfbfbbbbs");
    near(timeline.rounds, 28, 0);
    for (int i = 0; i < 4; i++) {
        near(timeline.point[i].alive, i + 1, 1e-12);
        near(timeline.point[i].component[ACT_ACTIVATIONS] / gib, 2.62 * (i + 1), 0.02);
        assert_int_equal(timeline.point[i].span, ACT_SPAN_FILL);
    }
    /* In the steady part a forward fills what a backward freed. */
    for (int i = 4; i < 8; i++) {
        near(timeline.point[i].alive, 4, 1e-12);
        assert_int_equal(timeline.point[i].span, ACT_SPAN_STEADY);
    }
    near(timeline.point[11].alive, 1, 1e-12);
    near(timeline.point[12].component[ACT_ACTIVATIONS], 0, 0);
    /* Backward has 4Th more under SP and the MLP's gradients, 4Tf/t (1.4): 64 and 56 MiB. */
    near((timeline.point[4].allocated - timeline.point[3].allocated) / gib,
         (2 * 2 * 4096.0 * 8192 + 4 * 4096.0 * 28672 / 8) / gib, 1e-6);
    assert_int_equal(timeline.peak, 4);
}

/* One micro batch alive: it is followed through its layers, and the loss stands between. */
static void test_last_stage(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_llama2_70b(&plan);
    timeline_of(&plan, 3);
    expect_order("fffflbbbbfffflbbbbs");
    near(timeline.rounds, 31, 0);
    near(timeline.point[0].alive, 0.25, 1e-12);
    near(timeline.point[4].alive, 1, 1e-12);
    near(timeline.point[8].alive, 0.25, 1e-12);
    near(timeline.point[3].component[ACT_HEAD], 0, 0);
    assert_true(timeline.point[4].component[ACT_HEAD] > 0);
}

/* GPipe runs all forwards first: 32 alive are 8 points of 4, and nothing is steady. */
static void test_gpipe(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_llama2_70b(&plan);
    plan.parallel.schedule = ACT_GPIPE;
    timeline_of(&plan, 0);
    expect_order("ffffffffbbbbbbbbs");
    near(timeline.rounds, 0, 0);
    near(timeline.point[0].alive, 4, 1e-12);
    near(timeline.point[7].alive, 32, 1e-12);
}

/* FSDP, one micro batch: sharded gradients come while backward frees activations, so that the
 * optimizer's step begins with all of them. */
static void test_gradients_come_in_backward(void **state)
{
    struct act_plan plan;

    (void)state;
    act_plan_init(&plan);
    model_llama2_70b(&plan.model);
    plan.model.layers = 16;
    plan.framework.family = ACT_FSDP;
    plan.parallel.zero = 3;
    plan.parallel.data = 8;
    plan.training.micro_batch = 1;
    plan.training.global_batch = 8;
    timeline_of(&plan, 0);
    double gradients = memory.stage[0].contents[ACT_PHASE_STEP][ACT_GRADIENTS];
    double before = memory.stage[0].contents[ACT_PHASE_BACKWARD][ACT_GRADIENTS];
    assert_true(gradients > before);
    int at = 0;
    while (timeline.point[at].span != ACT_SPAN_DRAIN)
        at++;
    for (int i = 0; i < 4; i++)
        near(timeline.point[at + i].component[ACT_GRADIENTS] / gib,
             (before + (gradients - before) * i / 4) / gib, 1e-9);
    near(timeline.point[at + 4].component[ACT_GRADIENTS], gradients, 0);
    assert_int_equal(timeline.point[at + 4].moment, ACT_MOMENT_STEP);
}

/* The textbook knows states and activations alone: they grow in forward and are the peak. */
static void test_textbook(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_llama2_70b(&plan);
    plan.framework.family = ACT_TEXTBOOK;
    timeline_of(&plan, 1);
    assert_int_equal(timeline.point[timeline.peak].phase, ACT_PHASE_BACKWARD);
    near(timeline.point[0].alive, 0.25, 1e-12);
    assert_true(timeline.point[0].allocated < timeline.point[3].allocated);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_stage), cmocka_unit_test(test_last_stage),
        cmocka_unit_test(test_gpipe),       cmocka_unit_test(test_gradients_come_in_backward),
        cmocka_unit_test(test_textbook),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
