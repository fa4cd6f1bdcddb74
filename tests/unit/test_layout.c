/* Groups, stages, chunks and live micro batches against counts worked by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "memory_plans.h"

#include <cmocka.h>
#include <string.h>

static void assert_counts(const struct act_plan *plan, const int64_t *expected, int n)
{
    int64_t first[ACT_LIST_MAX], count[ACT_LIST_MAX], sum = 0;
    struct act_plan resolved;

    act_plan_resolve(plan, &resolved);
    int v = act_layout_deal(&resolved, first, count);
    assert_int_equal(v * resolved.parallel.pipeline, n);
    for (int i = 0; i < n; i++) {
        assert_int_equal(count[i], expected[i]);
        assert_int_equal(first[i], sum);
        sum += count[i];
    }
    assert_int_equal(sum, plan->model.layers);
}

static void set_list(struct act_plan *plan, const uint16_t *item, int32_t count)
{
    plan->parallel.layers_per_stage.count = count;
    memcpy(plan->parallel.layers_per_stage.item, item, (size_t)count * sizeof *item);
}

static void test_deal_even(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_megatron(&plan);
    plan.model.layers = 80;
    plan.parallel.pipeline = 4;
    assert_counts(&plan, (int64_t[]){20, 20, 20, 20}, 4);
    plan.parallel.interleave = 2;
    assert_counts(&plan, (int64_t[]){10, 10, 10, 10, 10, 10, 10, 10}, 8);
    plan.parallel.interleave = 1;
    plan.model.layers = 82;
    assert_counts(&plan, (int64_t[]){21, 21, 20, 20}, 4);
    /* Fewer layers than stages: the last ones stay empty. */
    plan.model.layers = 1;
    assert_counts(&plan, (int64_t[]){1, 0, 0, 0}, 4);
    /* Chunks mean nothing without a pipeline. */
    plan.model.layers = 7;
    plan.parallel.pipeline = 1;
    plan.parallel.interleave = 4;
    assert_counts(&plan, (int64_t[]){7}, 1);
}

static void test_deal_front(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_megatron(&plan);
    plan.framework.stage_split = ACT_SPLIT_FRONT;
    plan.model.layers = 10;
    plan.parallel.pipeline = 4;
    assert_counts(&plan, (int64_t[]){3, 3, 3, 1}, 4);
    plan.model.layers = 9;
    assert_counts(&plan, (int64_t[]){3, 3, 3, 0}, 4);
}

static void test_deal_slots(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_megatron(&plan);
    plan.parallel.embedding_slot = plan.parallel.loss_slot = true;
    plan.model.layers = 30; /* (30 + 2) / 8 = 4, one less at both ends */
    plan.parallel.pipeline = 8;
    assert_counts(&plan, (int64_t[]){3, 4, 4, 4, 4, 4, 4, 3}, 8);
    plan.model.layers = 6; /* one slot a chunk */
    plan.parallel.pipeline = 4;
    plan.parallel.interleave = 2;
    assert_counts(&plan, (int64_t[]){0, 1, 1, 1, 1, 1, 1, 0}, 8);
    plan.parallel.loss_slot = false;
    plan.model.layers = 7;
    assert_counts(&plan, (int64_t[]){0, 1, 1, 1, 1, 1, 1, 1}, 8);
}

static void test_deal_list(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_megatron(&plan);
    plan.parallel.pipeline = 4;
    plan.model.layers = 12;
    set_list(&plan, (uint16_t[]){2, 4, 4, 2}, 4);
    assert_counts(&plan, (int64_t[]){2, 4, 4, 2}, 4);
    /* A list of stages over two chunks each. */
    plan.parallel.interleave = 2;
    assert_counts(&plan, (int64_t[]){1, 2, 2, 1, 1, 2, 2, 1}, 8);
    set_list(&plan, (uint16_t[]){3, 2, 2, 1, 1, 1, 1, 1}, 8);
    assert_counts(&plan, (int64_t[]){3, 2, 2, 1, 1, 1, 1, 1}, 8);
    /* A sum above the layers is cut, one below is made up on the last chunk. */
    plan.parallel.interleave = 1;
    set_list(&plan, (uint16_t[]){5, 5, 5, 5}, 4);
    assert_counts(&plan, (int64_t[]){5, 5, 2, 0}, 4);
    set_list(&plan, (uint16_t[]){1, 1, 1, 1}, 4);
    assert_counts(&plan, (int64_t[]){1, 1, 1, 9}, 4);
    /* A list of another length does not apply. */
    set_list(&plan, (uint16_t[]){6, 6}, 2);
    assert_counts(&plan, (int64_t[]){3, 3, 3, 3}, 4);
}

static void test_deal_limit(void **state)
{
    int64_t first[ACT_LIST_MAX], count[ACT_LIST_MAX];
    struct act_plan plan;

    (void)state;
    plan_megatron(&plan);
    plan.model.layers = 1024;
    plan.parallel.pipeline = 256;
    plan.parallel.interleave = 64;
    assert_int_equal(act_layout_deal(&plan, first, count), 2);
    plan.parallel.pipeline = 200;
    assert_int_equal(act_layout_deal(&plan, first, count), 2);
    assert_int_equal(first[399] + count[399], 1024);
}

static void layout_of(const struct act_plan *plan, struct act_layout *ret)
{
    struct act_plan resolved;

    act_plan_resolve(plan, &resolved);
    act_layout_of(&resolved, ret);
}

