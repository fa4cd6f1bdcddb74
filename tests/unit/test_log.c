/* Training logs: each writer's lines, warm-up, hostile text, and what becomes of them in a plan. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/log.h"
#include "io/measured.h"
#include "io/presets.h"

#include <actuary/calibrate.h>
#include <actuary/estimate.h>
#include <actuary/field.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double mib = 1048576.0, gib = 1073741824.0;

static const char *fixture(const char *name)
{
    static char path[512];

    snprintf(path, sizeof path, "%s/tests/data/logs/%s", SOURCE_ROOT, name);
    return path;
}

static struct act_log read_fixture(const char *name)
{
    struct act_log log;
    char why[400] = "";

    if (act_log_read(fixture(name), &log, why, sizeof why) != 0)
        fail_msg("%s: %s", name, why);
    return log;
}

static struct act_log parse(const char *text)
{
    struct act_log log;
    char why[400] = "";

    if (act_log_parse(text, strlen(text), &log, why, sizeof why) != 0)
        fail_msg("\"%.60s\": %s", text, why);
    return log;
}

static void within(double value, double low, double high)
{
    if (!(value >= low && value <= high))
        fail_msg("%.9g is not from %.9g to %.9g", value, low, high);
}

static void same(double value, double expected)
{
    within(value, expected - 1e-9 * fabs(expected), expected + 1e-9 * fabs(expected));
}

static void reads_megatron(void **state)
{
    (void)state;
    struct act_log log = read_fixture("megatron.log");
    assert_string_equal(log.writer, "Megatron-LM");
    assert_int_equal(log.steps, 40);
    within(log.step_seconds, 157, 160);
    same(log.allocated, 74113.25 * mib); /* the fuller rank */
    same(log.reserved, 77920 * mib);
    same(log.global_batch, 1024);
    assert_string_equal(log.date, "2026-11-28");
    same(parse("elapsed time per iteration (s): 104.5 |").step_seconds, 104.5);
}

static void reads_torchtitan(void **state)
{
    (void)state;
    struct act_log log = read_fixture("torchtitan.log");
    assert_string_equal(log.writer, "torchtitan");
    within(log.tokens_per_second, 2399, 2424);
    same(log.reserved, 68.20 * gib);
    assert_true(log.allocated == 0 && log.step_seconds == 0);
    assert_string_equal(log.date, "2026-11-27");
    same(parse("step: 1 memory: 7.00GiB(9%) wps: 12,345").tokens_per_second, 12345);
}

static void reads_hf_trainer(void **state)
{
    (void)state;
    struct act_log log = read_fixture("hf-trainer.log");
    assert_string_equal(log.writer, "HF Trainer");
    within(log.step_seconds, 7.8, 8.0); /* neither 14.88 nor the summary's mean */
    assert_int_equal(log.steps, 25);
    same(parse("{'train_samples_per_second': 1.921}").samples_per_second, 1.921);
    same(parse("  train_samples_per_second =      3.5\n").samples_per_second, 3.5);
    same(parse("10/20 [00:10<00:05, 2.50it/s]").step_seconds, 0.4);
}

static void reads_deepspeed(void **state)
{
    (void)state;
    struct act_log log = read_fixture("deepspeed.log");
    assert_string_equal(log.writer, "DeepSpeed");
    within(log.samples_per_second, 129, 134);
    same(log.allocated, 41.57 * gib);
    assert_string_equal(log.date, "2026-11-26");
    same(parse("0/40, SamplesPerSec=83.486, MemAllocated=0.26GB").samples_per_second, 83.486);
    same(parse("steps: 10 loss: 1 iter time (s): 3.05 samples/sec: 5.2").step_seconds, 3.05);
}

/* The first tenth is warm-up; one line is better than none. */
static void leaves_out_the_warm_up(void **state)
{
    char text[4096] = "";

    (void)state;
    for (int i = 0; i < 5; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "elapsed time per iteration (ms): %d.0\n", i == 0 ? 90000 : 1000 + 2 * i);
    same(parse(text).step_seconds, 1.005); /* of 1002, 1004, 1006, 1008 */
    same(parse("elapsed time per iteration (ms): 90.5").step_seconds, 0.0905);
}

