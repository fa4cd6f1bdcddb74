/* What a plan derives from what was not given (decisions 1 and 6). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <actuary/field.h>
#include <math.h>
#include <string.h>

static void test_defaults(void **state)
{
    struct act_plan plan;

    (void)state;
    act_plan_init(&plan);
    assert_string_equal(plan.scenario.name, "untitled");
    assert_string_equal(plan.model.preset, "llama2-70b");
    assert_int_equal(plan.model.layers, 80);
    assert_int_equal(plan.model.kv_heads, ACT_AUTO);
    assert_int_equal(plan.parallel.recompute, ACT_AUTO);
    assert_int_equal(plan.parallel.recompute_modules, ACT_MODULE_LAYERNORM);
    assert_int_equal(plan.parallel.layers_per_stage.count, 0);
    assert_true(plan.hardware.memory == 80 * 1073741824.0);
    assert_true(plan.hardware.mfu == ACT_AUTO);
    assert_string_equal(plan.cost.currency, "USD");
    for (int id = 0; id < ACT_FIELD_COUNT; id++)
        assert_false(act_plan_given(&plan, (enum act_field_id)id));
}

static void test_resolves_model(void **state)
{
    struct act_plan plan, resolved;

    (void)state;
    act_plan_init(&plan); /* hidden 8192, 64 heads, sequence 4096 */
    act_plan_resolve(&plan, &resolved);
    assert_int_equal(resolved.model.kv_heads, 64);
    assert_int_equal(resolved.model.head_dim, 128);
    assert_int_equal(resolved.model.ffn, 32768);
    assert_int_equal(resolved.model.expert_ffn, 32768);
    assert_int_equal(resolved.model.position_rows, 4096);
    assert_int_equal(resolved.model.embedding_width, 8192);
    assert_int_equal(resolved.model.max_positions, ACT_AUTO);
    assert_true(resolved.model.parameters == ACT_AUTO);

    plan.model.kv_heads = 8;
    plan.model.head_dim = 192;
    plan.model.ffn = 28672;
    plan.model.expert_ffn = 2048;
    plan.model.max_positions = 2048;
    act_plan_resolve(&plan, &resolved);
    assert_int_equal(resolved.model.kv_heads, 8);
    assert_int_equal(resolved.model.head_dim, 192);
    assert_int_equal(resolved.model.ffn, 28672);
    assert_int_equal(resolved.model.expert_ffn, 2048);
    assert_int_equal(resolved.model.position_rows, 2048);

    plan.model.head_dim = ACT_AUTO;
    plan.model.hidden = 8;
    plan.model.heads = 64;
    act_plan_resolve(&plan, &resolved);
    assert_int_equal(resolved.model.head_dim, 1);
}

static void test_resolves_training(void **state)
{
    struct act_plan plan, resolved;

    (void)state;
    act_plan_init(&plan);
    plan.framework.precision = ACT_FP16;
    plan.framework.attention_kernel = ACT_FLASH;
    plan.framework.hidden_dropout = 0.1;
    act_plan_resolve(&plan, &resolved);
    assert_true(resolved.training.tokens == 1e12);
    assert_int_equal(resolved.training.global_batch, 1024);
    assert_int_equal(resolved.training.document_length, 4096);
    assert_int_equal(resolved.training.precision, ACT_FP16);
    assert_int_equal(resolved.training.attention_kernel, ACT_FLASH);
    assert_true(resolved.training.hidden_dropout == 0.1);
    assert_true(resolved.training.attention_dropout == 0.1);
    assert_true(resolved.training.deadline_days == ACT_AUTO);

    for (int method = ACT_LORA; method <= ACT_FREEZE; method++) {
        plan.training.method = method;
        act_plan_resolve(&plan, &resolved);
        assert_true(resolved.training.tokens == 1e8);
        assert_int_equal(resolved.training.global_batch, 16);
    }
    for (int lengths = ACT_CONSTANT; lengths <= ACT_VARYING; lengths++) {
        plan.framework.lengths = lengths;
        plan.training.lengths = ACT_AUTO;
        act_plan_resolve(&plan, &resolved);
        assert_int_equal(resolved.training.lengths, lengths);
        plan.training.lengths = ACT_CONSTANT + ACT_VARYING - lengths;
        act_plan_resolve(&plan, &resolved);
        assert_int_equal(resolved.training.lengths, ACT_CONSTANT + ACT_VARYING - lengths);
    }
    plan.training.tokens = 3e9;
    plan.training.precision = ACT_BF16;
    plan.training.attention_dropout = 0;
    act_plan_resolve(&plan, &resolved);
    assert_true(resolved.training.tokens == 3e9);
    assert_int_equal(resolved.training.precision, ACT_BF16);
    assert_true(resolved.training.attention_dropout == 0);
}