static void test_groups(void **state)
{
    struct act_plan plan;
    struct act_layout layout;

    (void)state;
    plan_llama2_70b(&plan);
    layout_of(&plan, &layout);
    assert_true(layout.gpus == 256 && layout.nodes == 32);
    assert_int_equal(layout.shard, 8);
    assert_true(layout.micro_batches == 32 && layout.whole);
    assert_true(layout.tokens == 4096);
    assert_int_equal(layout.groups, 4); /* world, TP, PP, DP */
    plan.model.tied_embeddings = true;
    layout_of(&plan, &layout);
    assert_int_equal(layout.groups, 5);

    /* m = round(100 / 8) = 13 (halves away from zero), not whole. */
    plan.training.global_batch = 100;
    layout_of(&plan, &layout);
    assert_true(layout.micro_batches == 13 && !layout.whole);
    plan.training.global_batch = 1;
    layout_of(&plan, &layout);
    assert_true(layout.micro_batches == 1 && !layout.whole);

    /* Context parallel shares the sequence and joins the shard group. */
    plan.parallel.context = 4;
    layout_of(&plan, &layout);
    assert_true(layout.tokens == 1024);
    assert_int_equal(layout.shard, 32);
    /* A group between DP and DP x CP is one as well. */
    plan.parallel.shard_group = 16;
    layout_of(&plan, &layout);
    assert_int_equal(layout.shard, 16);
    plan.parallel.shard_group = 64;
    layout_of(&plan, &layout);
    assert_int_equal(layout.shard, 32);

    /* CP alone reduces gradients too; a tied embedding needs a pipeline to be apart. */
    plan_megatron(&plan);
    plan.parallel.context = 2;
    plan.model.tied_embeddings = true;
    layout_of(&plan, &layout);
    assert_int_equal(layout.groups, 2);

    /* One GPU talks to nobody. */
    plan_megatron(&plan);
    layout_of(&plan, &layout);
    assert_int_equal(layout.groups, 0);
}

static void test_expert_shard(void **state)
{
    struct act_plan plan;
    struct act_layout layout;

    (void)state;
    plan_megatron(&plan);
    plan.model.experts = 64;
    plan.parallel.tensor = 4;
    plan.parallel.data = 16;
    plan.parallel.expert = 8;
    plan.parallel.expert_tensor = 1;
    layout_of(&plan, &layout); /* t c d / (x n) = 64 / 8 */
    assert_int_equal(layout.expert_shard, 8);
    plan.parallel.expert_tensor = 4;
    layout_of(&plan, &layout);
    assert_int_equal(layout.expert_shard, 2);
    plan.parallel.expert = 64;
    layout_of(&plan, &layout);
    assert_int_equal(layout.expert_shard, 1);
    /* Two optimizer instances halve both groups. */
    plan.parallel.expert = 8;
    plan.parallel.expert_tensor = 1;
    plan.parallel.shard_group = 8;
    layout_of(&plan, &layout);
    assert_int_equal(layout.shard, 8);
    assert_int_equal(layout.expert_shard, 4);
}

static double live(const struct act_plan *plan, int stage, int chunk)
{
    struct act_layout layout;

    layout_of(plan, &layout);
    return act_layout_in_flight(plan, &layout, stage, chunk);
}

static void test_in_flight(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_megatron(&plan);
    plan.parallel.pipeline = 4;
    plan.training.global_batch = 16;
    assert_true(live(&plan, 0, 0) == 4 && live(&plan, 3, 0) == 1);
    plan.parallel.schedule = ACT_GPIPE;
    assert_true(live(&plan, 0, 0) == 16 && live(&plan, 3, 0) == 16);
    plan.parallel.schedule = ACT_ZB_1P;
    assert_true(live(&plan, 0, 0) == 4 && live(&plan, 3, 0) == 4);
    plan.parallel.schedule = ACT_ZB_2P;
    assert_true(live(&plan, 0, 0) == 8 && live(&plan, 3, 0) == 8);
    plan.parallel.schedule = ACT_DUALPIPE;
    assert_true(live(&plan, 0, 0) == 5 && live(&plan, 3, 0) == 5);
    /* Never more than there are. */
    plan.training.global_batch = 2;
    plan.parallel.schedule = ACT_ZB_2P;
    assert_true(live(&plan, 0, 0) == 2);
    plan.parallel.schedule = ACT_1F1B;
    assert_true(live(&plan, 0, 0) == 2);
}

static void test_in_flight_interleaved(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_megatron(&plan);
    plan.parallel.pipeline = 4;
    plan.parallel.interleave = 3;
    plan.training.global_batch = 64;
    /* Stage 0: 4 * 4 - 1 = 15 chunks of 12 a round: chunk 0 has 4 + 3, the others 4. */
    assert_true(live(&plan, 0, 0) == 7 && live(&plan, 0, 1) == 4 && live(&plan, 0, 2) == 4);
    /* Stage 3: 15 - 6 = 9: 4, 4, 1. */
    assert_true(live(&plan, 3, 0) == 4 && live(&plan, 3, 1) == 4 && live(&plan, 3, 2) == 1);
    /* Four micro batches are 12 chunks. */
    plan.training.global_batch = 4;
    assert_true(live(&plan, 0, 0) == 4 && live(&plan, 0, 2) == 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deal_even),
        cmocka_unit_test(test_deal_front),
        cmocka_unit_test(test_deal_slots),
        cmocka_unit_test(test_deal_list),
        cmocka_unit_test(test_deal_limit),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_expert_shard),
        cmocka_unit_test(test_in_flight),
        cmocka_unit_test(test_in_flight_interleaved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
