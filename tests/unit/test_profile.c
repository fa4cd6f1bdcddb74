/* Widths and switches that a plan's fields stand for, each against the page that gives it
 * (engine.md 1 and 3.2, decisions 3 and 6, memory-fsdp-lora.md 2.4 and 2.6). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "memory_plans.h"

#include <actuary/field.h>
#include <actuary/profile.h>
#include <cmocka.h>
#include <math.h>

static struct act_memory memory;

static struct act_profile profile_of(const struct act_plan *plan)
{
    struct act_plan resolved;
    struct act_profile profile;

    act_plan_resolve(plan, &resolved);
    act_profile_of(&resolved, &profile);
    return profile;
}

static void assert_same(const char *what, double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * fabs(expected)))
        fail_msg("%s: %.9g is not %.9g", what, value, expected);
}

/* Bytes of state a trained parameter, without the fp32 master. */
static void test_optimizers(void **state)
{
    static const struct {
        enum act_optimizer optimizer;
        const char *name;
        double matrix, rest;
    } expected[] = {
        {ACT_ADAMW, "adamw", 8, 8},
        {ACT_ADAMW_BF16, "adamw-bf16", 4, 4},
        /* One byte a moment, and an fp32 scale for 256 of them: 2 + 2 x 4 / 256. */
        {ACT_ADAM_8BIT, "adam-8bit", 2.03125, 2.03125},
        {ACT_LION, "lion", 4, 4},
        {ACT_SGD, "sgd", 0, 0},
        {ACT_SGD_MOMENTUM, "sgd-momentum", 4, 4},
        /* A row and a column factor of 8192 x 28672: 4 x 36864 / 234881024. */
        {ACT_ADAFACTOR, "adafactor", 0.000627790178571428571, 0.000627790178571428571},
        {ACT_MUON, "muon", 4, 8},
    };
    struct act_plan plan;

    (void)state;
    plan_llama2_70b(&plan);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        plan.training.optimizer = expected[i].optimizer;
        plan.framework.master_weights = false;
        struct act_profile profile = profile_of(&plan);
        assert_same(expected[i].name, profile.optimizer_matrix, expected[i].matrix);
        assert_same(expected[i].name, profile.optimizer_rest, expected[i].rest);
        plan.framework.master_weights = true;
        profile = profile_of(&plan);
        assert_same(expected[i].name, profile.optimizer_matrix, 4 + expected[i].matrix);
        /* In an fp32 run the weights are the master. */
        plan.training.precision = ACT_FP32;
        profile = profile_of(&plan);
        assert_same(expected[i].name, profile.optimizer_matrix, expected[i].matrix);
        plan.training.precision = ACT_BF16;
    }
}

/* A preset's width is AdamW's in 16 bits; one that was typed holds for all. */
static void test_state_bytes(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_llama2_70b(&plan);
    plan.framework.master_weights = false;
    plan.framework.state_bytes = 4;
    assert_same("adamw", profile_of(&plan).optimizer_matrix, 4);
    plan.training.precision = ACT_FP32;
    assert_same("adamw fp32", profile_of(&plan).optimizer_matrix, 8);
    plan.training.precision = ACT_BF16;
    plan.training.optimizer = ACT_ADAM_8BIT;
    assert_same("8 bit", profile_of(&plan).optimizer_matrix, 2.03125);
    act_plan_set_given(&plan, ACT_F_framework_state_bytes, true);
    assert_same("typed", profile_of(&plan).optimizer_matrix, 4);
}

/* Bytes a logit at the loss, and whether all logits exist at once. */
static void test_losses(void **state)
{
    static const struct {
        enum act_loss loss;
        double bytes;
        bool whole;
    } expected[] = {
        {ACT_LOSS_NONE, 0, false},
        {ACT_LOSS_UNFUSED, 6, true},
        {ACT_LOSS_LEGACY, 10, true},
        {ACT_LOSS_FUSED, 2, true},
        {ACT_LOSS_PLAIN, 12, true},
        {ACT_LOSS_PLAIN_HELD, 16, true},
        {ACT_LOSS_HALF, 6, true},
        {ACT_LOSS_HALF_HELD, 8, true},
        {ACT_LOSS_CHUNKED, 6, false},
        {ACT_LOSS_CHUNKED_HALF, 4, false},
        {ACT_LOSS_CHUNKED_OFFLOAD, 2.5, false},
        {ACT_LOSS_LIGER, 0, false},
    };
    struct act_plan plan;

    (void)state;
    plan_llama2_70b(&plan);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        plan.framework.loss = expected[i].loss;
        struct act_profile profile = profile_of(&plan);
        assert_same(act_field(ACT_F_framework_loss)->names[i], profile.logit, expected[i].bytes);
        assert_int_equal(profile.whole_logits, expected[i].whole);
    }
}

