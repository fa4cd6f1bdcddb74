/* Plans that break no rule, and asserts on what breaks one. */
#ifndef ACTUARY_TESTS_CHECK_PLANS_H
#define ACTUARY_TESTS_CHECK_PLANS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <actuary/estimate.h>
#include <actuary/field.h>

#include <string.h>

/* Of the last estimate. */
static struct act_result result;

/* Llama-2-70B on 64 A800 with full recompute: fits and breaks no rule. */
static inline struct act_plan sound(void)
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
static inline struct act_plan sound_moe(void)
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

static inline const struct act_check *find(const struct act_plan *plan, const char *rule)
{
    act_estimate_cured(plan, &result);
    for (int i = 0; i < result.checks.count; i++) {
        if (strcmp(result.checks.check[i].rule, rule) == 0) {
            return &result.checks.check[i];
        }
    }
    return NULL;
}

static inline void assert_holds(const struct act_plan *plan, const char *rule)
{
    const struct act_check *check = find(plan, rule);
    if (check) {
        fail_msg("%s: %s", rule, check->message);
    }
}

/* The rule is broken with `level`, its message contains `words`, and its repair holds. Returns a
 * copy of the check. */
static inline struct act_check assert_breaks(const struct act_plan *plan, const char *rule,
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

static inline void assert_repair(const struct act_check *check, int index, enum act_field_id field,
                                 int64_t value)
{
    assert_true(index < check->repairs);
    assert_string_equal(act_field(check->repair[index].field)->key, act_field(field)->key);
    assert_int_equal((int64_t)check->repair[index].value, value);
}

#endif
