/* What a layer and the head of the FSDP family keep, by hand (memory-fsdp-lora.md 2.4, 2.5), and
 * sizes that out-of-memory messages printed. */
#include "fsdp_plans.h"

/* Counted with saved-tensor hooks on a small layer: 56 h trained, 42 with LoRA on q and v, 52
 * with LoRA on all linears, 70 there with dropout; frozen 40. */
static void test_layer_by_what_trains(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_square(&plan);
    assert_same(kept(&plan), 56);
    plan.training.method = ACT_LORA;
    plan.training.lora_targets = ACT_TARGETS_QV;
    assert_same(kept(&plan), 42);
    plan.training.lora_targets = ACT_TARGETS_ALL;
    assert_same(kept(&plan), 52);
    plan.training.lora_dropout = 0.05;
    assert_same(kept(&plan), 70);
    /* LLaMA-Adapter has no adapter beside a linear: 40, and its own attention output. */
    plan.training.adapter = ACT_ADAPTER_LLAMA;
    assert_same(kept(&plan), 40 + 2);
}

static void test_layer_by_kernels(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_square(&plan);
    /* Fused: norms 2 x 2, linear inputs 2 x 2, QKV 6, output 2, MLP 6 x 4. */
    plan.framework.kernels = ACT_FUSED;
    assert_same(kept(&plan), 4 + 4 + 6 + 2 + 24);
    plan.framework.keeps_silu = true;
    assert_same(kept(&plan), 4 + 4 + 6 + 2 + 32);
    plan.framework.kernels = ACT_EAGER;
    plan.framework.keeps_silu = false;
    /* An fp32 stream: norms 8 each, and a 16-bit copy for each of the five linears; 66 - 56 is
     * the + 10 h that was counted. */
    plan.framework.residual = ACT_RESIDUAL_FP32;
    assert_same(kept(&plan), 66);
    plan.framework.residual = ACT_RESIDUAL_BF16;
    /* LayerNorm keeps its input only; a plain MLP 2 + 2 of its width. */
    plan.model.norm = ACT_LAYERNORM;
    plan.model.activation = ACT_GELU;
    assert_same(kept(&plan), 4 + 4 + 6 + 2 + 16);
    plan.training.hidden_dropout = 0.1;
    assert_same(kept(&plan), 4 + 4 + 6 + 2 + 16 + 2);
    /* Post norms; a parallel block with one norm and one input for all. */
    plan.training.hidden_dropout = 0;
    plan.model.norms_per_layer = 4;
    assert_same(kept(&plan), 8 + 4 + 6 + 2 + 16);
    plan.model.norms_per_layer = 1;
    assert_same(kept(&plan), 2 + 2 + 6 + 2 + 16);
    plan.model.qk_norm = ACT_QK_HEAD;
    assert_same(kept(&plan), 2 + 2 + 6 + 2 + 16 + 4);
}

static void test_grouped_heads(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_square(&plan);
    plan.framework.kernels = ACT_FUSED;
    plan.model.kv_heads = 4; /* K and V are h/4 wide */
    double grouped = kept(&plan);
    assert_same(grouped, 4 + 4 + (2 + 2 * 0.5) + 2 + 24);
    plan.framework.expands_kv = true;
    assert_same(kept(&plan), grouped); /* a compiler's kernel repeats them inside */
    plan.framework.kernels = ACT_EAGER;
    double expanded = kept(&plan);
    assert_same(expanded, 56);
    /* One projection's output stays whole beside the expanded heads. */
    plan.framework.fused_qkv = true;
    assert_same(kept(&plan), expanded + 2 + 2 * 0.5);
    /* Without expansion V is a view of it. */
    plan.framework.expands_kv = false;
    assert_same(kept(&plan), 56 - 3 + 2 + 0.5);
    /* Adapters on q and v: zeros for k fill up 2 (a + g) e; one shared input. */
    plan.training.method = ACT_LORA;
    plan.training.lora_targets = ACT_TARGETS_QV;
    assert_same(kept(&plan), 42 - 3 + 2 + 0.5 + 2 + 0.5);
}

