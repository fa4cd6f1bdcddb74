/* Rules on frameworks, cards, memory and deadline; notes; the table of rules; the summary. */
#include "check_plans.h"

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

/* The T4 is of Turing, the last generation before Ampere; the A100 is Ampere's first. */
static void test_v55_turing(void **state)
{
    (void)state;
    struct act_plan plan = sound_moe();

    memcpy(plan.hardware.preset, "t4", sizeof "t4");
    plan.training.precision = ACT_FP16;
    plan.hardware.compute_capability = 7.5;
    assert_breaks(&plan, "flash-on-card", ACT_ERROR,
                  "needs compute capability 8.0, t4 has 7.5; math works");
    assert_breaks(&plan, "grouped-matmul-on-card", ACT_WARNING, "8 experts");
    assert_holds(&plan, "precision-on-card");
    plan.hardware.compute_capability = 8;
    assert_holds(&plan, "flash-on-card");
    assert_holds(&plan, "grouped-matmul-on-card");
}

/* Megatron's --use-torch-fsdp2 is what shards beyond ZeRO-1 there. */
static void test_v42_torch_fsdp2(void **state)
{
    (void)state;
    struct act_plan plan = sound_moe();

    plan.parallel.pipeline = 1;
    plan.framework.max_zero = 3;
    plan.framework.max_zero_pipeline = 3;
    plan.parallel.zero = 1;
    assert_holds(&plan, "torch-fsdp2");
    plan.parallel.zero = 2;
    struct act_check check = assert_breaks(&plan, "torch-fsdp2", ACT_ERROR,
                                           "ZeRO 2 is torch FSDP2 in Megatron, which refuses EP");
    assert_repair(&check, 0, ACT_F_parallel_zero, 1);
    plan.parallel.expert = 1;
    assert_holds(&plan, "torch-fsdp2");
    plan.training.precision = ACT_FP16;
    assert_breaks(&plan, "torch-fsdp2", ACT_ERROR, "refuses fp16");
    plan.training.precision = ACT_BF16;
    plan.parallel.zero = 3;
    plan.model.tied_embeddings = true;
    assert_breaks(&plan, "torch-fsdp2", ACT_ERROR,
                  "ZeRO 3 is torch FSDP2 in Megatron, which "
                  "refuses tied embeddings");
    /* FSDP's own loops have their own rules. */
    plan.framework.family = ACT_FSDP;
    assert_holds(&plan, "torch-fsdp2");
}

static void test_no_peak_as_wide(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    plan.training.precision = ACT_FP32;
    assert_holds(&plan, "peak-known"); /* it is another one that is lacking */
    struct act_check check =
        assert_breaks(&plan, "precision-on-card", ACT_ERROR,
                      "lists no peak for fp32, and what it lists is narrower, so there is no time");
    assert_repair(&check, 0, ACT_F_training_precision, ACT_BF16);
    plan.hardware.peak_tflops = 19.5e12;
    assert_holds(&plan, "precision-on-card");
    plan.hardware.peak_tflops = ACT_AUTO;
    plan.hardware.peak_fp32 = 19.5e12;
    assert_holds(&plan, "precision-on-card");
    plan.training.precision = ACT_TF32;
    assert_breaks(&plan, "precision-on-card", ACT_ERROR, "has no tf32; fp32 is the nearest");
}

