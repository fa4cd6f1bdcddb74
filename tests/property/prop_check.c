/* For any plan: every repair is within its field's range, and after it the rule holds. And one
 * estimate is a pure function that gives no number that is not finite. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <actuary/estimate.h>
#include <actuary/field.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLANS = 8000 };

static uint64_t state_of_random;

/* xorshift64* */
static uint64_t next_random(void)
{
    state_of_random ^= state_of_random >> 12;
    state_of_random ^= state_of_random << 25;
    state_of_random ^= state_of_random >> 27;
    return state_of_random * 2685821657736338717U;
}

static int64_t below(int64_t limit)
{
    return (int64_t)(next_random() % (uint64_t)limit);
}

static bool one_in(int64_t times)
{
    return below(times) == 0;
}

/* A whole number that people might type, or anything in the range. */
static int64_t count_for(const struct act_field *field)
{
    static const int64_t usual[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64, 80, 96, 128};
    static const int64_t large[] = {512, 1000, 1024, 2048, 4095, 4096, 5120, 8192, 28672};
    double low = field->min, high = field->max;
    int64_t value;

    if (one_in(16)) {
        return (int64_t)(low + floor((high - low) * ((double)below(1 << 20) / (1 << 20))));
    }
    value = one_in(3) ? large[below(sizeof large / sizeof large[0])]
                      : usual[below(sizeof usual / sizeof usual[0])];
    return (int64_t)fmin(fmax((double)value, low), high);
}

static double real_for(const struct act_field *field)
{
    double low = field->min > 0 ? field->min : 1e-3;
    double share = (double)below(1 << 20) / (1 << 20);

    return fmin(fmax(exp(log(low) + share * (log(field->max) - log(low))), field->min), field->max);
}

/* Changes one field to something in its range. */
static void change(struct act_plan *plan, const struct act_field *field)
{
    int names = 0;

    if ((field->flags & ACT_FIELD_AUTO) && field->kind != ACT_KIND_LIST && one_in(4)) {
        act_field_set_number(plan, field->id, ACT_AUTO);
        return;
    }
    switch (field->kind) {
    case ACT_KIND_INT:
        act_field_set_number(plan, field->id, (double)count_for(field));
        break;
    case ACT_KIND_REAL:
        act_field_set_number(plan, field->id, real_for(field));
        break;
    case ACT_KIND_BOOL:
        act_field_set_number(plan, field->id, (double)below(2));
        break;
    case ACT_KIND_ENUM:
        while (field->names[names]) {
            names++;
        }
        act_field_set_number(plan, field->id, (double)below(names));
        break;
    case ACT_KIND_LIST: {
        struct act_list *list = &plan->parallel.layers_per_stage;
        list->count = one_in(8) ? (int32_t)below(ACT_LIST_MAX + 1)
                                : (int32_t)(plan->parallel.pipeline % ACT_LIST_MAX);
        for (int i = 0; i < list->count; i++) {
            list->item[i] = (uint16_t)below(8);
        }
        break;
    }
    case ACT_KIND_SET:
    case ACT_KIND_TEXT:
    case ACT_KIND_GPUS:
        break;
    }
}

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
    const double numbers[] = {result->time.step_seconds,  result->time.days,
                              result->time.calendar_days, result->time.mfu,
                              result->time.hfu,           result->time.tokens_per_second,
                              result->cost.rent,          result->memory.peak};
    int counts[3] = {0};

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

static void test_repairs(void **state)
{
    (void)state;
    static struct act_result result;
    const char *given = getenv("ACTUARY_SEED");
    uint64_t first = given ? strtoull(given, NULL, 10) : 1;
    int mended = 0;

    for (uint64_t seed = first; seed < first + (given ? 1 : PLANS); seed++) {
        state_of_random = seed * 0x9E3779B97F4A7C15U;
        struct act_plan plan = random_plan();
        act_estimate(&plan, &result);
        assert_sane(&result, seed);
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
