/* FLOPs of a token worked by hand: oracles of engine.md 4, attention, what recomputation adds, and
 * what adapters and frozen layers save. */
#include "model_presets.h"

/* engine.md 4's oracles, to the digits printed there. */
static void test_flops_of_a_token(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_of("gpt3-175b", &plan);
    plan.training.sequence = 2048;
    plan.model.vocab = 51200;
    assert_near(flops_of(&plan).per_token, 1.0619e12, 0.00005 / 1.0619);
    plan_of("llama2-70b", &plan);
    plan.training.sequence = 4096;
    plan.training.tokens = 1e9;
    assert_near(flops_of(&plan).per_token, 4.284e11, 0.0005 / 4.284);
    assert_exact("total", flops_of(&plan).total, flops_of(&plan).per_token * 1e9);
    assert_exact("6 P D", flops_of(&plan).six_pd, 6 * 68976648192 * 1e9);
    plan_of("llama2-7b", &plan);
    plan.training.sequence = 4096;
    assert_near(flops_of(&plan).per_token, 4.286e10, 0.0005 / 4.286);
    plan_of("mixtral-8x7b", &plan);
    plan.training.sequence = 4096;
    assert_near(flops_of(&plan).per_token, 7.971e10, 0.0005 / 7.971);
}

static double per_token(const char *name, int64_t sequence)
{
    struct act_plan plan;

    plan_of(name, &plan);
    plan.training.sequence = sequence;
    return flops_of(&plan).per_token;
}

/* From one length to another the matrices cost the same: what changes is the attention. */
static void test_attention_flops(void **state)
{
    struct act_plan plan;

    (void)state;
    /* 6 s a e L. */
    assert_near(per_token("llama2-7b", 4096) - per_token("llama2-7b", 2048), 6 * 2048.0 * 4096 * 32,
                1e-9);
    /* MLA: 3 s a (e_n + e_r + e_v) L, and an MTP layer is one more. */
    assert_near(per_token("deepseek-v3", 8192) - per_token("deepseek-v3", 4096),
                3 * 4096.0 * 128 * (128 + 64 + 128) * 61, 1e-9);
    plan_of("deepseek-v3", &plan);
    double main_model = flops_of(&plan).per_token;
    plan.model.mtp_layers = 1;
    /* One more layer's matrices: attention, 8 + 1 experts and router; 2h x h; the head again. */
    double attention =
        7168.0 * 1536 + 1536.0 * 128 * 192 + 7168.0 * 576 + 512.0 * 128 * 256 + 128.0 * 128 * 7168;
    double matrices =
        attention + 9 * 3 * 7168.0 * 2048 + 256.0 * 7168 + 2 * 7168.0 * 7168 + 129280.0 * 7168;
    assert_near(flops_of(&plan).per_token - main_model,
                6 * matrices + 3 * 4096.0 * 128 * (128 + 64 + 128), 1e-9);
    /* All layers local, span 2w = 8192: nothing grows beyond. */
    assert_near(per_token("mistral-7b-v0.1", 8192) - per_token("mistral-7b-v0.1", 4096),
                6 * 4096.0 * 4096 * 32, 1e-9);
    assert_exact("window", per_token("mistral-7b-v0.1", 32768), per_token("mistral-7b-v0.1", 8192));
    /* Gemma 2 9B: 21 of 42 layers global; Gemma 3 1B: 4 of 26. */
    assert_near(per_token("gemma2-9b", 32768) - per_token("gemma2-9b", 8192),
                6 * 24576.0 * 16 * 256 * 21, 1e-9);
    assert_near(per_token("gemma3-1b", 32768) - per_token("gemma3-1b", 1024),
                6 * 31744.0 * 4 * 256 * 4, 1e-9);
    /* Packed documents of 512 limit it; lightning layers have no scores. */
    plan_of("llama2-7b", &plan);
    plan.training.document_length = 512;
    assert_exact("documents", flops_of(&plan).per_token, per_token("llama2-7b", 512));
    assert_near(per_token("minimax-text-01", 8192) - per_token("minimax-text-01", 4096),
                6 * 4096.0 * 64 * 128 * 10, 1e-9);
}

static double extra(struct act_plan *plan, enum act_recompute recompute)
{
    plan->parallel.recompute = recompute;
    struct act_flops flops = flops_of(plan);
    return flops.per_token_hardware - flops.per_token;
}

