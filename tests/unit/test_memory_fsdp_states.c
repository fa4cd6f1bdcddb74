/* Gathered units, gradients by phase, quantised bases and counters of the FSDP family, by hand
 * (memory-fsdp-lora.md 2.1 to 2.3, 2.6, 2.7). */
#include "fsdp_plans.h"

static void test_gathered(void **state)
{
    struct act_plan plan;
    const double layer = llama3_8b_layer + llama3_8b_norms;

    (void)state;
    plan_llama3_8b(&plan);
    memory_of(&plan, &memory);
    /* The root unit is 1.96 GiB; this layer and the next one on top. */
    assert_gib(2 * llama3_8b_root, 1.96, 0.005);
    assert_same(part(ACT_BUFFERS), 2 * llama3_8b_root + 4 * layer);
    assert_same(phase(ACT_PHASE_STEP), llama3_8b * 16 / 8 + 2 * llama3_8b_root);
    /* Everything without resharding; nothing at ZeRO-2. */
    plan.framework.reshard = false;
    memory_of(&plan, &memory);
    assert_same(part(ACT_BUFFERS), 2 * llama3_8b);
    plan.parallel.zero = 2;
    memory_of(&plan, &memory);
    assert_same(part(ACT_BUFFERS), 0);
    /* DeepSpeed lets more stay, up to what there is. */
    plan.parallel.zero = 3;
    plan.framework.reshard = true;
    plan.framework.live_parameters = 3e9;
    memory_of(&plan, &memory);
    assert_same(part(ACT_BUFFERS), 6e9);
    plan.framework.live_parameters = 1e12;
    memory_of(&plan, &memory);
    assert_same(part(ACT_BUFFERS), 2 * llama3_8b);
    /* HSDP shards over its group only. */
    plan.framework.live_parameters = 0;
    plan.parallel.shard_group = 4;
    memory_of(&plan, &memory);
    assert_same(part(ACT_WEIGHTS), llama3_8b * 4 / 4);
}

/* Gradients: none at the loss of a step without accumulation, but reserved remembers them. */
static void test_gradients_by_phase(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_llama3_8b(&plan);
    memory_of(&plan, &memory);
    assert_int_equal(memory.stage[0].phase, ACT_PHASE_LOSS);
    assert_same(part(ACT_GRADIENTS), 0);
    double loss = phase(ACT_PHASE_LOSS), reserved = memory.stage[0].reserved;
    plan.training.global_batch = 16;
    memory_of(&plan, &memory);
    assert_same(part(ACT_GRADIENTS), llama3_8b * 4 / 8);
    assert_same(phase(ACT_PHASE_LOSS), loss + llama3_8b * 4 / 8);
    assert_same(memory.stage[0].reserved, reserved);
    plan.training.global_batch = 8;
    plan.framework.gradients_kept = true;
    memory_of(&plan, &memory);
    assert_same(part(ACT_GRADIENTS), llama3_8b * 4 / 8);
    /* Without synchronisation they are whole until the last micro batch, then sharded. */
    plan.framework.gradients_kept = false;
    plan.framework.no_sync = true;
    memory_of(&plan, &memory);
    assert_same(part(ACT_GRADIENTS), 0);
    plan.training.global_batch = 16;
    memory_of(&plan, &memory);
    assert_same(part(ACT_GRADIENTS), llama3_8b * 4);
    assert_same(phase(ACT_PHASE_STEP), llama3_8b * 16 / 8 + 2 * llama3_8b_root);
}

/* LoRA in an FSDP1 unit that mixes frozen and trained weights: gradients for all of them. */
static void test_mixed_units(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_llama3_8b(&plan);
    plan.framework.weight_bytes = plan.framework.gradient_bytes = 2;
    plan.framework.state_bytes = 4;
    plan.training.method = ACT_LORA;
    plan.training.global_batch = 16;
    plan.framework.no_sync = true;
    memory_of(&plan, &memory);
    double trained = 32 * 16.0 * (2 * 8192 + 2 * (4096 + 1024) + 3 * (4096 + 14336));
    assert_same(part(ACT_GRADIENTS), 2 * trained);
    plan.framework.mixed_units = true;
    memory_of(&plan, &memory);
    assert_same(part(ACT_GRADIENTS), 2 * llama3_8b);
}

