/* Every rule: what breaks it, what it says, what mends it (facts: rules V05-V55). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <actuary/estimate.h>
#include <actuary/field.h>

#include <string.h>

static struct act_result result;

/* Llama-2-70B on 64 A800 with full recompute: fits and breaks no rule. */
static struct act_plan sound(void)
{
    struct act_plan plan;

    act_plan_init(&plan);
    plan.model.layers = 80;
    plan.model.hidden = 8192;
    plan.model.heads = 64;
    plan.model.kv_heads = 8;
    plan.model.ffn = 28672;
    plan.model.vocab = 32000;
    plan.framework.family = ACT_MEGATRON;
    plan.framework.max_zero = 1;
    plan.framework.max_zero_pipeline = 1;
    plan.training.sequence = 4096;
    plan.training.global_batch = 1024;
    plan.parallel.tensor = 4;
    plan.parallel.pipeline = 4;
    plan.parallel.data = 4;
    plan.parallel.recompute = ACT_RECOMPUTE_FULL;
    plan.hardware.memory = 80 * 1073741824.0;
    plan.hardware.usable_memory = 79.14 * 1073741824.0;
    plan.hardware.peak_fp16 = 312e12;
    plan.hardware.peak_bf16 = 312e12;
    plan.hardware.compute_capability = 8;
    plan.hardware.gpus_per_node = 8;
    return plan;
}

/* Mixtral's experts on the same GPUs. */
static struct act_plan sound_moe(void)
{
    struct act_plan plan = sound();

    plan.model.layers = 32;
    plan.model.hidden = 4096;
    plan.model.heads = 32;
    plan.model.ffn = 14336;
    plan.model.experts = 8;
    plan.model.experts_per_token = 2;
    plan.model.expert_ffn = 14336;
    plan.parallel.expert = 4;
    return plan;
}

static const struct act_check *find(const struct act_plan *plan, const char *rule)
{
    act_estimate(plan, &result);
    for (int i = 0; i < result.checks.count; i++) {
        if (strcmp(result.checks.check[i].rule, rule) == 0) {
            return &result.checks.check[i];
        }
    }
    return NULL;
}

static void assert_holds(const struct act_plan *plan, const char *rule)
{
    const struct act_check *check = find(plan, rule);
    if (check) {
        fail_msg("%s: %s", rule, check->message);
    }
}

/* The rule is broken with `level`, its message contains `words`, and its repair holds. Returns a
 * copy of the check. */
static struct act_check assert_breaks(const struct act_plan *plan, const char *rule,
                                      enum act_level level, const char *words)
{
    const struct act_check *found = find(plan, rule);

    if (!found) {
        fail_msg("%s is not reported", rule);
        return (struct act_check){.rule = rule};
    }
    struct act_check check = *found;
    assert_int_equal(check.level, level);
    if (!strstr(check.message, words)) {
        fail_msg("%s: \"%s\" lacks \"%s\"", rule, check.message, words);
    }
    if (check.repairs > 0) {
        struct act_plan mended = *plan;
        act_check_mend(&check, &mended);
        assert_holds(&mended, rule);
    }
    return check;
}

static void assert_repair(const struct act_check *check, int index, enum act_field_id field,
                          int64_t value)
{
    assert_true(index < check->repairs);
    assert_string_equal(act_field(check->repair[index].field)->key, act_field(field)->key);
    assert_int_equal((int64_t)check->repair[index].value, value);
}

static void test_sound_plan(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    act_estimate(&plan, &result);
    for (int i = 0; i < result.checks.count; i++) {
        assert_int_equal(result.checks.check[i].level, ACT_NOTE);
    }
    assert_int_equal(result.errors, 0);
    assert_int_equal(result.warnings, 0);
    assert_int_equal(result.fit, ACT_FITS);
    plan = sound_moe();
    act_estimate(&plan, &result);
    assert_int_equal(result.errors, 0);
}

