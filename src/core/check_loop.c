/* How a training loop costs memory that a setting would save: mixed FSDP1 units, no-sync
 * accumulation, a plain loss over a large vocabulary, classic blocks under varying lengths
 * (memory-fsdp-lora.md 7). */
#include "check_rules.h"

#include <actuary/field.h>

static bool is_adapted(const struct act_plan *plan)
{
    return plan->training.method == ACT_LORA || plan->training.method == ACT_QLORA;
}

static bool is_sharded(const struct act_case *at)
{
    return at->plan->parallel.zero >= 3 && at->layout->shard > 1;
}

bool act_rule_mixed_units(const struct act_case *at, struct act_check *check)
{
    char text[ACT_GIB_TEXT];

    if (!is_adapted(at->plan) || at->plan->framework.mixed_units <= 0 || !is_sharded(at) ||
        at->plan->framework.no_sync <= 0 || at->layout->micro_batches <= 1) {
        return false;
    }
    act_rule_says(check, ACT_WARNING,
                  "frozen and trained weights share FSDP1 units, so gradients exist for all: "
                  "%s %s at the peak",
                  act_rule_size(at->plan,
                                at->memory->stage[at->memory->worst].component[ACT_GRADIENTS],
                                text),
                  act_rule_size_unit(at->plan));
    act_rule_names(check, ACT_F_framework_mixed_units);
    act_rule_mends(check, ACT_F_framework_mixed_units, 0);
    return true;
}

bool act_rule_no_sync(const struct act_case *at, struct act_check *check)
{
    char text[ACT_GIB_TEXT];

    if (is_adapted(at->plan) || at->plan->framework.no_sync <= 0 || !is_sharded(at) ||
        at->layout->micro_batches <= 1) {
        return false;
    }
    act_rule_says(check, ACT_WARNING,
                  "%lld micro batches accumulate whole gradients without synchronisation: %s %s "
                  "where a share of 1/%lld would do",
                  (long long)at->layout->micro_batches,
                  act_rule_size(at->plan,
                                at->memory->stage[at->memory->worst].component[ACT_GRADIENTS],
                                text),
                  act_rule_size_unit(at->plan), (long long)at->layout->shard);
    act_rule_names(check, ACT_F_framework_no_sync);
    act_rule_mends(check, ACT_F_framework_no_sync, 0);
    return true;
}

bool act_rule_plain_loss(const struct act_case *at, struct act_check *check)
{
    const struct act_plan *plan = at->plan;
    const struct act_stage *last = &at->memory->stage[at->memory->stages - 1];
    double head = last->component[ACT_HEAD];
    char text[ACT_GIB_TEXT];

    if (plan->model.vocab < 128000 || plan->framework.loss < ACT_LOSS_PLAIN ||
        plan->framework.loss > ACT_LOSS_HALF_HELD || head < 0.2 * last->allocated) {
        return false;
    }
    act_rule_says(check, ACT_NOTE,
                  "the %s loss over %lld logits a token takes %s %s; a chunked or fused one "
                  "saves most of it",
                  act_field(ACT_F_framework_loss)->names[plan->framework.loss],
                  (long long)plan->model.vocab, act_rule_size(at->plan, head, text),
                  act_rule_size_unit(at->plan));
    act_rule_names(check, ACT_F_framework_loss);
    act_rule_mends(check, ACT_F_framework_loss, ACT_LOSS_LIGER);
    return true;
}

bool act_rule_varying_lengths(const struct act_case *at, struct act_check *check)
{
    const struct act_stage *worst = &at->memory->stage[at->memory->worst];
    char low[ACT_GIB_TEXT], high[ACT_GIB_TEXT];

    if (at->plan->training.lengths != ACT_VARYING || at->plan->framework.family != ACT_FSDP ||
        at->plan->framework.allocator != ACT_CLASSIC ||
        worst->component[ACT_FRAGMENTATION] < 0.1 * worst->allocated) {
        return false;
    }
    act_rule_says(check, ACT_NOTE,
                  "with varying lengths the classic allocator holds anything from %s to %s %s; "
                  "expandable segments stay near the lower",
                  act_rule_size(at->plan, worst->allocated, low),
                  act_rule_size(at->plan, worst->reserved, high), act_rule_size_unit(at->plan));
    act_rule_names(check, ACT_F_framework_allocator);
    act_rule_mends(check, ACT_F_framework_allocator, ACT_EXPANDABLE);
    return true;
}