/* Bytes a score: 6 in 16 bit, 4 in fp32, a mask of 1 with dropout, 2 more with a soft cap. */
static void test_scores(void **state)
{
    struct act_plan plan;
    const double scores = 10 * 16 * 512 * square_tokens, statistics = 10 * 4 * 16 * square_tokens;

    (void)state;
    plan_square(&plan);
    memory_of(&plan, &memory);
    double flash = part(ACT_ACTIVATIONS) - statistics;
    plan.training.attention_kernel = ACT_MATH;
    memory_of(&plan, &memory);
    assert_same(part(ACT_ACTIVATIONS), flash + 6 * scores);
    plan.training.attention_dropout = 0.1;
    memory_of(&plan, &memory);
    assert_same(part(ACT_ACTIVATIONS), flash + 7 * scores);
    plan.model.soft_cap = true;
    memory_of(&plan, &memory);
    assert_same(part(ACT_ACTIVATIONS), flash + 9 * scores);
    plan.framework.score_bytes = 5;
    memory_of(&plan, &memory);
    assert_same(part(ACT_ACTIVATIONS), flash + 5 * scores);
}

/* Sizes that out-of-memory messages printed: fp32 scores of 16 x 32 x 4096^2 x 4 B are 32 GiB and
 * of 56 x 2048^2 x 4 B 896 MiB; dropout's mask of 32 x 4096^2 one byte each is 512 MiB. */
static void test_printed_scores(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_square(&plan);
    plan.model.layers = 1;
    plan.model.heads = plan.model.kv_heads = 32;
    plan.training.precision = ACT_FP32;
    plan.training.attention_kernel = ACT_MATH;
    plan.training.attention_dropout = 0;
    plan.training.sequence = 4096;
    plan.training.micro_batch = 16;
    memory_of(&plan, &memory);
    double math = part(ACT_ACTIVATIONS);
    plan.framework.score_bytes = 0;
    plan.training.attention_kernel = ACT_FLASH;
    memory_of(&plan, &memory);
    assert_gib(math - (part(ACT_ACTIVATIONS) - 16 * 4096 * 4.0 * 32), 32.00, 0.005);

    plan.framework.score_bytes = ACT_AUTO;
    plan.training.attention_kernel = ACT_MATH;
    plan.model.heads = plan.model.kv_heads = 56;
    plan.model.head_dim = 64;
    plan.training.sequence = 2048;
    plan.training.micro_batch = 1;
    memory_of(&plan, &memory);
    math = part(ACT_ACTIVATIONS);
    plan.training.attention_kernel = ACT_FLASH;
    memory_of(&plan, &memory);
    assert_gib(math - (part(ACT_ACTIVATIONS) - 2048 * 4.0 * 56), 896.0 / 1024, 0.0005);

    plan.training.precision = ACT_BF16;
    plan.training.attention_kernel = ACT_MATH;
    plan.model.heads = plan.model.kv_heads = 32;
    plan.training.sequence = 4096;
    memory_of(&plan, &memory);
    math = part(ACT_ACTIVATIONS);
    plan.training.attention_dropout = 0.1;
    memory_of(&plan, &memory);
    assert_gib(part(ACT_ACTIVATIONS) - math, 0.5, 1e-6);
}

/* The head: T V bytes by loss, and 8 T h for the final norm and its input. */
static void test_head(void **state)
{
    static const struct {
        enum act_loss loss;
        double bytes;
    } losses[] = {{ACT_LOSS_PLAIN, 12},
                  {ACT_LOSS_PLAIN_HELD, 16},
                  {ACT_LOSS_HALF, 6},
                  {ACT_LOSS_HALF_HELD, 8},
                  {ACT_LOSS_CHUNKED_HALF, 4},
                  {ACT_LOSS_CHUNKED, 6},
                  {ACT_LOSS_CHUNKED_OFFLOAD, 2.5},
                  {ACT_LOSS_LIGER, 0}};
    struct act_plan plan;

    (void)state;
    plan_llama3_8b(&plan);
    plan.training.sequence = 131072; /* the loss is the peak whatever its kind */
    plan.parallel.recompute = ACT_RECOMPUTE_NONE;
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        const double tokens = 131072;
        plan.framework.loss = losses[i].loss;
        memory_of(&plan, &memory);
        double head = phase(ACT_PHASE_LOSS) - phase(ACT_PHASE_BACKWARD) +
                      tokens * (4 * 14336 + 12 * 4096.0) + 6 * (llama3_8b_layer + llama3_8b_norms);
        assert_same(head, tokens * (losses[i].bytes * 128256 + 8 * 4096));
    }
    plan.framework.loss = ACT_LOSS_CHUNKED_HALF;
    plan.model.soft_cap = true;
    memory_of(&plan, &memory);
    assert_same(part(ACT_HEAD), 131072 * ((4 + 2) * 128256 + 8 * 4096.0));
}

