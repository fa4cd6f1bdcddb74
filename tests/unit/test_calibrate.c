/* Factors of a measured run: they reproduce it, carry over, sum up, and go again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <actuary/calibrate.h>
#include <actuary/estimate.h>
#include <actuary/field.h>

#include <math.h>
#include <string.h>

static struct act_result result, other;

/* The example's model with TP 4, PP 2, DP 8, or another family's layout. */
static void make(struct act_plan *plan, enum act_family family)
{
    act_plan_init(plan);
    plan->framework.family = family;
    act_field_set_number(plan, ACT_F_hardware_peak_bf16, 312e12);
    act_field_set_number(plan, ACT_F_parallel_tensor, family == ACT_FSDP ? 1 : 4);
    act_field_set_number(plan, ACT_F_parallel_pipeline, family == ACT_FSDP ? 1 : 2);
    act_field_set_number(plan, ACT_F_parallel_data, family == ACT_FSDP ? 64 : 8);
    act_field_set_number(plan, ACT_F_parallel_zero, family == ACT_FSDP ? 3 : 1);
}

static void pin(struct act_plan *plan, unsigned pins)
{
    char why[320] = "";

    if (act_pin(plan, pins, "2026-11-30", "train.log", why, sizeof why) != 0)
        fail_msg("%s", why);
}

static void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9 * fabs(expected)))
        fail_msg("%.17g is not %.17g", value, expected);
}

static void reproduces_the_step(void **state)
{
    struct act_plan plan;

    (void)state;
    make(&plan, ACT_MEGATRON);
    act_field_set_number(&plan, ACT_F_training_measured_step_seconds, 161.25);
    pin(&plan, ACT_PIN_TIME);
    act_estimate(&plan, &result);
    near(result.time.step_seconds, 161.25);
    double sum = 0;
    for (int i = 0; i < ACT_TIME_PARTS; i++)
        sum += result.time.part[i];
    near(sum, result.time.step_seconds);
    near(result.time.step.seconds, result.time.step_seconds);

    /* The same from tokens/s/GPU. */
    double rate = result.time.tokens_per_second_per_gpu;
    act_pin_forget(&plan, ACT_PIN_TIME);
    act_field_set_number(&plan, ACT_F_training_measured_tokens_per_second_per_gpu, rate);
    pin(&plan, ACT_PIN_TIME);
    act_estimate(&plan, &other);
    near(other.time.step_seconds, 161.25);
    near(other.time.days, result.time.days);
}

/* Every share of the step stays, and so does what it waits for. */
static void shares_stay(void **state)
{
    struct act_plan plan;

    (void)state;
    make(&plan, ACT_MEGATRON);
    act_estimate(&plan, &result);
    act_field_set_number(&plan, ACT_F_calibration_time_factor, 1.5);
    act_estimate(&plan, &other);
    near(other.time.step_seconds, 1.5 * result.time.step_seconds);
    near(other.time.mfu, result.time.mfu / 1.5);
    for (int i = 0; i < ACT_TIME_PARTS; i++)
        near(other.time.part[i], 1.5 * result.time.part[i]);
    near(other.time.step.layer, 1.5 * result.time.step.layer);
    near(other.time.step.dense.host, 1.5 * result.time.step.dense.host);
    assert_int_equal(other.time.binding, result.time.binding);
    assert_true(other.time.error_bar == result.time.error_bar);
}

static double counter(const struct act_memory *memory, int64_t which)
{
    double most = 0;

    for (int i = 0; i < memory->stages; i++)
        most = fmax(most, which == ACT_COUNTER_ALLOCATED  ? memory->stage[i].allocated
                          : which == ACT_COUNTER_RESERVED ? memory->stage[i].reserved
                                                          : memory->stage[i].device);
    return most;
}

static void check_sums(const struct act_memory *memory)
{
    for (int i = 0; i < memory->stages; i++) {
        const struct act_stage *stage = &memory->stage[i];
        double sum = 0;
        for (int k = 0; k < ACT_FRAGMENTATION; k++)
            sum += stage->component[k];
        near(sum, stage->allocated);
        near(stage->allocated + stage->component[ACT_FRAGMENTATION], stage->reserved);
        near(stage->reserved + stage->component[ACT_CONTEXT], stage->device);
    }
}

