/* Plans of eight pipeline stages: what an estimate takes and what it must not do is measured on
 * them. */
#ifndef ACTUARY_TESTS_EIGHT_STAGES_H
#define ACTUARY_TESTS_EIGHT_STAGES_H

#include <actuary/plan.h>

static inline struct act_plan eight_stages(void)
{
    struct act_plan plan;

    act_plan_init(&plan);
    plan.framework.family = ACT_MEGATRON;
    plan.framework.max_zero = 1;
    plan.framework.max_zero_pipeline = 1;
    plan.training.sequence = 4096;
    plan.training.global_batch = 1024;
    plan.parallel.pipeline = 8;
    plan.parallel.zero = 1;
    plan.hardware.memory = 80 * 1073741824.0;
    plan.hardware.usable_memory = 79.14 * 1073741824.0;
    plan.hardware.peak_fp16 = 312e12;
    plan.hardware.peak_bf16 = 312e12;
    plan.hardware.compute_capability = 8;
    plan.hardware.gpus_per_node = 8;
    return plan;
}

/* Llama-2-70B, TP 8, PP 8, DP 4: fits. */
static inline struct act_plan eight_stages_dense(void)
{
    struct act_plan plan = eight_stages();

    plan.model.layers = 80;
    plan.model.hidden = 8192;
    plan.model.heads = 64;
    plan.model.kv_heads = 8;
    plan.model.ffn = 28672;
    plan.model.vocab = 32000;
    plan.parallel.tensor = 8;
    plan.parallel.data = 4;
    return plan;
}

/* Mixtral-8x22B, PP 8, EP 8, DP 8, full recompute: fits. */
static inline struct act_plan eight_stages_moe(void)
{
    struct act_plan plan = eight_stages();

    plan.model.layers = 56;
    plan.model.hidden = 6144;
    plan.model.heads = 48;
    plan.model.kv_heads = 8;
    plan.model.vocab = 32768;
    plan.model.experts = 8;
    plan.model.experts_per_token = 2;
    plan.model.expert_ffn = 16384;
    plan.parallel.tensor = 1;
    plan.parallel.expert = 8;
    plan.parallel.data = 8;
    plan.parallel.recompute = ACT_RECOMPUTE_FULL;
    return plan;
}

/* The dense plan at TP 2 with a deadline: does not fit, comes late, and repairs are looked for. */
static inline struct act_plan eight_stages_clashing(void)
{
    struct act_plan plan = eight_stages_dense();

    plan.parallel.tensor = 2;
    plan.parallel.data = 6;
    plan.training.deadline_days = 30;
    return plan;
}

/* The dense plan under FSDP with pipeline, whose formulas are others. */
static inline struct act_plan eight_stages_sharded(void)
{
    struct act_plan plan = eight_stages_dense();

    plan.framework.family = ACT_FSDP;
    plan.framework.max_zero = 3;
    plan.framework.max_zero_pipeline = 3;
    plan.parallel.zero = 3;
    return plan;
}

#endif