/* The frozen base under QLoRA, and its scales. */
static void test_quantisation(void **state)
{
    static const struct {
        enum act_quantisation kind;
        double linear, scales;
    } expected[] = {
        {ACT_NF4, 0.5, 0.0625},                /* an fp32 scale for 64 weights */
        {ACT_NF4_DOUBLE, 0.5, 0.015869140625}, /* 8 bits for 64, fp32 for 256 of those */
        {ACT_GPTQ_4, 0.5, 0.01953125},         /* 2.5 bytes for a group of 128 */
        {ACT_GPTQ_8, 1, 0.01953125},
        {ACT_NO_QUANTISATION, 2, 0},
    };
    struct act_plan plan;

    (void)state;
    plan_llama2_70b(&plan);
    plan.training.method = ACT_QLORA;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        plan.training.quantisation = expected[i].kind;
        struct act_profile profile = profile_of(&plan);
        assert_true(profile.adapters);
        assert_same("linear", profile.base_linear, expected[i].linear);
        assert_same("scales", profile.base_scales, expected[i].scales);
    }
    plan.training.method = ACT_LORA;
    plan.training.quantisation = ACT_NF4;
    assert_same("LoRA", profile_of(&plan).base_linear, 2);
    assert_same("LoRA", profile_of(&plan).base_scales, 0);
    plan.training.method = ACT_FULL;
    assert_false(profile_of(&plan).adapters);
}

/* Activations that all layers of the plan's one stage keep, a token. */
static double kept_a_token(const struct act_plan *plan)
{
    memory_of(plan, &memory);
    return memory.stage[0].component[ACT_ACTIVATIONS] / 4096;
}

/* Two layers of Llama-2-70B's shape on one GPU. */
static void plan_two_layers(struct act_plan *plan)
{
    plan_llama2_70b(plan);
    plan->model.layers = 2;
    plan->parallel.tensor = plan->parallel.pipeline = plan->parallel.data = 1;
    plan->parallel.sequence_parallel = false;
}

/* engine.md 3.2: a norm on queries and keys keeps its inputs, whichever width it has: two bytes of
 * 64 + 8 heads of 128. */
static void test_qk_norm(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_two_layers(&plan);
    double without = kept_a_token(&plan);
    plan.model.qk_norm = ACT_QK_HEAD;
    assert_same("head", kept_a_token(&plan) - without, 2 * 2 * (64 + 8) * 128);
    plan.model.qk_norm = ACT_QK_FULL;
    assert_same("full", kept_a_token(&plan) - without, 2 * 2 * (64 + 8) * 128);
}

/* Each norm keeps its input. In a parallel block one norm feeds both halves: one output is kept
 * instead of two. Four norms a layer (Gemma 2) add two inputs, which no linear reads. */
static void test_norms(void **state)
{
    struct act_plan plan;
    const double h = 8192, bytes = 2, layers = 2;

    (void)state;
    plan_two_layers(&plan);
    double two = kept_a_token(&plan);
    plan.model.norms_per_layer = 1;
    assert_same("one", two - kept_a_token(&plan), layers * (bytes + bytes) * h);
    plan.model.norms_per_layer = 4;
    assert_same("four", kept_a_token(&plan) - two, layers * 2 * bytes * h);
    plan.model.norms_per_layer = 0;
    assert_same("none", two - kept_a_token(&plan), layers * 2 * bytes * h);
}