static void test_v05_heads(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    /* DeepSpeed #3634: 52 heads and TP 8 */
    plan.model.heads = 52;
    plan.model.head_dim = 128;
    plan.model.kv_heads = 52;
    plan.parallel.tensor = 8;
    struct act_check check =
        assert_breaks(&plan, "tensor-divides-heads", ACT_ERROR, "52 heads do not divide by TP 8");
    assert_repair(&check, 0, ACT_F_parallel_tensor, 4);
    assert_non_null(strstr(check.message, "TP 4 "));
    /* AdaptThink #1: 28 heads and TP 8. 7 divides them, but not the 4 KV heads. */
    plan.model.heads = 28;
    plan.model.kv_heads = 4;
    check =
        assert_breaks(&plan, "tensor-divides-heads", ACT_ERROR, "28 heads do not divide by TP 8");
    assert_repair(&check, 0, ACT_F_parallel_tensor, 4);
}

static void test_v06_kv_heads(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    plan.model.kv_heads = 6;
    plan.model.heads = 60;
    plan.model.head_dim = 128;
    struct act_check check =
        assert_breaks(&plan, "tensor-divides-kv-heads", ACT_ERROR, "6 KV heads");
    assert_non_null(strstr(check.message, "TP 4"));
    assert_repair(&check, 0, ACT_F_parallel_tensor, 2);
    /* A multiple is as good: K and V are then held more than once. */
    plan = sound();
    plan.model.kv_heads = 2;
    assert_holds(&plan, "tensor-divides-kv-heads");
    assert_breaks(&plan, "kv-heads-replicated", ACT_NOTE,
                  "TP 4 is more than 2 KV heads: each is held 2 times");
    plan.model.attention = ACT_MLA;
    assert_holds(&plan, "kv-heads-replicated");
    /* The rule is Megatron's. */
    plan = sound();
    plan.model.kv_heads = 6;
    plan.framework.family = ACT_FSDP;
    assert_holds(&plan, "tensor-divides-kv-heads");
}

static void test_v07_kv_heads_divide_heads(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    plan.model.kv_heads = 12;
    struct act_check check = assert_breaks(&plan, "kv-heads-divide-heads", ACT_ERROR,
                                           "64 heads do not divide by 12 KV heads; 8 or 16");
    assert_repair(&check, 0, ACT_F_model_kv_heads, 8);
}

static void test_v08_heads_divide_hidden(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    plan.model.heads = 60;
    plan.model.kv_heads = ACT_AUTO;
    struct act_check check = assert_breaks(&plan, "heads-divide-hidden", ACT_ERROR,
                                           "hidden 8192 does not divide by 60 heads");
    assert_repair(&check, 0, ACT_F_model_heads, 64);
    /* Models that give their own head width need not divide. */
    plan.model.head_dim = 128;
    assert_holds(&plan, "heads-divide-hidden");
    plan.model.head_dim = 136; /* the derived one, but given */
    act_plan_set_given(&plan, ACT_F_model_head_dim, true);
    assert_holds(&plan, "heads-divide-hidden");
}

static void test_v09_ffn(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    plan.model.ffn = 28674;
    struct act_check check = assert_breaks(&plan, "tensor-divides-ffn", ACT_ERROR,
                                           "28674 FFN columns do not divide by TP 4");
    assert_repair(&check, 0, ACT_F_parallel_tensor, 2);
    /* Without a dense layer its width does not matter; the shared expert's does. */
    plan = sound_moe();
    plan.model.ffn = 28674;
    assert_holds(&plan, "tensor-divides-ffn");
    plan.model.shared_ffn = 2050;
    assert_breaks(&plan, "tensor-divides-ffn", ACT_ERROR, "2050 columns of the shared expert");
    plan = sound_moe();
    plan.parallel.expert_tensor = 4;
    plan.model.expert_ffn = 1026;
    check = assert_breaks(&plan, "expert-tensor-divides-ffn", ACT_ERROR,
                          "1026 columns of an expert do not divide by expert TP 4");
    assert_repair(&check, 0, ACT_F_parallel_expert_tensor, 3);
}

