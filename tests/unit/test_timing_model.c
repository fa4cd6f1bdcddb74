/* The step estimated: matmuls and rings against arithmetic by hand, eight measured runs against the
 * study's parts, and every part of a step moving the right way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "../accuracy/timing_rows.h"

#include <actuary/estimate.h>
#include <actuary/timing.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void assert_near(double value, double expected, double share)
{
    if (!(fabs(value - expected) <= share * fabs(expected)))
        fail_msg("%.9g instead of %.9g", value, expected);
}

/* An A100: 76 % of 312e12, 80 % of 2039 GB/s. */
static const struct act_matmul_rate a100 = {.flops = 0.76 * 312e12,
                                            .inner = 64,
                                            .element = 2,
                                            .multiprocessors = 108,
                                            .memory = 0.80 * 2039e9};

static void test_matmul(void **state)
{
    (void)state;
    /* 2 x 8192^3 / 237.12e12 = 4.637 ms, + 64 / 8192, + 0.40 / 18.96 waves, + 4 us */
    assert_near(act_gemm(&a100, 1, 8192, 8192, 8192, 1), 4.775e-3, 1e-3);
    /* One row: the weights' 134 MB over 1.63 TB/s, + 4 us. */
    assert_near(act_gemm(&a100, 1, 1, 8192, 8192, 1), 86.3e-6, 1e-3);
    /* One tile on 108 multiprocessors counts as a quarter of a wave: 2.6 times as long. */
    assert_near(act_gemm(&a100, 1, 128, 256, 65536, 1), 51.2e-6, 1e-2);
    /* Nothing to do is one launch. */
    assert_near(act_gemm(&a100, 1, 0, 0, 1, 1), 4e-6, 1e-12);
    assert_true(act_gemm(&a100, 1, 8192, 8192, 8192, 0.5) >
                1.9 * act_gemm(&a100, 1, 8192, 8192, 8192, 1));
}

static void test_linear(void **state)
{
    struct act_matmul_rate cast = a100;
    struct act_linear whole = act_linear_of(&a100, 1, 4096, 8192, 2048, 1, false, 8);
    struct act_linear frozen = act_linear_of(&a100, 1, 4096, 8192, 2048, 1, true, 8);

    (void)state;
    assert_near(whole.forward, act_gemm(&a100, 1, 4096, 8192, 2048, 1), 1e-12);
    assert_near(whole.backward,
                act_gemm(&a100, 1, 4096, 2048, 8192, 1) + act_gemm(&a100, 1, 2048, 8192, 4096, 1),
                1e-12);
    assert_near(frozen.forward, whole.forward, 1e-12);
    assert_near(frozen.backward, act_gemm(&a100, 1, 4096, 2048, 8192, 1), 1e-12);

    /* 1e-12 s an element: inputs and an eighth of the weights forward, gradients backward. */
    cast.cast = 1e-12;
    struct act_linear low = act_linear_of(&cast, 1, 4096, 8192, 2048, 1, false, 8);
    assert_near(low.forward - whole.forward, (4096.0 * 2048 + 2048.0 * 8192 / 8) * 1e-12, 1e-6);
    assert_near(low.backward - whole.backward, 4096.0 * 8192 * 1e-12, 1e-6);
}

static void test_ring(void **state)
{
    struct act_wires wires = {.link = 300e9, .nic = 25e9, .domain = 8};

    (void)state;
    assert_near(act_ranks_inside(&wires, 4, 1), 4, 0);
    assert_near(act_ranks_inside(&wires, 64, 1), 8, 0);
    assert_near(act_ranks_inside(&wires, 64, 2), 4, 0);
    assert_near(act_ranks_inside(&wires, 64, 16), 1, 0);

    assert_near(act_ring(&wires, 1e9, 1, 1), 0, 0);
    /* 1 GB, 7/8 of it at 225 GB/s, + 30 us */
    assert_near(act_ring(&wires, 1e9, 8, 8), 3.9189e-3, 1e-4);
    /* Two nodes: eight NICs of 20 GB/s are less than the link. */
    assert_near(act_ring(&wires, 1e9, 16, 8), 5.8994e-3, 1e-4);
    /* One rank a node: its own NIC alone. */
    assert_near(act_ring(&wires, 1e9, 2, 1), 25.01e-3, 1e-4);

    /* 910B: 196 GB/s are seven pairs of 28; two ranks have one of them. */
    wires = (struct act_wires){.link = 196e9, .nic = 25e9, .domain = 8, .mesh = true};
    assert_near(act_ring(&wires, 1e9, 2, 2), 23.82e-3, 1e-3);
    assert_near(act_ring(&wires, 1e9, 8, 8), 5.9824e-3, 1e-4);
}

