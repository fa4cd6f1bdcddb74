/* Result figures and differences: what is better, what is said of it, and which fields differ. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <actuary/diff.h>
#include <actuary/field.h>
#include <actuary/metrics.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct act_metric *find(const char *key)
{
    for (int i = 0; act_metric_at(i); i++) {
        if (strcmp(act_metric_at(i)->key, key) == 0)
            return act_metric_at(i);
    }
    fail_msg("no metric %s", key);
    return NULL;
}

static void expect_change(const char *key, double base, double value, const char *text,
                          enum act_verdict verdict)
{
    const struct act_metric *metric = find(key);
    struct act_change change = act_metric_change(metric, base, value);
    char out[64];

    act_change_text(metric, &change, out, sizeof out);
    assert_string_equal(out, text);
    assert_int_equal(change.verdict, verdict);
}

static void test_changes_are_signed_and_judged(void **state)
{
    (void)state;
    expect_change("time.calendar_days", 100, 75, "-25 %", ACT_VERDICT_BETTER);
    expect_change("time.calendar_days", 75, 100, "+33 %", ACT_VERDICT_WORSE);
    expect_change("time.tokens_per_second_per_gpu", 400, 404, "+1 %", ACT_VERDICT_BETTER);
    expect_change("time.tokens_per_second_per_gpu", 404, 400, "-1 %", ACT_VERDICT_WORSE);
    expect_change("cost.total", 1000, 1004, "+0.4 %", ACT_VERDICT_WORSE);
    expect_change("time.mfu", 0.40, 0.48, "+8 pt", ACT_VERDICT_BETTER);
    expect_change("errors", 2, 0, "-2", ACT_VERDICT_BETTER);
    expect_change("gpus", 64, 128, "+100 %", ACT_VERDICT_NONE);
    expect_change("gpus", 64, 768, "x 12", ACT_VERDICT_NONE);
    expect_change("time.calendar_days", 1200, 100, "1/12", ACT_VERDICT_BETTER);
    expect_change("memory.headroom_bytes", -100, 50, "+150 %", ACT_VERDICT_BETTER);
}

static void test_what_is_not_known_has_no_difference(void **state)
{
    (void)state;
    expect_change("cost.total", NAN, 5, "", ACT_VERDICT_NONE);
    expect_change("cost.total", 5, NAN, "", ACT_VERDICT_NONE);
    expect_change("time.days", INFINITY, 5, "", ACT_VERDICT_NONE);
    expect_change("cost.total", 5, 5, "", ACT_VERDICT_NONE);
    expect_change("cost.total", 5, 5 * (1 + 1e-12), "", ACT_VERDICT_NONE);
    expect_change("cost.staff", 0, 5, "+5.00", ACT_VERDICT_WORSE);
    expect_change("cost.staff", 0, 0, "", ACT_VERDICT_NONE);
}

static void test_every_key_is_its_own_and_every_value_is_read(void **state)
{
    (void)state;
    static struct act_result result;
    struct act_plan plan;
    int count = 0;

    act_plan_init(&plan);
    act_estimate(&plan, &result);
    for (; act_metric_at(count); count++) {
        const char *key = act_metric_at(count)->key;
        assert_ptr_equal(find(key), act_metric_at(count)); /* the first with this key is itself */
    }
    assert_null(act_metric_at(-1));
    assert_true(isnan(act_metric_value(count, &result)));
    assert_true(act_metric_value(0, &result) == result.layout.gpus);
    assert_true(act_metric_value(count - 1, &result) == result.cost.energy_mwh ||
                isnan(result.cost.energy_mwh));
}

static void expect_text(enum act_metric_unit unit, double value, const char *text)
{
    char out[64];
    act_metric_text(unit, value, out, sizeof out);
    assert_string_equal(out, text);
}