static void test_v10_vocabulary(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    /* B06: 128256 becomes 129024 at TP 8 */
    plan.model.vocab = 128256;
    plan.parallel.tensor = 8;
    struct act_check check = assert_breaks(&plan, "vocabulary-padded", ACT_NOTE,
                                           "vocabulary 128256 is padded to 129024");
    assert_int_equal(check.repairs, 0);
    plan.framework.vocabulary_padding = 1;
    assert_holds(&plan, "vocabulary-padded");
}

static void test_v11_layers(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    plan.parallel.pipeline = 6;
    struct act_check check = assert_breaks(&plan, "pipeline-divides-layers", ACT_ERROR,
                                           "80 layers do not divide by PP 6; PP 5 or 8");
    assert_repair(&check, 0, ACT_F_parallel_pipeline, 5);
    /* B26: 94 layers on PP 32 work when embedding and loss are dealt too. */
    plan.model.layers = 94;
    plan.parallel.pipeline = 32;
    assert_breaks(&plan, "pipeline-divides-layers", ACT_ERROR, "94 layers");
    plan.parallel.embedding_slot = 1;
    plan.parallel.loss_slot = 1;
    assert_holds(&plan, "pipeline-divides-layers");
    /* DeepSpeed's uniform partition takes any count. */
    plan = sound();
    plan.parallel.pipeline = 6;
    plan.framework.stage_split = ACT_SPLIT_FRONT;
    assert_holds(&plan, "pipeline-divides-layers");
    plan.parallel.pipeline = 96;
    check = assert_breaks(&plan, "stages-within-layers", ACT_ERROR, "80 layers");
    assert_repair(&check, 0, ACT_F_parallel_pipeline, 80);
}

static void set_list(struct act_plan *plan, int count, const int *items)
{
    plan->parallel.layers_per_stage.count = count;
    for (int i = 0; i < count; i++) {
        plan->parallel.layers_per_stage.item[i] = (uint16_t)items[i];
    }
}

static void test_v12_lists(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    set_list(&plan, 4, (int[]){19, 20, 21, 20});
    assert_holds(&plan, "stage-list-length");
    assert_holds(&plan, "stage-list-sum");
    assert_holds(&plan, "pipeline-divides-layers");
    set_list(&plan, 4, (int[]){19, 20, 20, 20});
    struct act_check check = assert_breaks(&plan, "stage-list-sum", ACT_ERROR, "79 of 80 layers");
    assert_repair(&check, 0, ACT_F_parallel_layers_per_stage, ACT_AUTO);
    set_list(&plan, 3, (int[]){30, 20, 30});
    assert_breaks(&plan, "stage-list-length", ACT_ERROR, "3 entries for PP 4");
    set_list(&plan, 4, (int[]){19, 20, 21, 20});
    plan.parallel.interleave = 2;
    check = assert_breaks(&plan, "interleave-divides-stages", ACT_ERROR,
                          "19 layers of stage 0 do not divide by interleave 2");
    assert_repair(&check, 0, ACT_F_parallel_interleave, 1);
}

static void test_v13_chunks(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    plan.parallel.interleave = 3;
    struct act_check check =
        assert_breaks(&plan, "interleave-divides-layers", ACT_ERROR,
                      "20 layers a stage do not divide by interleave 3; interleave 2 or 4");
    assert_repair(&check, 0, ACT_F_parallel_interleave, 2);
    plan.parallel.interleave = 5;
    assert_holds(&plan, "interleave-divides-layers");
}

static void test_v14_interleave_alone(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    plan.parallel.pipeline = 1;
    plan.parallel.interleave = 2;
    struct act_check check =
        assert_breaks(&plan, "interleave-needs-pipeline", ACT_ERROR, "interleave 2 needs PP");
    assert_repair(&check, 0, ACT_F_parallel_interleave, 1);
    plan.parallel.pipeline = 2;
    assert_holds(&plan, "interleave-needs-pipeline");
    assert_breaks(&plan, "interleave-overlap", ACT_NOTE, "PP 2");
}

