/* Where + and - ({ and }) lead from a value: by hand from the divisors and grids concerned. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <actuary/field.h>
#include <math.h>
#include <stdio.h>

enum { NONE = -1 }; /* no step there */

static struct act_plan plan;

static int start(void **state)
{
    (void)state;
    act_plan_init(&plan);
    plan.model.ffn = 28672; /* 2^12 x 7 */
    return 0;
}

typedef bool move(const struct act_plan *, enum act_field_id, int, double *);

/* Sets the field, resolves, and compares what lies below and above. */
static void expect(move *how, enum act_field_id id, double now, double below, double above)
{
    const double expected[] = {below, above};
    struct act_plan resolved;

    act_field_set_number(&plan, id, now);
    act_plan_resolve(&plan, &resolved);
    for (int i = 0; i < 2; i++) {
        double got = 0;
        bool moved = how(&resolved, id, i == 0 ? -1 : 1, &got);

        if (!moved)
            got = NONE;
        if (got != expected[i])
            fail_msg("%s at %.17g, %s: %.17g instead of %.17g", act_field(id)->key, now,
                     i == 0 ? "down" : "up", got, expected[i]);
    }
}

static void step(enum act_field_id id, double now, double below, double above)
{
    expect(act_field_step, id, now, below, above);
}

static void scale(enum act_field_id id, double now, double half, double doubled)
{
    expect(act_field_scale, id, now, half, doubled);
}

static void test_ones_and_grids(void **state)
{
    (void)state;
    step(ACT_F_model_layers, 80, 79, 81);
    step(ACT_F_model_layers, 1, NONE, 2);
    step(ACT_F_model_layers, 1024, 1023, NONE);
    step(ACT_F_parallel_zero, 3, 2, NONE);
    step(ACT_F_parallel_zero, 0, NONE, 1);
    step(ACT_F_model_hidden, 8192, 8064, 8320);
    step(ACT_F_model_hidden, 8000, 7936, 8064);
    step(ACT_F_model_hidden, 128, 120, 256);
    step(ACT_F_model_hidden, 100, 96, 104);
    step(ACT_F_model_hidden, 8, NONE, 16);
    step(ACT_F_parallel_moe_imbalance, 1.1, 1, 1.2);
    step(ACT_F_parallel_moe_imbalance, 1.25, 1.2, 1.3);
    step(ACT_F_training_micro_batch, 1, NONE, 2);
    step(ACT_F_training_micro_batch, 3, 2, 4);
    step(ACT_F_training_micro_batch, 65536, 32768, NONE);
    step(ACT_F_model_window, 0, NONE, 1);
    step(ACT_F_model_window, 1, 0, 2);
}

static void test_shares_and_decades(void **state)
{
    (void)state;
    step(ACT_F_hardware_mfu, 0.4, 0.39, 0.41);
    step(ACT_F_hardware_mfu, ACT_AUTO, NONE, 0.30); /* from an estimate to the prudent one */
    step(ACT_F_hardware_mfu, 0.385, 0.38, 0.39);
    step(ACT_F_hardware_mfu, 1, 0.99, NONE);
    step(ACT_F_hardware_mfu, 0.01, NONE, 0.02);
    scale(ACT_F_hardware_mfu, 0.4, 0.2, 0.8);
    scale(ACT_F_hardware_mfu, 0.33, 0.15, 0.65); /* 16.5 and 66 on a grid of 5 */
    scale(ACT_F_hardware_mfu, 0.6, 0.3, 1);
    scale(ACT_F_hardware_mfu, 1, 0.5, NONE);
    scale(ACT_F_hardware_mfu, 0.05, 0.025, 0.1);
    step(ACT_F_training_tokens, 2e12, 1.5e12, 3e12);
    step(ACT_F_training_tokens, 1e12, 8e11, 1.5e12);
    step(ACT_F_training_tokens, 1.4e12, 1e12, 1.5e12);
    step(ACT_F_training_tokens, 1e18, 8e17, NONE);
    step(ACT_F_training_tokens, 1, NONE, 1.5);
    scale(ACT_F_training_tokens, 1.4e12, 0.7e12, 2.8e12);
    scale(ACT_F_training_tokens, 8e17, 4e17, 1e18);
    step(ACT_F_cost_price_per_gpu_hour, 1.5, 1, 2);
    step(ACT_F_cost_price_per_gpu_hour, 0.01, 0, 0.015);
    step(ACT_F_cost_price_per_gpu_hour, 0, NONE, 0.01);
}

