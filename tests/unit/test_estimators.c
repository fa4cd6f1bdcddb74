/* Figures that other tools have printed, and their formulas worked by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "memory_plans.h"

#include <actuary/estimators.h>
#include <cmocka.h>
#include <math.h>

static void near(double found, double expected, double error)
{
    if (!(fabs(found - expected) <= error))
        fail_msg("%.17g is not %.17g", found, expected);
}

static void expect_needs(struct act_zero_needs needs, double gpu, double host)
{
    /* Printed from millions of parameters that are rounded themselves. */
    near(needs.gpu / gib, gpu, 0.02);
    near(needs.host / gib, host, 0.06);
}

/* A published print of a 6.173 billion parameter model on 4 GPUs (largest module 534 million). */
static void test_zero3_printed(void **state)
{
    (void)state;
    double all = 6173e6, largest = 534e6;
    expect_needs(act_zero3_needs(all, largest, 4, 1, ACT_OFFLOAD_NONE), 27.86, 11.95);
    expect_needs(act_zero3_needs(all, largest, 4, 1, ACT_OFFLOAD_OPTIMIZER), 4.87, 137.98);
    expect_needs(act_zero3_needs(all, largest, 4, 1, ACT_OFFLOAD_ALL), 1.99, 155.23);
}

/* Two servers halve what each holds of the host's share: 18 x 6.173e9 / 2 x 1.5 is 83.34e9. */
static void test_zero3_two_servers(void **state)
{
    (void)state;
    near(act_zero3_needs(6173e6, 534e6, 4, 2, ACT_OFFLOAD_ALL).host, 83.3355e9, 1);
    near(act_zero3_needs(6173e6, 534e6, 4, 2, ACT_OFFLOAD_NONE).gpu, 18 * 6173e6 / 8 + 4 * 534e6,
         1);
}

/* 3 billion on 8 GPUs: 6 + 54/8 = 12.75e9; host 4 x 8 x 1.5 = 48 a parameter, offloaded too. */
static void test_zero2(void **state)
{
    (void)state;
    near(act_zero2_needs(3e9, 8, 1, false).gpu, 12.75e9, 1);
    near(act_zero2_needs(3e9, 8, 1, false).host, 144e9, 1);
    near(act_zero2_needs(3e9, 8, 1, true).gpu, 6e9, 1);
    near(act_zero2_needs(3e9, 8, 1, true).host, 144e9, 1);
    near(act_zero2_needs(3e9, 2, 1, true).host, 72e9, 1); /* at least 16 bytes a parameter */
    /* Two servers: 64 bytes of 16 GPUs, on each. */
    near(act_zero2_needs(3e9, 8, 2, true).host, 288e9, 1);
}

static void parts_of(const struct act_plan *plan, struct act_plan *resolved,
                     struct act_parameters *parameters, struct act_layout *layout)
{
    act_plan_resolve(plan, resolved);
    act_model_count(resolved, parameters);
    act_layout_of(resolved, layout);
}

/* A layer of Llama-2-70B has 2 x 8192 x (128 x 72 + 28672 x 1.5 + 1) = 855,654,400 parameters;
 * 80 of them and the norm over 4 stages, 32,768 x 8192 of the embedding, all over TP 8, are
 * 2,172,690,688 of 6 + 12/8 bytes. */
static void test_megatron_states(void **state)
{
    struct act_plan plan, resolved;
    struct act_parameters parameters;
    struct act_layout layout;

    (void)state;
    plan_llama2_70b(&plan);
    parts_of(&plan, &resolved, &parameters, &layout);
    near(act_megatron_states(&resolved, &parameters), 2172690688.0 * 7.5, 1);
    resolved.parallel.zero = 0;
    near(act_megatron_states(&resolved, &parameters), 2172690688.0 * 18, 1);
    resolved.parallel.pipeline = 1; /* the head is there too */
    near(act_megatron_states(&resolved, &parameters), (68452360192.0 + 2 * 268435456.0) / 8 * 18,
         1);
}

/* Selective with SP: 4096 x 8192 x (18 + 4 x 3.5) is 1 GiB a layer; 80 and the embedding's (8 +
 * 8192) x 4096 x 4, over 8. Without: 13 bytes of 4096 x 8192, and 5 % more. */
static void test_megatron_activations(void **state)
{
    struct act_plan plan, resolved;
    struct act_parameters parameters;
    struct act_layout layout;

    (void)state;
    plan_llama2_70b(&plan);
    parts_of(&plan, &resolved, &parameters, &layout);
    near(act_megatron_activations(&resolved, &layout), 35030958080.0 * 1.05, 1);
    resolved.parallel.recompute = ACT_RECOMPUTE_ATTENTION;
    near(act_megatron_activations(&resolved, &layout), 86033694720.0 / 8, 1);
    resolved.parallel.interleave = 2; /* 1 + 3/8 */
    near(act_megatron_activations(&resolved, &layout), 86033694720.0 / 8 * 1.375, 1);
    resolved.parallel.interleave = 1;
    resolved.parallel.pipeline = 1; /* one micro batch's embedding; logits of 32,768 */
    near(act_megatron_activations(&resolved, &layout),
         (85899345920.0 + 33587200.0 + 4 * 4096.0 * (8192 + 32768)) / 8, 1);
}

/* The difference is of terms, and they sum to what is allocated on stage 0. */
static void test_differences(void **state)
{
    struct act_plan plan, resolved;
    struct act_parameters parameters;
    struct act_layout layout;
    static struct act_memory memory;
    struct act_tool tools[ACT_TOOLS_MAX];

    (void)state;
    plan_llama2_70b(&plan);
    parts_of(&plan, &resolved, &parameters, &layout);
    memory_of(&plan, &memory);
    assert_int_equal(act_tools_of(&resolved, &parameters, &layout, &memory, tools), 1);
    near(tools[0].states + tools[0].activations + tools[0].less_states + tools[0].less_activations +
             tools[0].less_other,
         memory.stage[0].allocated, 16);
    near(tools[0].less_states / gib, 15.17 - 15.18, 0.02); /* the published states of stage 0 */

    resolved.framework.family = ACT_FSDP;
    assert_int_equal(act_tools_of(&resolved, &parameters, &layout, &memory, tools), 0);
    resolved.parallel.tensor = resolved.parallel.pipeline = 1;
    assert_int_equal(act_tools_of(&resolved, &parameters, &layout, &memory, tools), 2);
    assert_true(tools[0].states_only && tools[1].states_only);
    resolved.framework.family = ACT_TEXTBOOK;
    assert_int_equal(act_tools_of(&resolved, &parameters, &layout, &memory, tools), 0);
}

/* Llama-2-70B: an 8192 x 32,000 embedding is larger than an 8192 x 28,672 matrix. */
static void test_largest_module(void **state)
{
    struct act_plan plan, resolved;

    (void)state;
    plan_llama2_70b(&plan);
    act_plan_resolve(&plan, &resolved);
    near(act_largest_module(&resolved), 8192.0 * 32000, 0);
    resolved.model.vocab = 1000;
    near(act_largest_module(&resolved), 8192.0 * 28672, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zero3_printed),
        cmocka_unit_test(test_zero3_two_servers),
        cmocka_unit_test(test_zero2),
        cmocka_unit_test(test_megatron_states),
        cmocka_unit_test(test_megatron_activations),
        cmocka_unit_test(test_differences),
        cmocka_unit_test(test_largest_module),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