static void test_v15_micro_batches(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    plan.parallel.interleave = 2;
    assert_holds(&plan, "interleave-batches");
    /* NeMo #14288: "[PP=6, M=3]" */
    plan.model.layers = 96;
    plan.parallel.pipeline = 6;
    plan.training.global_batch = 12;
    struct act_check check =
        assert_breaks(&plan, "interleave-batches", ACT_ERROR,
                      "3 micro batches do not divide by PP 6; raise the global batch to 24");
    assert_repair(&check, 0, ACT_F_training_global_batch, 24);
    plan.training.global_batch = 4 * 15;
    check = assert_breaks(&plan, "interleave-batches", ACT_ERROR, "15 micro batches");
    assert_repair(&check, 0, ACT_F_training_global_batch, 72);
    plan.parallel.interleave = 1;
    assert_holds(&plan, "interleave-batches");
}

static void test_v17_experts(void **state)
{
    (void)state;
    struct act_plan plan = sound_moe();

    plan.parallel.expert = 3;
    struct act_check check = assert_breaks(&plan, "expert-divides-experts", ACT_ERROR,
                                           "8 experts do not divide by EP 3; EP 2 or 4");
    assert_repair(&check, 0, ACT_F_parallel_expert, 2);
    plan = sound();
    plan.parallel.expert = 2;
    check = assert_breaks(&plan, "expert-divides-experts", ACT_ERROR, "EP 2 needs experts");
    assert_repair(&check, 0, ACT_F_parallel_expert, 1);
    plan = sound_moe();
    plan.model.experts_per_token = 9;
    check = assert_breaks(&plan, "topk-within-experts", ACT_ERROR, "9 of 8 experts");
    assert_repair(&check, 0, ACT_F_model_experts_per_token, 8);
}

static void test_v18_expert_groups(void **state)
{
    (void)state;
    struct act_plan plan = sound_moe();

    /* EP folds over TP x CP x DP, so it may exceed DP: 8 experts over 4 x 4 GPUs. */
    plan.parallel.expert = 8;
    assert_holds(&plan, "expert-divides-group");
    plan.parallel.tensor = 1;
    plan.parallel.data = 4;
    struct act_check check = assert_breaks(&plan, "expert-divides-group", ACT_ERROR,
                                           "4 GPUs do not divide by EP x expert TP = 8");
    assert_repair(&check, 0, ACT_F_parallel_expert, 4);
    plan.parallel.expert = 4;
    plan.parallel.expert_tensor = 2;
    check = assert_breaks(&plan, "expert-divides-group", ACT_ERROR, "expert TP = 8");
    assert_repair(&check, 0, ACT_F_parallel_expert, 2);
}

static void test_v19_torchtitan_experts(void **state)
{
    (void)state;
    struct act_plan plan = sound_moe();

    plan.framework.family = ACT_FSDP;
    plan.parallel.tensor = 1;
    plan.parallel.data = 4;
    plan.parallel.expert = 8;
    assert_holds(&plan, "expert-divides-group");
    struct act_check check =
        assert_breaks(&plan, "expert-divides-shard", ACT_ERROR, "4 GPUs do not divide by EP 8");
    assert_repair(&check, 0, ACT_F_parallel_expert, 4);
    plan.parallel.shard_group = 3;
    check = assert_breaks(&plan, "shard-divides-data", ACT_ERROR,
                          "DP x CP = 4 do not divide by shard group 3");
    assert_repair(&check, 0, ACT_F_parallel_shard_group, 2);
}

