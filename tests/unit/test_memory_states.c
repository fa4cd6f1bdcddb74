/* States of every family: ZeRO, widths, precisions, optimizers, adapters, offload, and the
 * textbook's arithmetic (decisions 4 and 5, engine.md 7). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "memory_plans.h"

#include <cmocka.h>
#include <math.h>

static struct act_memory memory;

static void assert_same(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9 * fabs(expected)))
        fail_msg("%.3f is not %.3f", value, expected);
}

static double part(int stage, enum act_component component)
{
    return memory.stage[stage].component[component];
}

static double statics(int stage)
{
    return part(stage, ACT_WEIGHTS) + part(stage, ACT_GRADIENTS) + part(stage, ACT_OPTIMIZER);
}

/* The chapter's 70B: only P, L, h and a are given. */
static void plan_chapter(struct act_plan *plan)
{
    act_plan_init(plan);
    model_llama2_70b(&plan->model);
    plan->model.parameters = 70e9;
    plan->framework.family = ACT_TEXTBOOK;
    plan->framework.weight_bytes = 2;
    plan->framework.gradient_bytes = 4;
    plan->framework.gradient_bytes_fp16 = 4;
    plan->framework.master_weights = false;
    plan->framework.textbook_activations = ACT_TEXTBOOK_ANYSCALE;
    plan->training.precision = ACT_BF16;
    plan->training.sequence = 4096;
    plan->training.micro_batch = 1;
    plan->parallel.zero = 0;
    plan->parallel.recompute = ACT_RECOMPUTE_NONE;
}

static void test_chapter_statics(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_chapter(&plan);
    memory_of(&plan, &memory);
    assert_same(statics(0), 980e9);
    plan.parallel.tensor = 8;
    memory_of(&plan, &memory);
    assert_same(statics(0), 122.5e9);
    plan.parallel.tensor = plan.parallel.pipeline = 4;
    memory_of(&plan, &memory);
    assert_int_equal(memory.stages, 4);
    for (int i = 0; i < 4; i++)
        assert_same(statics(i), 61.25e9);

    /* ZeRO over d = 10: 6P + 8P/N, 2P + 12P/N, 14P/N. */
    plan.parallel.tensor = plan.parallel.pipeline = 1;
    plan.parallel.data = 10;
    const double expected[] = {980e9, 476e9, 224e9, 98e9};
    for (int zero = 0; zero <= 3; zero++) {
        plan.parallel.zero = zero;
        memory_of(&plan, &memory);
        assert_same(statics(0), expected[zero]);
    }
    /* With an fp32 master, 4P more. */
    plan.parallel.zero = 0;
    plan.framework.master_weights = true;
    memory_of(&plan, &memory);
    assert_same(statics(0), 1260e9);
}

static void test_chapter_activations(void **state)
{
    struct act_plan plan;
    const double unit = 4096.0 * 8192 * 80;

    (void)state;
    plan_chapter(&plan);
    plan.parallel.tensor = 8;
    memory_of(&plan, &memory);
    assert_same(part(0, ACT_ACTIVATIONS), unit * 54); /* 34 + 5 x 64 x 4096 / (8192 x 8) */
    assert_same(memory.stage[0].device, statics(0) + unit * 54);
    assert_true(memory.stage[0].reserved == memory.stage[0].allocated);
    assert_true(memory.error == 0);
    plan.framework.textbook_activations = ACT_TEXTBOOK_SEQUENCE_PARALLEL;
    memory_of(&plan, &memory);
    assert_same(part(0, ACT_ACTIVATIONS), unit * 13 / 8);
    plan.framework.textbook_activations = ACT_TEXTBOOK_SIMPLE;
    memory_of(&plan, &memory);
    assert_same(part(0, ACT_ACTIVATIONS), unit * (1 + 64 / 65536.0) * 2);
    plan.framework.textbook_activations = ACT_TEXTBOOK_BLOOM;
    memory_of(&plan, &memory);
    assert_same(part(0, ACT_ACTIVATIONS), 7168e6);
    /* L/p layers, whatever the number of micro batches alive. */
    plan.framework.textbook_activations = ACT_TEXTBOOK_ANYSCALE;
    plan.parallel.pipeline = 4;
    memory_of(&plan, &memory);
    assert_same(part(3, ACT_ACTIVATIONS), unit / 4 * 54);
    plan.parallel.recompute = ACT_RECOMPUTE_FULL;
    memory_of(&plan, &memory);
    assert_same(part(0, ACT_ACTIVATIONS), unit / 4 * 2);
}

static void test_chapter_lora(void **state)
{
    struct act_plan plan, resolved;
    struct act_parameters parameters;

    (void)state;
    plan_chapter(&plan);
    plan.training.method = ACT_LORA;
    act_plan_resolve(&plan, &resolved);
    act_model_count(&resolved, &parameters);
    assert_true(parameters.trainable > 0 && parameters.trainable < 1e9);
    memory_of(&plan, &memory);
    assert_same(statics(0), 2 * 70e9 + 14 * parameters.trainable);
}

