/* Inverse questions on the scenarios that ship: the planning chapter's step 2 (engine.md 7), an
 * estimated step, experts, and what no count makes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/scenario.h"
#include <actuary/field.h>
#include <actuary/need.h>

#include <math.h>
#include <string.h>

static struct act_plan plan;
static struct act_gpu_need need;
static struct act_result result;

static void open_scenario(const char *name)
{
    struct act_problems problems;

    act_problems_init(&problems, name);
    assert_int_equal(act_scenario_open(name, &plan, NULL, &problems), 0);
}

static void set(const char *key, const char *value)
{
    char why[256];

    if (act_scenario_set(&plan, key, value, why, sizeof why) < 0)
        fail_msg("%s", why);
}

static void ask(double days, double spare, enum act_round round)
{
    act_need_gpus(&plan, &(struct act_deadline){days, spare, round}, &need);
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9g instead of %.9g +- %.3g", value, expected, tolerance);
}

/* 70B x 2T tokens in 90 days on A800 at 40 %: the chapter's 861, 864, 907, 1,024 without its
 * rounding. */
static void the_chapter_on_a800(void **state)
{
    (void)state;
    open_scenario("chapter-7");
    ask(90, 0.05, ACT_ROUND_POWER2);
    assert_true(need.found);
    assert_false(need.estimated);
    assert_near(need.flops, 8.4e23, 0);
    assert_near(need.speed / 1e12, 108025, 0.5);
    assert_near(need.peak * need.mfu, 124.8e12, 1);
    assert_near(need.by_compute, 866, 0);
    assert_near(need.replica, 16, 0);
    assert_near(need.replicas, 55, 0);
    assert_near(need.gpus, 880, 0);
    assert_near(need.days, 76.0766 * 1024 / 880, 0.001);
    assert_near(need.with_spare, 924, 0);
    assert_near(need.chosen, 1024, 0);
    assert_near(need.data, 64, 0);
    assert_near(need.idle, 0, 0);
    assert_near(need.global_batch, 0, 0); /* 1,024 sequences divide by 64 */
    assert_near(need.result.time.days, 76.08, 0.005);
    assert_int_equal(need.result.fit, ACT_FITS);
    assert_int_equal(need.result.errors, 0);
}

static void the_chapter_on_910b(void **state)
{
    (void)state;
    open_scenario("chapter-7");
    set("hardware", "ascend-910b");
    ask(90, 0, ACT_ROUND_REPLICA);
    assert_near(need.by_compute, 844, 0);
    assert_near(need.replicas, 53, 0);
    assert_near(need.gpus, 848, 0);
    assert_near(need.chosen, 848, 0);
}

static void counts_are_rounded_up(void **state)
{
    (void)state;
    open_scenario("chapter-7");
    ask(90, 0.05, ACT_ROUND_REPLICA);
    assert_near(need.chosen, 928, 0); /* 58 x 16 */
    ask(90, 0.05, ACT_ROUND_NODE);
    assert_near(need.chosen, 928, 0); /* 116 x 8 */
    ask(90, 0.10, ACT_ROUND_NODE);
    assert_near(need.with_spare, 968, 0); /* exactly */
    assert_near(need.chosen, 968, 0);
    assert_near(need.data, 60, 0);
    assert_near(need.idle, 8, 0); /* half a replica */
    ask(90, 0, ACT_ROUND_POWER2);
    assert_near(need.chosen, 1024, 0);
    set("hardware.gpus_per_node", "10");
    ask(90, 0.05, ACT_ROUND_NODE);
    assert_near(need.chosen, 930, 0);
}

