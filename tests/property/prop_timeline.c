/* What must hold of the series of any plan's stages: the peak is the stage's own, to the last bit
 * and in the same phase, nothing is larger, and every point is the sum of its parts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "random_plan.h"

#include <actuary/estimate.h>
#include <actuary/timeline.h>
#include <cmocka.h>
#include <stdlib.h>

enum { PLANS = 10000 };

static uint64_t seed;
static struct act_result result;

static void hold(bool ok, const char *what, int plan, int stage)
{
    if (!ok)
        fail_msg("seed %llu, plan %d, stage %d: %s", (unsigned long long)seed, plan, stage, what);
}

static void check_point(const struct act_point *point, const struct act_stage *stage, int plan,
                        int index)
{
    double sum = 0;

    for (int i = 0; i < ACT_FRAGMENTATION; i++) {
        hold(isfinite(point->component[i]) && point->component[i] >= 0, "component", plan, index);
        sum += point->component[i];
    }
    hold(sum == point->allocated, "components do not sum to allocated", plan, index);
    /* Points between phases are rounded on their own. */
    hold(point->allocated <= stage->allocated * (1 + 1e-14), "above the peak", plan, index);
    hold(point->alive >= 0 && point->alive <= stage->in_flight, "alive", plan, index);
    if (point->moment == ACT_MOMENT_STEP || point->moment == ACT_MOMENT_LOAD)
        hold(point->allocated == stage->phases[point->phase], "not the phase's", plan, index);
}

static void test_any_plan(void **state)
{
    struct act_plan plan, resolved;
    struct act_timeline timeline;

    (void)state;
    for (int i = 0; i < PLANS; i++) {
        act_plan_init(&plan);
        for (int k = 0; k < 20; k++)
            change(&plan, act_field((enum act_field_id)below(ACT_FIELD_COUNT)));
        act_plan_resolve(&plan, &resolved);
        act_estimate(&plan, &result);
        for (int r = 0; r < result.memory.stages; r++) {
            const struct act_stage *stage = &result.memory.stage[r];
            act_timeline_of(&resolved, &result.layout, stage, &timeline);
            hold(timeline.count > 0 && timeline.count <= ACT_POINTS_MAX, "count", i, r);
            hold(timeline.peak >= 0 && timeline.peak < timeline.count, "no peak", i, r);
            const struct act_point *peak = &timeline.point[timeline.peak];
            hold(peak->allocated == stage->allocated, "another peak", i, r);
            hold(peak->phase == stage->phase, "another phase", i, r);
            for (int k = 0; k < ACT_FRAGMENTATION; k++)
                hold(peak->component[k] == stage->component[k], "other contents", i, r);
            for (int k = 0; k < timeline.count; k++) {
                check_point(&timeline.point[k], stage, i, r);
                hold(k == 0 || timeline.point[k].span >= timeline.point[k - 1].span, "order", i, r);
            }
        }
    }
}

int main(void)
{
    const char *given = getenv("ACTUARY_SEED");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_any_plan)};

    seed = given ? strtoull(given, NULL, 10) : 20261130;
    seed_random(seed != 0 ? seed : 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