static void test_zero(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_llama2_70b(&plan);
    const double n = 2172977152.0; /* parameters of stage 0, test_memory.c */
    const double expected[] = {18, 6 + 12.0 / 8, 2 + 16.0 / 8, 18.0 / 8};
    for (int zero = 0; zero <= 3; zero++) {
        plan.parallel.zero = zero;
        memory_of(&plan, &memory);
        assert_same(statics(0), n * expected[zero]);
    }
    /* Context parallel joins the shard group: D = 16. */
    plan.parallel.zero = 1;
    plan.parallel.context = 2;
    memory_of(&plan, &memory);
    assert_same(part(0, ACT_OPTIMIZER), n * 12 / 16);
    plan.parallel.shard_group = 4;
    memory_of(&plan, &memory);
    assert_same(part(0, ACT_OPTIMIZER), n * 12 / 4);
}

static void test_step(void **state)
{
    struct act_plan plan;
    const double n = 2172977152.0;

    (void)state;
    plan_llama2_70b(&plan);
    plan.training.precision = ACT_FP16;
    plan.framework.step_bytes_fp16 = 6;
    plan.framework.step_bytes_unsharded = 8;
    plan.framework.bucket_bytes = 2e9;
    plan.framework.bucket_bytes_fp16 = 1e9;
    memory_of(&plan, &memory);
    assert_same(part(0, ACT_BUFFERS), 0.1 * gib + 1e9);
    assert_same(memory.stage[0].phases[ACT_PHASE_STEP],
                n * (2 + 2 + 12.0 / 8 + 6.0 / 8) + 0.1 * gib + 1e9);
    /* ZeRO-0 is 24 bytes in the step, without activations and without a bucket. */
    plan.parallel.zero = 0;
    memory_of(&plan, &memory);
    assert_int_equal(memory.stage[0].phase, ACT_PHASE_STEP);
    assert_same(memory.stage[0].allocated, n * 24 + 0.1 * gib);
    assert_true(part(0, ACT_ACTIVATIONS) == 0);
    assert_same(part(0, ACT_TRANSIENTS), n * 8);
}

static void test_precision_and_optimizer(void **state)
{
    struct act_plan plan;
    const double n = 2172977152.0;

    (void)state;
    plan_llama2_70b(&plan);
    plan.parallel.zero = 0;
    plan.training.precision = ACT_FP32;
    memory_of(&plan, &memory);
    assert_same(statics(0), n * 16);
    plan.training.precision = ACT_BF16;
    plan.training.optimizer = ACT_LION;
    memory_of(&plan, &memory);
    assert_same(part(0, ACT_OPTIMIZER), n * 8);
    plan.training.optimizer = ACT_SGD;
    memory_of(&plan, &memory);
    assert_same(part(0, ACT_OPTIMIZER), n * 4);
    plan.framework.master_weights = false;
    memory_of(&plan, &memory);
    assert_true(part(0, ACT_OPTIMIZER) == 0);
    plan.framework.state_bytes = 5; /* a preset's: AdamW's, so not SGD's */
    memory_of(&plan, &memory);
    assert_true(part(0, ACT_OPTIMIZER) == 0);
    act_plan_set_given(&plan, ACT_F_framework_state_bytes, true);
    memory_of(&plan, &memory);
    assert_same(part(0, ACT_OPTIMIZER), n * 5);
}

/* First stage: embedding; last: head and final norm, a copy of a tied embedding, and with MTP
 * one more copy. K and V heads are replicated when g < t. */
static void test_ends(void **state)
{
    struct act_plan plan;
    const double split = 8192.0 * (2 * 8192 + 2 * 1024 + 3 * 28672);

    (void)state;
    plan_llama2_70b(&plan);
    memory_of(&plan, &memory);
    const double middle = 20 * (split / 8 + 16384), table = 32768.0 * 8192 / 8;
    assert_same(memory.stage[0].parameters, middle + table);
    assert_same(memory.stage[1].parameters, middle);
    assert_same(memory.stage[3].parameters, middle + table + 8192);
    plan.model.tied_embeddings = true;
    memory_of(&plan, &memory);
    assert_same(memory.stage[3].parameters, middle + table + 8192);
    plan.parallel.pipeline = 1;
    memory_of(&plan, &memory);
    assert_same(memory.stage[0].parameters, 4 * middle + table + 8192);
    /* No padding: 32000 rows. */
    plan.framework.vocabulary_padding = 1;
    memory_of(&plan, &memory);
    assert_same(memory.stage[0].parameters, 4 * middle + 32000.0 * 8192 / 8 + 8192);
    /* Two KV heads on eight ranks: a whole head each. */
    plan.model.kv_heads = 2;
    memory_of(&plan, &memory);
    const double few = 80 * (8192.0 * (2 * 8192 + 3 * 28672) / 8 + 8192 * 256.0 + 16384);
    assert_same(memory.stage[0].parameters, few + 32000.0 * 8192 / 8 + 8192);
}

