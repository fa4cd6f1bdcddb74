/* An estimate asks for no memory, whatever the plan. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "allocations.h"
#include "eight_stages.h"
#include <actuary/estimate.h>
#include <actuary/field.h>
#include <actuary/need.h>

#include <stdlib.h>

static struct act_result result;

static void the_count_counts(void **state)
{
    (void)state;
    unsigned long before = allocations();
    void *volatile block = malloc(10);
    block = realloc(block, 20);
    free(block);
    block = calloc(1, 1);
    free(block);
    assert_int_equal(allocations() - before, 5);
}

static void an_estimate_allocates_nothing(void **state)
{
    (void)state;
    const struct act_plan plans[] = {eight_stages_dense(), eight_stages_moe(),
                                     eight_stages_clashing(), eight_stages_sharded()};
    static const enum act_family families[] = {ACT_TEXTBOOK, ACT_MEGATRON, ACT_FSDP};

    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            struct act_plan plan = plans[i];
            plan.framework.family = families[j];
            unsigned long before = allocations();
            act_estimate(&plan, &result);
            assert_int_equal(allocations() - before, 0);
            assert_true(result.memory.peak > 0);
        }
    }
}

/* The path of a key in the planner and of --set: text in, estimate, text out. */
static void typing_a_value_allocates_nothing(void **state)
{
    (void)state;
    struct act_plan plan = eight_stages_dense();
    char text[64], why[200];

    unsigned long before = allocations();
    int status = act_field_set_text(&plan, ACT_F_parallel_tensor, "2 * 2", ACT_PARSE_ARITHMETIC,
                                    why, sizeof why);
    act_estimate(&plan, &result);
    act_quantity_format(result.memory.peak, ACT_UNIT_BYTES, ACT_STYLE_SHORT, text, sizeof text);
    unsigned long after = allocations();
    assert_int_equal(status, 0);
    assert_int_equal(plan.parallel.tensor, 4);
    assert_int_equal(after - before, 0);
}

/* All inverse questions at once, on what fits and what does not. */
static void inverse_questions_allocate_nothing(void **state)
{
    (void)state;
    static struct act_answers answers;
    const struct act_deadline deadline = {90, 0.05, ACT_ROUND_POWER2};
    const struct act_plan plans[] = {eight_stages_dense(), eight_stages_moe(),
                                     eight_stages_clashing(), eight_stages_sharded()};

    for (int i = 0; i < 4; i++) {
        unsigned long before = allocations();
        act_answers_of(&plans[i], &deadline, 1e6, &answers);
        assert_int_equal(allocations() - before, 0);
        assert_true(answers.asked);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_count_counts),
        cmocka_unit_test(an_estimate_allocates_nothing),
        cmocka_unit_test(typing_a_value_allocates_nothing),
        cmocka_unit_test(inverse_questions_allocate_nothing),
    };
    return cmocka_run_group_tests_name("no_allocation", tests, NULL, NULL);
}
