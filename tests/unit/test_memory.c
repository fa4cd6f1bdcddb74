/* Megatron family: activations, phases, head and buffers against figures worked by hand and
 * against runs that were measured (memory-megatron.md 5). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "memory_plans.h"

#include <cmocka.h>
#include <math.h>
#include <string.h>

static struct act_memory memory;

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.6f is not %.6f +- %.6f", value, expected, tolerance);
}

/* Exact up to rounding. */
static void assert_same(double value, double expected)
{
    assert_near(value, expected, 1e-9 * fabs(expected));
}

static double activations(const struct act_plan *plan, int stage)
{
    memory_of(plan, &memory);
    return memory.stage[stage].component[ACT_ACTIVATIONS];
}

static void test_llama2_70b(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_llama2_70b(&plan);
    memory_of(&plan, &memory);
    const struct act_stage *stage = &memory.stage[0];
    assert_int_equal(memory.stages, 4);
    assert_int_equal(memory.worst, 0);
    assert_int_equal(stage->layers, 20);
    assert_true(stage->in_flight == 4);
    /* 20 layers of 855,638,016 / 8 + 16,384 and an embedding of 32,768 x 8192 / 8. */
    assert_same(stage->parameters, 2172977152.0);
    assert_same(stage->component[ACT_WEIGHTS], 2 * 2172977152.0);
    assert_same(stage->component[ACT_GRADIENTS], 4 * 2172977152.0);
    assert_same(stage->component[ACT_OPTIMIZER], 1.5 * 2172977152.0);
    double states = stage->component[ACT_WEIGHTS] + stage->component[ACT_GRADIENTS] +
                    stage->component[ACT_OPTIMIZER];
    assert_near(states / gib, 15.17, 0.02);
    /* 4 x 20 x 4096 x (8192 + 2560 + 2048 + 32 + 21504). */
    assert_same(stage->component[ACT_ACTIVATIONS], 80 * 4096 * 34336.0);
    assert_near(stage->component[ACT_ACTIVATIONS] / gib, 10.48, 0.02);
}

static void plan_gpt3(struct act_plan *plan)
{
    plan_megatron(plan);
    model_gpt3(&plan->model);
    plan->training.sequence = 2048;
    plan->training.global_batch = 64;
    plan->training.hidden_dropout = 0.1;
    plan->parallel.tensor = 8;
    plan->parallel.sequence_parallel = true;
    plan->parallel.pipeline = 8;
    plan->parallel.data = 1;
}

static void test_gpt3(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_gpt3(&plan);
    assert_near(activations(&plan, 0) / gib, 9.6, 0.05);
    plan.parallel.interleave = 3;
    assert_near(activations(&plan, 0) / gib, 12.4, 0.1);
    plan.parallel.interleave = 1;
    plan.parallel.sequence_parallel = false;
    double whole = activations(&plan, 0);
    assert_near(whole / gib, 29.4, 0.1);
    /* The embedding's mask is one byte a token and hidden unit of each of the 8 alive. */
    assert_near((whole - 8 * 2048.0 * 12288) / gib, 29.3, 0.05);
}

/* Korthikanti et al., arXiv 2205.05198: a layer keeps 34 sbh with SP, dropout and no scores,
 * 10 + 24 / t of it without SP; flash adds the log-sum-exp, 4 a / t a token. */
static void test_korthikanti(void **state)
{
    struct act_plan plan;
    const double unit = 2048.0 * 12288, layers = 8 * 12;

    (void)state;
    plan_gpt3(&plan);
    const double mask = 8 * unit, statistics = layers * 2048 * 4 * 96 / 8;
    assert_same(activations(&plan, 0) - mask / 8 - statistics, layers * 34 * unit / 8);
    plan.parallel.sequence_parallel = false;
    assert_same(activations(&plan, 0) - mask - statistics, layers * (10 + 24.0 / 8) * unit);
    /* The math kernel keeps scores instead: 5 a s^2 / t with dropout, 2 without. */
    plan.training.attention_kernel = ACT_MATH;
    plan.training.attention_dropout = 0.1;
    const double scores = layers * 96 * 2048.0 * 2048 / 8;
    assert_same(activations(&plan, 0) - mask, layers * 13 * unit + 5 * scores);
    plan.training.attention_dropout = 0;
    assert_same(activations(&plan, 0) - mask, layers * 13 * unit + 2 * scores);
}

