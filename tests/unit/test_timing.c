/* Time and rent from a given MFU, against the chapter's figures and arithmetic by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <actuary/cost.h>
#include <actuary/estimate.h>
#include <actuary/field.h>
#include <actuary/timing.h>

#include <math.h>
#include <string.h>

/* The chapter's case: 70e9 parameters, 2e12 tokens, 1,024 A800 of 312 TFLOPS at 40 %. */
static struct act_plan chapter(void)
{
    struct act_plan plan;

    act_plan_init(&plan);
    plan.framework.family = ACT_TEXTBOOK;
    plan.model.parameters = 70e9;
    plan.training.tokens = 2e12;
    plan.training.precision = ACT_BF16;
    plan.parallel.tensor = 4;
    plan.parallel.pipeline = 4;
    plan.parallel.data = 64;
    plan.hardware.peak_bf16 = 312e12;
    plan.hardware.mfu = 0.40;
    act_field_set_number(&plan, ACT_F_cost_goodput, 1);
    return plan;
}

static struct act_result estimate(const struct act_plan *plan)
{
    static struct act_result result;
    act_estimate(plan, &result);
    return result;
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.9g instead of %.9g +- %.3g", value, expected, tolerance);
    }
}

static void test_chapter_days(void **state)
{
    (void)state;
    struct act_plan plan = chapter();
    struct act_result result = estimate(&plan);

    /* 6 x 70e9 x 2e12 = 8.4e23; / (1024 x 312e12 x 0.4) = 6,573,016.8 s = 76.0766 days */
    assert_near(result.flops.six_pd, 8.4e23, 1);
    assert_near(result.time.days, 76.0766, 0.0001);
    assert_near(result.time.calendar_days, result.time.days, 0);
    /* 1,024 sequences of 4,096 tokens: 2e12 / 4,194,304 steps */
    assert_near(result.time.steps, 476837.158203125, 1e-6);
    /* 4.2e11 x 4,194,304 / 1.277952e17 = 13.78461... s */
    assert_near(result.time.step_seconds, 13.784618, 1e-5);
    assert_near(result.time.tokens_per_second, 304274.29, 0.01);
    assert_near(result.time.tokens_per_second_per_gpu, 297.142857, 1e-5);
    assert_near(result.time.tflops_per_gpu, 124.8, 1e-9);
    assert_false(result.time.lacks_precision);
}

static void test_days_halve_with_twice_the_gpus(void **state)
{
    (void)state;
    struct act_plan plan = chapter();
    double days = estimate(&plan).time.days;

    plan.parallel.data *= 2;
    assert_near(estimate(&plan).time.days, days / 2, 1e-9);
    plan.hardware.mfu = 0.20;
    assert_near(estimate(&plan).time.days, days, 1e-9);
}

static void test_910b(void **state)
{
    (void)state;
    struct act_plan plan = chapter();

    /* 8.4e23 / (844 x 320e12 x 0.4) = 90.0 days: engine.md 7 needs 844 for 90 days */
    plan.parallel.tensor = 1;
    plan.parallel.pipeline = 1;
    plan.parallel.data = 844;
    plan.hardware.peak_bf16 = 320e12;
    double days = estimate(&plan).time.days;
    assert_true(days < 90);
    plan.parallel.data = 843;
    days = estimate(&plan).time.days;
    assert_true(days > 90);
}

static void test_goodput_stretches_the_calendar(void **state)
{
    (void)state;
    struct act_plan plan = chapter();

    plan.cost.goodput = 0.5;
    struct act_result result = estimate(&plan);
    assert_near(result.time.calendar_days, 2 * result.time.days, 1e-9);
    assert_near(result.time.days, 76.0766, 0.0001);
}

static void test_layered_families_count_attention(void **state)
{
    (void)state;
    struct act_plan plan = chapter();

    /* Llama-2-70B at s 4096: 4.284e11 a token (engine.md 4). */
    plan.framework.family = ACT_MEGATRON;
    plan.model.parameters = ACT_AUTO;
    plan.model.kv_heads = 8;
    plan.model.ffn = 28672;
    struct act_result result = estimate(&plan);
    assert_near(result.flops.per_token, 4.284e11, 0.001e11);
    /* times 4,194,304 tokens a step over 1024 x 312e12 x 0.4 */
    assert_near(result.time.step_seconds, 14.06, 0.01);
    assert_near(result.time.mfu, 0.40, 0);
    assert_near(result.time.hfu, 0.40, 1e-12);
    assert_near(result.time.share_recompute, 0, 1e-12);
}

static void test_recompute_raises_hfu_not_days(void **state)
{
    (void)state;
    struct act_plan plan = chapter();

    plan.framework.family = ACT_MEGATRON;
    plan.model.parameters = ACT_AUTO;
    plan.parallel.recompute = ACT_RECOMPUTE_NONE;
    double days = estimate(&plan).time.days;
    plan.parallel.recompute = ACT_RECOMPUTE_FULL;
    struct act_result result = estimate(&plan);
    assert_near(result.time.days, days, 1e-9);
    /* One more forward of the layers: up to 8/6. The head is not computed again. */
    assert_true(result.time.hfu > 0.40 * 1.30 && result.time.hfu <= 0.40 * 8 / 6 + 1e-12);
    assert_near(result.time.share_recompute, 1 - result.time.mfu / result.time.hfu, 1e-12);
}