static void test_resolves_framework(void **state)
{
    struct act_plan plan, resolved;

    (void)state;
    act_plan_init(&plan);
    plan.framework.gradient_bytes = 6;
    plan.framework.bucket_bytes = 2e9;
    act_plan_resolve(&plan, &resolved);
    /* Optimizers differ by kind of parameter: the profile derives their bytes. */
    assert_true(resolved.framework.state_bytes == ACT_AUTO);
    assert_true(resolved.framework.gradient_bytes_fp16 == 6);
    assert_true(resolved.framework.bucket_bytes_fp16 == 2e9);
    assert_true(fabs(resolved.framework.workspace - 107374182.4) < 0.1);
    plan.framework.gradient_bytes_fp16 = 2;
    plan.framework.state_bytes = 3;
    act_plan_resolve(&plan, &resolved);
    assert_true(resolved.framework.gradient_bytes_fp16 == 2);
    assert_true(resolved.framework.state_bytes == 3);
}

static void test_resolves_parallel(void **state)
{
    struct act_plan plan, resolved;

    (void)state;
    act_plan_init(&plan);
    act_plan_resolve(&plan, &resolved);
    assert_int_equal(resolved.parallel.sequence_parallel, 0); /* TP 1 */
    assert_int_equal(resolved.parallel.zero, 1);
    assert_int_equal(resolved.parallel.recompute, ACT_RECOMPUTE_NONE);
    plan.parallel.tensor = 4;
    plan.parallel.data = 16;
    plan.parallel.context = 2;
    plan.framework.expert_tensor = ACT_ETP_TENSOR;
    plan.framework.zero = 3;
    plan.framework.recompute = ACT_RECOMPUTE_OP;
    act_plan_resolve(&plan, &resolved);
    assert_int_equal(resolved.parallel.sequence_parallel, 1);
    assert_int_equal(resolved.parallel.shard_group, 32);
    assert_int_equal(resolved.parallel.expert_tensor, 1); /* no experts */
    assert_int_equal(resolved.parallel.zero, 3);
    assert_int_equal(resolved.parallel.recompute, ACT_RECOMPUTE_OP);
    assert_int_equal(resolved.parallel.recompute_layers, 1);
    plan.parallel.recompute = ACT_RECOMPUTE_FIRST_N;
    act_plan_resolve(&plan, &resolved);
    assert_int_equal(resolved.parallel.recompute_layers, 1);
    plan.parallel.recompute = ACT_RECOMPUTE_ALTERNATE;
    act_plan_resolve(&plan, &resolved);
    assert_int_equal(resolved.parallel.recompute_layers, 2);
    plan.parallel.recompute_layers = 5;
    act_plan_resolve(&plan, &resolved);
    assert_int_equal(resolved.parallel.recompute_layers, 5);
    plan.model.experts = 8;
    act_plan_resolve(&plan, &resolved);
    assert_int_equal(resolved.parallel.expert_tensor, 4);
    plan.framework.expert_tensor = ACT_ETP_ONE;
    plan.framework.family = ACT_TEXTBOOK;
    act_plan_resolve(&plan, &resolved);
    assert_int_equal(resolved.parallel.expert_tensor, 1);
    assert_int_equal(resolved.parallel.sequence_parallel, 0);
    plan.framework.family = ACT_MEGATRON;
    plan.framework.sequence_parallel = 0;
    act_plan_resolve(&plan, &resolved);
    assert_int_equal(resolved.parallel.sequence_parallel, 0);
    plan.parallel.sequence_parallel = 1;
    act_plan_resolve(&plan, &resolved);
    assert_int_equal(resolved.parallel.sequence_parallel, 1);
}