/* The 7B TP 4 release test: 54.19 and 54.22 GiB on A100 and GB200, 53.22 on H100, where cuDNN
 * attention keeps one output instead of two. */
static void test_output_copies(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_megatron(&plan);
    model_gpt3(&plan.model);
    plan.model.layers = 32;
    plan.model.hidden = 4096;
    plan.model.heads = 32;
    plan.model.kv_heads = 8;
    plan.model.ffn = 16384;
    plan.model.vocab = 131073;
    plan.model.position_rows = 8192;
    plan.model.tied_embeddings = false;
    plan.framework.flash_copies = true;
    plan.training.sequence = 8192;
    plan.training.micro_batch = 2;
    plan.training.global_batch = 8;
    plan.training.hidden_dropout = plan.training.attention_dropout = 0.1;
    plan.parallel.tensor = 4;
    plan.parallel.sequence_parallel = false;
    plan.parallel.data = 2;
    memory_of(&plan, &memory);
    double cudnn = memory.stage[0].allocated;
    plan.training.attention_kernel = ACT_FLASH;
    memory_of(&plan, &memory);
    double flash = memory.stage[0].allocated;
    assert_near(cudnn / gib, 53.2193, 0.005 * 53.2);
    assert_near(flash / gib, 54.1919, 0.005 * 54.2);
    assert_near(flash / gib, 54.2192, 0.005 * 54.2);
    assert_same(flash - cudnn, gib); /* 2 T a e / t x 32 layers = 2^30 */
    assert_int_equal(memory.stage[0].phase, ACT_PHASE_LOSS);
    /* No gap at one sequence a micro batch. */
    plan.training.micro_batch = 1;
    double single = activations(&plan, 0);
    plan.training.attention_kernel = ACT_CUDNN;
    assert_same(activations(&plan, 0), single);
}

/* Four layers of DeepSeek-V3 on 8 B200, EP 8, fused loss, scratch: 104.3 GiB allocated. */
static void test_deepseek_v3_cut(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_megatron(&plan);
    model_llama2_70b(&plan.model);
    plan.model.layers = 4;
    plan.model.hidden = 7168;
    plan.model.heads = plan.model.kv_heads = 128;
    plan.model.ffn = 18432;
    plan.model.vocab = 129280;
    plan.model.attention = ACT_MLA;
    plan.model.q_lora_rank = 1536;
    plan.model.kv_lora_rank = 512;
    plan.model.qk_nope_dim = 128;
    plan.model.qk_rope_dim = 64;
    plan.model.v_head_dim = 128;
    plan.model.experts = 256;
    plan.model.experts_per_token = 8;
    plan.model.expert_ffn = plan.model.shared_ffn = 2048;
    plan.model.dense_layers = 1;
    plan.framework.loss = ACT_LOSS_FUSED;
    plan.framework.weight_gradient_scratch = true;
    plan.training.sequence = 4096;
    plan.training.global_batch = 32;
    plan.parallel.expert = plan.parallel.data = 8;
    plan.parallel.moe_imbalance = 1;
    memory_of(&plan, &memory);
    assert_near(memory.stage[0].allocated / gib, 104.3, 0.01 * 104.3);
    assert_int_equal(memory.stage[0].phase, ACT_PHASE_LOSS);
    /* Dense FFN, five MLA matrices and one expert (the shared one has its shape): elements of
     * 7168 x (3 x 18432 + 3 x 2048 + 1536 + 576 + 16384) + 1536 x 24576 + 512 x 32768. */
    double scratch =
        2 * (7168 * (3 * 18432.0 + 3 * 2048 + 1536 + 576 + 16384) + 1536 * 24576.0 + 512 * 32768.0);
    assert_near(memory.stage[0].component[ACT_BUFFERS], 0.1 * gib + scratch, 1);
}