/* In every family and by every counter, above and below the estimate. */
static void reproduces_the_peak(void **state)
{
    static const enum act_family families[] = {ACT_TEXTBOOK, ACT_MEGATRON, ACT_FSDP};
    static const double times[] = {0.8, 0.97, 1.1};

    (void)state;
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        for (int64_t which = ACT_COUNTER_ALLOCATED; which <= ACT_COUNTER_DEVICE; which++) {
            for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
                struct act_plan plan;
                make(&plan, families[f]);
                act_field_set_number(&plan, ACT_F_hardware_usable_memory, 4e11);
                act_estimate(&plan, &result);
                double peak = times[i] * counter(&result.memory, which);
                act_field_set_number(&plan, ACT_F_training_measured_peak, peak);
                act_field_set_number(&plan, ACT_F_calibration_counter, (double)which);
                pin(&plan, ACT_PIN_MEMORY);
                act_estimate(&plan, &other);
                near(counter(&other.memory, which), peak);
                check_sums(&other.memory);
                assert_true((plan.calibration.memory_factor > 1) == (times[i] > 1));
                near(other.memory.calibration, plan.calibration.memory_factor);
            }
        }
    }
}

/* Everything but the context grows, on another layout too. */
static void carries_over(void **state)
{
    struct act_plan plan, raw;

    (void)state;
    make(&plan, ACT_MEGATRON);
    act_estimate(&plan, &result);
    act_field_set_number(&plan, ACT_F_training_measured_step_seconds,
                         1.07 * result.time.step_seconds);
    act_field_set_number(&plan, ACT_F_training_measured_peak,
                         0.98 * counter(&result.memory, ACT_COUNTER_ALLOCATED));
    act_field_set_number(&plan, ACT_F_calibration_counter, ACT_COUNTER_ALLOCATED);
    pin(&plan, ACT_PIN_TIME | ACT_PIN_MEMORY);
    near(plan.calibration.time_factor, 1.07);
    near(plan.calibration.memory_factor, 0.98);
    assert_string_equal(plan.calibration.from, "TP 4 PP 2 DP 8, 2026-11-30, train.log");
    assert_string_equal(act_calibrated_from(&plan, ACT_PIN_MEMORY), plan.calibration.from);

    act_field_set_number(&plan, ACT_F_parallel_tensor, 8);
    act_field_set_number(&plan, ACT_F_parallel_data, 4);
    raw = plan;
    act_field_reset(&raw, ACT_F_calibration_time_factor);
    act_field_reset(&raw, ACT_F_calibration_memory_factor);
    act_estimate(&plan, &result);
    act_estimate(&raw, &other);
    near(result.time.step_seconds, 1.07 * other.time.step_seconds);
    for (int i = 0; i < result.memory.stages; i++) {
        const struct act_stage *now = &result.memory.stage[i], *was = &other.memory.stage[i];
        for (int k = 0; k < ACT_CONTEXT; k++)
            near(now->component[k], 0.98 * was->component[k]);
        assert_true(now->component[ACT_CONTEXT] == was->component[ACT_CONTEXT]);
        for (int k = 0; k < ACT_PHASE_COUNT; k++)
            near(now->phases[k], 0.98 * was->phases[k]);
    }
}

static void forgets(void **state)
{
    struct act_plan plan, before;

    (void)state;
    make(&plan, ACT_MEGATRON);
    before = plan;
    act_estimate(&plan, &result);
    act_field_set_number(&plan, ACT_F_training_measured_step_seconds, 150);
    act_field_set_number(&plan, ACT_F_training_measured_peak, 9e10);
    pin(&plan, ACT_PIN_TIME | ACT_PIN_MEMORY);
    assert_false(act_plan_equal(&plan, &before));
    act_pin_forget(&plan, ACT_PIN_TIME);
    assert_false(act_calibrated(&plan, ACT_PIN_TIME));
    assert_true(act_calibrated(&plan, ACT_PIN_MEMORY));
    assert_true(plan.calibration.from[0] != '\0');
    act_pin_forget(&plan, ACT_PIN_MEMORY);
    assert_true(act_plan_equal(&plan, &before));
    act_estimate(&plan, &other);
    assert_true(other.time.step_seconds == result.time.step_seconds);
    assert_true(other.memory.peak == result.memory.peak);
}

/* Step and peak of two runs: each keeps its own name. */
static void names_both_runs(void **state)
{
    struct act_plan plan;

    (void)state;
    make(&plan, ACT_MEGATRON);
    act_field_set_number(&plan, ACT_F_training_measured_peak, 9e10);
    pin(&plan, ACT_PIN_MEMORY);
    act_field_set_number(&plan, ACT_F_parallel_data, 16);
    act_field_set_number(&plan, ACT_F_training_measured_step_seconds, 75);
    pin(&plan, ACT_PIN_TIME);
    assert_string_equal(act_calibrated_from(&plan, ACT_PIN_TIME),
                        "TP 4 PP 2 DP 16, 2026-11-30, train.log");
    assert_string_equal(act_calibrated_from(&plan, ACT_PIN_MEMORY),
                        "TP 4 PP 2 DP 8, 2026-11-30, train.log");
    pin(&plan, ACT_PIN_MEMORY);
    assert_string_equal(act_calibrated_from(&plan, ACT_PIN_MEMORY),
                        "TP 4 PP 2 DP 16, 2026-11-30, train.log");
    assert_string_equal(plan.calibration.memory_from, "");
    act_field_set_number(&plan, ACT_F_parallel_data, 8);
    pin(&plan, ACT_PIN_MEMORY);
    act_pin_forget(&plan, ACT_PIN_TIME);
    assert_string_equal(plan.calibration.from, "TP 4 PP 2 DP 8, 2026-11-30, train.log");
    assert_string_equal(plan.calibration.memory_from, "");
}