static void takes_nothing_for_a_figure(void **state)
{
    static const char *const texts[] = {
        "",
        "\n\n\n",
        "nothing here",
        "https: 12 maps: 3 /tps: 5",
        "elapsed time per iteration (ms):",
        "elapsed time per iteration (ms): nan",
        "elapsed time per iteration (ms): -5",
        "elapsed time per iteration (ms): 0.0",
        "elapsed time per iteration (ms): inf",
        "elapsed time per iteration (ms): 1e99999",
        "elapsed time per iteration (ms): 11111111111111111111111111111111111111111111111111111111",
        "tps: ,,,,",
        "?it/s s/it it/s",
        "memory: 70.59 (89.2%)",
        "memory: 70.59MiB",
        "global batch size: 1024",
        "CurrSamplesPerSec=",
        "\033[31",
        "\033[",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct act_log log = {.steps = -7};
        char why[400] = "";
        if (act_log_parse(texts[i], strlen(texts[i]), &log, why, sizeof why) == 0)
            fail_msg("\"%s\" has a figure", texts[i]);
        assert_non_null(strstr(why, "Megatron-LM"));
        assert_int_equal(log.steps, -7);
    }
}

/* NUL bytes, endless lines, broken UTF-8, colours, carriage returns, more lines than are kept. */
static void endures_hostile_text(void **state)
{
    enum { LONG = 300000, LINES = ACT_LOG_SAMPLES_MAX + 500 };
    static const char tail[] = "\ntps: 100\n";
    struct act_log log;
    char why[400], *text = malloc(64 * (size_t)LINES);
    size_t size = 0;

    (void)state;
    assert_non_null(text);
    memset(text, 'x', LONG);
    memcpy(text + LONG - 20, "tps: 999 tps: 999 xx", 20); /* beyond what is looked at */
    memcpy(text + LONG, tail, sizeof tail - 1);
    assert_int_equal(act_log_parse(text, LONG + sizeof tail - 1, &log, why, sizeof why), 0);
    same(log.tokens_per_second, 100);

    static const char odd[] = "\0tps: 7\0\xff\xfe\r\033[1mtps:\t\033[0m 8 \xc3\n\0";
    assert_int_equal(act_log_parse(odd, sizeof odd - 1, &log, why, sizeof why), 0);
    same(log.tokens_per_second, 8); /* the first is warm-up */

    for (int i = 0; i < LINES; i++)
        size += (size_t)snprintf(text + size, 64, "tps: %d\n", i < 500 ? 1 : 40);
    assert_int_equal(act_log_parse(text, size, &log, why, sizeof why), 0);
    same(log.tokens_per_second, 40);
    assert_int_equal(log.steps, ACT_LOG_SAMPLES_MAX);
    free(text);
}

/* Any prefix and any changed byte of a real log is read or refused, never more. */
static void endures_broken_logs(void **state)
{
    static const char *const names[] = {"megatron.log", "torchtitan.log", "hf-trainer.log",
                                        "deepspeed.log"};
    uint64_t seed = 0x9E3779B97F4A7C15U;

    (void)state;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        char text[1500], why[400];
        FILE *file = fopen(fixture(names[n]), "rb");
        assert_non_null(file);
        size_t size = fread(text, 1, sizeof text, file);
        fclose(file);
        struct act_log log;
        for (size_t cut = 0; cut <= size; cut++) {
            char *exact = malloc(cut + 1); /* reading beyond it is found by the sanitizers */
            assert_non_null(exact);
            memcpy(exact, text, cut);
            act_log_parse(exact, cut, &log, why, sizeof why);
            free(exact);
        }
        for (int i = 0; i < 3000; i++) {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            size_t at = seed % size;
            char was = text[at];
            text[at] = (char)(seed >> 32);
            if (act_log_parse(text, size, &log, why, sizeof why) == 0)
                assert_true(isfinite(log.step_seconds + log.tokens_per_second + log.reserved));
            text[at] = was;
        }
    }
}

static void example(struct act_plan *plan)
{
    act_preset_default_plan(plan);
    act_field_set_number(plan, ACT_F_parallel_tensor, 8);
    act_field_set_number(plan, ACT_F_parallel_data, 8);
}

static struct act_result result;

