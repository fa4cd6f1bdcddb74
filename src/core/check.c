/* The one table of rules, and the loop that tries them. */
#include "check_rules.h"

#include <actuary/field.h>

#include <stdio.h>

enum { TEXTBOOK = 1 << ACT_TEXTBOOK, MEGATRON = 1 << ACT_MEGATRON, FSDP = 1 << ACT_FSDP };
/* Not about the layout but about what came of it. */
enum { OUTCOME = 1 << 8 };
enum { LAYERED = MEGATRON | FSDP, ALL = TEXTBOOK | MEGATRON | FSDP };

struct row {
    act_rule_function *broken;
    unsigned where; /* the families of framework.family it holds for, and OUTCOME */
    struct act_rule rule;
};

static const struct row rows[] = {
    {act_rule_fit, ALL | OUTCOME, {"memory", "", "the worst stage stays within usable memory"}},
    {act_rule_tensor_heads, ALL, {"tensor-divides-heads", "V05", "attention heads divide by TP"}},
    {act_rule_tensor_kv_heads,
     MEGATRON,
     {"tensor-divides-kv-heads", "V06", "KV heads are a multiple or a divisor of TP"}},
    {act_rule_kv_heads, LAYERED, {"kv-heads-divide-heads", "V07", "heads divide by KV heads"}},
    {act_rule_hidden_heads,
     LAYERED,
     {"heads-divide-hidden", "V08", "hidden divides by heads unless the head width is given"}},
    {act_rule_tensor_ffn, MEGATRON, {"tensor-divides-ffn", "V09", "FFN divides by TP"}},
    {act_rule_expert_tensor_ffn,
     MEGATRON,
     {"expert-tensor-divides-ffn", "V09", "expert FFN divides by expert TP"}},
    {act_rule_topk,
     LAYERED,
     {"topk-within-experts", "", "a token goes to no more experts than there are"}},
    {act_rule_frozen_layers,
     ALL,
     {"freeze-needs-layers", "", "the freeze method names frozen layers"}},
    {act_rule_pipeline_layers, MEGATRON, {"pipeline-divides-layers", "V11", "layers divide by PP"}},
    {act_rule_stages_layers, LAYERED, {"stages-within-layers", "V11", "every stage has a layer"}},
    {act_rule_list_length,
     LAYERED,
     {"stage-list-length", "V12", "layers_per_stage has one entry a stage or a chunk"}},
    {act_rule_list_sum,
     LAYERED,
     {"stage-list-sum", "V12", "layers_per_stage adds up to the layers"}},
    {act_rule_list_interleave,
     MEGATRON,
     {"interleave-divides-stages", "V12", "each listed stage divides by the interleave"}},
    {act_rule_interleave_layers,
     MEGATRON,
     {"interleave-divides-layers", "V13", "layers a stage divide by the interleave"}},
    {act_rule_interleave_pipeline,
     LAYERED,
     {"interleave-needs-pipeline", "V14", "interleave needs PP above 1"}},
    {act_rule_interleave_batches,
     MEGATRON,
     {"interleave-batches", "V15", "with interleave, micro batches divide by PP"}},
    {act_rule_expert_experts, LAYERED, {"expert-divides-experts", "V17", "experts divide by EP"}},
    {act_rule_expert_group,
     MEGATRON,
     {"expert-divides-group", "V18", "TP x CP x DP divides by EP x ETP"}},
    {act_rule_expert_shard,
     FSDP,
     {"expert-divides-shard", "V19", "shard group x TP divides by EP"}},
    {act_rule_shard_group,
     LAYERED,
     {"shard-divides-data", "V02", "DP x CP divides by the shard group"}},
    {act_rule_context_sequence,
     LAYERED,
     {"context-divides-sequence", "V22", "the sequence divides by 2 x CP (torchtitan: x TP)"}},
    {act_rule_sequence_tensor,
     LAYERED,
     {"tensor-divides-sequence", "V23", "with SP, the sequence divides by TP"}},
    {act_rule_global_batch,
     ALL,
     {"global-batch", "V30", "the global batch divides by micro batch x DP"}},
    {act_rule_zero, ALL, {"zero-in-framework", "V40", "the framework has the ZeRO stage"}},
    {act_rule_zero_pipeline,
     ALL,
     {"zero-with-pipeline", "V40", "ZeRO-2 and 3 are refused with pipeline"}},
    {act_rule_no_pipeline,
     ALL,
     {"framework-has-pipeline", "V42", "the framework has pipeline parallelism"}},
    {act_rule_no_peak, ALL, {"peak-known", "", "the card lists a peak"}},
    {act_rule_precision, ALL, {"precision-on-card", "V55", "the card computes in the precision"}},
    {act_rule_flash,
     LAYERED,
     {"flash-on-card", "V55", "fused attention needs compute capability 8.0"}},
    {act_rule_sequence_parallel_alone,
     LAYERED,
     {"sequence-parallel-alone", "V24", "SP needs TP above 1"}},
    {act_rule_positions,
     ALL,
     {"sequence-within-positions", "V27", "the sequence is no longer than the model's positions"}},
    {act_rule_tensor_node, ALL, {"tensor-within-node", "V28", "TP stays within the fast link"}},
    {act_rule_grouped_matmul,
     MEGATRON,
     {"grouped-matmul-on-card", "V55", "grouped matmuls of experts need compute capability 8.0"}},
    {act_rule_tight,
     ALL | OUTCOME,
     {"memory-tight", "", "the worst stage stays below 90 % of usable memory"}},
    {act_rule_deadline, ALL | OUTCOME, {"deadline", "", "calendar days stay within the deadline"}},
    {act_rule_attention_unmodelled,
     ALL,
     {"attention-not-modelled", "", "all of the model's attention is modelled"}},
    {act_rule_rough, ALL, {"rough-family", "", "the family's activations are modelled"}},
    {act_rule_unvalidated,
     ALL,
     {"framework-validated", "", "the framework's memory was compared with measurements"}},
    {act_rule_usable_assumed,
     ALL,
     {"usable-memory-known", "", "usable memory was measured or given"}},
    {act_rule_kv_replicated,
     MEGATRON,
     {"kv-heads-replicated", "V06", "TP above the KV heads repeats K and V"}},
    {act_rule_vocabulary_padded,
     LAYERED,
     {"vocabulary-padded", "V10", "the vocabulary is padded to a multiple of 128 x TP"}},
    {act_rule_interleave_overlap,
     MEGATRON,
     {"interleave-overlap", "V14", "interleave at PP 2 needs overlapped transfers"}},
    {act_rule_recompute_flash,
     LAYERED,
     {"recompute-attention", "", "recomputing attention saves something"}},
    {act_rule_mfu_given, LAYERED, {"mfu-given", "", "a given MFU does not see the layout"}},
    {act_rule_price_currency,
     ALL,
     {"price-currency", "", "the price is in the scenario's currency"}},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

/* A rule fires at most once, so the checks of a plan always fit. */
_Static_assert((int)ROWS <= (int)ACT_CHECKS_MAX, "more rules than room for checks");

const struct act_rule *act_rule_at(int index)
{
    return index >= 0 && index < ROWS ? &rows[index].rule : NULL;
}

const char *act_level_name(enum act_level level)
{
    static const char *const names[] = {"error", "warning", "note"};
    return names[level];
}

static unsigned family_bit(const struct act_plan *plan)
{
    return 1U << (unsigned)plan->framework.family;
}

/* Moves the last check before those of lesser weight. */
static void sort_in(struct act_checks *checks)
{
    int last = checks->count - 1;
    int to = last;

    while (to > 0 && checks->check[to - 1].level > checks->check[last].level) {
        to--;
    }
    if (to < last) {
        struct act_check moved = checks->check[last];
        for (int i = last; i > to; i--) {
            checks->check[i] = checks->check[i - 1];
        }
        checks->check[to] = moved;
    }
}

void act_check_plan(const struct act_plan *plan, const struct act_plan *resolved,
                    const struct act_layout *layout, const struct act_memory *memory,
                    const struct act_time *time, struct act_checks *ret)
{
    const struct act_case at = {plan, resolved, layout, memory, time};
    unsigned family = family_bit(resolved);

    ret->count = 0;
    for (int i = 0; i < ROWS; i++) {
        struct act_check *check = &ret->check[ret->count];
        if ((rows[i].where & family) && rows[i].broken(&at, check)) {
            check->rule = rows[i].rule.name;
            ret->count++;
            sort_in(ret);
        }
    }
}

int act_rule_errors(const struct act_case *at)
{
    unsigned family = family_bit(at->plan);
    int errors = 0;

    for (int i = 0; i < ROWS; i++) {
        struct act_check check;
        if (!(rows[i].where & OUTCOME) && (rows[i].where & family) && rows[i].broken(at, &check)) {
            errors += check.level == ACT_ERROR;
        }
    }
    return errors;
}

void act_check_mend(const struct act_check *check, struct act_plan *plan)
{
    for (int i = 0; i < check->repairs; i++) {
        enum act_field_id field = check->repair[i].field;
        if (act_field(field)->kind == ACT_KIND_LIST) {
            act_field_reset(plan, field);
        } else {
            act_field_set_number(plan, field, check->repair[i].value);
        }
    }
}

void act_check_summary(const struct act_plan *plan, char *out, size_t size)
{
    const struct act_model_fields *model = &plan->model;
    long long tensor = plan->parallel.tensor, pipeline = plan->parallel.pipeline;
    long long expert = plan->parallel.expert;
    char heads[64] = "", layers[64] = "", experts[64] = "";
    bool mla = model->attention == ACT_MLA;

    if (tensor > 1 && act_tensor_divides(plan, tensor)) {
        if (mla || model->kv_heads == model->heads || model->kv_heads % tensor != 0) {
            snprintf(heads, sizeof heads, "%lld heads divide by TP %lld", (long long)model->heads,
                     tensor);
        } else {
            snprintf(heads, sizeof heads, "%lld heads and %lld KV heads divide by TP %lld",
                     (long long)model->heads, (long long)model->kv_heads, tensor);
        }
    }
    if (pipeline > 1 && act_rule_slots(plan) % pipeline == 0) {
        snprintf(layers, sizeof layers, "%lld %s%s by PP %lld", (long long)act_rule_slots(plan),
                 act_rule_slots(plan) == model->layers ? "layers" : "layer slots",
                 heads[0] ? "" : " divide", pipeline);
    }
    if (expert > 1 && model->experts > 0 && model->experts % expert == 0) {
        snprintf(experts, sizeof experts, "%lld experts%s by EP %lld", (long long)model->experts,
                 heads[0] || layers[0] ? "" : " divide", expert);
    }
    snprintf(out, size, "%s%s%s%s%s", heads, heads[0] && layers[0] ? "; " : "", layers,
             (heads[0] || layers[0]) && experts[0] ? "; " : "", experts);
}