static void plan_zero_bubble(struct act_plan *plan)
{
    plan_megatron(plan);
    model_gpt3(&plan->model);
    plan->model.layers = 30;
    plan->model.hidden = 4096;
    plan->model.heads = plan->model.kv_heads = 32;
    plan->model.ffn = 16384;
    plan->model.vocab = 50304;
    plan->model.position_rows = 1024;
    plan->training.sequence = 1024;
    plan->training.micro_batch = 3;
    plan->training.global_batch = 72;
    plan->training.attention_kernel = ACT_MATH;
    plan->training.hidden_dropout = plan->training.attention_dropout = 0.1;
    plan->parallel.zero = 0;
    plan->parallel.pipeline = 8;
    plan->parallel.embedding_slot = plan->parallel.loss_slot = true;
}

/* Zero-bubble's 6.2B on 8 GPUs with ZB-2p: 70 GB (GiB) printed. */
static void test_zero_bubble(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_zero_bubble(&plan);
    plan.parallel.schedule = ACT_ZB_2P;
    memory_of(&plan, &memory);
    assert_int_equal(memory.worst, 1);
    assert_near(memory.stage[1].allocated / gib, 70, 0.015 * 70);
    double two = memory.stage[1].component[ACT_ACTIVATIONS];
    plan.parallel.schedule = ACT_ZB_1P;
    assert_same(activations(&plan, 1), two / 2);
    plan.parallel.schedule = ACT_1F1B;
    assert_same(activations(&plan, 1), two * 7 / 16);
}

/* Release test with embedding and loss as slots, two chunks a stage: 2.646 GiB on the last rank,
 * whose second chunk holds no layer. */
static void test_chunks(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_zero_bubble(&plan);
    plan.model.layers = 6;
    plan.model.hidden = 512;
    plan.model.heads = plan.model.kv_heads = 8;
    plan.model.head_dim = 64;
    plan.model.ffn = 2048;
    plan.model.vocab = 50257;
    plan.model.tied_embeddings = false;
    plan.training.micro_batch = 4;
    plan.training.global_batch = 32;
    plan.parallel.pipeline = 4;
    plan.parallel.interleave = 2;
    plan.parallel.data = 2;
    memory_of(&plan, &memory);
    assert_int_equal(memory.stage[3].layers, 1);
    assert_near(memory.stage[3].allocated / gib, 2.646, 0.005 * 2.646);
    assert_int_equal(memory.stage[3].phase, ACT_PHASE_LOSS);
}

/* The same FlagPerf run in bf16 and fp16: 66 and 59 GiB on the device; 7.0 GiB of gradients. */
static void test_fp16_gradients(void **state)
{
    struct act_plan plan;
    struct act_memory bf16;

    (void)state;
    plan_megatron(&plan);
    model_llama2_70b(&plan.model);
    plan.model.layers = 24;
    plan.model.hidden = 2048;
    plan.model.heads = plan.model.kv_heads = 16;
    plan.model.ffn = plan.model.expert_ffn = 5504;
    plan.model.vocab = 152064;
    plan.model.experts = 8;
    plan.model.experts_per_token = 2;
    plan.framework.moe_combine_kept = true;
    plan.framework.step_bytes_fp16 = 4;
    plan.training.sequence = 8192;
    plan.training.global_batch = 512;
    plan.parallel.pipeline = 2;
    plan.parallel.data = 4;
    plan.parallel.recompute = ACT_RECOMPUTE_ATTENTION;
    plan.parallel.moe_imbalance = 1;
    memory_of(&plan, &bf16);
    plan.training.precision = ACT_FP16;
    memory_of(&plan, &memory);
    assert_near(bf16.stage[0].device / gib, 66, 0.05 * 66);
    assert_near(memory.stage[0].device / gib, 59, 0.05 * 59);
    assert_same(memory.stage[0].component[ACT_GRADIENTS],
                bf16.stage[0].component[ACT_GRADIENTS] / 2);
    assert_near((bf16.stage[0].allocated - memory.stage[0].allocated) / gib, 7.0, 0.05);
}