/* In a pipeline weights stay gathered, and whole fp32 gradients wait for the last micro batch. */
static void test_pipeline(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_llama3_8b(&plan);
    plan.framework.kernels = ACT_FUSED;
    plan.parallel.pipeline = 4;
    plan.parallel.recompute = ACT_RECOMPUTE_FULL;
    plan.training.global_batch = 64;
    memory_of(&plan, &memory);
    const double n = 8 * (llama3_8b_layer + llama3_8b_norms) + llama3_8b_root / 2;
    assert_same(memory.stage[0].parameters, n);
    assert_same(part(ACT_BUFFERS), 2 * n);
    assert_same(part(ACT_GRADIENTS), n * 4 / 8 + 4 * n);
    assert_same(part(ACT_ACTIVATIONS), 4 * 8 * 8192 * 2 * 4096.0);
    assert_true(part(ACT_HEAD) == 0);
    /* Backward of one layer: replay, inner gradients, its whole gradient with the fp32 copy. */
    const double a = 2 * 2 * 4096 + 2 * 2 * 4096 + 2 * 6144 + 2 * 4096 + 4 * 32 + 6 * 14336;
    assert_same(part(ACT_TRANSIENTS),
                8192 * (a + 4 * 14336 + 12 * 4096) + 6 * (llama3_8b_layer + llama3_8b_norms));
}

/* DeepSpeed: 2, gradients of 2 and an fp32 partition of 4, master and moments of 12; a flattened
 * copy in the step. ZeRO-2 on one GPU is 22 bytes a parameter. A 72B rank of sixteen has an fp32
 * partition of 16.83 GiB. */
static void test_deepspeed(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_llama3_8b(&plan);
    plan.framework.weight_bytes = plan.framework.gradient_bytes = plan.framework.step_bytes = 2;
    plan.framework.master_weights = true;
    plan.parallel.zero = 2;
    plan.parallel.data = 1;
    memory_of(&plan, &memory);
    assert_same(phase(ACT_PHASE_STEP), llama3_8b * 22);
    plan.parallel.data = 4;
    memory_of(&plan, &memory);
    assert_same(phase(ACT_PHASE_STEP), llama3_8b * (2 + 20.0 / 4));
    plan.parallel.zero = 3;
    memory_of(&plan, &memory);
    assert_same(phase(ACT_PHASE_STEP), llama3_8b * 18 / 4 + 2 * llama3_8b_root);

    plan.model.parameters = 72.29e9;
    plan.parallel.data = 16;
    plan.framework.gradients_kept = true;
    memory_of(&plan, &memory);
    assert_gib(part(ACT_GRADIENTS), 16.83, 0.01);
    /* 70.6e9 parameters in pure bf16 over 32 GPUs: 17.5 GB of state. */
    plan.framework.master_weights = false;
    plan.framework.state_bytes = 4;
    plan.framework.gradient_bytes = 4;
    plan.framework.weight_bytes = 0;
    plan.model.parameters = 70.6e9;
    plan.parallel.data = 32;
    memory_of(&plan, &memory);
    assert_true(fabs(part(ACT_GRADIENTS) + part(ACT_OPTIMIZER) - 17.5e9) < 0.2e9);
}

/* nf4 0.5 + 0.0625, double 0.5 + 0.0159, GPTQ; scales do not shard. */
static void test_quantised_base(void **state)
{
    struct act_plan plan;
    const double linear = 32 * llama3_8b_layer, rest = llama3_8b - linear;
    const double trained = 32 * 16.0 * (2 * 8192 + 2 * (4096 + 1024) + 3 * (4096 + 14336));
    static const struct {
        enum act_quantisation kind;
        double base, scales;
    } kinds[] = {{ACT_NF4, 0.5, 0.0625},
                 {ACT_NF4_DOUBLE, 0.5, 0.015869140625},
                 {ACT_GPTQ_4, 0.5, 0.01953125},
                 {ACT_GPTQ_8, 1, 0.01953125}};

    (void)state;
    plan_llama3_8b(&plan);
    plan.training.method = ACT_QLORA;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        plan.training.quantisation = kinds[i].kind;
        memory_of(&plan, &memory);
        assert_same(part(ACT_WEIGHTS), (kinds[i].base * linear + 2 * rest + 4 * trained) / 8 +
                                           kinds[i].scales * linear);
    }
    assert_same(phase(ACT_PHASE_STEP) - part(ACT_WEIGHTS) - 2 * llama3_8b_root, 12 * trained / 8);
    /* k-bit preparation lifts the rest and the stream, but not beside GPTQ. */
    plan.framework.lifts_frozen = true;
    plan.parallel.recompute = ACT_RECOMPUTE_FULL;
    memory_of(&plan, &memory);
    assert_same(part(ACT_ACTIVATIONS), 32 * 8192 * 2 * 4096.0);
    plan.training.quantisation = ACT_NF4;
    memory_of(&plan, &memory);
    assert_same(part(ACT_WEIGHTS), (0.5 * linear + 4 * rest + 4 * trained) / 8 + 0.0625 * linear);
    assert_same(part(ACT_ACTIVATIONS), 32 * 8192 * 4 * 4096.0);
    /* A quantised layer gathers as it is stored. */
    assert_same(part(ACT_BUFFERS),
                2 * llama3_8b_root + 2 * (0.5 * llama3_8b_layer + 2 * llama3_8b_norms));
}