static void test_sizes_are_round_in_gib(void **state)
{
    const double mib = 1048576, gib = 1073741824;

    (void)state;
    step(ACT_F_hardware_memory, 80 * gib, 60 * gib, 100 * gib);
    step(ACT_F_hardware_usable_memory, 79.14 * gib, 60 * gib, 80 * gib);
    step(ACT_F_hardware_memory, 1 * gib, 800 * mib, 1.5 * gib);
    step(ACT_F_hardware_memory, 800 * mib, 600 * mib, 1 * gib);
    step(ACT_F_framework_bucket_bytes, 0, NONE, 10 * mib);
    step(ACT_F_framework_bucket_bytes, 10 * mib, 0, 15 * mib);
}

static void test_tensor(void **state)
{
    (void)state;
    /* 64 heads, FFN 28672, 8 GPUs a domain: 1 2 4 8 16 32. */
    step(ACT_F_parallel_tensor, 1, NONE, 2);
    step(ACT_F_parallel_tensor, 4, 2, 8);
    step(ACT_F_parallel_tensor, 32, 16, NONE); /* four domains */
    step(ACT_F_parallel_tensor, 5, 4, 8);
    step(ACT_F_parallel_tensor, 500, 32, NONE);
    plan.model.heads = 56; /* 56 = 8 x 7, and 7 divides 28672: 1 2 4 7 8 14 28 */
    step(ACT_F_parallel_tensor, 4, 2, 7);
    step(ACT_F_parallel_tensor, 8, 7, 14);
    scale(ACT_F_parallel_tensor, 8, 4, 14);
    scale(ACT_F_parallel_tensor, 14, 7, 28);
    scale(ACT_F_parallel_tensor, 28, 14, NONE);
    plan.model.ffn = 4096; /* 7 no longer divides it */
    step(ACT_F_parallel_tensor, 4, 2, 8);
    step(ACT_F_parallel_tensor, 8, 4, NONE);
    plan.model.experts = 8; /* no dense FFN left that could mind */
    step(ACT_F_parallel_tensor, 4, 2, 7);
    plan.model.experts = 0;
    plan.hardware.link_domain = 1;
    step(ACT_F_parallel_tensor, 4, 2, NONE);
}

static void test_pipeline_and_interleave(void **state)
{
    (void)state;
    step(ACT_F_parallel_pipeline, 1, NONE, 2); /* 80 layers */
    step(ACT_F_parallel_pipeline, 5, 4, 8);
    step(ACT_F_parallel_pipeline, 80, 40, NONE);
    scale(ACT_F_parallel_pipeline, 5, 2, 10);
    scale(ACT_F_parallel_pipeline, 16, 8, 40); /* 32 lies nearest to 40 of 20, 40, 80 */
    plan.parallel.embedding_slot = 1;
    plan.parallel.loss_slot = 1; /* 82 slots = 2 x 41 */
    step(ACT_F_parallel_pipeline, 2, 1, 41);
    plan.parallel.embedding_slot = plan.parallel.loss_slot = 0;

    plan.parallel.pipeline = 4; /* 20 layers a stage */
    step(ACT_F_parallel_interleave, 1, NONE, 2);
    step(ACT_F_parallel_interleave, 5, 4, 10);
    step(ACT_F_parallel_interleave, 20, 10, NONE);
    plan.parallel.pipeline = 7; /* does not divide: no chunks either */
    step(ACT_F_parallel_interleave, 4, 1, NONE);
    plan.parallel.pipeline = 1;
    step(ACT_F_parallel_interleave, 1, NONE, NONE);
    plan.parallel.pipeline = 2;
    plan.parallel.layers_per_stage.count = 2; /* an explicit layout fixes it */
    step(ACT_F_parallel_pipeline, 2, NONE, NONE);
    scale(ACT_F_parallel_pipeline, 2, NONE, NONE);
}

static void test_experts_and_heads(void **state)
{
    (void)state;
    step(ACT_F_parallel_expert, 1, NONE, NONE); /* a dense model */
    plan.model.experts = 160;
    step(ACT_F_parallel_expert, 8, 5, 10);
    scale(ACT_F_parallel_expert, 20, 10, 40);
    step(ACT_F_parallel_expert, 160, 80, NONE);
    step(ACT_F_model_kv_heads, 8, 4, 16);
    step(ACT_F_model_kv_heads, ACT_AUTO, 32, NONE); /* derived: 64, as many as heads */
    scale(ACT_F_model_experts, 160, 80, 320);
}

static void test_data_and_gpus(void **state)
{
    (void)state;
    step(ACT_F_parallel_data, 12, 6, 24);
    step(ACT_F_parallel_data, 3, 2, 6);
    step(ACT_F_parallel_data, 1, NONE, 2);
    step(ACT_F_parallel_data, 1048576, 524288, NONE);
    plan.parallel.tensor = 8;
    plan.parallel.pipeline = 4; /* replicas of 32 */
    step(ACT_F_parallel_gpus, 64, 32, 128);
    step(ACT_F_parallel_gpus, 96, 64, 192);
    step(ACT_F_parallel_gpus, 32, NONE, 64);
    scale(ACT_F_parallel_gpus, 96, 32, 192);
    scale(ACT_F_parallel_gpus, 32, NONE, 64);
    step(ACT_F_parallel_gpus, 1048576, 524288, NONE);
    scale(ACT_F_parallel_gpus, 1048576, 524288, NONE);
}

