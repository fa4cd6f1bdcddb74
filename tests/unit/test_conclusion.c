/* The sentences that an estimate comes down to: figures of the result, nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <actuary/conclusion.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct act_plan plan, other_plan;
static struct act_result result, other_result;
static char text[ACT_CONCLUSION_MAX];
static const struct act_conclusion_names names = {"Llama 2 70B", "NVIDIA H100 SXM"};

static const double gib = 1073741824.0;

static void make_up(void)
{
    act_plan_init(&plan);
    act_plan_resolve(&plan, &plan);
    memset(&result, 0, sizeof result);
    plan.training.tokens = 2e12;
    plan.training.deadline_days = ACT_AUTO;
    snprintf(plan.scenario.name, sizeof plan.scenario.name, "base");
    result.layout.gpus = 512;
    result.time.calendar_days = 26.71;
    result.time.mfu = 0.43;
    result.time.estimated = true;
    result.time.error_bar = 0.12;
    result.cost.known = true;
    result.cost.total = 820e3;
    result.cost.rent = 820e3;
    result.cost.price = 2.5;
    result.cost.purchase = NAN;
    result.cost.goodput_in_use = 0.97;
    result.cost.goodput_source = ACT_GOODPUT_USUAL;
    result.memory.stages = 1;
    result.memory.usable = 79.1 * gib;
    result.memory.peak = 66.8 * gib;
    result.memory.stage[0].device = 66.8 * gib;
    result.memory.error = 0.10;
    snprintf(plan.cost.price_date, sizeof plan.cost.price_date, "2026-08");
}

static void conclude(void)
{
    size_t length = act_conclusion(&plan, &result, &names, text, sizeof text);
    assert_int_equal(length, strlen(text)); /* nothing was cut */
}

static void test_a_plan_that_fits(void **state)
{
    (void)state;
    make_up();
    conclude();
    assert_string_equal(text, "512 GPUs (NVIDIA H100 SXM) train Llama 2 70B on 2 T tokens in 26.7 "
                              "calendar days for 820 k USD; the fullest GPU holds 66.8 of 79.1 "
                              "GiB.");
    result.fit = ACT_TIGHT;
    result.errors = 2;
    plan.training.deadline_days = 20;
    conclude();
    assert_non_null(strstr(text, "GiB, which is tight."));
    assert_non_null(strstr(text, "That is 6.71 days after the deadline of 20.0."));
    assert_non_null(strstr(text, "The plan breaks 2 rules"));
    plan.training.deadline_days = 30;
    result.layout.gpus = 1;
    plan.training.method = ACT_LORA;
    conclude();
    assert_non_null(strstr(text, "1 GPU (NVIDIA H100 SXM) tunes Llama 2 70B"));
    assert_non_null(strstr(text, "; it holds"));
    assert_non_null(strstr(text, "within the deadline of 30.0 days"));
}

static void test_a_plan_that_does_not_fit(void **state)
{
    (void)state;
    make_up();
    result.fit = ACT_DOES_NOT_FIT;
    result.errors = 1; /* that it does not fit */
    result.memory.peak = 98.1 * gib;
    conclude();
    assert_string_equal(text,
                        "Llama 2 70B does not fit on 512 GPUs (NVIDIA H100 SXM): the fullest one, "
                        "of stage 0, would hold 98.1 of 79.1 GiB. If it did, 2 T tokens would be "
                        "trained in 26.7 calendar days for 820 k USD.");
}

static void test_what_is_not_known(void **state)
{
    (void)state;
    make_up();
    result.cost.known = false;
    result.time.calendar_days = INFINITY;
    act_conclusion(&plan, &result, &(struct act_conclusion_names){0}, text, sizeof text);
    assert_non_null(strstr(text, "in a time that cannot be told"));
    assert_non_null(strstr(text, plan.model.preset));
    result.time.calendar_days = 3;
    conclude();
    assert_non_null(strstr(text, "3.00 calendar days at a price that is not known"));
}

static void test_assumptions(void **state)
{
    (void)state;
    make_up();
    act_conclusion_assumptions(&plan, &result, text, sizeof text);
    assert_string_equal(text, "This assumes an MFU of 43 %, estimated (a step's time within 12 % "
                              "either way); a goodput of 97 %, usual at this size; a rent of 2.50 "
                              "USD a GPU-hour (2026-08); memory within 10 % either way.");
    result.time.estimated = false;
    result.time.error_bar = 0;
    result.memory.error = 0;
    result.cost.rent = NAN;
    result.cost.goodput_source = ACT_GOODPUT_GIVEN;
    act_conclusion_assumptions(&plan, &result, text, sizeof text);
    assert_string_equal(text,
                        "This assumes an MFU of 43 %, the default; a goodput of 97 %, given.");
    act_plan_set_given(&plan, ACT_F_hardware_mfu, true);
    act_conclusion_assumptions(&plan, &result, text, sizeof text);
    assert_string_equal(text, "This assumes an MFU of 43 %, given; a goodput of 97 %, given.");
}

static void test_against_another(void **state)
{
    (void)state;
    make_up();
    other_plan = plan;
    other_result = result;
    snprintf(other_plan.scenario.name, sizeof other_plan.scenario.name, "other");
    other_result.time.calendar_days = 13.355;
    other_result.cost.total = 1.23e6;
    act_conclusion_against(&plan, &result, &other_plan, &other_result, text, sizeof text);
    assert_string_equal(text, "other, against base: 13.4 calendar days for 26.7 (-50 %, better), "
                              "1.23 M USD for 820 k (+50 %, worse), the fullest GPU 66.8 GiB as "
                              "well.");
    /* Different money is not compared. */
    snprintf(other_plan.cost.currency, sizeof other_plan.cost.currency, "RMB");
    act_conclusion_against(&plan, &result, &other_plan, &other_result, text, sizeof text);
    assert_null(strstr(text, "820 k"));
}

static void test_a_small_buffer_is_not_overrun(void **state)
{
    (void)state;
    make_up();
    for (size_t size = 0; size < 40; size++) {
        char small[41];
        memset(small, '#', sizeof small);
        size_t length = act_conclusion(&plan, &result, &names, small, size);
        assert_true(length > 100);
        assert_int_equal(small[size], '#');
        assert_true(size == 0 || strlen(small) == size - 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_plan_that_fits),
        cmocka_unit_test(test_a_plan_that_does_not_fit),
        cmocka_unit_test(test_what_is_not_known),
        cmocka_unit_test(test_assumptions),
        cmocka_unit_test(test_against_another),
        cmocka_unit_test(test_a_small_buffer_is_not_overrun),
    };
    return cmocka_run_group_tests_name("conclusion", tests, NULL, NULL);
}