/* Seconds of one micro batch through a layer (forward, backward, traffic one way, all) and the
 * head, and of a step (body, bubble, data, optimizer, all). */
struct expected {
    const char *id;
    bool moe;
    double forward, backward, traffic, layer, head, body, bubble, data, optimizer, total;
};

static const struct expected checks[] = {
    {"korthikanti-2022-002", false, 0.006068, 0.01165, 0.0008429, 0.02106, 0.009438, 1.02, 0, 0,
     0.05947, 1.08},
    {"llm-foundry-096", false, 0.02501, 0.05172, 0, 0.07672, 0.07376, 5.058, 0, 0.25, 0.01932,
     5.327},
    {"zero-bubble-004", false, 0.007025, 0.01377, 0, 0.02079, 0.01843, 2.002, 0.5637, 0, 0.02203,
     2.588},
    {"dgxc-benchmarking-011", false, 0.003382, 0.007056, 0.0002729, 0.01098, 0.01125, 14.89, 0.1345,
     0.02555, 0.0164, 15.16},
    {"torchtitan-002", false, 0.02026, 0.04539, 0, 0.07436, 0.112, 2.491, 0, 0.07657, 0.01977,
     2.588},
    {"simumax-b200-023", true, 0.008042, 0.01726, 0.0007547, 0.02535, 0.02485, 4.04, 0, 0.02438,
     0.0275, 4.092},
    {"megatron-bridge-051", true, 0.003344, 0.006358, 0.0009486, 0.0087, 0.02265, 14.78, 0.05457,
     0.00281, 0.006903, 14.99},
    /* The study updates 1/1024 of the weights; it is 1/8, the shard group's. */
    {"internevo-042", false, 0.009188, 0.01865, 0, 0.03703, 0.05103, 1.236, 0, 0.5121, 0.02108,
     1.794},
};

static void test_measured_runs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        const struct expected *want = &checks[i];
        struct act_result result;
        struct act_plan plan;

        timing_plan_of(want->id, &plan);
        act_estimate(&plan, &result);
        const struct act_step_time *step = &result.time.step;
        const struct act_layer_time *layer = want->moe ? &step->moe : &step->dense;
        /* Printed with four digits; weights there leave out norms, 0.4 % of small sums. */
        assert_near(layer->forward, want->forward, 0.001);
        assert_near(layer->backward, want->backward, 0.001);
        assert_near(layer->traffic, want->traffic, 0.001);
        assert_near(step->layer, want->layer, 0.001);
        assert_near(step->head, want->head, 0.001);
        assert_near(step->body, want->body, 0.001);
        assert_near(step->bubble, want->bubble, 0.001);
        assert_near(step->data, want->data, 0.005);
        assert_near(step->optimizer, want->optimizer, 0.005);
        assert_near(result.time.step_seconds, want->total, 0.001);
    }
}

/* Llama-2-70B on 64 H100, tuned Megatron. */
static struct act_plan llama(void)
{
    static struct act_plan plan;
    static bool read;

    if (read)
        return plan;
    read = true;
    timing_plan_of("dgxc-benchmarking-011", &plan);
    plan.parallel.context = 1;
    plan.parallel.interleave = 1;
    plan.parallel.shard_group = ACT_AUTO;
    plan.training.document_length = ACT_AUTO;
    plan.hardware.peak_tflops = ACT_AUTO;
    plan.parallel.data = 4;
    return plan;
}

static struct act_time time_of(const struct act_plan *plan)
{
    static struct act_result result;
    act_estimate(plan, &result);
    return result.time;
}

static double part_of(const struct act_plan *plan, enum act_time_part part)
{
    return time_of(plan).part[part];
}

static void test_parts_sum(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        struct act_plan plan;
        double sum = 0;

        timing_plan_of(checks[i].id, &plan);
        struct act_time time = time_of(&plan);
        for (int k = 0; k < ACT_TIME_PARTS; k++) {
            assert_true(time.part[k] >= 0);
            sum += time.part[k];
        }
        assert_near(sum, time.step_seconds, 1e-12);
        assert_true(time.hfu >= time.mfu && time.mfu > 0 && time.mfu < 1);
    }
}