static void test_v22_context(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    plan.parallel.context = 2;
    assert_holds(&plan, "context-divides-sequence");
    plan.parallel.context = 6;
    struct act_check check =
        assert_breaks(&plan, "context-divides-sequence", ACT_ERROR,
                      "sequence 4096 does not divide by 2 x CP 6 = 12; sequence 4092 or 4104");
    assert_repair(&check, 0, ACT_F_parallel_context, 4);
    plan.parallel.context = 8;
    plan.training.sequence = 4095;
    check = assert_breaks(&plan, "context-divides-sequence", ACT_ERROR, "4095");
    assert_repair(&check, 0, ACT_F_training_sequence, 4096);
    /* torchtitan cuts the pieces by TP as well: 4 x 2 x 8 = 64 */
    plan.framework.family = ACT_FSDP;
    plan.training.sequence = 4096 + 32;
    assert_breaks(&plan, "context-divides-sequence", ACT_ERROR, "= 64");
    plan.framework.family = ACT_MEGATRON;
    assert_holds(&plan, "context-divides-sequence");
}

static void test_v23_v24_sequence_parallel(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    plan.training.sequence = 4097;
    struct act_check check = assert_breaks(&plan, "tensor-divides-sequence", ACT_ERROR,
                                           "sequence 4097 does not divide by TP 4");
    assert_repair(&check, 0, ACT_F_training_sequence, 4096);
    plan.parallel.sequence_parallel = 0;
    assert_holds(&plan, "tensor-divides-sequence");
    plan = sound();
    plan.parallel.tensor = 1;
    assert_holds(&plan, "sequence-parallel-alone");
    plan.parallel.sequence_parallel = 1;
    check = assert_breaks(&plan, "sequence-parallel-alone", ACT_WARNING, "TP 1");
    assert_repair(&check, 0, ACT_F_parallel_sequence_parallel, 0);
}

static void test_v27_positions(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    plan.model.max_positions = 4096;
    assert_holds(&plan, "sequence-within-positions");
    plan.training.sequence = 8192;
    struct act_check check =
        assert_breaks(&plan, "sequence-within-positions", ACT_WARNING,
                      "sequence 8192 is longer than the model's 4096 positions");
    assert_repair(&check, 0, ACT_F_model_max_positions, 8192);
    plan.model.positions = ACT_LEARNED;
    check = assert_breaks(&plan, "sequence-within-positions", ACT_ERROR, "4096");
    assert_repair(&check, 0, ACT_F_training_sequence, 4096);
    plan.model.max_positions = ACT_AUTO;
    assert_holds(&plan, "sequence-within-positions");
}

static void test_v28_tensor_in_node(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    plan.parallel.tensor = 16;
    struct act_check check =
        assert_breaks(&plan, "tensor-within-node", ACT_WARNING, "TP 16 leaves the fast link of 8");
    assert_repair(&check, 0, ACT_F_parallel_tensor, 8);
    plan.hardware.link_domain = 72;
    assert_holds(&plan, "tensor-within-node");
}

static void test_v30_global_batch(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    /* OpenRLHF #346: 256 against 2 x 18 x 7 */
    plan.training.global_batch = 256;
    plan.training.micro_batch = 2;
    plan.parallel.data = 7;
    struct act_check check = assert_breaks(
        &plan, "global-batch", ACT_ERROR,
        "global batch 256 does not divide by micro batch 2 x DP 7 = 14; 252 or 266 would");
    assert_repair(&check, 0, ACT_F_training_global_batch, 252);
    plan.training.global_batch = 3;
    check = assert_breaks(&plan, "global-batch", ACT_ERROR, "14 would");
    assert_repair(&check, 0, ACT_F_training_global_batch, 14);
    /* With interleave the cure keeps whole groups of PP micro batches. */
    plan.training.global_batch = 250;
    plan.parallel.interleave = 2;
    check = assert_breaks(&plan, "global-batch", ACT_ERROR, "250");
    assert_repair(&check, 0, ACT_F_training_global_batch, 224);
    /* A unit beyond the field's range: the micro batch gives way. */
    plan = sound();
    plan.training.micro_batch = 65536;
    plan.parallel.data = 1048576;
    check = assert_breaks(&plan, "global-batch", ACT_ERROR, "68719476736");
    assert_repair(&check, 0, ACT_F_training_micro_batch, 1);
    assert_repair(&check, 1, ACT_F_training_global_batch, 1048576);
}

