/* A measured run typed on a line: what is read, undone and forgotten; m and the given MFU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "session/action.h"
#include "session/pin.h"
#include <actuary/calibrate.h>
#include <actuary/field.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct act_desk desk;
static int64_t now_ms;

static struct act_tab *tab(void)
{
    return act_desk_tab(&desk);
}

static int open_example(void **state)
{
    struct act_problems problems;

    (void)state;
    act_problems_init(&problems, "example");
    now_ms = 5000;
    return act_desk_open(&desk, "example", &problems);
}

static int free_desk(void **state)
{
    (void)state;
    act_desk_free(&desk);
    return 0;
}

static void same(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9 * fabs(expected)))
        fail_msg("%.17g is not %.17g", value, expected);
}

static bool pin(const char *text)
{
    now_ms += 10000;
    return act_desk_pin(&desk, text, now_ms);
}

static void type(enum act_field_id field, const char *text)
{
    struct act_plan plan;
    double held;
    char why[256] = "";

    now_ms += 10000;
    if (act_desk_try(&desk, tab(), field, 0, text, &plan, &held, why, sizeof why) != 0)
        fail_msg("%s: %s", text, why);
    act_desk_commit(&desk, &plan, held, field, false, now_ms);
}

static void run(enum act_action_id id)
{
    assert_true(act_action(id)->run(&desk, now_ms));
}

static void reads_figures(void **state)
{
    const struct act_training_fields *training = &tab()->plan.training;
    const double gib = 1073741824.0;

    (void)state;
    assert_true(pin("step 150s, peak 80GiB allocated"));
    same(training->measured_step_seconds, 150);
    same(training->measured_peak, 80 * gib);
    assert_int_equal(tab()->plan.calibration.counter, ACT_COUNTER_ALLOCATED);
    same(tab()->result.time.step_seconds, 150);
    same(tab()->result.memory.stage[0].allocated, 80 * gib);
    assert_non_null(strstr(tab()->plan.calibration.from, "TP 4 PP 2 DP 8, 20"));
    assert_true(pin("  Tokens/s/GPU  450 ; peak=90GiB"));
    assert_true(training->measured_step_seconds == ACT_AUTO);
    same(tab()->result.time.tokens_per_second_per_gpu, 450);
    assert_int_equal(tab()->plan.calibration.counter, ACT_COUNTER_ALLOCATED); /* as it was */
    assert_true(pin("peak 90 GiB DEVICE"));
    same(tab()->result.memory.peak, 90 * gib);
    same(tab()->result.time.tokens_per_second_per_gpu, 450);
    assert_true(pin("tps 2*230"));
    same(tab()->result.time.tokens_per_second_per_gpu, 460);
}

static void refuses_lines(void **state)
{
    static const struct {
        const char *line, *part;
    } lines[] = {
        {"", "write step"},
        {"   ", "write step"},
        {"step", "step: cannot be opened"},
        {"step ", "no figure"},
        {"step 12.3s,", "no figure"},
        {"step 150s, speed 3", "no figure"},
        {"step 1,5s", "no figure"},
        {"step soon", "measured step"},
        {"step auto", "write a figure"},
        {"step 150s tps 3", "measured step"},
        {"step 150s, tps 450, tps 1e9", "more than a correction"},
        {"peak 80", "measured peak"},
        {"peak 80GiB assigned", "measured peak"},
        {"nowhere/train.log", "nowhere/train.log: cannot be opened"},
        {".", "is a folder"},
    };
    char text[2000];

    (void)state;
    struct act_plan before = tab()->plan;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_false(pin(lines[i].line));
        if (strstr(desk.message, lines[i].part) == NULL)
            fail_msg("\"%s\": %s", lines[i].line, desk.message);
        assert_int_equal(desk.said, ACT_SAY_ERROR);
        assert_true(act_plan_equal(&tab()->plan, &before));
    }
    memset(text, '7', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_false(pin(text));
    memcpy(text, "step ", 5);
    assert_false(pin(text));
    assert_true(act_plan_equal(&tab()->plan, &before));
    assert_int_equal(tab()->history.done, 0);
}

/* One step each way, and Del on any of its fields. */
static void is_undone_and_forgotten(void **state)
{
    static const enum act_field_id fields[] = {ACT_F_training_measured_step_seconds,
                                               ACT_F_calibration_time_factor};
    struct act_plan before = tab()->plan, plan;
    double step = tab()->result.time.step_seconds, held;

    (void)state;
    assert_true(pin("step 150s"));
    assert_non_null(strstr(desk.message, "u takes it back"));
    run(ACT_DO_undo);
    assert_true(act_plan_equal(&tab()->plan, &before));
    assert_true(tab()->result.time.step_seconds == step);
    run(ACT_DO_redo);
    same(tab()->result.time.step_seconds, 150);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        assert_true(act_desk_reset(&desk, tab(), fields[i], &plan, &held));
        assert_true(act_plan_equal(&plan, &before));
    }
}

/* The fields themselves pin, on the layout of that moment; other fields leave the factor. */
static void fields_pin(void **state)
{
    (void)state;
    type(ACT_F_training_measured_step_seconds, "150s");
    double factor = tab()->plan.calibration.time_factor;
    same(tab()->result.time.step_seconds, 150);
    type(ACT_F_parallel_tensor, "8");
    assert_true(tab()->plan.calibration.time_factor == factor);
    assert_true(fabs(tab()->result.time.step_seconds - 150) > 1);
    assert_non_null(strstr(tab()->plan.calibration.from, "TP 4 PP 2 DP 8"));
    type(ACT_F_training_measured_step_seconds, "160s");
    same(tab()->result.time.step_seconds, 160);
    assert_non_null(strstr(tab()->plan.calibration.from, "TP 8 PP 2 DP 4"));
    /* Another counter reads the same peak anew. */
    type(ACT_F_training_measured_peak, "60GiB");
    double device = tab()->plan.calibration.memory_factor;
    type(ACT_F_calibration_counter, "allocated");
    assert_true(tab()->plan.calibration.memory_factor > device);
    type(ACT_F_training_measured_peak, "auto");
    assert_false(act_calibrated(&tab()->plan, ACT_PIN_MEMORY));
    assert_true(act_calibrated(&tab()->plan, ACT_PIN_TIME));
}

static void m_gives_and_estimates(void **state)
{
    (void)state;
    struct act_plan before = tab()->plan;
    double estimate = tab()->result.time.mfu;
    assert_true(tab()->result.time.estimated);
    run(ACT_DO_mfu);
    same(tab()->result.time.mfu, 0.30);
    type(ACT_F_hardware_mfu, "42%");
    run(ACT_DO_mfu);
    assert_true(tab()->result.time.estimated && tab()->result.time.mfu == estimate);
    run(ACT_DO_mfu);
    same(tab()->result.time.mfu, 0.42);
    assert_false(tab()->result.time.estimated);
    for (int i = 0; i < 4; i++)
        run(ACT_DO_undo);
    assert_true(act_plan_equal(&tab()->plan, &before));
    type(ACT_F_hardware_mfu, "42%");
    type(ACT_F_framework_preset, "textbook");
    assert_false(act_action(ACT_DO_mfu)->run(&desk, now_ms));
    assert_non_null(strstr(desk.message, "textbook"));
}

#define on_example(function) cmocka_unit_test_setup_teardown(function, open_example, free_desk)

int main(void)
{
    const struct CMUnitTest tests[] = {
        on_example(reads_figures),           on_example(refuses_lines),
        on_example(is_undone_and_forgotten), on_example(fields_pin),
        on_example(m_gives_and_estimates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