static void test_experts(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_llama2_70b(&plan);
    plan.parallel.pipeline = 1;
    plan.model.experts = 16;
    plan.model.expert_ffn = 4096;
    plan.parallel.expert = 8;
    plan.parallel.expert_tensor = 1;
    plan.parallel.data = 16; /* D = 16, D_e = 8 x 16 / 8 = 16 */
    memory_of(&plan, &memory);
    const double experts = 80 * 2 * 3 * 8192.0 * 4096;
    const double dense = 80 * (8192.0 * (2 * 8192 + 2 * 1024) / 8 + 16 * 8192.0 + 2 * 8192) +
                         2 * 32768 * 8192.0 / 8 + 8192;
    assert_same(memory.stage[0].parameters, dense + experts);
    assert_same(part(0, ACT_OPTIMIZER), 12 * (dense + experts) / 16);
    plan.parallel.expert = 16; /* D_e = 8 */
    memory_of(&plan, &memory);
    assert_same(part(0, ACT_OPTIMIZER), 12 * (dense / 16 + experts / 2 / 8));
}

static void test_dualpipe(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_llama2_70b(&plan);
    memory_of(&plan, &memory);
    double first = part(0, ACT_WEIGHTS), last = part(3, ACT_WEIGHTS);
    double live = part(0, ACT_ACTIVATIONS);
    plan.parallel.schedule = ACT_DUALPIPE;
    memory_of(&plan, &memory);
    assert_same(part(0, ACT_WEIGHTS), first + last);
    assert_same(part(0, ACT_ACTIVATIONS), live * 5 / 4);
}

static void test_adapters(void **state)
{
    struct act_plan plan, resolved;
    struct act_parameters parameters;

    (void)state;
    plan_llama2_70b(&plan);
    plan.parallel.tensor = plan.parallel.pipeline = plan.parallel.data = 1;
    plan.framework.vocabulary_padding = 1;
    plan.training.method = ACT_LORA;
    act_plan_resolve(&plan, &resolved);
    act_model_count(&resolved, &parameters);
    memory_of(&plan, &memory);
    /* Frozen base 2, adapters as trained: 18 bytes. */
    const double base = 68976648192.0;
    assert_same(statics(0), 2 * base + 18 * parameters.trainable);
    /* nf4: half a byte and a scale of 4 bytes for 64 weights in linear layers, 2 elsewhere. */
    plan.training.method = ACT_QLORA;
    plan.training.quantisation = ACT_NF4;
    memory_of(&plan, &memory);
    const double linear = 80 * 8192.0 * (2 * 8192 + 2 * 1024 + 3 * 28672);
    assert_same(statics(0), 0.5625 * linear + 2 * (base - linear) + 18 * parameters.trainable);
}

static void test_freeze(void **state)
{
    struct act_plan plan;
    const double layer = 855638016.0 / 8 + 16384;

    (void)state;
    plan_llama2_70b(&plan);
    plan.training.method = ACT_FREEZE;
    plan.training.frozen_layers = 30;
    memory_of(&plan, &memory);
    /* Stage 0 is frozen with the embedding; ten of stage 1's layers are trained. */
    assert_true(part(0, ACT_GRADIENTS) == 0 && part(0, ACT_OPTIMIZER) == 0);
    assert_same(part(0, ACT_WEIGHTS), 2 * 2172977152.0);
    assert_same(part(1, ACT_GRADIENTS), 4 * 10 * layer);
    assert_same(part(2, ACT_GRADIENTS), 4 * 20 * layer);
}

static void test_offload(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_llama2_70b(&plan);
    memory_of(&plan, &memory);
    double optimizer = part(0, ACT_OPTIMIZER), weights = part(0, ACT_WEIGHTS);
    assert_true(memory.host == 0);
    plan.parallel.offload = ACT_OFFLOAD_OPTIMIZER;
    memory_of(&plan, &memory);
    assert_true(part(0, ACT_OPTIMIZER) == 0);
    /* Eight GPUs a server; the fullest stage counts. */
    assert_true(memory.host >= 8 * optimizer * (1 - 1e-12));
    assert_same(part(0, ACT_WEIGHTS), weights);
    plan.parallel.offload = ACT_OFFLOAD_ALL;
    memory_of(&plan, &memory);
    assert_same(part(0, ACT_WEIGHTS), weights * 2 / 20);
    assert_true(memory.host >= 8 * (optimizer + weights) * (1 - 1e-12));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chapter_statics),
        cmocka_unit_test(test_chapter_activations),
        cmocka_unit_test(test_chapter_lora),
        cmocka_unit_test(test_zero),
        cmocka_unit_test(test_step),
        cmocka_unit_test(test_precision_and_optimizer),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_experts),
        cmocka_unit_test(test_dualpipe),
        cmocka_unit_test(test_adapters),
        cmocka_unit_test(test_freeze),
        cmocka_unit_test(test_offload),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