static void test_resolves_hardware(void **state)
{
    static const double shares[] = {
        [ACT_HBM] = 0.98, [ACT_GDDR] = 0.98, [ACT_GDDR_ECC] = 0.92, [ACT_OTHER_MEMORY] = 0.95};
    static const double peaks[] = {
        [ACT_FP32] = 1e12, [ACT_TF32] = 2e12,  [ACT_FP16] = 3e12,  [ACT_BF16] = 4e12,
        [ACT_FP8] = 5e12,  [ACT_MXFP8] = 5e12, [ACT_NVFP4] = 6e12, [ACT_FP8_ROWWISE] = 5e12};
    struct act_plan plan, resolved;

    (void)state;
    act_plan_init(&plan);
    plan.hardware.memory = 100e9;
    for (size_t kind = 0; kind < sizeof shares / sizeof *shares; kind++) {
        plan.hardware.memory_kind = (int64_t)kind;
        act_plan_resolve(&plan, &resolved);
        assert_true(fabs(resolved.hardware.usable_memory - shares[kind] * 100e9) < 1);
    }
    assert_true(resolved.hardware.peak_tflops == ACT_AUTO); /* a card without any */
    assert_int_equal(resolved.hardware.sm_count, ACT_AUTO);
    assert_int_equal(resolved.hardware.link_domain, 8);
    plan.hardware.peak_fp32 = 1e12;
    plan.hardware.peak_tf32 = 2e12;
    plan.hardware.peak_fp16 = 3e12;
    plan.hardware.peak_bf16 = 4e12;
    plan.hardware.peak_fp8 = 5e12;
    plan.hardware.peak_fp4 = 6e12;
    for (size_t precision = 0; precision < sizeof peaks / sizeof *peaks; precision++) {
        plan.training.precision = (int64_t)precision;
        act_plan_resolve(&plan, &resolved);
        assert_true(resolved.hardware.peak_tflops == peaks[precision]);
    }
    assert_int_equal(resolved.hardware.sm_count, 1);
    plan.hardware.peak_bf16 = 312e12; /* / 2.9e12 = 107.6 */
    plan.hardware.usable_memory = 79e9;
    plan.hardware.link_domain = 72;
    plan.hardware.peak_tflops = 7e12;
    act_plan_resolve(&plan, &resolved);
    assert_int_equal(resolved.hardware.sm_count, 108);
    assert_true(resolved.hardware.usable_memory == 79e9);
    assert_int_equal(resolved.hardware.link_domain, 72);
    assert_true(resolved.hardware.peak_tflops == 7e12);
    assert_true(resolved.hardware.context_memory == ACT_AUTO);
    assert_true(resolved.hardware.fragmentation == ACT_AUTO);
}

/* A preset's measured usable memory is of its own card: a size typed beside it is another card. */
static void test_usable_memory_follows_typed_memory(void **state)
{
    struct act_plan plan, resolved;

    (void)state;
    act_plan_init(&plan);
    plan.hardware.memory = 80e9;
    plan.hardware.usable_memory = 79e9; /* as from a preset */
    act_plan_resolve(&plan, &resolved);
    assert_true(resolved.hardware.usable_memory == 79e9);
    act_field_set_number(&plan, ACT_F_hardware_memory, 40e9);
    act_plan_resolve(&plan, &resolved);
    assert_true(fabs(resolved.hardware.usable_memory - 0.98 * 40e9) < 1);
    act_field_set_number(&plan, ACT_F_hardware_usable_memory, 39e9);
    act_plan_resolve(&plan, &resolved);
    assert_true(resolved.hardware.usable_memory == 39e9);
}