/* One expanded matrix in backward, 12 bytes an element for GPTQ; a quantised head at the loss. */
static void test_expanded(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_llama3_8b(&plan);
    plan.parallel.zero = 0;
    plan.training.method = ACT_LORA;
    plan.parallel.recompute = ACT_RECOMPUTE_FULL;
    memory_of(&plan, &memory);
    double transient = phase(ACT_PHASE_BACKWARD) - part(ACT_WEIGHTS);
    double head = part(ACT_HEAD);
    plan.training.method = ACT_QLORA;
    plan.training.quantisation = ACT_NF4;
    memory_of(&plan, &memory);
    assert_same(phase(ACT_PHASE_BACKWARD) - part(ACT_WEIGHTS), transient + 2 * 4096.0 * 14336);
    assert_same(part(ACT_HEAD), head);
    plan.framework.quantised_head = true;
    memory_of(&plan, &memory);
    assert_same(part(ACT_HEAD), head + 2 * llama3_8b_root / 2);
    double weights = part(ACT_WEIGHTS);
    plan.framework.quantised_fp32 = ACT_FP32_LAYER;
    memory_of(&plan, &memory);
    assert_same(part(ACT_HEAD), head + 4 * llama3_8b_root / 2);
    plan.framework.quantised_head = false;
    memory_of(&plan, &memory);
    assert_same(part(ACT_WEIGHTS) - weights, (2 - 0.5625) * llama3_8b_root / 2);
    plan.training.quantisation = ACT_GPTQ_4;
    memory_of(&plan, &memory);
    assert_same(phase(ACT_PHASE_BACKWARD) - part(ACT_WEIGHTS), transient + 12 * 4096.0 * 14336);
}

/* modules_to_save: 1.24e9 parameters of embedding and head were 13.6 GB. */
static void test_trained_embeddings(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_llama3_8b(&plan);
    plan.model.hidden = 4096;
    plan.model.vocab = 151936;
    plan.training.method = ACT_LORA;
    plan.parallel.zero = 0;
    memory_of(&plan, &memory);
    double before = memory.stage[0].allocated;
    plan.training.trained_embeddings = true;
    memory_of(&plan, &memory);
    assert_same(memory.stage[0].allocated - before, 11.0 * 2 * 4096 * 151936);
    assert_true(fabs(memory.stage[0].allocated - before - 13.6e9) < 0.1e9);
}

static void test_offload(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_llama3_8b(&plan);
    plan.hardware.gpus_per_node = 8;
    plan.parallel.recompute = ACT_RECOMPUTE_FULL;
    plan.parallel.offload = ACT_OFFLOAD_OPTIMIZER;
    memory_of(&plan, &memory);
    assert_same(phase(ACT_PHASE_STEP), llama3_8b * 4 / 8 + 2 * llama3_8b_root);
    assert_same(memory.host, llama3_8b * 12);
    plan.parallel.offload = ACT_OFFLOAD_ALL;
    memory_of(&plan, &memory);
    assert_same(phase(ACT_PHASE_STEP), 2 * llama3_8b_root);
    assert_same(memory.host, llama3_8b * 16);
    plan.parallel.activation_offload = true;
    memory_of(&plan, &memory);
    assert_true(part(ACT_ACTIVATIONS) == 0);
    assert_same(memory.host, llama3_8b * 16 + 8 * 32 * 8192 * 2 * 4096.0);
}