static void test_recompute(void **state)
{
    struct act_plan plan = llama();

    (void)state;
    plan.parallel.recompute = ACT_RECOMPUTE_NONE;
    struct act_time none = time_of(&plan);
    assert_near(none.part[ACT_TIME_RECOMPUTE], 0, 0);
    plan.parallel.recompute = ACT_RECOMPUTE_FULL;
    struct act_time full = time_of(&plan);
    /* The planning practice: 20 to 33 % more time. */
    assert_true(full.step_seconds > 1.20 * none.step_seconds);
    assert_true(full.step_seconds < 1.35 * none.step_seconds);
    assert_true(full.part[ACT_TIME_TENSOR] > 1.4 * none.part[ACT_TIME_TENSOR]);
    /* Less than full and more than none, each by its own share. */
    static const enum act_recompute less[] = {ACT_RECOMPUTE_ATTENTION, ACT_RECOMPUTE_OP,
                                              ACT_RECOMPUTE_MODULES, ACT_RECOMPUTE_ALTERNATE,
                                              ACT_RECOMPUTE_FIRST_N};
    for (size_t i = 0; i < sizeof less / sizeof *less; i++) {
        plan.parallel.recompute = less[i];
        plan.parallel.recompute_layers = ACT_AUTO;
        double again = part_of(&plan, ACT_TIME_RECOMPUTE);
        assert_true(again > 0 && again < full.part[ACT_TIME_RECOMPUTE]);
    }
}

static void test_bubble(void **state)
{
    struct act_plan plan = llama();

    (void)state;
    double plain = part_of(&plan, ACT_TIME_BUBBLE);
    plan.parallel.schedule = ACT_ZB_1P;
    assert_near(part_of(&plan, ACT_TIME_BUBBLE), plain / 3, 1e-9);
    assert_near(time_of(&plan).error_bar, 0.25, 0);
    plan.parallel.schedule = ACT_DUALPIPE;
    assert_near(part_of(&plan, ACT_TIME_BUBBLE), plain / 2, 1e-9);
    plan.parallel.schedule = ACT_ZB_2P;
    assert_near(part_of(&plan, ACT_TIME_BUBBLE), 0, 0);
    plan.parallel.schedule = ACT_1F1B;
    plan.parallel.interleave = 5;
    assert_true(part_of(&plan, ACT_TIME_BUBBLE) < plain / 4);
    /* Chunks pay in transfers what they save in bubble. */
    assert_true(part_of(&plan, ACT_TIME_PIPELINE) > 0);
}

static void test_groups(void **state)
{
    struct act_plan plan = llama();

    (void)state;
    /* TP across nodes of slow NICs waits for the network. */
    plan.hardware.nic_bandwidth /= 8;
    double inside = part_of(&plan, ACT_TIME_TENSOR);
    plan.parallel.tensor = 16;
    plan.parallel.pipeline = 1;
    struct act_time across = time_of(&plan);
    assert_true(across.part[ACT_TIME_TENSOR] > 5 * inside);
    assert_int_equal(across.binding, ACT_BOUND_NETWORK);
    /* CP pays a ring; less than half of its traffic is seen. */
    plan = llama();
    assert_near(part_of(&plan, ACT_TIME_CONTEXT), 0, 0);
    plan.parallel.context = 2;
    assert_true(part_of(&plan, ACT_TIME_CONTEXT) > 0);
    /* Sharded weights over slow NICs. */
    plan = llama();
    plan.parallel.tensor = plan.parallel.pipeline = 1;
    plan.parallel.data = 64;
    plan.parallel.zero = 1;
    double once = part_of(&plan, ACT_TIME_DATA);
    plan.parallel.zero = 3;
    double fast = part_of(&plan, ACT_TIME_DATA);
    plan.hardware.nic_bandwidth /= 8;
    assert_true(part_of(&plan, ACT_TIME_DATA) > 4 * fast && fast > once);
}

static void test_launches(void **state)
{
    struct act_plan plan = llama();

    (void)state;
    /* Layers of 1,024 wide and short sequences: the CPU launches for longer than the GPU works. */
    plan.model.hidden = 1024;
    plan.model.heads = plan.model.kv_heads = 8;
    plan.model.ffn = 4096;
    plan.training.sequence = 512;
    plan.parallel.tensor = plan.parallel.pipeline = 1;
    struct act_time time = time_of(&plan);
    assert_int_equal(time.binding, ACT_BOUND_LAUNCH);
    assert_near(time.step.layer, 1.4e-3, 1e-9);
    plan.framework.cuda_graphs = 1;
    assert_near(time_of(&plan).step.layer, 0.7e-3, 1e-9);
    assert_true(time_of(&plan).step.launch < time.step.launch);
}

