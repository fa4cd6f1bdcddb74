/* Checks of what an estimated step waits for: each beside a plan that does not wait. */
#include "check_plans.h"

#include <math.h>
#include <stdio.h>

/* sound() on cards that were compared, without recompute. */
static struct act_plan compared(void)
{
    struct act_plan plan = sound();

    plan.framework.step_error = plan.hardware.step_error = 0.12;
    plan.parallel.recompute = ACT_RECOMPUTE_NONE;
    return plan;
}

static double share_of(const struct act_plan *plan, enum act_time_part part)
{
    act_estimate(plan, &result);
    return result.time.part[part] / result.time.step_seconds;
}

static void test_tensor_leaves_the_link(void **state)
{
    struct act_plan plan = compared();
    char percent[64];

    (void)state;
    assert_holds(&plan, "tensor-within-node");
    double inside = share_of(&plan, ACT_TIME_TENSOR);
    plan.parallel.tensor = 16;
    plan.parallel.pipeline = 1;
    double across = share_of(&plan, ACT_TIME_TENSOR);
    assert_true(across > 2 * inside);
    snprintf(percent, sizeof percent, "takes %.0f %% of the step", 100 * across);
    assert_breaks(&plan, "tensor-within-node", ACT_WARNING, percent);
    plan.hardware.mfu = 0.4;
    assert_breaks(&plan, "tensor-within-node", ACT_WARNING, "very slow there");
}

static void test_bubble(void **state)
{
    struct act_plan plan = compared();
    char percent[64];

    (void)state;
    assert_holds(&plan, "pipeline-bubble");
    plan.training.global_batch = 16; /* four micro batches on four stages: 3/7 idle */
    double idle = share_of(&plan, ACT_TIME_BUBBLE);
    assert_true(idle > 0.35 && idle < 3.0 / 7);
    snprintf(percent, sizeof percent, "idle %.0f %% of the step with 4 micro", 100 * idle);
    assert_breaks(&plan, "pipeline-bubble", ACT_WARNING, percent);
    struct act_check check = assert_breaks(&plan, "pipeline-bubble", ACT_WARNING,
                                           "micro batches: a larger global batch, fewer stages, "
                                           "more chunks or a zero-bubble schedule");
    assert_int_equal(check.field[0], ACT_F_training_global_batch);
    /* Each that is named idles less. */
    struct act_plan other = plan;
    other.parallel.interleave = 2;
    assert_true(share_of(&other, ACT_TIME_BUBBLE) < idle);
    assert_breaks(&other, "pipeline-bubble", ACT_WARNING, "fewer stages or more chunks idle less");
    other = plan;
    other.parallel.schedule = ACT_ZB_1P;
    assert_true(share_of(&other, ACT_TIME_BUBBLE) < idle);
    other = plan;
    other.parallel.pipeline = 2;
    assert_true(share_of(&other, ACT_TIME_BUBBLE) < idle);
    other = plan;
    other.training.micro_batch = 4; /* one micro batch: not a multiple of the stages */
    check = assert_breaks(&other, "pipeline-bubble", ACT_WARNING,
                          "with 1 micro batch: a smaller micro batch, a larger global batch, fewer "
                          "stages or a zero-bubble schedule idle less");
    assert_int_equal(check.field[0], ACT_F_training_micro_batch);
    assert_true(share_of(&other, ACT_TIME_BUBBLE) > idle);
    other = plan;
    other.parallel.interleave = 20; /* one layer each */
    other.parallel.pipeline = 4;
    other.training.micro_batch = 1;
    other.training.global_batch = 4;
    if (find(&other, "pipeline-bubble"))
        assert_null(strstr(find(&other, "pipeline-bubble")->message, "more chunks"));
    plan.hardware.mfu = 0.4;
    assert_holds(&plan, "pipeline-bubble");
}

