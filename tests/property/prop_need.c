/* For plans of all kinds: advice gives what it says when it is taken; the largest value stays
 * within its limit and the next one does not; the GPUs for a deadline make it, and no smaller
 * number of replicas does. */
#include "../unit/check_plans.h"

#include "random_plan.h"
#include <actuary/advice.h>
#include <actuary/need.h>

#include <math.h>
#include <stdlib.h>

enum { PLANS = 400 };

/* Sound plans with a few levers and sizes changed, on any family. */
static struct act_plan random_plan(void)
{
    static const enum act_field_id watched[] = {
        ACT_F_training_sequence,  ACT_F_training_micro_batch, ACT_F_training_global_batch,
        ACT_F_parallel_tensor,    ACT_F_parallel_pipeline,    ACT_F_parallel_context,
        ACT_F_parallel_data,      ACT_F_parallel_zero,        ACT_F_parallel_recompute,
        ACT_F_parallel_expert,    ACT_F_framework_loss,       ACT_F_framework_allocator,
        ACT_F_hardware_memory,    ACT_F_parallel_offload,     ACT_F_training_precision,
        ACT_F_cost_goodput,       ACT_F_model_layers,         ACT_F_parallel_interleave,
        ACT_F_framework_max_zero, ACT_F_training_tokens,
    };
    struct act_plan plan = one_in(3) ? sound_moe() : sound();

    plan.framework.family = (int64_t)below(3);
    plan.training.tokens = 1e12;
    plan.cost.price_per_gpu_hour = 2;
    plan.hardware.peak_fp8 = one_in(2) ? 624e12 : ACT_AUTO;
    plan.hardware.mfu = one_in(3) ? 0.4 : ACT_AUTO;
    plan.cost.failures_per_1000_gpu_days = one_in(4) ? 3 : ACT_AUTO;
    for (int i = (int)below(5); i > 0; i--)
        change(&plan, act_field(watched[below(sizeof watched / sizeof watched[0])]));
    return plan;
}

static int broken_rules(const struct act_result *of)
{
    return of->errors - (of->fit == ACT_DOES_NOT_FIT);
}

static void estimate_with(const struct act_plan *plan, enum act_field_id field, double value)
{
    struct act_plan other = *plan;

    act_field_set_number(&other, field, value);
    act_estimate(&other, &result);
}

static void test_advice(struct act_plan *plan, uint64_t seed)
{
    static struct act_advices advices;

    act_advise(plan, &advices);
    act_estimate(plan, &result);
    assert_int_equal(advices.now.fit, result.fit);
    assert_int_equal(advices.now.errors, broken_rules(&result));
    for (int i = 0; i < advices.count; i++) {
        const struct act_advice *advice = &advices.item[i];
        struct act_plan changed = *plan;
        act_advice_take(advice, &changed);
        act_estimate(&changed, &result);
        bool same = result.fit == advice->fit && broken_rules(&result) == advice->errors &&
                    result.memory.peak == advice->peak && result.layout.gpus == advice->gpus &&
                    result.time.calendar_days == advice->days &&
                    (isnan(advice->cost) || result.cost.total == advice->cost);
        if (!same)
            fail_msg("seed %llu: %s %g does not give what it says", (unsigned long long)seed,
                     act_field(advice->set[0].field)->key, advice->set[0].value);
        assert_true(advice->errors <= advices.now.errors);
        assert_false(act_plan_equal(plan, &changed));
    }
}

static bool stays(const struct act_plan *plan, enum act_field_id field, double value,
                  enum act_limit limit, const struct act_limits *limits, int errors)
{
    estimate_with(plan, field, value);
    if (broken_rules(&result) > errors)
        return false;
    return limit == ACT_LIMIT_MEMORY ? result.fit != ACT_DOES_NOT_FIT
           : limit == ACT_LIMIT_DAYS
               ? result.time.calendar_days > 0 && result.time.calendar_days <= limits->days
               : result.cost.known && result.cost.total <= limits->budget;
}

