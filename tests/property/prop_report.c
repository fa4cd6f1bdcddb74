/* Bars of a report for any plan in range: as wide as the figures, side by side, within the scale.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/report_svg.h"
#include "random_plan.h"

#include <actuary/estimate.h>
#include <stdlib.h>
#include <string.h>

enum { PLANS = 400, LIMIT = 1 << 20 };

static struct act_result result;

/* Half of the last decimal that is written. */
static const double rounding = 0.5e-4 + 1e-9;

/* The percentage of the attribute, from `at` on. */
static double attribute(const char *at, const char *name)
{
    const char *found = strstr(at, name);
    char *end = NULL;

    assert_non_null(found);
    double value = strtod(found + strlen(name), &end);
    assert_int_equal(*end, '%');
    return value;
}

/* Reads the rects of one set of colours: each begins where the one before ended, and has the width
 * of the next amount that is not nothing. Returns the end of the last. */
static double follow(const char *svg, const char *class, const double *amounts, int count,
                     double full)
{
    double end = 0;
    int at = 0;

    for (const char *rect = svg; (rect = strstr(rect, class)) != NULL; rect++) {
        while (at < count && !(amounts[at] > 0))
            at++;
        assert_true(at < count);
        double x = attribute(rect, " x=\""), width = attribute(rect, " width=\"");
        if (fabs(x - end) > 2 * rounding * (at + 1) ||
            fabs(width - 100 * amounts[at] / full) > rounding)
            fail_msg("part %d at %f is %f wide instead of %f", at, x, width,
                     100 * amounts[at] / full);
        end = x + width;
        at++;
    }
    while (at < count && !(amounts[at] > 0))
        at++;
    assert_int_equal(at, count); /* nothing was left out */
    return end;
}

static void check_stage(const struct act_stage *stage, double usable, double full)
{
    double amounts[ACT_COMPONENT_COUNT];
    int count = 0;
    struct act_buffer out;

    for (int i = 0; i < ACT_COMPONENT_COUNT; i++) {
        bool joins = i > 0 && act_component_letter((enum act_component)i) ==
                                  act_component_letter((enum act_component)(i - 1));
        if (joins)
            amounts[count - 1] += stage->component[i];
        else
            amounts[count++] = stage->component[i];
    }
    act_buffer_init(&out, LIMIT);
    act_svg_stage(&out, "a <stage>", stage, usable, full);
    assert_false(out.failed);
    assert_non_null(strstr(out.text, "<title>a &lt;stage&gt;</title>"));
    double end = follow(out.text, "<rect class=\"m", amounts, count, full);
    assert_true(fabs(end - 100 * stage->device / full) < 1e-2);
    assert_true(end <= 100 + 1e-2);
    double line = attribute(strstr(out.text, "<line"), " x1=\"");
    assert_true(fabs(line - 100 * usable / full) <= rounding);
    bool over = strstr(out.text, "<rect class=\"over\"") != NULL;
    assert_true(over == (stage->device > usable));
    act_buffer_free(&out);
}

static void check_step(const struct act_time *time)
{
    struct act_buffer out;

    if (!(time->step_seconds > 0) || !isfinite(time->step_seconds))
        return;
    act_buffer_init(&out, LIMIT);
    act_svg_step(&out, time);
    assert_false(out.failed);
    double end =
        follow(out.text, "<rect class=\"s", time->part, ACT_TIME_PARTS, time->step_seconds);
    assert_true(fabs(end - 100) < 1e-2);
    act_buffer_free(&out);
}

static void test_bars_are_as_wide_as_their_figures(void **state)
{
    (void)state;
    int drawn = 0;

    for (int i = 0; i < PLANS; i++) {
        struct act_plan plan;
        seed_random((uint64_t)i + 1);
        act_plan_init(&plan);
        for (int changes = (int)below(12); changes > 0; changes--)
            change(&plan, act_field((enum act_field_id)below(ACT_FIELD_COUNT)));
        act_estimate(&plan, &result);
        const struct act_memory *memory = &result.memory;
        double full = act_svg_full(memory->usable, memory->peak);
        if (!isfinite(full))
            continue;
        for (int j = 0; j < memory->stages; j++, drawn++)
            check_stage(&memory->stage[j], memory->usable, full);
        check_step(&result.time);
    }
    assert_true(drawn > PLANS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bars_are_as_wide_as_their_figures)};
    return cmocka_run_group_tests_name("prop_report", tests, NULL, NULL);
}