/* Bytes a score of the math kernel: the softmax output; with dropout its mask and what is left. */
static void test_attention_kernels(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_llama2_70b(&plan);
    assert_same("cudnn", profile_of(&plan).scores, 0);
    assert_same("cudnn", profile_of(&plan).statistics, 4);
    plan.training.attention_kernel = ACT_MATH;
    assert_same("math", profile_of(&plan).scores, 2);
    assert_same("math", profile_of(&plan).statistics, 0);
    plan.training.attention_dropout = 0.1;
    assert_same("dropout", profile_of(&plan).scores, 5);
    plan.training.precision = ACT_FP32;
    assert_same("fp32", profile_of(&plan).scores, 9);
    plan.training.attention_kernel = ACT_FLASH;
    plan.framework.flash_copies = true;
    plan.training.micro_batch = 1;
    assert_same("one sequence", profile_of(&plan).output_copies, 1);
    plan.training.micro_batch = 2;
    assert_same("two", profile_of(&plan).output_copies, 2);
    plan.training.attention_kernel = ACT_CUDNN;
    assert_same("cudnn", profile_of(&plan).output_copies, 1);
}

/* Bytes a unit of the MLP's inner width: gate, up and their product; silu(gate) where it is kept;
 * of a plain one what goes in and out of the activation. */
static void test_mlp(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_llama2_70b(&plan);
    assert_same("gated", profile_of(&plan).mlp, 6);
    assert_same("gated", profile_of(&plan).expert_mlp, 6);
    assert_same("gated", profile_of(&plan).mlp_gradient, 4);
    plan.framework.keeps_silu = true;
    assert_same("silu", profile_of(&plan).mlp, 8);
    plan.model.activation = ACT_GELU;
    assert_same("plain", profile_of(&plan).mlp, 4);
    assert_same("plain", profile_of(&plan).mlp_gradient, 2);
    assert_same("weighted", profile_of(&plan).expert_mlp, 6);
    plan.framework.moe_combine_kept = true;
    assert_same("before 0.12", profile_of(&plan).expert_mlp, 4);
    plan.training.precision = ACT_FP32;
    assert_same("fp32", profile_of(&plan).mlp, 8);
}

/* Buffers, slack and context of the Megatron family (memory-megatron.md 1.5 and 1.6). */
static void test_device(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_llama2_70b(&plan);
    struct act_profile profile = profile_of(&plan);
    assert_same("workspace", profile.workspace, 0.1 * gib);
    assert_same("classic", profile.slack, 1.18);
    assert_same("context", profile.context, 1.3 * gib);
    assert_same("a group", profile.context_per_group, 0.2 * gib);
    assert_same("bf16", profile.low_precision, 0);
    plan.framework.allocator = ACT_EXPANDABLE;
    assert_same("expandable", profile_of(&plan).slack, 1.05);
    plan.training.precision = ACT_FP8;
    assert_same("fp8", profile_of(&plan).low_precision, 0.05);
    plan.training.precision = ACT_NVFP4;
    assert_same("fp4", profile_of(&plan).low_precision, 0.05);
    plan.hardware.fragmentation = 1.3;
    plan.hardware.context_memory = 2 * gib;
    profile = profile_of(&plan);
    assert_same("typed slack", profile.slack, 1.3);
    assert_same("typed context", profile.context, 2 * gib);
    assert_same("no groups beside it", profile.context_per_group, 0);

    plan_llama2_70b(&plan);
    plan.framework.bucket_bytes = 2e9;
    plan.framework.bucket_bytes_fp16 = 1e9;
    assert_same("bucket", profile_of(&plan).bucket, 2e9);
    plan.training.precision = ACT_FP16;
    assert_same("bucket in fp16", profile_of(&plan).bucket, 1e9);
    plan.parallel.zero = 0;
    assert_same("nothing sharded", profile_of(&plan).bucket, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_optimizers),
        cmocka_unit_test(test_state_bytes),
        cmocka_unit_test(test_losses),
        cmocka_unit_test(test_quantisation),
        cmocka_unit_test(test_qk_norm),
        cmocka_unit_test(test_norms),
        cmocka_unit_test(test_attention_kernels),
        cmocka_unit_test(test_mlp),
        cmocka_unit_test(test_device),
    };
    return cmocka_run_group_tests_name("profile", tests, NULL, NULL);
}
