/* For any plan: every repair is within its field's range, and after it the rule holds. And one
 * estimate is a pure function that gives no number that is not finite. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random_plan.h"
#include <actuary/estimate.h>

#include <stdlib.h>
#include <string.h>

enum { PLANS = 8000 };

/* A few changes to the fields that rules look at, some to any field. */
static struct act_plan random_plan(void)
{
    static const enum act_field_id watched[] = {
        ACT_F_model_layers,
        ACT_F_model_heads,
        ACT_F_model_kv_heads,
        ACT_F_model_hidden,
        ACT_F_model_ffn,
        ACT_F_model_experts,
        ACT_F_model_experts_per_token,
        ACT_F_model_expert_ffn,
        ACT_F_model_shared_ffn,
        ACT_F_model_max_positions,
        ACT_F_model_positions,
        ACT_F_framework_family,
        ACT_F_framework_max_zero,
        ACT_F_framework_max_zero_pipeline,
        ACT_F_framework_pipeline,
        ACT_F_training_sequence,
        ACT_F_training_micro_batch,
        ACT_F_training_global_batch,
        ACT_F_training_precision,
        ACT_F_training_deadline_days,
        ACT_F_parallel_tensor,
        ACT_F_parallel_pipeline,
        ACT_F_parallel_interleave,
        ACT_F_parallel_context,
        ACT_F_parallel_expert,
        ACT_F_parallel_expert_tensor,
        ACT_F_parallel_data,
        ACT_F_parallel_zero,
        ACT_F_parallel_shard_group,
        ACT_F_parallel_sequence_parallel,
        ACT_F_hardware_memory,
        ACT_F_hardware_compute_capability,
        ACT_F_cost_basis,
        ACT_F_cost_failures_per_1000_gpu_days,
        ACT_F_cost_checkpoint_minutes,
    };
    struct act_plan plan;

    act_plan_init(&plan);
    plan.hardware.peak_bf16 = 312e12;
    plan.hardware.peak_fp16 = 312e12;
    for (int i = (int)below(12); i >= 0; i--) {
        change(&plan, act_field(watched[below(sizeof watched / sizeof watched[0])]));
    }
    for (int i = (int)below(4); i > 0; i--) {
        change(&plan, act_field((enum act_field_id)below(ACT_FIELD_COUNT)));
    }
    return plan;
}

static void assert_repairs_allowed(const struct act_check *check, uint64_t seed)
{
    for (int i = 0; i < check->repairs; i++) {
        const struct act_field *field = act_field(check->repair[i].field);
        double value = check->repair[i].value, high = field->max;
        bool automatic = (field->flags & ACT_FIELD_AUTO) && value == ACT_AUTO;
        if (field->kind == ACT_KIND_ENUM) {
            for (high = 0; field->names[(int)high + 1];) {
                high++;
            }
        }
        if (!automatic && !(value >= field->min && value <= high)) {
            fail_msg("seed %llu: %s sets %s to %g", (unsigned long long)seed, check->rule,
                     field->key, value);
        }
    }
}

static void assert_mends(const struct act_plan *plan, const struct act_check *check, uint64_t seed)
{
    static struct act_result result;
    struct act_plan mended = *plan;

    act_check_mend(check, &mended);
    act_estimate(&mended, &result);
    for (int i = 0; i < result.checks.count; i++) {
        if (strcmp(result.checks.check[i].rule, check->rule) == 0) {
            fail_msg("seed %llu: \"%s\" is followed by \"%s\"", (unsigned long long)seed,
                     check->message, result.checks.check[i].message);
        }
    }
}