/* 1,024 sequences do not divide by 55 replicas: the batch follows, and the answer holds. */
static void the_batch_follows_the_replicas(void **state)
{
    (void)state;
    open_scenario("chapter-7");
    ask(90, 0, ACT_ROUND_REPLICA);
    assert_near(need.data, 55, 0);
    assert_near(need.global_batch, 1045, 0); /* 19 x 55 */
    assert_int_equal(need.result.errors, 0);
    struct act_plan taken = plan;
    act_need_take(&need, &taken);
    act_estimate(&taken, &result);
    assert_int_equal(result.errors, 0);
    assert_near(result.layout.gpus, 880, 0);
    assert_near(result.time.calendar_days, need.result.time.calendar_days, 1e-9);
    assert_true(result.time.calendar_days <= 90);
}

/* Goodput takes its share of the calendar, and less of it trains on large clusters. */
static void calendar_days_are_asked_for(void **state)
{
    (void)state;
    open_scenario("chapter-7");
    set("cost.goodput", "80%");
    ask(90, 0, ACT_ROUND_REPLICA);
    assert_near(need.by_compute, 866, 0);
    assert_near(need.replicas, ceil(865.58 / 0.8 / 16), 0);
    set("cost.goodput", "auto"); /* 865.58 / 0.97 = 892.4: 56 replicas, 896 GPUs: 97 % */
    ask(90, 0, ACT_ROUND_REPLICA);
    assert_near(need.replicas, 56, 0);
    assert_near(need.goodput, 0.97, 0);
    /* 70 days: 1,112.9 GPUs of computing, 1,147.3 at 97 %, but from 1,000 on it is 90 % */
    ask(70, 0, ACT_ROUND_REPLICA);
    assert_near(need.goodput, 0.90, 0);
    assert_near(need.replicas, ceil(1112.89 / 0.9 / 16), 0);
}

/* An estimated step is asked again for every number of replicas. */
static void replicas_are_estimated(void **state)
{
    (void)state;
    open_scenario("example");
    ask(90, 0, ACT_ROUND_NODE);
    assert_true(need.found && need.estimated);
    assert_near(need.replica, 8, 0);
    assert_near(need.replicas, 128, 0);
    for (int data = 1; data <= 1024; data *= 2) { /* what divides 1,024 sequences */
        struct act_plan other = plan;
        act_field_set_number(&other, ACT_F_parallel_data, data);
        act_estimate(&other, &result);
        assert_true((result.time.calendar_days <= 90) == (data >= 128));
        if (data == 128) {
            assert_near(need.days, result.time.calendar_days, 1e-9);
            assert_near(need.mfu, result.time.mfu, 1e-12);
        }
    }
    /* A round number that the batch does not divide leaves GPUs over. */
    ask(90, 0.05, ACT_ROUND_NODE);
    assert_near(need.chosen, 1080, 0);
    assert_near(need.data, 128, 0);
    assert_near(need.idle, 56, 0);
}

/* One H100 would be fast enough for 90 days, but it takes more to hold the shards of an 8B model.
 */
static void replicas_that_fit(void **state)
{
    (void)state;
    open_scenario("llama3-8b-h100");
    ask(90, 0, ACT_ROUND_REPLICA);
    assert_near(need.gpus, 1, 0);
    assert_true(need.fit_replicas > 1);
    assert_near(need.chosen, need.fit_gpus, 0);
    assert_int_not_equal(need.result.fit, ACT_DOES_NOT_FIT);
    struct act_plan other = plan;
    act_field_set_number(&other, ACT_F_parallel_data, need.fit_replicas / 2); /* 64 sequences */
    act_estimate(&other, &result);
    assert_int_equal(result.fit, ACT_DOES_NOT_FIT);
    /* Where no number fits, the count for the days stands, and it is said not to fit. */
    set("hardware.usable_memory", "10GiB");
    ask(90, 0, ACT_ROUND_REPLICA);
    assert_near(need.fit_replicas, 0, 0);
    assert_near(need.chosen, 1, 0);
    assert_int_equal(need.result.fit, ACT_DOES_NOT_FIT);
}