static void test_slow_network(void **state)
{
    struct act_plan plan = compared();

    (void)state;
    plan.framework.family = ACT_FSDP;
    plan.framework.max_zero = 3;
    plan.parallel.tensor = plan.parallel.pipeline = 1;
    plan.parallel.data = 64;
    plan.parallel.zero = 3;
    plan.training.global_batch = 64;
    plan.hardware.nic_bandwidth = 50e9;
    double fast = share_of(&plan, ACT_TIME_DATA);
    assert_holds(&plan, "data-traffic");
    plan.hardware.nic_bandwidth = 1.5e9;
    assert_true(share_of(&plan, ACT_TIME_DATA) > 2 * fast);
    assert_breaks(&plan, "data-traffic", ACT_WARNING, "ZeRO 3 over NICs of 1.5 GB/s a GPU");
    /* Every lever that is named lowers the share; a larger global batch alone does not. */
    plan.training.global_batch = 256;
    double slow = share_of(&plan, ACT_TIME_DATA);
    struct act_check check = assert_breaks(
        &plan, "data-traffic", ACT_WARNING,
        "a larger micro batch, ZeRO 1 or 2 or a shard group within the link move less");
    assert_int_equal(check.fields, 3);
    struct act_plan other = plan;
    other.training.global_batch = 1024;
    assert_true(share_of(&other, ACT_TIME_DATA) > 0.99 * slow);
    other = plan;
    other.training.micro_batch = 4;
    assert_true(share_of(&other, ACT_TIME_DATA) < 0.95 * slow);
    for (int64_t zero = 1; zero <= 2; zero++) {
        other = plan;
        other.parallel.zero = zero;
        assert_true(share_of(&other, ACT_TIME_DATA) < 0.95 * slow);
    }
    other = plan;
    other.parallel.shard_group = 8;
    assert_true(share_of(&other, ACT_TIME_DATA) < 0.95 * slow);
    /* A single micro batch grows with the global batch. */
    plan.training.global_batch = 64;
    assert_breaks(&plan, "data-traffic", ACT_WARNING, "a larger micro batch and global batch,");
    other = plan;
    other.training.micro_batch = 4;
    other.training.global_batch = 256;
    assert_true(share_of(&other, ACT_TIME_DATA) < share_of(&plan, ACT_TIME_DATA));
    /* Without ZeRO-3 the wire is used once a step: more tokens do help. */
    plan.parallel.zero = 1;
    double once = share_of(&plan, ACT_TIME_DATA);
    check =
        assert_breaks(&plan, "data-traffic", ACT_WARNING, "more tokens a GPU and step hide them");
    assert_int_equal(check.field[0], ACT_F_training_global_batch);
    plan.training.global_batch = 1024;
    assert_true(share_of(&plan, ACT_TIME_DATA) < 0.6 * once);
    /* A slow wire is no wire of no speed. */
    plan.training.global_batch = 64;
    plan.hardware.nic_bandwidth = 20e6;
    assert_breaks(&plan, "data-traffic", ACT_WARNING, "NICs of 20 MB/s a GPU");
}

static void test_launch_bound(void **state)
{
    struct act_plan plan = compared();

    (void)state;
    assert_holds(&plan, "launch-bound");
    plan.model.hidden = 1024;
    plan.model.heads = plan.model.kv_heads = 8;
    plan.model.ffn = 2816;
    plan.training.sequence = 512;
    plan.parallel.tensor = 1;
    assert_breaks(&plan, "launch-bound", ACT_WARNING,
                  "CPU launch bound: launching a layer takes 1.4");
    act_estimate(&plan, &result);
    double slow = result.time.step_seconds;
    plan.framework.cuda_graphs = 1;
    act_estimate(&plan, &result);
    assert_true(result.time.step_seconds < 0.75 * slow);

    plan = sound_moe();
    plan.training.sequence = 512;
    assert_breaks(&plan, "launch-bound", ACT_WARNING, "a MoE layer takes 12.7 ms");
}

static void test_head_width(void **state)
{
    struct act_plan plan = compared();

    (void)state;
    plan.model.head_dim = 126;
    assert_holds(&plan, "head-width-by-8");
    plan.training.attention_kernel = ACT_MATH;
    double odd = share_of(&plan, ACT_TIME_COMPUTE) * result.time.step_seconds;
    assert_breaks(&plan, "head-width-by-8", ACT_WARNING, "head width 126 is no multiple of 8");
    plan.model.head_dim = 128;
    assert_holds(&plan, "head-width-by-8");
    assert_true(odd > 1.05 * share_of(&plan, ACT_TIME_COMPUTE) * result.time.step_seconds);
}

static void test_experts_leave_the_link(void **state)
{
    struct act_plan plan = sound_moe();

    (void)state;
    plan.model.experts = 64;
    plan.model.experts_per_token = 8;
    plan.model.expert_ffn = 2048;
    plan.parallel.tensor = plan.parallel.pipeline = 1;
    plan.parallel.data = 64;
    plan.parallel.expert = 8;
    assert_holds(&plan, "expert-within-link");
    plan.parallel.expert = 32;
    plan.hardware.nic_bandwidth = 5e9;
    assert_true(share_of(&plan, ACT_TIME_EXPERT) > 0.1);
    assert_breaks(&plan, "expert-within-link", ACT_NOTE,
                  "EP 32 leaves the link of 8 GPUs: 60 % of the all-to-all is shown");
    plan.hardware.link_domain = 64;
    assert_holds(&plan, "expert-within-link");
}