/* A loader that holds the whole model: 2N and a shard of it. */
static void test_load(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_square(&plan);
    plan.parallel.data = plan.training.global_batch = 1000;
    plan.training.sequence = 8;
    plan.training.micro_batch = 1;
    plan.parallel.recompute = ACT_RECOMPUTE_FULL;
    memory_of(&plan, &memory);
    assert_true(phase(ACT_PHASE_LOAD) == 0);
    plan.framework.load_whole = true;
    memory_of(&plan, &memory);
    assert_int_equal(memory.stage[0].phase, ACT_PHASE_LOAD);
    assert_string_equal(act_phase_name(memory.stage[0].phase), "load");
    assert_same(memory.stage[0].allocated, 2 * memory.stage[0].parameters * 1.001);
    assert_same(part(ACT_WEIGHTS), memory.stage[0].allocated);
}

/* The head is untied in litgpt even where the model ties it. */
static void test_untied_head(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_square(&plan);
    plan.model.tied_embeddings = true;
    memory_of(&plan, &memory);
    double tied = memory.stage[0].parameters;
    plan.framework.untied_head = true;
    memory_of(&plan, &memory);
    assert_same(memory.stage[0].parameters, tied + 1000 * 1024);
}

/* Reserved: persistent + S (allocated - persistent - head) + S_V head. */
static void test_counters(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_llama3_8b(&plan);
    memory_of(&plan, &memory);
    const double persistent = llama3_8b * 16 / 8, head = part(ACT_HEAD);
    const double rest = memory.stage[0].allocated + llama3_8b * 4 / 8 - persistent - head;
    assert_same(memory.stage[0].reserved, persistent + 1.10 * rest + 1.40 * head);
    assert_same(memory.stage[0].device, memory.stage[0].reserved + 1.6 * gib);
    plan.framework.allocator = ACT_EXPANDABLE;
    memory_of(&plan, &memory);
    assert_same(memory.stage[0].reserved, persistent + 1.15 * (rest + head));
    plan.framework.allocator = ACT_CLASSIC;
    plan.training.lengths = ACT_VARYING;
    memory_of(&plan, &memory);
    assert_same(memory.stage[0].reserved, persistent + 1.10 * rest + 3.6 * head);
    double most = memory.stage[0].reserved;
    plan.framework.allocator = ACT_ZERO3_ALLOCATOR;
    plan.training.lengths = ACT_CONSTANT;
    memory_of(&plan, &memory);
    assert_same(memory.stage[0].reserved, persistent + 1.45 * (rest + head));

    /* Cached blocks stop 0.6 GiB below the card; what is allocated decides the fit. */
    plan.framework.allocator = ACT_CLASSIC;
    plan.training.lengths = ACT_VARYING;
    plan.hardware.usable_memory = most - gib;
    memory_of(&plan, &memory);
    assert_same(memory.stage[0].reserved, most - 1.6 * gib);
    assert_same(memory.stage[0].device, most - gib);
    assert_int_equal(act_memory_fit(&memory), ACT_TIGHT);
    plan.hardware.usable_memory = memory.stage[0].allocated + 1.5 * gib;
    memory_of(&plan, &memory);
    assert_same(memory.stage[0].device, memory.stage[0].allocated + 1.6 * gib);
    assert_int_equal(act_memory_fit(&memory), ACT_DOES_NOT_FIT);
    plan.hardware.fragmentation = 1.2;
    memory_of(&plan, &memory);
    assert_true(memory.stage[0].reserved >= memory.stage[0].allocated);
    plan.hardware.usable_memory = 1e15;
    memory_of(&plan, &memory);
    assert_same(memory.stage[0].reserved, 1.2 * memory.stage[0].allocated);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gathered),    cmocka_unit_test(test_gradients_by_phase),
        cmocka_unit_test(test_mixed_units), cmocka_unit_test(test_pipeline),
        cmocka_unit_test(test_deepspeed),   cmocka_unit_test(test_quantised_base),
        cmocka_unit_test(test_expanded),    cmocka_unit_test(test_trained_embeddings),
        cmocka_unit_test(test_offload),     cmocka_unit_test(test_load),
        cmocka_unit_test(test_untied_head), cmocka_unit_test(test_counters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