static void test_v40_zero(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    plan.parallel.zero = 3;
    struct act_check check =
        assert_breaks(&plan, "zero-in-framework", ACT_ERROR, "has no ZeRO-3; ZeRO-1");
    assert_repair(&check, 0, ACT_F_parallel_zero, 1);
    plan.framework.max_zero = 3;
    assert_holds(&plan, "zero-in-framework");
    check = assert_breaks(&plan, "zero-with-pipeline", ACT_ERROR, "refuses ZeRO-3 with PP 4");
    assert_repair(&check, 0, ACT_F_parallel_zero, 1);
    plan.parallel.pipeline = 1;
    assert_holds(&plan, "zero-with-pipeline");
}

static void test_v42_no_pipeline(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    plan.framework.pipeline = 0;
    struct act_check check =
        assert_breaks(&plan, "framework-has-pipeline", ACT_ERROR, "has no pipeline, and PP is 4");
    assert_repair(&check, 0, ACT_F_parallel_pipeline, 1);
}

static void test_v55_card(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    memcpy(plan.hardware.preset, "v100-32gb", sizeof "v100-32gb");
    plan.hardware.peak_bf16 = ACT_AUTO;
    plan.hardware.peak_fp16 = 125e12;
    plan.hardware.compute_capability = 7;
    struct act_check check = assert_breaks(&plan, "precision-on-card", ACT_ERROR,
                                           "v100-32gb has no bf16; fp16 is the nearest");
    assert_repair(&check, 0, ACT_F_training_precision, ACT_FP16);
    check = assert_breaks(&plan, "flash-on-card", ACT_ERROR,
                          "needs compute capability 8.0, v100-32gb has 7.0");
    assert_repair(&check, 0, ACT_F_training_attention_kernel, ACT_MATH);
    assert_holds(&plan, "grouped-matmul-on-card");
    plan.model.experts = 8;
    assert_breaks(&plan, "grouped-matmul-on-card", ACT_WARNING, "8 experts");
    /* A peak typed in does not give a V100 bf16. */
    plan.hardware.peak_tflops = 100e12;
    assert_breaks(&plan, "precision-on-card", ACT_ERROR, "no bf16");
    /* Cards of other makers have no compute capability. */
    plan = sound();
    plan.hardware.compute_capability = ACT_AUTO;
    assert_holds(&plan, "flash-on-card");
    plan.hardware.peak_bf16 = ACT_AUTO;
    plan.hardware.peak_fp16 = ACT_AUTO;
    assert_breaks(&plan, "peak-known", ACT_ERROR, "no peak");
    assert_holds(&plan, "precision-on-card");
}

static void test_memory(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    /* The built-in example: TP 4, PP 2, no recompute. */
    plan.parallel.pipeline = 2;
    plan.parallel.data = 8;
    plan.parallel.recompute = ACT_AUTO;
    struct act_check check = assert_breaks(&plan, "memory", ACT_ERROR, "stage 0 needs");
    assert_non_null(strstr(check.message, "of 79.1 GiB"));
    assert_true(check.repairs > 0);
    assert_int_equal(result.fit, ACT_FITS); /* after the repair */
    /* Nothing small helps one GPU. */
    plan.parallel.tensor = 1;
    plan.parallel.pipeline = 1;
    plan.parallel.data = 1;
    check = assert_breaks(&plan, "memory", ACT_ERROR, "stage 0 needs");
    assert_int_equal(check.repairs, 0);
    plan = sound();
    assert_holds(&plan, "memory");
    assert_holds(&plan, "memory-tight");
    /* 95 % of what there is */
    act_estimate(&plan, &result);
    plan.hardware.usable_memory = result.memory.peak / 0.95;
    check = assert_breaks(&plan, "memory-tight", ACT_WARNING, "95 %");
    assert_int_equal(check.level, ACT_WARNING);
    assert_holds(&plan, "memory");
}