/* EP 64 on replicas of 16 stages: fewer than 64 of them cannot hold all experts. */
static void experts_take_many_replicas(void **state)
{
    (void)state;
    open_scenario("deepseek-v3-h800");
    ask(60, 0, ACT_ROUND_NODE);
    assert_near(need.replica, 1024, 0);
    assert_near(need.replicas, 3, 0);
    assert_near(need.data, 192, 0);
    assert_int_equal(need.result.errors, 0);
}

static void what_no_count_makes(void **state)
{
    (void)state;
    open_scenario("example");
    ask(1, 0, ACT_ROUND_NODE); /* one sequence a replica and step is the end */
    assert_false(need.found);
    assert_near(need.replica, 8, 0);
    assert_near(need.flops, 8.5677e23, 1e19);
    open_scenario("chapter-7");
    set("cost.goodput", "auto");
    set("cost.failures_per_1000_gpu_days", "3000");
    ask(0.5, 0, ACT_ROUND_NODE); /* failures eat up what is added */
    assert_false(need.found);
}

static const struct act_largest *largest_of(const struct act_largest *all, enum act_field_id field)
{
    for (int i = 0; i < ACT_LARGEST_COUNT; i++)
        if (all[i].field == field)
            return &all[i];
    fail_msg("%s is not asked about", act_field(field)->key);
    return NULL;
}

static bool stays(enum act_field_id field, double value, enum act_limit limit, double bound)
{
    struct act_plan other = plan;

    act_field_set_number(&other, field, value);
    act_estimate(&other, &result);
    return limit == ACT_LIMIT_MEMORY ? result.fit != ACT_DOES_NOT_FIT
           : limit == ACT_LIMIT_DAYS ? result.time.calendar_days <= bound
                                     : result.cost.total <= bound;
}

static void assert_edge(const struct act_largest *largest, enum act_limit limit, double bound)
{
    const struct act_largest_value *value = &largest->by[limit];

    assert_int_equal(value->extent, ACT_EXTENT_FOUND);
    assert_true(stays(largest->field, value->value, limit, bound));
    assert_false(stays(largest->field, value->next, limit, bound));
}

static void largest_values(void **state)
{
    (void)state;
    struct act_largest all[ACT_LARGEST_COUNT];
    const double days = 1000, budget = 2.5e6;

    open_scenario("example");
    set("parallel.tensor", "8"); /* fits */
    set("parallel.data", "4");
    act_need_largest(&plan, &(struct act_limits){days, budget}, all);
    const struct act_largest *micro = largest_of(all, ACT_F_training_micro_batch);
    assert_edge(micro, ACT_LIMIT_MEMORY, 0);
    assert_near(micro->by[ACT_LIMIT_MEMORY].next, 2 * micro->by[ACT_LIMIT_MEMORY].value, 0);
    const struct act_largest *sequence = largest_of(all, ACT_F_training_sequence);
    for (int i = 0; i < ACT_LIMIT_COUNT; i++)
        assert_edge(sequence, (enum act_limit)i, i == ACT_LIMIT_DAYS ? days : budget);
    assert_near(fmod(sequence->by[0].value, 128), 0, 0);
    const struct act_largest *layers = largest_of(all, ACT_F_model_layers);
    for (int i = 0; i < ACT_LIMIT_COUNT; i++)
        assert_edge(layers, (enum act_limit)i, i == ACT_LIMIT_DAYS ? days : budget);
    const struct act_largest *tokens = largest_of(all, ACT_F_training_tokens);
    assert_int_equal(tokens->by[ACT_LIMIT_MEMORY].extent, ACT_EXTENT_FREE);
    assert_edge(tokens, ACT_LIMIT_DAYS, days);
    assert_edge(tokens, ACT_LIMIT_BUDGET, budget);
    /* Whole steps of 1,024 x 4,096 tokens; days are in proportion to them. */
    assert_near(fmod(tokens->by[ACT_LIMIT_DAYS].value, 1024 * 4096), 0, 0);
    act_estimate(&plan, &result);
    assert_near(tokens->by[ACT_LIMIT_DAYS].value, 2e12 * days / result.time.calendar_days,
                1024 * 4096);
}