static void test_resolves_cost(void **state)
{
    struct act_plan plan, resolved;

    (void)state;
    act_plan_init(&plan);
    act_plan_resolve(&plan, &resolved);
    assert_true(resolved.cost.price_per_gpu_hour == ACT_AUTO);
    assert_true(resolved.cost.goodput == 0.97);
    plan.hardware.rental_price = 1.5;
    memcpy(plan.hardware.rental_price_date, "2026-08", 8);
    plan.parallel.tensor = 8;
    plan.parallel.data = 125; /* 1,000 GPUs */
    act_plan_resolve(&plan, &resolved);
    assert_true(resolved.cost.price_per_gpu_hour == 1.5);
    assert_string_equal(resolved.cost.price_date, "2026-08");
    assert_true(resolved.cost.goodput == 0.9);
    plan.parallel.data = 124;
    memcpy(plan.cost.price_date, "2026-01", 8);
    act_plan_resolve(&plan, &resolved);
    assert_string_equal(resolved.cost.price_date, "2026-08"); /* of the price, not a typed one */
    assert_true(resolved.cost.goodput == 0.97);
    plan.cost.price_date[0] = '\0';
    plan.cost.price_per_gpu_hour = 2;
    act_plan_resolve(&plan, &resolved);
    assert_true(resolved.cost.price_per_gpu_hour == 2);
    assert_string_equal(resolved.cost.price_date, ""); /* the date is of another price */
}

static void test_resolve_is_idempotent(void **state)
{
    struct act_plan plan, once, twice;

    (void)state;
    act_plan_init(&plan);
    plan.hardware.rental_price = 1.5;
    plan.parallel.tensor = 4;
    act_plan_resolve(&plan, &once);
    act_plan_resolve(&once, &twice);
    assert_true(act_plan_equal(&once, &twice));
    assert_false(act_plan_equal(&plan, &once));
    act_plan_resolve(&plan, &plan); /* in place */
    assert_true(act_plan_equal(&plan, &once));
}

static void test_gpus(void **state)
{
    struct act_plan plan;

    (void)state;
    act_plan_init(&plan);
    assert_true(act_plan_gpus(&plan) == 1);
    plan.parallel.tensor = 8;
    plan.parallel.pipeline = 7;
    plan.parallel.context = 2; /* replicas of 112 */
    assert_true(act_plan_set_gpus(&plan, 1024) == 1008);
    assert_int_equal(plan.parallel.data, 9);
    assert_true(act_plan_set_gpus(&plan, 10) == 112);
    assert_int_equal(plan.parallel.data, 1);
    assert_true(act_plan_set_gpus(&plan, (double)NAN) == 112);
    assert_true(act_plan_set_gpus(&plan, 1e300) == 112.0 * 1048576);
}

static void test_given_bits(void **state)
{
    struct act_plan a, b;

    (void)state;
    act_plan_init(&a);
    act_plan_init(&b);
    assert_true(act_plan_equal(&a, &b));
    for (int id = 0; id < ACT_FIELD_COUNT; id++) {
        act_plan_set_given(&a, (enum act_field_id)id, true);
        for (int other = 0; other < ACT_FIELD_COUNT; other++)
            assert_int_equal(act_plan_given(&a, (enum act_field_id)other), other == id);
        assert_false(act_plan_equal(&a, &b));
        act_plan_set_given(&a, (enum act_field_id)id, false);
    }
    assert_true(act_plan_equal(&a, &b));
    /* What stands behind a text's end is no difference. */
    memcpy(a.cost.currency, "EUR\0xyz", 8);
    memcpy(b.cost.currency, "EUR\0\0\0\0", 8);
    assert_true(act_plan_equal(&a, &b));
    b.cost.currency[0] = 'e';
    assert_false(act_plan_equal(&a, &b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_resolves_model),
        cmocka_unit_test(test_resolves_training),
        cmocka_unit_test(test_resolves_framework),
        cmocka_unit_test(test_resolves_parallel),
        cmocka_unit_test(test_resolves_hardware),
        cmocka_unit_test(test_usable_memory_follows_typed_memory),
        cmocka_unit_test(test_resolves_cost),
        cmocka_unit_test(test_resolve_is_idempotent),
        cmocka_unit_test(test_gpus),
        cmocka_unit_test(test_given_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