static void test_nearest_peak(void **state)
{
    (void)state;
    static const struct {
        enum act_precision asked, used;
        double fp32, tf32, fp16, bf16, fp8, peak;
    } cases[] = {
        {ACT_BF16, ACT_FP16, 15.7e12, -1, 125e12, -1, -1, 125e12}, /* V100 */
        {ACT_BF16, ACT_FP32, 15.7e12, -1, -1, -1, -1, 15.7e12},
        {ACT_NVFP4, ACT_FP8, 1e12, 2e12, 3e12, 4e12, 5e12, 5e12},
        {ACT_NVFP4, ACT_BF16, 1e12, 2e12, 3e12, 4e12, -1, 4e12},
        {ACT_FP8, ACT_BF16, 1e12, 2e12, 3e12, 4e12, -1, 4e12},
        {ACT_MXFP8, ACT_FP16, 1e12, 2e12, 3e12, -1, -1, 3e12},
        {ACT_MXFP8, ACT_MXFP8, 1e12, 2e12, 3e12, 4e12, 5e12, 5e12},
        {ACT_TF32, ACT_FP32, 1e12, -1, 3e12, 4e12, 5e12, 1e12},
        {ACT_FP16, ACT_FP16, 1e12, 2e12, 3e12, 4e12, 5e12, 3e12},
        {ACT_BF16, ACT_FP32, 1e12, 2e12, -1, -1, 5e12, 1e12}, /* fp8 never stands in */
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct act_plan plan = chapter();
        enum act_precision used;
        plan.training.precision = cases[i].asked;
        plan.hardware.peak_fp32 = cases[i].fp32;
        plan.hardware.peak_tf32 = cases[i].tf32;
        plan.hardware.peak_fp16 = cases[i].fp16;
        plan.hardware.peak_bf16 = cases[i].bf16;
        plan.hardware.peak_fp8 = cases[i].fp8;
        act_plan_resolve(&plan, &plan);
        assert_near(act_time_peak(&plan, &used), cases[i].peak, 0);
        assert_int_equal(used, cases[i].used);
        assert_int_equal(estimate(&plan).time.lacks_precision, cases[i].asked != cases[i].used);
    }
}

/* A narrower type does not stand in for a wider one: there is no time. */
static void test_no_wider_peak(void **state)
{
    (void)state;
    static const enum act_precision asked[] = {ACT_FP32, ACT_TF32, ACT_FP16, ACT_BF16};

    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        struct act_plan plan = chapter();
        plan.training.precision = asked[i];
        plan.hardware.peak_bf16 = asked[i] <= ACT_TF32 ? 312e12 : ACT_AUTO;
        plan.hardware.peak_fp8 = 624e12;
        plan.cost.price_per_gpu_hour = 2;
        struct act_result result = estimate(&plan);
        assert_near(result.time.peak, 0, 0);
        assert_near(result.time.days, 0, 0);
        assert_true(result.time.lacks_precision);
        /* No time is not a run for nothing. */
        assert_false(result.cost.known);
        assert_true(isnan(result.cost.gpu_hours));
    }
}

static void test_given_peak_overrules(void **state)
{
    (void)state;
    struct act_plan plan = chapter();

    plan.hardware.peak_tflops = 156e12;
    struct act_result result = estimate(&plan);
    assert_near(result.time.days, 2 * 76.0766, 0.0002);
    assert_false(result.time.lacks_precision);
}

static void test_no_peak_at_all(void **state)
{
    (void)state;
    struct act_plan plan = chapter();

    plan.hardware.peak_bf16 = ACT_AUTO;
    struct act_result result = estimate(&plan);
    assert_true(result.time.lacks_precision);
    assert_near(result.time.days, 0, 0);
    assert_near(result.time.step_seconds, 0, 0);
    assert_near(result.time.tokens_per_second, 0, 0);
    assert_true(isfinite(result.time.hfu));
}

static void test_rent(void **state)
{
    (void)state;
    struct act_plan plan = chapter();

    act_field_set_number(&plan, ACT_F_cost_price_per_gpu_hour, 1.50);
    struct act_result result = estimate(&plan);
    /* 1024 x 76.0766 x 24 = 1,869,658 GPU-hours */
    assert_near(result.cost.gpu_hours, 1869658.1, 0.1);
    assert_near(result.cost.rent, 2804487.2, 0.2);
    assert_true(result.cost.known);
    plan.cost.goodput = 0.5;
    assert_near(estimate(&plan).cost.rent, 2 * 2804487.2, 0.4);
    /* GPUs of one's own: nothing is known to be nothing. */
    act_field_set_number(&plan, ACT_F_cost_price_per_gpu_hour, 0);
    result = estimate(&plan);
    assert_true(result.cost.known);
    assert_near(result.cost.rent, 0, 0);
}

static void test_price_is_never_converted(void **state)
{
    (void)state;
    struct act_plan plan = chapter();

    assert_false(estimate(&plan).cost.known);
    plan.hardware.rental_price = 2; /* as a preset fills it in */
    assert_true(estimate(&plan).cost.known);
    memcpy(plan.cost.currency, "EUR", sizeof "EUR");
    assert_false(estimate(&plan).cost.known);
    act_field_set_number(&plan, ACT_F_cost_price_per_gpu_hour, 3);
    struct act_result result = estimate(&plan);
    assert_true(result.cost.known);
    assert_near(result.cost.price, 3, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chapter_days),
        cmocka_unit_test(test_days_halve_with_twice_the_gpus),
        cmocka_unit_test(test_910b),
        cmocka_unit_test(test_goodput_stretches_the_calendar),
        cmocka_unit_test(test_layered_families_count_attention),
        cmocka_unit_test(test_recompute_raises_hfu_not_days),
        cmocka_unit_test(test_nearest_peak),
        cmocka_unit_test(test_no_wider_peak),
        cmocka_unit_test(test_given_peak_overrules),
        cmocka_unit_test(test_no_peak_at_all),
        cmocka_unit_test(test_rent),
        cmocka_unit_test(test_price_is_never_converted),
    };
    return cmocka_run_group_tests_name("timing", tests, NULL, NULL);
}