static void test_deadline(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    assert_holds(&plan, "deadline");
    plan.training.deadline_days = 90;
    act_estimate(&plan, &result);
    double days = result.time.calendar_days;
    assert_true(days > 90);
    struct act_check check = assert_breaks(&plan, "deadline", ACT_WARNING, "deadline of 90");
    /* after the repair */
    assert_true(result.time.calendar_days <= 90);
    assert_holds(&plan, "memory");
    /* A DP with a whole global batch is preferred. */
    assert_int_equal(1024 % (int64_t)check.repair[0].value, 0);
    plan.training.deadline_days = days + 1;
    assert_holds(&plan, "deadline");
    plan.training.deadline_days = 0.001;
    check = assert_breaks(&plan, "deadline", ACT_WARNING, "miss the deadline");
    assert_int_equal(check.repairs, 0);
}

static void test_what_an_estimate_leaves_out(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    assert_breaks(&plan, "mfu-given", ACT_NOTE, "full recompute usually costs 20-33 % more");
    plan.framework.validated = 0;
    assert_breaks(&plan, "framework-validated", ACT_NOTE, "+-20 %");
    plan.framework.family = ACT_FSDP;
    assert_breaks(&plan, "rough-family", ACT_NOTE, "rough");
    plan.framework.family = ACT_TEXTBOOK;
    assert_holds(&plan, "mfu-given");
    assert_holds(&plan, "rough-family");

    plan = sound();
    assert_holds(&plan, "attention-not-modelled");
    plan.model.linear_layers = 70;
    assert_breaks(&plan, "attention-not-modelled", ACT_WARNING, "70 layers");
    plan.model.linear_layers = 0;
    plan.model.attention = ACT_MLA;
    plan.model.index_heads = 64;
    assert_breaks(&plan, "attention-not-modelled", ACT_WARNING, "64 indexer heads");

    plan = sound();
    assert_holds(&plan, "usable-memory-known");
    plan.hardware.usable_memory = ACT_AUTO;
    assert_breaks(&plan, "usable-memory-known", ACT_NOTE, "98 %");
    plan.hardware.memory_kind = ACT_GDDR_ECC;
    assert_breaks(&plan, "usable-memory-known", ACT_NOTE, "92 %");

    plan = sound();
    plan.parallel.recompute = ACT_RECOMPUTE_ATTENTION;
    assert_breaks(&plan, "recompute-attention", ACT_NOTE, "saves almost nothing");
    plan.training.attention_kernel = ACT_MATH;
    assert_holds(&plan, "recompute-attention");

    plan = sound();
    plan.hardware.rental_price = 1.5;
    assert_holds(&plan, "price-currency");
    memcpy(plan.cost.currency, "RMB", sizeof "RMB");
    assert_breaks(&plan, "price-currency", ACT_NOTE, "RMB");

    plan = sound();
    plan.training.method = ACT_FREEZE;
    struct act_check check =
        assert_breaks(&plan, "freeze-needs-layers", ACT_ERROR, "0 of 80 layers");
    assert_repair(&check, 0, ACT_F_training_frozen_layers, 40);
}

static void test_textbook_knows_few_rules(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    plan.framework.family = ACT_TEXTBOOK;
    plan.framework.max_zero = 3;
    plan.framework.max_zero_pipeline = 3;
    plan.parallel.pipeline = 6;
    plan.parallel.interleave = 3;
    plan.model.ffn = 28673;
    plan.parallel.zero = 3;
    act_estimate(&plan, &result);
    assert_int_equal(result.errors, 0);
}