static void assert_sane(const struct act_result *result, uint64_t seed)
{
    const double numbers[] = {result->time.step_seconds,
                              result->time.days,
                              result->time.calendar_days,
                              result->time.mfu,
                              result->time.hfu,
                              result->time.tokens_per_second,
                              result->cost.known ? result->cost.total : 0,
                              result->cost.goodput.share,
                              result->memory.peak};
    int counts[3] = {0};
    double parts = 0;

    for (int i = 0; i < ACT_TIME_PARTS; i++) {
        if (!isfinite(result->time.part[i]) || result->time.part[i] < 0) {
            fail_msg("seed %llu: %s takes %g s", (unsigned long long)seed,
                     act_time_part_name((enum act_time_part)i), result->time.part[i]);
        }
        parts += result->time.part[i];
    }
    if (fabs(parts - result->time.step_seconds) > 1e-9 * parts) {
        fail_msg("seed %llu: the parts sum to %g of %g s", (unsigned long long)seed, parts,
                 result->time.step_seconds);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (!isfinite(numbers[i]) || numbers[i] < 0) {
            fail_msg("seed %llu: number %zu is %g", (unsigned long long)seed, i, numbers[i]);
        }
    }
    for (int i = 0; i < result->checks.count; i++) {
        const struct act_check *check = &result->checks.check[i];
        counts[check->level]++;
        assert_true(check->fields >= 1 && check->fields <= ACT_CHECK_FIELDS_MAX);
        assert_true(check->repairs <= ACT_CHECK_FIELDS_MAX);
        assert_true(check->message[0] && strlen(check->message) < ACT_CHECK_TEXT - 1);
        assert_true(i == 0 || check[-1].level <= check->level);
        assert_repairs_allowed(check, seed);
    }
    assert_int_equal(counts[ACT_ERROR], result->errors);
    assert_int_equal(counts[ACT_WARNING], result->warnings);
}

/* An estimate never computes faster than the peak, uneven batches included. FLOPs of adapters on
 * experts count them all, not those a token meets. */
static void assert_below_peak(const struct act_plan *plan, const struct act_result *result,
                              uint64_t seed)
{
    bool adapted = plan->training.method == ACT_LORA || plan->training.method == ACT_QLORA;

    /* A run that was measured may have been pinned on a plan that it does not fit. */
    if (!result->time.estimated || (adapted && plan->model.experts > 0) ||
        plan->calibration.time_factor >= 0)
        return;
    if (result->time.mfu > 1 || result->time.hfu > 1)
        fail_msg("seed %llu: MFU %g, HFU %g", (unsigned long long)seed, result->time.mfu,
                 result->time.hfu);
}

/* A batch of no whole micro batches takes as many days as the one that runs in its place. */
static void assert_whole_batches(const struct act_plan *plan, const struct act_result *result,
                                 uint64_t seed)
{
    static struct act_result whole;
    struct act_plan other = *plan;

    if (!result->time.estimated || result->layout.whole || result->layout.sequences > 1e15)
        return;
    act_field_set_number(&other, ACT_F_training_global_batch, result->layout.sequences);
    act_estimate(&other, &whole);
    if (fabs(result->time.days - whole.time.days) > 1e-9 * whole.time.days)
        fail_msg("seed %llu: %g days, %g with whole batches", (unsigned long long)seed,
                 result->time.days, whole.time.days);
}

static void test_repairs(void **state)
{
    (void)state;
    static struct act_result result;
    const char *given = getenv("ACTUARY_SEED");
    uint64_t first = given ? strtoull(given, NULL, 10) : 1;
    int mended = 0;

    for (uint64_t seed = first; seed < first + (given ? 1 : PLANS); seed++) {
        seed_random(seed);
        struct act_plan plan = random_plan();
        act_estimate(&plan, &result);
        assert_sane(&result, seed);
        assert_below_peak(&plan, &result, seed);
        assert_whole_batches(&plan, &result, seed);
        for (int i = 0; i < result.checks.count; i++) {
            if (result.checks.check[i].repairs > 0) {
                assert_mends(&plan, &result.checks.check[i], seed);
                mended++;
            }
        }
    }
    /* The plans do break rules. */
    assert_true(given || mended > PLANS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_repairs)};
    return cmocka_run_group_tests_name("repairs", tests, NULL, NULL);
}