static void refused(struct act_plan *plan, unsigned pins, const char *part)
{
    struct act_plan before = *plan;
    char why[320] = "";

    assert_int_equal(act_pin(plan, pins, "", "", why, sizeof why), -1);
    if (strstr(why, part) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", why, part);
    assert_memory_equal(plan, &before, sizeof before);
}

static void refuses(void **state)
{
    struct act_plan plan;

    (void)state;
    make(&plan, ACT_MEGATRON);
    act_field_set_number(&plan, ACT_F_training_measured_step_seconds, 1e5);
    refused(&plan, ACT_PIN_TIME, "more than a correction");
    act_field_set_number(&plan, ACT_F_training_measured_tokens_per_second_per_gpu, 400);
    refused(&plan, ACT_PIN_TIME, "give one of the two");
    act_field_set_number(&plan, ACT_F_training_measured_peak, 2e12);
    refused(&plan, ACT_PIN_MEMORY, "more than a correction");
    act_field_set_number(&plan, ACT_F_training_measured_peak, 1e8);
    refused(&plan, ACT_PIN_MEMORY, "more than a correction");

    make(&plan, ACT_TEXTBOOK);
    act_field_set_number(&plan, ACT_F_training_measured_step_seconds, 150);
    refused(&plan, ACT_PIN_TIME, "textbook");

    make(&plan, ACT_MEGATRON);
    act_field_set_number(&plan, ACT_F_training_measured_step_seconds, 150);
    plan.hardware.peak_bf16 = ACT_AUTO;
    refused(&plan, ACT_PIN_TIME, "without a peak");

    /* An allocator that fills the card: its blocks and the device's figure say nothing. */
    make(&plan, ACT_FSDP);
    act_field_set_number(&plan, ACT_F_hardware_usable_memory, 4e11);
    act_estimate(&plan, &result);
    const struct act_stage *worst = &result.memory.stage[result.memory.worst];
    double between = (worst->allocated + worst->reserved) / 2;
    act_field_set_number(&plan, ACT_F_hardware_usable_memory, between);
    act_estimate(&plan, &result);
    double full = worst->reserved;
    assert_true(full < between);
    act_field_set_number(&plan, ACT_F_training_measured_peak, full);
    act_field_set_number(&plan, ACT_F_calibration_counter, ACT_COUNTER_RESERVED);
    refused(&plan, ACT_PIN_MEMORY, "fills the card");
}

/* A given MFU is the user's word; a run far off is not what the plan describes. */
static bool has_check(const struct act_plan *plan, const char *rule)
{
    act_estimate(plan, &other);
    for (int i = 0; i < other.checks.count; i++)
        if (strcmp(other.checks.check[i].rule, rule) == 0)
            return true;
    return false;
}

static void checks(void **state)
{
    struct act_plan plan;

    (void)state;
    make(&plan, ACT_MEGATRON);
    assert_false(has_check(&plan, "calibration-near"));
    act_field_set_number(&plan, ACT_F_calibration_time_factor, 1.99);
    act_field_set_number(&plan, ACT_F_calibration_memory_factor, 0.51);
    assert_false(has_check(&plan, "calibration-near"));
    act_field_set_number(&plan, ACT_F_calibration_time_factor, 2.01);
    assert_true(has_check(&plan, "calibration-near"));
    act_field_set_number(&plan, ACT_F_calibration_time_factor, 1);
    act_field_set_number(&plan, ACT_F_calibration_memory_factor, 0.49);
    assert_true(has_check(&plan, "calibration-near"));

    assert_false(has_check(&plan, "calibration-counts"));
    act_field_set_number(&plan, ACT_F_hardware_mfu, 0.4);
    act_estimate(&plan, &result);
    act_field_set_number(&plan, ACT_F_calibration_time_factor, 1.3);
    assert_true(has_check(&plan, "calibration-counts"));
    assert_true(other.time.step_seconds == result.time.step_seconds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reproduces_the_step),
        cmocka_unit_test(shares_stay),
        cmocka_unit_test(reproduces_the_peak),
        cmocka_unit_test(carries_over),
        cmocka_unit_test(forgets),
        cmocka_unit_test(names_both_runs),
        cmocka_unit_test(refuses),
        cmocka_unit_test(checks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