static void test_values_have_their_unit(void **state)
{
    (void)state;
    expect_text(ACT_METRIC_WHOLE, 1024.2, "1,024");
    expect_text(ACT_METRIC_UPWARD, 1023.2, "1,024");
    expect_text(ACT_METRIC_BYTES, 66.8 * 1073741824.0, "66.8 GiB");
    expect_text(ACT_METRIC_SHARE, 0.4321, "43.2 %");
    expect_text(ACT_METRIC_POWER, 8.4e23, "8.4e23");
    expect_text(ACT_METRIC_DAYS, 26.71, "26.7");
    expect_text(ACT_METRIC_SECONDS, 8.944, "8.94 s");
    expect_text(ACT_METRIC_MONEY, NAN, "-");
    expect_text(ACT_METRIC_WHOLE, INFINITY, "-");
}

/* ---- fields ---- */

static struct act_plan base, other;

static enum act_difference difference(enum act_field_id id)
{
    const struct act_plan *const plans[] = {&base, &other};
    return act_diff_field(plans, 2, id);
}

static bool row(enum act_field_id id)
{
    const struct act_plan *const plans[] = {&base, &other};
    return act_diff_row(plans, 2, id);
}

static void reset(void)
{
    act_plan_init(&base);
    act_plan_resolve(&base, &base);
    other = base;
}

static void test_fields_that_differ(void **state)
{
    (void)state;
    reset();
    for (int id = 0; id < ACT_FIELD_COUNT; id++)
        assert_int_equal(difference((enum act_field_id)id), ACT_SAME);
    act_field_set_number(&other, ACT_F_parallel_tensor, 8);
    assert_int_equal(difference(ACT_F_parallel_tensor), ACT_DIFFERS);
    assert_int_equal(difference(ACT_F_parallel_gpus), ACT_DIFFERS); /* follows, and is a main one */
    assert_int_equal(difference(ACT_F_parallel_pipeline), ACT_SAME);
    assert_true(row(ACT_F_parallel_pipeline)); /* a main field stands there anyway */
    assert_false(row(ACT_F_cost_pue));         /* the same, and no main field */
}

static void test_what_follows_from_a_preset_stands_back(void **state)
{
    (void)state;
    reset();
    other.hardware.sm_count = base.hardware.sm_count + 1;
    assert_int_equal(difference(ACT_F_hardware_sm_count), ACT_DIFFERS_BESIDE);
    assert_false(row(ACT_F_hardware_sm_count));
    act_plan_set_given(&other, ACT_F_hardware_sm_count, true);
    assert_int_equal(difference(ACT_F_hardware_sm_count), ACT_DIFFERS);
    assert_true(row(ACT_F_hardware_sm_count));
}

static void test_applying_in_one_only_is_a_difference(void **state)
{
    (void)state;
    reset();
    other.model.experts = 8;
    assert_false(act_field_applies(&base, ACT_F_model_expert_ffn));
    assert_true(act_field_applies(&other, ACT_F_model_expert_ffn));
    assert_int_equal(difference(ACT_F_model_expert_ffn), ACT_DIFFERS);
    /* A value that applies to neither is no difference. */
    reset();
    other.model.kv_lora_rank = base.model.kv_lora_rank + 1;
    assert_int_equal(difference(ACT_F_model_kv_lora_rank), ACT_SAME);
    /* Names and notes tell scenarios apart; they are not compared. */
    snprintf(other.scenario.name, sizeof other.scenario.name, "other");
    assert_int_equal(difference(ACT_F_scenario_name), ACT_SAME);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changes_are_signed_and_judged),
        cmocka_unit_test(test_what_is_not_known_has_no_difference),
        cmocka_unit_test(test_every_key_is_its_own_and_every_value_is_read),
        cmocka_unit_test(test_values_have_their_unit),
        cmocka_unit_test(test_fields_that_differ),
        cmocka_unit_test(test_what_follows_from_a_preset_stands_back),
        cmocka_unit_test(test_applying_in_one_only_is_a_difference),
    };
    return cmocka_run_group_tests_name("metrics", tests, NULL, NULL);
}