/* What is not whole micro batches is rounded: the step that runs is the one that is reckoned with.
 */
static void test_uneven_batches(void **state)
{
    static const int64_t ranks[] = {3, 12, 31, 64, 500, 1024}, sizes[] = {1, 2, 3, 8};
    static const int64_t batches[] = {1, 5, 100, 384, 1000, 1536, 3000};
    int uneven = 0;

    (void)state;
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) {
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            for (size_t l = 0; l < sizeof batches / sizeof *batches; l++) {
                struct act_plan plan = llama();
                plan.parallel.data = ranks[i];
                plan.training.micro_batch = sizes[k];
                plan.training.global_batch = batches[l];
                struct act_time time = time_of(&plan);
                uneven += time.step_tokens != (double)(batches[l] * plan.training.sequence);
                plan.training.global_batch = (int64_t)time.step.micro_batches * sizes[k] * ranks[i];
                struct act_time whole = time_of(&plan);
                assert_true(time.mfu > 0 && time.mfu < 1 && time.hfu < 1);
                assert_near(time.days, whole.days, 1e-12);
                assert_near(time.mfu, whole.mfu, 1e-12);
                assert_near(time.tokens_per_second * time.step_seconds, time.step_tokens, 1e-12);
                assert_near(time.step_tokens,
                            (double)(plan.training.global_batch * plan.training.sequence), 0);
            }
        }
    }
    assert_true(uneven > 50);
    /* Nor do parameters that are typed come for nothing. */
    struct act_plan large = llama();
    large.model.parameters = 700e9;
    struct act_time stretched = time_of(&large);
    assert_true(stretched.mfu > 0.3 && stretched.mfu < 1);
    /* An MFU that is given knows no micro batches: the chapter's way. */
    struct act_plan plan = llama();
    plan.training.global_batch = 1001;
    plan.hardware.mfu = 0.4;
    assert_near(time_of(&plan).step_tokens, 1001.0 * (double)plan.training.sequence, 0);
}

/* One layer more never makes a step shorter, whichever stages it falls to. */
static void test_more_layers(void **state)
{
    static const int64_t stages[] = {2, 3, 4, 7, 8, 12, 16};

    (void)state;
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        double before = 0;
        for (int64_t layers = stages[i]; layers <= 5 * stages[i] + 3; layers++) {
            struct act_plan plan = llama();
            plan.model.layers = layers;
            plan.parallel.pipeline = stages[i];
            double seconds = time_of(&plan).step_seconds;
            if (seconds < before)
                fail_msg("PP %lld: %lld layers take %g s, one less %g", (long long)stages[i],
                         (long long)layers, seconds, before);
            before = seconds;
        }
    }
    struct act_plan plan = llama();
    plan.model.layers = 61;
    plan.parallel.pipeline = 16;
    struct act_time time = time_of(&plan);
    assert_near(time.step.first, 4, 0);
    assert_near(time.step.last, 3, 0);
}

static void test_pipeline_bound(void **state)
{
    struct act_plan plan = llama();

    (void)state;
    assert_int_equal(time_of(&plan).binding, ACT_BOUND_GPU);
    plan.parallel.pipeline = 16;
    plan.training.global_batch = 2 * plan.parallel.data; /* 2 micro batches on 16 stages */
    struct act_time time = time_of(&plan);
    assert_true(time.part[ACT_TIME_BUBBLE] > 0.5 * time.step_seconds);
    assert_int_equal(time.binding, ACT_BOUND_PIPELINE);
    assert_string_equal(act_binding_text(time.binding), "pipeline bound");
}