static void test_largest(const struct act_plan *plan, uint64_t seed)
{
    struct act_largest all[ACT_LARGEST_COUNT];

    act_estimate(plan, &result);
    int errors = broken_rules(&result);
    const struct act_limits limits = {result.time.calendar_days * (0.2 + (double)below(30) / 10),
                                      result.cost.total * (0.2 + (double)below(30) / 10)};
    act_need_largest(plan, &limits, all);
    for (int i = 0; i < ACT_LARGEST_COUNT; i++) {
        for (int j = 0; j < ACT_LIMIT_COUNT; j++) {
            const struct act_largest_value *value = &all[i].by[j];
            enum act_field_id field = all[i].field;
            enum act_limit limit = (enum act_limit)j;
            bool has = value->extent == ACT_EXTENT_FOUND || value->extent == ACT_EXTENT_ALL;
            bool next = value->extent == ACT_EXTENT_FOUND || value->extent == ACT_EXTENT_NONE;
            double most = act_field(field)->max;
            if (has && !stays(plan, field, value->value, limit, &limits, errors))
                fail_msg("seed %llu: %s %.17g is not within %s", (unsigned long long)seed,
                         act_field(field)->key, value->value, act_limit_name(limit));
            if (next && value->next > 0 && value->next <= most &&
                stays(plan, field, value->next, limit, &limits, errors))
                fail_msg("seed %llu: the next %s %.17g is within %s", (unsigned long long)seed,
                         act_field(field)->key, value->next, act_limit_name(limit));
        }
    }
}

/* Every smaller number of replicas is late or cannot be dealt the batch or the experts. */
static void test_gpus(const struct act_plan *plan, uint64_t seed)
{
    static struct act_gpu_need need;
    const struct act_deadline deadline = {1 + (double)below(400), (double)below(3) / 20,
                                          (enum act_round)below(ACT_ROUND_COUNT)};
    struct act_plan resolved;

    act_need_gpus(plan, &deadline, &need);
    act_plan_resolve(plan, &resolved);
    int64_t batches = resolved.training.global_batch / resolved.training.micro_batch;
    if (!need.found)
        return;
    double single = act_plan_gpus(plan) / (double)plan->parallel.data;
    int64_t unit = (int64_t)(need.replica / single);
    assert_true(need.days <= deadline.days);
    assert_true(fmax(need.gpus, need.fit_gpus) <= need.with_spare);
    assert_true(need.with_spare <= need.chosen);
    assert_true(need.data * single + need.idle == need.chosen && need.idle >= 0);
    assert_true(need.by_compute <= need.gpus);
    /* Where more replicas were asked for since they fit, they do, and none between does. */
    if (need.fit_replicas > 0) {
        assert_true(need.fit_replicas > need.replicas);
        estimate_with(plan, ACT_F_parallel_data, need.fit_replicas * (double)unit);
        assert_int_not_equal(result.fit, ACT_DOES_NOT_FIT);
        assert_true(result.time.calendar_days <= deadline.days);
        for (int64_t data = (int64_t)need.replicas * unit;
             data < (int64_t)need.fit_replicas * unit && data < 4096; data += unit) {
            estimate_with(plan, ACT_F_parallel_data, (double)data);
            assert_true((need.estimated && batches % data != 0) || result.fit == ACT_DOES_NOT_FIT);
        }
    }
    for (int64_t data = unit; data < (int64_t)need.replicas * unit && data < 4096; data += unit) {
        if (need.estimated && batches % data != 0)
            continue;
        estimate_with(plan, ACT_F_parallel_data, (double)data);
        if (result.time.calendar_days > 0 && result.time.calendar_days <= deadline.days)
            fail_msg("seed %llu: DP %lld makes %g days too, not only %g", (unsigned long long)seed,
                     (long long)data, deadline.days, need.replicas * (double)unit);
    }
}

static void test_all(void **state)
{
    (void)state;
    const char *given = getenv("ACTUARY_SEED");
    uint64_t first = given ? strtoull(given, NULL, 10) : 1;

    for (uint64_t seed = first; seed < first + (given ? 1 : PLANS); seed++) {
        seed_random(seed);
        struct act_plan plan = random_plan();
        test_advice(&plan, seed);
        test_largest(&plan, seed);
        test_gpus(&plan, seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
    return cmocka_run_group_tests_name("need", tests, NULL, NULL);
}