static void test_head(void **state)
{
    struct act_plan plan;
    const double tokens = 8192, h = 8192, rows = 128000.0 / 8;

    (void)state;
    plan_llama2_70b(&plan);
    /* A large vocabulary, 125 x 1024: the last stage's loss is its peak. */
    plan.model.vocab = 128000;
    plan.training.sequence = 8192;
    memory_of(&plan, &memory);
    const struct act_stage *last = &memory.stage[3];
    assert_int_equal(last->phase, ACT_PHASE_LOSS);
    assert_same(last->component[ACT_HEAD], 4 * tokens * h / 8 + 6 * tokens * rows);
    assert_true(memory.stage[0].component[ACT_HEAD] == 0);
    /* Fused: the head's own backward decides, 2TV/t + 2Vh/t + 2Th. */
    plan.framework.loss = ACT_LOSS_FUSED;
    memory_of(&plan, &memory);
    assert_same(last->phases[ACT_PHASE_LOSS] - last->component[ACT_WEIGHTS] -
                    last->component[ACT_GRADIENTS] - last->component[ACT_OPTIMIZER] -
                    last->component[ACT_ACTIVATIONS] - 0.1 * gib,
                4 * tokens * h / 8 + 2 * tokens * rows + 2 * rows * h + 2 * tokens * h);
    /* The deferred weight gradient keeps logits and inputs of m - 1 = 31 micro batches. */
    plan.framework.loss = ACT_LOSS_UNFUSED;
    plan.framework.defer_embedding_gradient = true;
    memory_of(&plan, &memory);
    assert_same(last->component[ACT_HEAD],
                4 * tokens * h / 8 + 6 * tokens * rows + 31 * 2 * tokens * (rows + h / 8));
}

/* An MTP layer on the last stage: one more layer alive, 6Thq for the inputs of its projection and
 * norms, its own logits; and the head's input as before. */
static void test_mtp(void **state)
{
    struct act_plan plan;
    const double tokens = 8192, h = 8192, rows = 128000.0 / 8;

    (void)state;
    plan_llama2_70b(&plan);
    plan.model.vocab = 128000;
    plan.training.sequence = 8192;
    double without = activations(&plan, 3);
    plan.model.mtp_layers = 1;
    assert_same(activations(&plan, 3), without + tokens * 34336 + 6 * tokens * h / 8);
    assert_same(memory.stage[3].component[ACT_HEAD], 4 * tokens * h / 8 + 12 * tokens * rows);
}

static void test_backward(void **state)
{
    struct act_plan plan;
    const double tokens = 4096, h = 8192;

    (void)state;
    plan_llama2_70b(&plan);
    memory_of(&plan, &memory);
    assert_int_equal(memory.stage[0].phase, ACT_PHASE_BACKWARD);
    /* Gathered input and gradient with SP, and 4 T f / t. */
    assert_same(memory.stage[0].component[ACT_TRANSIENTS], 4 * tokens * h + 4 * tokens * 28672 / 8);
    plan.parallel.sequence_parallel = false;
    memory_of(&plan, &memory);
    assert_same(memory.stage[0].component[ACT_TRANSIENTS], 2 * tokens * h + 4 * tokens * 28672 / 8);
    plan.model.activation = ACT_GELU;
    memory_of(&plan, &memory);
    assert_same(memory.stage[0].component[ACT_TRANSIENTS], 2 * tokens * h + 2 * tokens * 28672 / 8);
}