/* Frozen layers have no gradients to send and no states to update. */
static void test_frozen_layers(void **state)
{
    struct act_plan plan = llama();

    (void)state;
    plan.parallel.tensor = plan.parallel.pipeline = 1;
    plan.parallel.data = 64;
    plan.parallel.zero = 1;
    plan.training.global_batch = 64;
    plan.hardware.nic_bandwidth /= 8;
    struct act_time all = time_of(&plan);
    plan.training.method = ACT_FREEZE;
    plan.training.frozen_layers = plan.model.layers / 2;
    struct act_time half = time_of(&plan);
    /* Embedding and head are trained: a little more than half is left. */
    assert_true(half.step.optimizer - 2e-3 < 0.56 * (all.step.optimizer - 2e-3));
    assert_true(half.step.optimizer - 2e-3 > 0.50 * (all.step.optimizer - 2e-3));
    assert_true(half.step.data < 0.75 * all.step.data);
    plan.parallel.zero = 3;
    plan.hardware.nic_bandwidth /= 10;
    half = time_of(&plan);
    plan.training.method = ACT_FULL;
    assert_true(half.step.data < time_of(&plan).step.data);
}

/* Each instance of the optimizer updates all weights over its own ranks. */
static void test_update(void **state)
{
    struct act_plan plan = llama();

    (void)state;
    plan.parallel.tensor = plan.parallel.pipeline = 1;
    plan.parallel.data = 64;
    plan.parallel.zero = 1;
    double whole = time_of(&plan).step.optimizer - 2e-3;
    plan.parallel.shard_group = 8;
    assert_near(time_of(&plan).step.optimizer - 2e-3, 8 * whole, 1e-9);
    /* AdamW reads and writes 34 bytes; without its moments 18 are left. */
    plan.training.optimizer = ACT_SGD;
    assert_near(time_of(&plan).step.optimizer - 2e-3, 8 * whole * 18 / 34, 1e-9);
}

static void test_offload(void **state)
{
    struct act_plan plan = llama();

    (void)state;
    struct act_time none = time_of(&plan);
    double plain = none.step_seconds;
    assert_near(none.part[ACT_TIME_OFFLOAD], 0, 0);
    plan.parallel.offload = ACT_OFFLOAD_OPTIMIZER;
    assert_near(time_of(&plan).step_seconds, 1.9 * plain, 1e-9);
    assert_near(part_of(&plan, ACT_TIME_OFFLOAD), 0.9 * plain, 1e-9);
    assert_near(part_of(&plan, ACT_TIME_OPTIMIZER), none.part[ACT_TIME_OPTIMIZER], 1e-9);
    plan.parallel.offload = ACT_OFFLOAD_ALL;
    struct act_time all = time_of(&plan);
    assert_near(all.step_seconds, 4.2 * plain, 1e-9);
    assert_int_equal(all.binding, ACT_BOUND_HOST);
    assert_string_equal(act_binding_text(all.binding), "host transfer bound");
    assert_near(all.error_bar, 0.25, 0);
}

static void test_head_widths(void **state)
{
    struct act_plan plan = llama();

    (void)state;
    plan.training.attention_kernel = ACT_MATH;
    double even = time_of(&plan).step_seconds;
    plan.model.head_dim = 127;
    assert_true(time_of(&plan).step_seconds > 1.1 * even);
}

static void test_error_bars(void **state)
{
    struct act_plan plan = llama();

    (void)state;
    assert_near(time_of(&plan).error_bar, 0.12, 0);
    plan.hardware.step_error = 0.15;
    assert_near(time_of(&plan).error_bar, 0.15, 0);
    plan.training.method = ACT_LORA;
    assert_near(time_of(&plan).error_bar, 0.20, 0);
    plan.framework.step_error = 0.25;
    assert_near(time_of(&plan).error_bar, 0.25, 0);
    plan.model.experts = 8;
    assert_near(time_of(&plan).error_bar, 0.30, 0);
}

static void assert_untested(const struct act_plan *plan, const char *what)
{
    struct act_untested untested = {"", ACT_F_hardware_preset};
    struct act_plan resolved;

    act_plan_resolve(plan, &resolved);
    assert_true(act_time_untested(&resolved, &untested));
    assert_string_equal(untested.what, what);
    assert_near(time_of(plan).error_bar, 0.25, 0);
}

static void test_untested(void **state)
{
    struct act_plan plan = llama();

    (void)state;
    plan.training.precision = ACT_FP32;
    plan.hardware.peak_fp32 = 60e12;
    assert_untested(&plan, "fp32");
    plan.training.precision = ACT_TF32;
    plan.hardware.peak_tf32 = 400e12;
    assert_untested(&plan, "tf32");
    plan.training.precision = ACT_NVFP4;
    plan.hardware.peak_fp4 = 4e15;
    assert_untested(&plan, "fp4 beyond Llama");
    plan = llama();
    plan.hardware.link_topology = ACT_MESH;
    assert_near(time_of(&plan).error_bar, 0.12, 0);
    plan.parallel.data = 129;
    assert_untested(&plan, "link meshes above 128 devices");
    plan = llama();
    plan.parallel.context = 16;
    assert_untested(&plan, "CP above 8");
}

