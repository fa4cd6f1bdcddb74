/* Writing a plan and reading it gives the same plan, for plans of random values in every field. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fuzz/roundtrip.h"
#include "random_scenario.h"

enum { PLANS = 2000 };

static void written_plans_read_back_equal(void **state)
{
    (void)state;
    for (uint64_t number = 1; number <= PLANS; number++) {
        struct act_plan plan;
        uint64_t seed = number * 0x9E3779B97F4A7C15u;
        random_plan(&plan, &seed);
        const char *wrong = roundtrip_plan(&plan);
        if (wrong)
            fail_msg("plan of seed %d %s", (int)number, wrong);
    }
    act_presets_free();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(written_plans_read_back_equal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