static void test_hardware_flops(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_of("llama2-7b", &plan);
    plan.training.sequence = 4096;
    plan.framework.family = ACT_MEGATRON;
    double attention = 2 * 4096.0 * 4096 * 32;
    double mlp = 2 * 3 * 4096.0 * 11008 * 32;
    double projections = 2 * 4 * 4096.0 * 4096 * 32;
    double whole = attention + mlp + projections + 2 * 4096.0 * 32000;

    assert_near(flops_of(&plan).per_token, 3 * whole, 1e-12);
    assert_exact("none", extra(&plan, ACT_RECOMPUTE_NONE), 0);
    assert_near(extra(&plan, ACT_RECOMPUTE_FULL), whole, 1e-9);
    assert_near(extra(&plan, ACT_RECOMPUTE_ATTENTION), attention, 1e-9);
    assert_near(extra(&plan, ACT_RECOMPUTE_OP), (mlp + projections) / 2, 1e-9);
    plan.parallel.recompute_modules = ACT_MODULE_LAYERNORM;
    assert_exact("norms", extra(&plan, ACT_RECOMPUTE_MODULES), 0);
    plan.parallel.recompute_modules = ACT_MODULE_MLP | ACT_MODULE_LAYERNORM;
    assert_near(extra(&plan, ACT_RECOMPUTE_MODULES), mlp, 1e-9);
    plan.parallel.recompute_layers = 4;
    assert_near(extra(&plan, ACT_RECOMPUTE_ALTERNATE), whole / 4, 1e-9);
    plan.parallel.pipeline = 2; /* 4 of a stage's 16 layers */
    assert_near(extra(&plan, ACT_RECOMPUTE_FIRST_N), whole / 4, 1e-9);
    plan.parallel.recompute_layers = 40;
    assert_near(extra(&plan, ACT_RECOMPUTE_FIRST_N), whole, 1e-9);

    /* engine.md 4: full is 8/6, for the chapter as well. */
    plan.framework.family = ACT_TEXTBOOK;
    plan.parallel.recompute = ACT_RECOMPUTE_FULL;
    struct act_flops flops = flops_of(&plan);
    assert_exact("6 P", flops.per_token, 6 * 6738415616.0);
    assert_near(flops.per_token_hardware, 8 * 6738415616.0, 1e-12);

    /* MLA's up-projections: 1536 to 128 x 192 and 512 to 128 x 256. */
    plan_of("deepseek-v3", &plan);
    plan.parallel.recompute_modules = ACT_MODULE_MLA_UP_PROJ;
    assert_near(extra(&plan, ACT_RECOMPUTE_MODULES),
                2 * 61 * (1536.0 * 128 * 192 + 512.0 * 128 * 256), 1e-6);
}

/* Llama-2-7B: what a token passes in a forward pass. */
static const double layer_weights = 4 * 4096.0 * 4096 + 3 * 4096.0 * 11008;
static const double head_weights = 4096.0 * 32000;
/* Scores and values, half of them masked: 2 s a e a layer. */
static const double layer_attention = 2 * 4096.0 * 4096;

static void plan_7b(struct act_plan *plan)
{
    plan_of("llama2-7b", plan);
    plan->training.sequence = 4096;
    plan->framework.family = ACT_MEGATRON;
}

/* A frozen weight has no gradient of its own: 2 forward and 2 on the way back. An adapter's has:
 * 6. Attention has no weights: 3 times its forward. */
static void test_adapters(void **state)
{
    struct act_plan plan;
    double weights = 32 * layer_weights + head_weights;

    (void)state;
    plan_7b(&plan);
    for (int method = ACT_LORA; method <= ACT_QLORA; method++) {
        plan.training.method = method;
        plan.training.lora_rank = 16;
        plan.training.lora_targets = ACT_TARGETS_ALL;
        assert_near(flops_of(&plan).per_token,
                    4 * weights + 6 * 39976960.0 + 3 * 32 * layer_attention, 1e-12);
        plan.training.lora_rank = 8;
        plan.training.lora_targets = ACT_TARGETS_QV;
        assert_near(flops_of(&plan).per_token,
                    4 * weights + 6 * 4194304.0 + 3 * 32 * layer_attention, 1e-12);
    }
    /* Recomputing adds a forward to what there is. */
    double before = flops_of(&plan).per_token;
    plan.parallel.recompute = ACT_RECOMPUTE_FULL;
    assert_near(flops_of(&plan).per_token_hardware - before, 2 * weights + 32 * layer_attention,
                1e-9);
}