static void test_recompute(void **state)
{
    struct act_plan plan;
    const double tokens = 4096, h = 8192, layer = tokens * 34336, input = 2 * tokens * h / 8;

    (void)state;
    plan_llama2_70b(&plan);
    assert_same(activations(&plan, 0), 80 * layer);
    plan.parallel.recompute = ACT_RECOMPUTE_FULL;
    assert_same(activations(&plan, 0), 80 * input);
    assert_same(memory.stage[0].component[ACT_TRANSIENTS],
                4 * tokens * h + 4 * tokens * 28672 / 8 + layer);
    /* With flash only the log-sum-exp goes. */
    plan.parallel.recompute = ACT_RECOMPUTE_ATTENTION;
    assert_same(activations(&plan, 0), 80 * (layer - tokens * 32));
    /* Five of twenty layers of a stage; every fourth of them. */
    plan.parallel.recompute = ACT_RECOMPUTE_FIRST_N;
    plan.parallel.recompute_layers = 5;
    assert_same(activations(&plan, 0), 4 * (15 * layer + 5 * input));
    plan.parallel.interleave = 2; /* five of ten in each chunk; 4 + 3 and 4 alive */
    assert_same(activations(&plan, 0), 11 * (5 * layer + 5 * input));
    plan.parallel.interleave = 1;
    plan.parallel.recompute = ACT_RECOMPUTE_ALTERNATE;
    plan.parallel.recompute_layers = 4;
    assert_same(activations(&plan, 0), 4 * (15 * layer + 5 * input));
    plan.parallel.recompute_layers = 3; /* the third, sixth … eighteenth of the first stage */
    assert_same(activations(&plan, 0), 4 * (14 * layer + 6 * input));
    plan.parallel.recompute = ACT_RECOMPUTE_MODULES;
    plan.parallel.recompute_modules = ACT_MODULE_LAYERNORM | ACT_MODULE_MLP;
    assert_same(activations(&plan, 0), 80 * (layer - 2 * input - 6 * tokens * 28672 / 8));
    /* Input, query, value, gate, attention output and its log-sum-exp. */
    plan.parallel.recompute = ACT_RECOMPUTE_OP;
    assert_same(activations(&plan, 0),
                80 * (input + tokens * (2048 + 256 + 2 * 28672 / 8 + 2048 + 32)));
}

/* R (2h + w f_m / x) + 8R + 13TE/t + w T f_s / t instead of the dense MLP. */
static void test_experts(void **state)
{
    struct act_plan plan;
    const double tokens = 4096, h = 8192;

    (void)state;
    plan_llama2_70b(&plan);
    double rest = activations(&plan, 0) - 80 * tokens * 21504;
    plan.model.experts = 16;
    plan.model.experts_per_token = 2;
    plan.model.expert_ffn = 4096;
    plan.model.shared_ffn = 2048;
    plan.parallel.expert = 4;
    plan.parallel.expert_tensor = 2;
    plan.parallel.moe_imbalance = 1.5;
    const double rows = 2 * tokens * 2 / 8 * 1.5;
    const double moe = rows * (2 * h + 6 * 2048 + 8) + 13 * tokens * 2 + 6 * tokens * 256;
    assert_same(activations(&plan, 0), rest + 80 * moe);
    /* EP does not divide the rows; the all-gather dispatcher keeps every rank's tokens. */
    plan.parallel.moe_dispatcher = ACT_ALL_GATHER;
    assert_same(activations(&plan, 0), rest + 80 * (moe + 2 * tokens * 4 * h));
    plan.parallel.moe_dispatcher = ACT_ALL_TO_ALL;
    plan.framework.moe_combine_kept = true;
    assert_same(activations(&plan, 0), rest + 80 * (moe + 2 * rows * h));
    /* Plain experts keep 4 bytes a unit then, 6 in newer versions. */
    plan.model.activation = ACT_GELU;
    const double plain = rows * (2 * h + 4 * 2048 + 8) + 13 * tokens * 2 + 4 * tokens * 256;
    assert_same(activations(&plan, 0), rest + 80 * (plain + 2 * rows * h));
    plan.framework.moe_combine_kept = false;
    assert_same(activations(&plan, 0), rest + 80 * (plain + rows * 2 * 2048));
}