/* Logits that out-of-memory messages printed, as what a loop pays that still holds fp32 ones. */
static void test_printed_logits(void **state)
{
    static const struct {
        int64_t batch, sequence, vocab;
        double printed, tolerance;
    } rows[] = {{4, 1024, 256000, 3.90, 0.01},
                {1, 8192, 151936, 4.638, 0.002},
                {1, 1024, 151936, 0.580, 0.001},
                {1, 8192, 152064, 4.64, 0.005},
                {4, 1024, 50304, 786.0 / 1024, 0.0005}};
    struct act_plan plan;

    (void)state;
    plan_square(&plan);
    plan.parallel.recompute = ACT_RECOMPUTE_FULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        plan.training.micro_batch = rows[i].batch;
        plan.training.sequence = rows[i].sequence;
        plan.model.vocab = rows[i].vocab;
        plan.framework.loss = ACT_LOSS_PLAIN_HELD;
        memory_of(&plan, &memory);
        double held = phase(ACT_PHASE_LOSS);
        plan.framework.loss = ACT_LOSS_PLAIN;
        memory_of(&plan, &memory);
        assert_gib(held - phase(ACT_PHASE_LOSS), rows[i].printed, rows[i].tolerance);
    }
}

/* Op-level checkpointing of Llama-3-8B: 63,616 bytes a token and layer, compiled 55,424. */
static void test_op_recompute(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_llama3_8b(&plan);
    plan.parallel.recompute = ACT_RECOMPUTE_OP;
    memory_of(&plan, &memory);
    assert_same(part(ACT_ACTIVATIONS), 32 * 8192 * 63616.0);
    plan.framework.kernels = ACT_COMPILED;
    memory_of(&plan, &memory);
    assert_same(part(ACT_ACTIVATIONS), 32 * 8192 * 55424.0);
    plan.parallel.recompute = ACT_RECOMPUTE_FULL;
    memory_of(&plan, &memory);
    assert_same(part(ACT_ACTIVATIONS), 32 * 8192 * 2 * 4096.0);
}

/* TP with SP: linears keep their gathered inputs where the framework does so. */
static void test_sequence_parallel(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_square(&plan);
    plan.framework.kernels = ACT_FUSED;
    plan.parallel.tensor = 4;
    plan.parallel.sequence_parallel = true;
    memory_of(&plan, &memory);
    double split = part(ACT_ACTIVATIONS);
    assert_same(split, 10 * square_tokens * (40 * 1024 + 4 * 16) / 4);
    plan.framework.sp_keeps_inputs = true;
    memory_of(&plan, &memory);
    assert_same(part(ACT_ACTIVATIONS), split + 10 * square_tokens * 4 * 1024 * 0.75);
}

/* Nothing trained stands before leading frozen layers: they keep nothing. */
static void test_freeze(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_square(&plan);
    plan.training.method = ACT_FREEZE;
    plan.training.frozen_layers = 4;
    memory_of(&plan, &memory);
    assert_same(part(ACT_ACTIVATIONS), 6 * square_tokens * (56 * 1024 + 64));
    plan.parallel.recompute = ACT_RECOMPUTE_FULL;
    memory_of(&plan, &memory);
    assert_same(part(ACT_ACTIVATIONS), 6 * square_tokens * 2 * 1024);
}

/* Every n-th layer of a model with fewer layers than n: none is replayed, and none costs memory in
 * backward. */
static void test_no_layer_no_replay(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_fsdp(&plan);
    model_llama2_70b(&plan.model);
    plan.model.layers = 8;
    plan.parallel.recompute = ACT_RECOMPUTE_NONE;
    memory_of(&plan, &memory);
    double without = phase(ACT_PHASE_BACKWARD);
    plan.parallel.recompute = ACT_RECOMPUTE_ALTERNATE;
    plan.parallel.recompute_layers = 9;
    memory_of(&plan, &memory);
    assert_same(phase(ACT_PHASE_BACKWARD), without);
    plan.parallel.recompute_layers = 4;
    memory_of(&plan, &memory);
    assert_true(phase(ACT_PHASE_BACKWARD) != without);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_layer_no_replay),
        cmocka_unit_test(test_layer_by_what_trains),
        cmocka_unit_test(test_layer_by_kernels),
        cmocka_unit_test(test_grouped_heads),
        cmocka_unit_test(test_scores),
        cmocka_unit_test(test_printed_scores),
        cmocka_unit_test(test_head),
        cmocka_unit_test(test_printed_logits),
        cmocka_unit_test(test_op_recompute),
        cmocka_unit_test(test_sequence_parallel),
        cmocka_unit_test(test_freeze),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