/* Nothing flows back into leading layers that are frozen: their forward alone is left. */
static void test_freeze(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_7b(&plan);
    plan.training.method = ACT_FREEZE;
    plan.training.frozen_layers = 30;
    assert_near(flops_of(&plan).per_token,
                2 * 30 * layer_weights + 30 * layer_attention + 6 * 2 * layer_weights +
                    3 * 2 * layer_attention + 6 * head_weights,
                1e-12);
    plan.training.frozen_layers = 1;
    assert_near(flops_of(&plan).per_token,
                2 * layer_weights + layer_attention + 6 * 31 * layer_weights +
                    3 * 31 * layer_attention + 6 * head_weights,
                1e-12);
    /* All of them, or more than there are: the head is what trains. */
    double all = 2 * 32 * layer_weights + 32 * layer_attention + 6 * head_weights;
    plan.training.frozen_layers = 32;
    assert_near(flops_of(&plan).per_token, all, 1e-12);
    plan.training.frozen_layers = 100;
    assert_near(flops_of(&plan).per_token, all, 1e-12);
    plan.training.frozen_layers = 0;
    assert_near(flops_of(&plan).per_token,
                6 * (32 * layer_weights + head_weights) + 3 * 32 * layer_attention, 1e-12);
    /* Frozen layers are of that method alone. */
    plan.training.method = ACT_FULL;
    plan.training.frozen_layers = 30;
    assert_near(flops_of(&plan).per_token,
                6 * (32 * layer_weights + head_weights) + 3 * 32 * layer_attention, 1e-12);
}

/* The rule of thumb: all weights of a dense model, of one with experts those a token uses without
 * the input embedding. */
static void test_six_pd(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_of("mixtral-8x7b", &plan);
    plan.training.tokens = 1e12;
    /* A layer: attention 2 x 4096^2 + 2 x 4096 x 1024, router 8 x 4096, two experts, two norms; a
     * final norm and the head. */
    double layer =
        2 * 4096.0 * 4096 + 2 * 4096.0 * 1024 + 8 * 4096.0 + 2 * 3 * 4096.0 * 14336 + 2 * 4096.0;
    double used = 32 * layer + 4096 + 4096.0 * 32000;
    assert_exact("Mixtral", flops_of(&plan).six_pd, 6 * used * 1e12);
    plan.framework.family = ACT_TEXTBOOK;
    assert_exact("in the chapter", flops_of(&plan).six_pd, 6 * used * 1e12);
    plan_of("llama2-70b", &plan);
    plan.training.tokens = 2e12;
    assert_exact("dense", flops_of(&plan).six_pd, 6 * 68976648192.0 * 2e12);
    /* OpenAI's own active counts, which leave the input embedding out. */
    plan_of("gpt-oss-120b", &plan);
    plan.training.tokens = 1e6;
    assert_exact("gpt-oss", flops_of(&plan).six_pd, 6 * 5132849472.0 * 1e6);
}

/* How many layers recompute when the plan does not say: every second one, or the first of a
 * chunk. */
static void test_recomputed_layers(void **state)
{
    struct act_plan plan;
    double whole = 2 * (32 * layer_weights + head_weights) + 32 * layer_attention;

    (void)state;
    plan_7b(&plan);
    assert_int_equal(plan.parallel.recompute_layers, ACT_AUTO);
    assert_near(extra(&plan, ACT_RECOMPUTE_ALTERNATE), whole / 2, 1e-9);
    assert_near(extra(&plan, ACT_RECOMPUTE_FIRST_N), whole / 32, 1e-9);
    plan.parallel.pipeline = 4; /* one of 8 layers a stage */
    assert_near(extra(&plan, ACT_RECOMPUTE_FIRST_N), whole / 8, 1e-9);
    plan.parallel.interleave = 2; /* one of 4 layers a chunk */
    assert_near(extra(&plan, ACT_RECOMPUTE_FIRST_N), whole / 4, 1e-9);
    assert_near(extra(&plan, ACT_RECOMPUTE_ALTERNATE), whole / 2, 1e-9);
    plan.parallel.recompute_layers = 3;
    assert_near(extra(&plan, ACT_RECOMPUTE_FIRST_N), whole * 3 / 4, 1e-9);
    assert_near(extra(&plan, ACT_RECOMPUTE_ALTERNATE), whole / 3, 1e-9);
    plan.parallel.recompute_layers = 4;
    assert_near(extra(&plan, ACT_RECOMPUTE_FIRST_N), whole, 1e-9);
    plan.parallel.recompute_layers = 5;
    assert_near(extra(&plan, ACT_RECOMPUTE_FIRST_N), whole, 1e-9);
    /* The core of attention alone, beside the MLP. */
    plan.parallel.recompute_modules = ACT_MODULE_CORE_ATTN;
    assert_near(extra(&plan, ACT_RECOMPUTE_MODULES), 32 * layer_attention, 1e-9);
    plan.parallel.recompute_modules = ACT_MODULE_CORE_ATTN | ACT_MODULE_MLP;
    assert_near(extra(&plan, ACT_RECOMPUTE_MODULES),
                32 * layer_attention + 2 * 32 * 3 * 4096.0 * 11008, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flops_of_a_token),
        cmocka_unit_test(test_attention_flops),
        cmocka_unit_test(test_hardware_flops),
        cmocka_unit_test(test_adapters),
        cmocka_unit_test(test_freeze),
        cmocka_unit_test(test_six_pd),
        cmocka_unit_test(test_recomputed_layers),
    };

    return cmocka_run_group_tests_name("flops", tests, NULL, NULL);
}