static void test_low_precision_memory(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    plan.hardware.peak_fp8 = 1979e12;
    plan.hardware.peak_fp4 = 4000e12;
    for (int precision = ACT_FP32; precision <= ACT_NVFP4; precision++) {
        plan.training.precision = precision;
        if (precision < ACT_FP8)
            assert_holds(&plan, "low-precision-memory");
        else
            assert_breaks(&plan, "low-precision-memory", ACT_NOTE, "8 and 4 bits");
    }
    plan.framework.family = ACT_TEXTBOOK;
    assert_holds(&plan, "low-precision-memory");
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
    assert_non_null(strstr(check.message, "of 79.1 usable"));
    assert_true(check.repairs > 0);
    assert_int_equal(result.fit, ACT_FITS); /* after the repair */
    /* Nothing small helps one GPU. */
    plan.parallel.tensor = 1;
    plan.parallel.pipeline = 1;
    plan.parallel.data = 1;
    check = assert_breaks(&plan, "memory", ACT_ERROR, "stage 0 needs");
    assert_int_equal(check.repairs, 0);
    /* 18 bytes x 68,976,648,192 parameters / 79.14 GiB = 14.6 */
    assert_non_null(strstr(check.message, "states alone need 15 such GPUs"));
    /* All is recomputed: of what fits, PP 8 costs the fewest days, and DP pays for it. */
    plan = sound();
    act_estimate_cured(&plan, &result);
    plan.hardware.usable_memory = 0.8 * result.memory.peak;
    check = assert_breaks(&plan, "memory", ACT_ERROR, "stage 0 needs");
    assert_int_equal(check.repairs, 2);
    assert_repair(&check, 0, ACT_F_parallel_pipeline, 8);
    assert_repair(&check, 1, ACT_F_parallel_data, 2);
    double days = result.time.calendar_days; /* after the repair */
    struct act_plan other = plan;
    other.parallel.tensor = 8;
    other.parallel.data = 2;
    assert_holds(&other, "memory");
    assert_true(result.time.calendar_days > days);
    /* A given MFU knows no such difference: the order is that of the estimate. */
    plan.hardware.mfu = 0.4;
    check = assert_breaks(&plan, "memory", ACT_ERROR, "stage 0 needs");
    assert_repair(&check, 0, ACT_F_parallel_pipeline, 8);
    /* TP stays within the fast link, also where nothing else would do. */
    plan.parallel.pipeline = 1;
    plan.parallel.data = 16;
    plan.hardware.link_domain = 4;
    check = assert_breaks(&plan, "memory", ACT_ERROR, "stage 0 needs");
    for (int i = 0; i < check.repairs; i++)
        assert_int_not_equal(check.repair[i].field, ACT_F_parallel_tensor);
    plan = sound();
    assert_holds(&plan, "memory");
    assert_holds(&plan, "memory-tight");
    /* 95 % of what there is */
    act_estimate_cured(&plan, &result);
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
    act_estimate_cured(&plan, &result);
    double days = result.time.calendar_days;
    assert_true(days > 90);
    struct act_check check = assert_breaks(&plan, "deadline", ACT_WARNING, "deadline of 90");
    /* after the repair */
    assert_true(result.time.calendar_days <= 90);
    assert_holds(&plan, "memory");
    /* A DP with a whole global batch is preferred. */
    assert_int_equal(1024 % (int64_t)check.repair[0].value, 0);
    plan.training.deadline_days = days;
    assert_holds(&plan, "deadline");
    plan.training.deadline_days = 0.001;
    check = assert_breaks(&plan, "deadline", ACT_WARNING, "miss the deadline");
    assert_int_equal(check.repairs, 0);
}

static void test_what_an_estimate_leaves_out(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    plan.framework.validated = 0;
    assert_breaks(&plan, "framework-validated", ACT_NOTE, "+-20 %");

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
    act_estimate_cured(&plan, &result);
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
    act_estimate_cured(&plan, &result);
    assert_true(result.errors >= 3);
    assert_true(result.warnings >= 1);
    for (int i = 1; i < result.checks.count; i++) {
        assert_true(result.checks.check[i - 1].level <= result.checks.check[i].level);
    }
    for (; act_rule_at(rules); rules++) {
        const struct act_rule *rule = act_rule_at(rules);
        assert_non_null(rule->name); /* a row of the table that nobody filled in */
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
        cmocka_unit_test(test_v40_zero),
        cmocka_unit_test(test_v42_no_pipeline),
        cmocka_unit_test(test_v55_card),
        cmocka_unit_test(test_v55_turing),
        cmocka_unit_test(test_v42_torch_fsdp2),
        cmocka_unit_test(test_no_peak_as_wide),
        cmocka_unit_test(test_low_precision_memory),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_deadline),
        cmocka_unit_test(test_what_an_estimate_leaves_out),
        cmocka_unit_test(test_textbook_knows_few_rules),
        cmocka_unit_test(test_order_and_table),
        cmocka_unit_test(test_summary),
    };
    return cmocka_run_group_tests_name("check_feature", tests, NULL, NULL);
}
