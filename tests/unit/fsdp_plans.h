/* Plans of the FSDP family, and asserts on the last one's memory. */
#ifndef ACTUARY_TESTS_FSDP_PLANS_H
#define ACTUARY_TESTS_FSDP_PLANS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "memory_plans.h"

#include <cmocka.h>
#include <math.h>

static struct act_memory memory;

static inline void same(double value, double expected, const char *what)
{
    if (!(fabs(value - expected) <= 1e-9 * fmax(fabs(expected), 1)))
        fail_msg("%s: %.6f, expected %.6f", what, value, expected);
}

#define assert_same(value, expected) same((value), (expected), #value)

static inline void assert_gib(double bytes, double expected, double tolerance)
{
    if (!(fabs(bytes / gib - expected) <= tolerance))
        fail_msg("%.4f GiB, expected %.4f", bytes / gib, expected);
}

static inline double part(enum act_component component)
{
    return memory.stage[0].component[component];
}

static inline double phase(enum act_phase k)
{
    return memory.stage[0].phases[k];
}

/* Mixed FSDP, eager, bf16, on one GPU: 4 + 4 + 8 bytes a parameter. */
static inline void plan_fsdp(struct act_plan *plan)
{
    act_plan_init(plan);
    plan->framework.family = ACT_FSDP;
    plan->framework.weight_bytes = plan->framework.gradient_bytes = 4;
    plan->framework.master_weights = false;
    plan->framework.kernels = ACT_EAGER;
    plan->framework.loss = ACT_LOSS_PLAIN;
    plan->framework.vocabulary_padding = 1;
    plan->framework.allocator = ACT_CLASSIC;
    plan->framework.attention_kernel = ACT_FLASH;
    plan->framework.zero = 3;
    plan->training.precision = ACT_BF16;
    plan->training.micro_batch = 1;
    plan->training.global_batch = 1;
    plan->hardware.usable_memory = 1e15;
}

static const double square_tokens = 64 * 512;

/* A Llama whose FFN is four times as wide as it is itself; heads of one width. */
static inline void plan_square(struct act_plan *plan)
{
    plan_fsdp(plan);
    plan->model.layers = 10;
    plan->model.hidden = 1024;
    plan->model.heads = plan->model.kv_heads = 16;
    plan->model.ffn = 4096;
    plan->model.vocab = 1000;
    plan->training.sequence = 512;
    plan->training.micro_batch = plan->training.global_batch = 64; /* activations are the peak */
}

static inline void plan_llama3_8b(struct act_plan *plan)
{
    plan_fsdp(plan);
    plan->model.layers = 32;
    plan->model.hidden = 4096;
    plan->model.heads = 32;
    plan->model.kv_heads = 8;
    plan->model.ffn = 14336;
    plan->model.vocab = 128256;
    plan->training.sequence = 8192;
    plan->training.global_batch = 8;
    plan->parallel.data = 8;
}

static const double llama3_8b = 8030261248.0;
static const double llama3_8b_layer = 218103808.0, llama3_8b_norms = 2 * 4096;
static const double llama3_8b_root = 2.0 * 4096 * 128256;

/* Bytes a token and hidden unit that one layer keeps, without flash attention's statistics. */
static inline double kept(struct act_plan *plan)
{
    memory_of(plan, &memory);
    return (part(ACT_ACTIVATIONS) / (10 * square_tokens) - 4 * 16) / 1024;
}

#endif
