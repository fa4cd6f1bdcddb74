/* What divides what: what breaks a rule, what it says, what mends it (facts: rules V05-V30). */
#include "check_plans.h"

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

/* The next TP above is offered up to what is divided, one rank a head or column, and none else. */
static void test_v05_neighbours(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    plan.model.head_dim = 128;
    plan.model.heads = plan.model.kv_heads = 52;
    plan.model.ffn = 52 * 512;
    plan.parallel.tensor = 8;
    assert_breaks(&plan, "tensor-divides-heads", ACT_ERROR, "by TP 8; TP 4 or 13 would");
    plan.model.heads = plan.model.kv_heads = 13;
    assert_breaks(&plan, "tensor-divides-heads", ACT_ERROR, "by TP 8; TP 1 or 13 would");
    plan.parallel.tensor = 14;
    assert_breaks(&plan, "tensor-divides-heads", ACT_ERROR, "by TP 14; TP 13 would");
    /* 12 heads, of an FFN of 6 columns: 6 divides both, 12 only the heads. */
    plan.model.heads = plan.model.kv_heads = 12;
    plan.model.ffn = 6;
    plan.parallel.tensor = 4;
    assert_breaks(&plan, "tensor-divides-ffn", ACT_ERROR,
                  "6 FFN columns do not divide by TP 4; "
                  "TP 3 or 6 would");
    plan.model.ffn = 1026; /* 2 x 27 x 19: 12 does not divide it */
    assert_breaks(&plan, "tensor-divides-ffn", ACT_ERROR, "TP 4; TP 3 or 6 would");
    plan.model.heads = plan.model.kv_heads = 8;
    assert_breaks(&plan, "tensor-divides-ffn", ACT_ERROR, "TP 4; TP 2 would");
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
    plan.parallel.tensor = 3;
    check = assert_breaks(&plan, "tensor-divides-sequence", ACT_ERROR, "4095 or 4098 would");
    assert_repair(&check, 0, ACT_F_parallel_tensor, 2);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound_plan),
        cmocka_unit_test(test_v05_heads),
        cmocka_unit_test(test_v05_neighbours),
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
    };
    return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