static void test_names_go_around(void **state)
{
    (void)state;
    step(ACT_F_parallel_offload, ACT_OFFLOAD_NONE, ACT_OFFLOAD_ALL, ACT_OFFLOAD_OPTIMIZER);
    step(ACT_F_parallel_offload, ACT_OFFLOAD_ALL, ACT_OFFLOAD_OPTIMIZER, ACT_OFFLOAD_NONE);
    step(ACT_F_training_precision, ACT_AUTO, ACT_FP16, ACT_FP8); /* derived: bf16 */
    step(ACT_F_model_tied_embeddings, 0, 1, 1);
    step(ACT_F_model_tied_embeddings, 1, 0, 0);
    scale(ACT_F_parallel_offload, ACT_OFFLOAD_NONE, NONE, NONE);
    step(ACT_F_parallel_recompute_modules, 1, NONE, NONE);
}

static void test_doubling(void **state)
{
    (void)state;
    scale(ACT_F_training_sequence, 4096, 2048, 8192);
    scale(ACT_F_training_global_batch, 1536, 768, 3072);
    scale(ACT_F_training_micro_batch, 1, NONE, 2);
    scale(ACT_F_training_micro_batch, 3, 1, 6);
    scale(ACT_F_model_layers, 61, 30, 122);
    scale(ACT_F_model_layers, 800, 400, 1024);
    scale(ACT_F_parallel_zero, 2, 1, 3);
    scale(ACT_F_parallel_zero, 0, NONE, NONE);
    scale(ACT_F_model_hidden, 640, 256, 1280); /* 320 lies between 256 and 384: to the even one */
    scale(ACT_F_model_hidden, 8, NONE, 16);
    scale(ACT_F_model_hidden, 100, 48, 256); /* 50 on a grid of 8, 200 on one of 128 */
    scale(ACT_F_parallel_moe_imbalance, 1.1, 1, 2.2);
}

static void test_what_cannot_be_stepped(void **state)
{
    double value = 5;

    (void)state;
    assert_false(act_field_step(&plan, ACT_F_scenario_name, 1, &value));
    assert_false(act_field_step(&plan, ACT_F_model_preset, 1, &value));
    assert_false(act_field_step(&plan, ACT_F_parallel_layers_per_stage, 1, &value));
    assert_false(act_field_scale(&plan, ACT_F_scenario_name, 1, &value));
    step(ACT_F_training_deadline_days, ACT_AUTO, NONE, NONE); /* nothing to start from */
    scale(ACT_F_training_deadline_days, ACT_AUTO, NONE, NONE);
    assert_true(value == 5);
    /* A name that is left open begins with the first or the last. */
    assert_int_equal(plan.training.precision, ACT_AUTO);
    assert_true(act_field_step(&plan, ACT_F_training_precision, 1, &value) && value == ACT_FP32);
    assert_true(act_field_step(&plan, ACT_F_training_precision, -1, &value) && value == ACT_NVFP4);
}

/* From every default, both ways: in range, in the direction, and up then down comes back where
 * the value was on the grid. */
static void test_every_step_is_in_range(void **state)
{
    struct act_plan resolved;

    (void)state;
    act_plan_resolve(&plan, &resolved);
    for (int i = 0; i < 2 * ACT_FIELD_COUNT; i++) {
        enum act_field_id id = (enum act_field_id)(i / 2);
        const struct act_field *field = act_field(id);
        bool cycles = field->kind == ACT_KIND_ENUM || field->kind == ACT_KIND_BOOL;
        move *how = i % 2 == 0 ? act_field_step : act_field_scale;
        struct act_plan walker = resolved;

        for (int steps = 0; steps < 40 && !cycles; steps++) {
            int direction = steps < 20 ? 1 : -1;
            double before = act_field_number(&walker, id), value;

            if (!how(&walker, id, direction, &value))
                continue;
            if (value < field->min || value > field->max || (value - before) * direction <= 0)
                fail_msg("%s: from %.17g to %.17g", field->key, before, value);
            act_field_set_number(&walker, id, value);
        }
    }
}

#define TEST(name) cmocka_unit_test_setup(name, start)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_ones_and_grids),
        TEST(test_shares_and_decades),
        TEST(test_sizes_are_round_in_gib),
        TEST(test_tensor),
        TEST(test_pipeline_and_interleave),
        TEST(test_experts_and_heads),
        TEST(test_data_and_gpus),
        TEST(test_names_go_around),
        TEST(test_doubling),
        TEST(test_what_cannot_be_stepped),
        TEST(test_every_step_is_in_range),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
