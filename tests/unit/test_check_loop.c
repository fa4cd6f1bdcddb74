/* Notes and warnings on how a loop costs memory. */
#include "check_plans.h"

/* Llama-3-8B by FSDP on eight 80 GB cards, two micro batches. */
static struct act_plan loop(void)
{
    struct act_plan plan = sound();

    plan.model.layers = 32;
    plan.model.hidden = 4096;
    plan.model.heads = 32;
    plan.model.ffn = 14336;
    plan.model.vocab = 128256;
    plan.framework.family = ACT_FSDP;
    plan.framework.max_zero = plan.framework.max_zero_pipeline = 3;
    plan.framework.vocabulary_padding = 1;
    plan.framework.loss = ACT_LOSS_CHUNKED;
    plan.framework.allocator = ACT_CLASSIC;
    plan.parallel.zero = 3;
    plan.parallel.tensor = plan.parallel.pipeline = 1;
    plan.parallel.data = 8;
    plan.training.global_batch = 16;
    return plan;
}

static void test_mixed_units(void **state)
{
    (void)state;
    struct act_plan plan = loop();

    plan.framework.mixed_units = 1;
    assert_holds(&plan, "fsdp-units-apart");
    plan.training.method = ACT_LORA;
    assert_holds(&plan, "fsdp-units-apart"); /* reduced at once: only shards stay */
    plan.framework.no_sync = 1;
    struct act_check check =
        assert_breaks(&plan, "fsdp-units-apart", ACT_WARNING, "gradients exist for all");
    assert_repair(&check, 0, ACT_F_framework_mixed_units, 0);
    plan.training.global_batch = 8; /* one micro batch: nothing accumulates */
    assert_holds(&plan, "fsdp-units-apart");
    plan.training.global_batch = 16;
    plan.parallel.data = 1;
    assert_holds(&plan, "fsdp-units-apart");
}

static void test_no_sync(void **state)
{
    (void)state;
    struct act_plan plan = loop();

    plan.framework.no_sync = 1;
    /* 8.03e9 gradients of four bytes. */
    plan.framework.gradient_bytes = 4;
    struct act_check check =
        assert_breaks(&plan, "accumulation-sharded", ACT_WARNING, "2 micro batches");
    assert_non_null(strstr(check.message, "29.9 GiB"));
    assert_repair(&check, 0, ACT_F_framework_no_sync, 0);
    plan.training.global_batch = 8;
    assert_holds(&plan, "accumulation-sharded");
}

static void test_plain_loss(void **state)
{
    (void)state;
    struct act_plan plan = loop();

    assert_holds(&plan, "loss-of-large-vocabulary");
    plan.framework.loss = ACT_LOSS_PLAIN;
    struct act_check check =
        assert_breaks(&plan, "loss-of-large-vocabulary", ACT_NOTE, "plain loss over 128256");
    assert_repair(&check, 0, ACT_F_framework_loss, ACT_LOSS_LIGER);
    plan.model.vocab = 128000; /* the least that counts as large */
    assert_breaks(&plan, "loss-of-large-vocabulary", ACT_NOTE, "128000");
    plan.model.vocab = 127999;
    assert_holds(&plan, "loss-of-large-vocabulary");
    plan.model.vocab = 32000;
    assert_holds(&plan, "loss-of-large-vocabulary");
}

static void test_varying_lengths(void **state)
{
    (void)state;
    struct act_plan plan = loop();

    plan.framework.loss = ACT_LOSS_PLAIN;
    assert_holds(&plan, "blocks-of-varying-lengths");
    plan.training.lengths = ACT_VARYING;
    struct act_check check =
        assert_breaks(&plan, "blocks-of-varying-lengths", ACT_NOTE, "classic allocator");
    assert_repair(&check, 0, ACT_F_framework_allocator, ACT_EXPANDABLE);
    plan.framework.family = ACT_MEGATRON;
    assert_holds(&plan, "blocks-of-varying-lengths");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mixed_units),
        cmocka_unit_test(test_no_sync),
        cmocka_unit_test(test_plain_loss),
        cmocka_unit_test(test_varying_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