static void test_nothing_beats_its_peak(void **state)
{
    struct act_plan plan = compared();

    (void)state;
    plan.hardware.mfu = 0.9;
    assert_holds(&plan, "hfu-within-peak");
    plan.parallel.recompute = ACT_RECOMPUTE_FULL;
    struct act_check check = assert_breaks(&plan, "hfu-within-peak", ACT_WARNING,
                                           "MFU 90 % with what is computed again");
    act_estimate(&plan, &result);
    assert_int_equal(check.repairs, 1);
    /* The largest whole percent that fits. */
    double most = check.repair[0].value;
    assert_true(most * result.time.hfu / result.time.mfu <= 1 &&
                (most + 0.01) * result.time.hfu / result.time.mfu > 1);
    plan.hardware.mfu = ACT_AUTO;
    assert_holds(&plan, "hfu-within-peak");
}

static void test_textbook_has_no_step(void **state)
{
    struct act_plan plan = compared();

    (void)state;
    assert_holds(&plan, "mfu-needs-framework");
    plan.framework.family = ACT_TEXTBOOK;
    assert_breaks(&plan, "mfu-needs-framework", ACT_NOTE, "MFU is taken as 30 %");
    assert_false(result.time.estimated);
    assert_true(fabs(result.time.mfu - 0.30) < 1e-12);
    plan.hardware.mfu = 0.4;
    assert_holds(&plan, "mfu-needs-framework");
}

static void test_approximations(void **state)
{
    struct act_plan plan = compared();

    (void)state;
    assert_holds(&plan, "step-approximate");
    plan.parallel.schedule = ACT_ZB_1P;
    assert_breaks(&plan, "step-approximate", ACT_NOTE, "zb-1p is taken as 33 % of 1F1B's");
    plan.parallel.schedule = ACT_DUALPIPE;
    assert_breaks(&plan, "step-approximate", ACT_NOTE, "dualpipe is taken as 50 %");
    plan.parallel.pipeline = 1;
    assert_holds(&plan, "step-approximate");
    plan.parallel.offload = ACT_OFFLOAD_ALL;
    assert_breaks(&plan, "step-approximate", ACT_NOTE, "4.2 times as long");
    plan.hardware.mfu = 0.4;
    assert_holds(&plan, "step-approximate");
}

static void test_untested(void **state)
{
    struct act_plan plan = compared();

    (void)state;
    assert_holds(&plan, "step-compared");
    plan.hardware.step_error = 0.25;
    assert_breaks(&plan, "step-compared", ACT_NOTE,
                  "step times of a800-80gb-sxm were compared: +-25");
    plan.framework.step_error = 0.25;
    assert_breaks(&plan, "step-compared", ACT_NOTE, "a800-80gb-sxm and megatron");
    plan.hardware.step_error = 0.12;
    assert_breaks(&plan, "step-compared", ACT_NOTE, "times of megatron were");
    plan = compared();
    plan.parallel.context = 16;
    struct act_check check =
        assert_breaks(&plan, "step-compared", ACT_NOTE, "times of CP above 8 were compared: +-25");
    assert_int_equal(check.field[0], ACT_F_parallel_context);
    plan.framework.step_error = 0.25;
    assert_breaks(&plan, "step-compared", ACT_NOTE, "of megatron and CP above 8 were");
    plan = compared();
    plan.parallel.schedule = ACT_ZB_1P; /* said by step-approximate */
    assert_holds(&plan, "step-compared");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tensor_leaves_the_link),
        cmocka_unit_test(test_bubble),
        cmocka_unit_test(test_slow_network),
        cmocka_unit_test(test_launch_bound),
        cmocka_unit_test(test_head_width),
        cmocka_unit_test(test_experts_leave_the_link),
        cmocka_unit_test(test_nothing_beats_its_peak),
        cmocka_unit_test(test_textbook_has_no_step),
        cmocka_unit_test(test_approximations),
        cmocka_unit_test(test_untested),
    };
    return cmocka_run_group_tests_name("check_time", tests, NULL, NULL);
}