static void test_order_and_table(void **state)
{
    (void)state;
    struct act_plan plan = sound();
    int rules = 0;

    plan.parallel.tensor = 3;
    plan.parallel.pipeline = 6;
    plan.training.global_batch = 1023;
    plan.model.linear_layers = 3;
    act_estimate(&plan, &result);
    assert_true(result.errors >= 3);
    assert_true(result.warnings >= 1);
    for (int i = 1; i < result.checks.count; i++) {
        assert_true(result.checks.check[i - 1].level <= result.checks.check[i].level);
    }
    for (; act_rule_at(rules); rules++) {
        const struct act_rule *rule = act_rule_at(rules);
        assert_true(rule->name[0] && rule->summary[0]);
        for (int i = 0; i < rules; i++) {
            assert_string_not_equal(rule->name, act_rule_at(i)->name);
        }
    }
    assert_true(rules <= ACT_CHECKS_MAX);
    assert_null(act_rule_at(-1));
    /* Every rule that the issue names is there. */
    static const char *const wanted[] = {"V05", "V06", "V07", "V08", "V09", "V10", "V11", "V12",
                                         "V13", "V14", "V15", "V17", "V18", "V19", "V22", "V23",
                                         "V24", "V27", "V28", "V30", "V40", "V42", "V55"};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        bool found = false;
        for (int j = 0; j < rules; j++) {
            found = found || strcmp(act_rule_at(j)->id, wanted[i]) == 0;
        }
        if (!found) {
            fail_msg("no rule %s", wanted[i]);
        }
    }
}

static void assert_summary(struct act_plan plan, const char *expected)
{
    char text[160];

    act_plan_resolve(&plan, &plan);
    act_check_summary(&plan, text, sizeof text);
    assert_string_equal(text, expected);
}

static void test_summary(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    assert_summary(plan, "64 heads and 8 KV heads divide by TP 4; 80 layers by PP 4");
    plan.parallel.pipeline = 1;
    assert_summary(plan, "64 heads and 8 KV heads divide by TP 4");
    plan.parallel.tensor = 1;
    assert_summary(plan, "");
    plan.parallel.pipeline = 4;
    assert_summary(plan, "80 layers divide by PP 4");
    plan.parallel.tensor = 3;
    assert_summary(plan, "80 layers divide by PP 4");
    plan.model.kv_heads = 2;
    plan.parallel.tensor = 4;
    assert_summary(plan, "64 heads divide by TP 4; 80 layers by PP 4");
    assert_summary(sound_moe(),
                   "32 heads and 8 KV heads divide by TP 4; 32 layers by PP 4; 8 experts by EP 4");
    char small[8];
    plan = sound();
    act_check_summary(&plan, small, sizeof small);
    assert_int_equal(strlen(small), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound_plan),
        cmocka_unit_test(test_v05_heads),
        cmocka_unit_test(test_v06_kv_heads),
        cmocka_unit_test(test_v07_kv_heads_divide_heads),
        cmocka_unit_test(test_v08_heads_divide_hidden),
        cmocka_unit_test(test_v09_ffn),
        cmocka_unit_test(test_v10_vocabulary),
        cmocka_unit_test(test_v11_layers),
        cmocka_unit_test(test_v12_lists),
        cmocka_unit_test(test_v13_chunks),
        cmocka_unit_test(test_v14_interleave_alone),
        cmocka_unit_test(test_v15_micro_batches),
        cmocka_unit_test(test_v17_experts),
        cmocka_unit_test(test_v18_expert_groups),
        cmocka_unit_test(test_v19_torchtitan_experts),
        cmocka_unit_test(test_v22_context),
        cmocka_unit_test(test_v23_v24_sequence_parallel),
        cmocka_unit_test(test_v27_positions),
        cmocka_unit_test(test_v28_tensor_in_node),
        cmocka_unit_test(test_v30_global_batch),
        cmocka_unit_test(test_v40_zero),
        cmocka_unit_test(test_v42_no_pipeline),
        cmocka_unit_test(test_v55_card),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_deadline),
        cmocka_unit_test(test_what_an_estimate_leaves_out),
        cmocka_unit_test(test_textbook_knows_few_rules),
        cmocka_unit_test(test_order_and_table),
        cmocka_unit_test(test_summary),
    };
    return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