/* Layers that the CPU holds up are weighed as the other parts are, growth of wide groups included.
 */
static void test_launches_grow(void **state)
{
    struct act_plan plan = llama();

    (void)state;
    plan.model.hidden = 1024;
    plan.model.heads = plan.model.kv_heads = 8;
    plan.model.ffn = 4096;
    plan.training.sequence = 512;
    plan.parallel.tensor = plan.parallel.pipeline = 1;
    plan.parallel.data = 1024;
    plan.training.global_batch = 1024;
    struct act_time time = time_of(&plan);
    const struct act_step_time *step = &time.step;
    assert_true(step->growth > 1.01);
    assert_near(step->launched, step->growth * (double)plan.model.layers * step->layer, 1e-9);
    assert_true(step->launch < time.part[ACT_TIME_COMPUTE]);
}

/* MLA's scores are as wide as nope and rope together, whatever head_dim says. */
static void test_mla_head_widths(void **state)
{
    struct act_plan plan = llama();

    (void)state;
    plan.training.attention_kernel = ACT_MATH;
    plan.model.attention = ACT_MLA;
    plan.model.kv_lora_rank = 512;
    plan.model.qk_nope_dim = 128;
    plan.model.qk_rope_dim = 64;
    plan.model.v_head_dim = 128;
    double even = time_of(&plan).step_seconds;
    plan.model.head_dim = 127;
    assert_near(time_of(&plan).step_seconds, even, 0.02);
    plan.model.head_dim = 128;
    plan.model.qk_rope_dim = 63;
    assert_true(time_of(&plan).step_seconds > 1.1 * even);
}

/* Without a peak, or with wires of no width, there is no time; never a number that is none. */
static void test_no_time(void **state)
{
    struct act_plan plan = llama();

    (void)state;
    plan.hardware.link_bandwidth = 0;
    assert_near(time_of(&plan).step_seconds, 0, 0);
    assert_near(time_of(&plan).mfu, 0, 0);
    plan = llama();
    plan.hardware.peak_fp16 = plan.hardware.peak_bf16 = plan.hardware.peak_fp8 = ACT_AUTO;
    plan.hardware.peak_tf32 = plan.hardware.peak_fp32 = ACT_AUTO;
    struct act_time time = time_of(&plan);
    assert_near(time.step_seconds, 0, 0);
    assert_near(time.days, 0, 0);
}

static void test_bands(void **state)
{
    (void)state;
    assert_string_equal(act_mfu_band(0.12), "poor");
    assert_string_equal(act_mfu_band(0.20), "average");
    assert_string_equal(act_mfu_band(0.30), "good");
    assert_string_equal(act_mfu_band(0.50), "excellent");
    assert_string_equal(act_time_part_name(ACT_TIME_DATA), "data");
    for (int i = 0; i < ACT_TIME_PARTS; i++)
        for (int k = 0; k < i; k++)
            assert_true(act_time_part_letter((enum act_time_part)i) !=
                        act_time_part_letter((enum act_time_part)k));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matmul),         cmocka_unit_test(test_linear),
        cmocka_unit_test(test_ring),           cmocka_unit_test(test_measured_runs),
        cmocka_unit_test(test_parts_sum),      cmocka_unit_test(test_recompute),
        cmocka_unit_test(test_bubble),         cmocka_unit_test(test_groups),
        cmocka_unit_test(test_launches),       cmocka_unit_test(test_offload),
        cmocka_unit_test(test_head_widths),    cmocka_unit_test(test_error_bars),
        cmocka_unit_test(test_no_time),        cmocka_unit_test(test_bands),
        cmocka_unit_test(test_uneven_batches), cmocka_unit_test(test_more_layers),
        cmocka_unit_test(test_pipeline_bound), cmocka_unit_test(test_frozen_layers),
        cmocka_unit_test(test_update),         cmocka_unit_test(test_untested),
        cmocka_unit_test(test_launches_grow),  cmocka_unit_test(test_mla_head_widths),
    };
    /* No presets but those compiled in. */
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
    setenv("XDG_DATA_HOME", "/nonexistent", 1);
    setenv("XDG_DATA_DIRS", "/nonexistent", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