/* Without limits only memory is one; a count that is overruled is asked about instead of layers. */
static void limits_that_are_not(void **state)
{
    (void)state;
    struct act_largest all[ACT_LARGEST_COUNT];

    open_scenario("chapter-7");
    act_need_largest(&plan, &(struct act_limits){NAN, NAN}, all);
    const struct act_largest *parameters = largest_of(all, ACT_F_model_parameters);
    assert_edge(parameters, ACT_LIMIT_MEMORY, 0);
    for (int i = 0; i < ACT_LARGEST_COUNT; i++) {
        assert_int_equal(all[i].by[ACT_LIMIT_DAYS].extent, ACT_EXTENT_FREE);
        assert_int_equal(all[i].by[ACT_LIMIT_BUDGET].extent, ACT_EXTENT_FREE);
    }
    /* With ZeRO-2 over 64: (2 + 12/64) bytes a parameter on 16 GPUs, and 2 GiB that stay. */
    const struct act_largest *tokens = largest_of(all, ACT_F_training_tokens);
    act_need_largest(&plan, &(struct act_limits){90, NAN}, all);
    assert_near(tokens->by[ACT_LIMIT_DAYS].value, 2e12 * 90 / 76.0766, 1e7);
}

/* A plan of which not even the smallest value stays within. */
static void none_is_small_enough(void **state)
{
    (void)state;
    struct act_largest all[ACT_LARGEST_COUNT];

    open_scenario("example");
    set("parallel.tensor", "1");
    act_need_largest(&plan, &(struct act_limits){1, NAN}, all);
    const struct act_largest *micro = largest_of(all, ACT_F_training_micro_batch);
    assert_int_equal(micro->by[ACT_LIMIT_MEMORY].extent, ACT_EXTENT_NONE);
    assert_near(micro->by[ACT_LIMIT_MEMORY].next, 1, 0);
    assert_int_equal(largest_of(all, ACT_F_training_sequence)->by[ACT_LIMIT_DAYS].extent,
                     ACT_EXTENT_NONE);
}

/* Days and budget are the plan's own where none are given. */
static void own_limits(void **state)
{
    (void)state;
    static struct act_answers answers;
    const struct act_deadline none = {NAN, 0, ACT_ROUND_NODE};

    open_scenario("chapter-7");
    act_answers_of(&plan, &none, NAN, &answers);
    assert_false(answers.asked);
    assert_true(isnan(answers.limits.days) && isnan(answers.limits.budget));
    set("training.deadline_days", "90");
    set("cost.budget", "5M");
    act_answers_of(&plan, &none, NAN, &answers);
    assert_true(answers.asked);
    assert_near(answers.gpus.replicas, 55, 0);
    assert_near(answers.limits.budget, 5e6, 0);
    act_answers_of(&plan, &(struct act_deadline){45, 0, ACT_ROUND_NODE}, 1e6, &answers);
    assert_near(answers.gpus.replicas, 109, 0); /* 1,731.2 / 16 */
    assert_near(answers.limits.budget, 1e6, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_chapter_on_a800),
        cmocka_unit_test(the_chapter_on_910b),
        cmocka_unit_test(counts_are_rounded_up),
        cmocka_unit_test(the_batch_follows_the_replicas),
        cmocka_unit_test(calendar_days_are_asked_for),
        cmocka_unit_test(replicas_are_estimated),
        cmocka_unit_test(replicas_that_fit),
        cmocka_unit_test(experts_take_many_replicas),
        cmocka_unit_test(what_no_count_makes),
        cmocka_unit_test(largest_values),
        cmocka_unit_test(limits_that_are_not),
        cmocka_unit_test(none_is_small_enough),
        cmocka_unit_test(own_limits),
    };
    return cmocka_run_group_tests_name("need", tests, NULL, NULL);
}
