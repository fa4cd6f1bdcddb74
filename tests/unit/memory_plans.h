/* Plans that several memory tests start from. */
#ifndef ACTUARY_TESTS_MEMORY_PLANS_H
#define ACTUARY_TESTS_MEMORY_PLANS_H

#include <actuary/layout.h>
#include <actuary/memory.h>
#include <actuary/model.h>
#include <actuary/plan.h>

static const double gib = 1073741824.0;

/* Current Megatron: 2 / 4 / 12 bytes a parameter, fused kernels, classic allocator. */
static inline void plan_megatron(struct act_plan *plan)
{
    act_plan_init(plan);
    plan->framework.family = ACT_MEGATRON;
    plan->framework.weight_bytes = 2;
    plan->framework.gradient_bytes = 4;
    plan->framework.gradient_bytes_fp16 = 2;
    plan->framework.master_weights = true;
    plan->framework.kernels = ACT_FUSED;
    plan->framework.loss = ACT_LOSS_UNFUSED;
    plan->framework.vocabulary_padding = 128;
    plan->framework.allocator = ACT_CLASSIC;
    plan->training.precision = ACT_BF16;
    plan->training.attention_kernel = ACT_CUDNN;
    plan->training.hidden_dropout = 0;
    plan->training.attention_dropout = 0;
    plan->parallel.zero = 1;
    plan->parallel.recompute = ACT_RECOMPUTE_NONE;
}

/* Llama-2-70B: L 80, h 8192, a 64, g 8, f 28672, V 32000, untied. */
static inline void model_llama2_70b(struct act_model_fields *model)
{
    model->layers = 80;
    model->hidden = 8192;
    model->heads = 64;
    model->kv_heads = 8;
    model->head_dim = 128;
    model->ffn = 28672;
    model->vocab = 32000;
    model->activation = ACT_SWIGLU;
    model->norm = ACT_RMSNORM;
    model->positions = ACT_ROPE;
    model->tied_embeddings = false;
}

/* GPT-3 175B: L 96, h 12288, a 96, f 4h, V 51200, learned positions, biases, tied. */
static inline void model_gpt3(struct act_model_fields *model)
{
    model->layers = 96;
    model->hidden = 12288;
    model->heads = model->kv_heads = 96;
    model->head_dim = 128;
    model->ffn = 49152;
    model->vocab = 51200;
    model->activation = ACT_GELU;
    model->norm = ACT_LAYERNORM;
    model->positions = ACT_LEARNED;
    model->position_rows = 2048;
    model->qkv_bias = model->out_bias = model->mlp_bias = true;
    model->tied_embeddings = true;
}

/* The example of the acceptance list: TP 8, PP 4, DP 8, ZeRO-1, SP, 256 sequences of 4096. */
static inline void plan_llama2_70b(struct act_plan *plan)
{
    plan_megatron(plan);
    model_llama2_70b(&plan->model);
    plan->training.sequence = 4096;
    plan->training.micro_batch = 1;
    plan->training.global_batch = 256;
    plan->parallel.tensor = 8;
    plan->parallel.sequence_parallel = true;
    plan->parallel.pipeline = 4;
    plan->parallel.data = 8;
}

static inline void memory_of(const struct act_plan *plan, struct act_memory *ret)
{
    struct act_plan resolved;
    struct act_parameters parameters;
    struct act_layout layout;

    act_plan_resolve(plan, &resolved);
    act_model_count(&resolved, &parameters);
    act_layout_of(&resolved, &layout);
    act_memory_of(&resolved, &parameters, &layout, ret);
}

#endif