static void test_device(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_llama2_70b(&plan);
    plan.hardware.memory = 80 * gib;
    plan.hardware.usable_memory = 79 * gib;
    memory_of(&plan, &memory);
    const struct act_stage *stage = &memory.stage[0];
    assert_same(stage->reserved, 1.18 * stage->allocated);
    assert_same(stage->component[ACT_CONTEXT], (1.3 + 4 * 0.2) * gib);
    assert_same(memory.peak, stage->device);
    assert_same(memory.headroom, 79 * gib - stage->device);
    assert_true(memory.error == 0.10);
    plan.framework.allocator = ACT_EXPANDABLE;
    memory_of(&plan, &memory);
    assert_same(stage->reserved, 1.05 * stage->allocated);
    plan.hardware.fragmentation = 1.25;
    plan.hardware.context_memory = 3 * gib;
    memory_of(&plan, &memory);
    assert_same(stage->device, 1.25 * stage->allocated + 3 * gib);

    plan.framework.allocator = ACT_CLASSIC;
    plan.training.lengths = ACT_VARYING;
    memory_of(&plan, &memory);
    assert_true(memory.error == 0.15);
    plan.framework.validated = false;
    memory_of(&plan, &memory);
    assert_true(memory.error == 0.20);
    plan.model.linear_layers = 10;
    memory_of(&plan, &memory);
    assert_true(memory.error == 0.30);

    /* fp8: as bf16 and 5 %. */
    plan_llama2_70b(&plan);
    memory_of(&plan, &memory);
    double bf16 = stage->allocated;
    plan.training.precision = ACT_FP8;
    memory_of(&plan, &memory);
    assert_same(stage->allocated, 1.05 * bf16);
}

static void test_fit(void **state)
{
    (void)state;
    assert_int_equal(act_memory_fit_of(89, 100), ACT_FITS);
    assert_int_equal(act_memory_fit_of(90, 100), ACT_TIGHT);
    assert_int_equal(act_memory_fit_of(100, 100), ACT_TIGHT);
    assert_int_equal(act_memory_fit_of(100.5, 100), ACT_DOES_NOT_FIT);
    memory.peak = 91;
    memory.usable = 100;
    assert_int_equal(act_memory_fit(&memory), ACT_TIGHT);
}

static void test_names(void **state)
{
    char letters[ACT_COMPONENT_COUNT + 1] = {0};

    (void)state;
    for (int i = 0; i < ACT_COMPONENT_COUNT; i++) {
        letters[i] = act_component_letter((enum act_component)i);
        assert_true(strlen(act_component_name((enum act_component)i)) > 0);
        assert_true(strlen(act_component_label((enum act_component)i)) > 0);
    }
    assert_string_equal(letters, "WGOAHBBFC");
    assert_string_equal(act_component_name(ACT_FRAGMENTATION), "fragmentation");
    assert_string_equal(act_phase_name(ACT_PHASE_STEP), "step");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_llama2_70b),
        cmocka_unit_test(test_gpt3),
        cmocka_unit_test(test_korthikanti),
        cmocka_unit_test(test_output_copies),
        cmocka_unit_test(test_deepseek_v3_cut),
        cmocka_unit_test(test_zero_bubble),
        cmocka_unit_test(test_chunks),
        cmocka_unit_test(test_fp16_gradients),
        cmocka_unit_test(test_head),
        cmocka_unit_test(test_mtp),
        cmocka_unit_test(test_backward),
        cmocka_unit_test(test_recompute),
        cmocka_unit_test(test_experts),
        cmocka_unit_test(test_device),
        cmocka_unit_test(test_fit),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