static void pins_a_log(void **state)
{
    struct act_plan plan;
    char said[96] = "", why[400] = "";

    (void)state;
    example(&plan);
    assert_int_equal(
        act_measured_log(&plan, fixture("megatron.log"), said, sizeof said, why, sizeof why), 0);
    assert_string_equal(said, "40 steps of Megatron-LM");
    assert_string_equal(plan.calibration.from, "TP 8 PP 1 DP 8, 2026-11-28, megatron.log");
    act_estimate(&plan, &result);
    same(result.time.step_seconds, plan.training.measured_step_seconds);
    same(result.memory.stage[0].allocated, 74113.25 * mib);

    /* Another log takes its place, rate and counter too. */
    struct act_plan other = plan;
    assert_int_equal(
        act_measured_log(&other, fixture("torchtitan.log"), said, sizeof said, why, sizeof why), 0);
    assert_true(other.training.measured_step_seconds == ACT_AUTO);
    within(other.training.measured_tokens_per_second_per_gpu, 2399, 2424);
    assert_int_equal(other.calibration.counter, ACT_COUNTER_RESERVED);
    assert_string_equal(other.calibration.from, "TP 8 PP 1 DP 8, 2026-11-27, torchtitan.log");
    assert_int_equal(
        act_measured_log(&plan, fixture("deepspeed.log"), said, sizeof said, why, sizeof why), -1);
    assert_non_null(strstr(why, "deepspeed.log: measured"));
    act_field_set_number(&plan, ACT_F_training_global_batch, 256);
    assert_int_equal(
        act_measured_log(&plan, fixture("megatron.log"), said, sizeof said, why, sizeof why), -1);
    assert_non_null(strstr(why, "training.global_batch"));
    assert_int_equal(
        act_measured_log(&plan, fixture("none.log"), said, sizeof said, why, sizeof why), -1);
    assert_non_null(strstr(why, "none.log: cannot be opened"));
    assert_string_equal(plan.calibration.from, "TP 8 PP 1 DP 8, 2026-11-28, megatron.log");
}

/* What a scenario gives is pinned when it is read, and its own factor wins. */
static void completes_a_scenario(void **state)
{
    struct act_plan plan;
    char why[400] = "";

    (void)state;
    example(&plan);
    act_field_set_number(&plan, ACT_F_training_measured_step_seconds, 160);
    act_field_set_text(&plan, ACT_F_calibration_from, "spring run", 0, why, sizeof why);
    assert_int_equal(act_measured_complete(&plan, why, sizeof why), 0);
    act_estimate(&plan, &result);
    same(result.time.step_seconds, 160);
    assert_string_equal(plan.calibration.from, "spring run");

    act_field_set_number(&plan, ACT_F_parallel_data, 16);
    struct act_plan before = plan;
    assert_int_equal(act_measured_complete(&plan, why, sizeof why), 0);
    assert_true(act_plan_equal(&plan, &before));

    /* A rate takes the place of the step time; a factor by hand forgets the run. */
    act_field_set_number(&plan, ACT_F_training_measured_tokens_per_second_per_gpu, 400);
    assert_int_equal(act_measured_changed(&plan, ACT_F_training_measured_tokens_per_second_per_gpu),
                     ACT_PIN_TIME);
    assert_true(plan.training.measured_step_seconds == ACT_AUTO);
    act_field_set_number(&plan, ACT_F_calibration_time_factor, 1.2);
    assert_int_equal(act_measured_changed(&plan, ACT_F_calibration_time_factor), 0);
    assert_true(plan.training.measured_tokens_per_second_per_gpu == ACT_AUTO);
    assert_true(plan.calibration.time_factor == 1.2);
    act_field_set_number(&plan, ACT_F_calibration_time_factor, ACT_AUTO);
    act_measured_changed(&plan, ACT_F_calibration_time_factor);
    assert_false(act_calibrated(&plan, ACT_PIN_TIME));
    assert_false(act_plan_given(&plan, ACT_F_calibration_from));
}

static int tear_down(void **state)
{
    (void)state;
    act_presets_free();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_megatron),
        cmocka_unit_test(reads_torchtitan),
        cmocka_unit_test(reads_hf_trainer),
        cmocka_unit_test(reads_deepspeed),
        cmocka_unit_test(leaves_out_the_warm_up),
        cmocka_unit_test(takes_nothing_for_a_figure),
        cmocka_unit_test(endures_hostile_text),
        cmocka_unit_test(endures_broken_logs),
        cmocka_unit_test(pins_a_log),
        cmocka_unit_test(completes_a_scenario),
    };
    return cmocka_run_group_tests(tests, NULL, tear_down);
}
