/* The table of rules on layout, framework and card. */
#include "check_rules.h"

enum {
    TEXTBOOK = 1 << ACT_TEXTBOOK,
    MEGATRON = 1 << ACT_MEGATRON,
    FSDP = 1 << ACT_FSDP,
    LAYERED = MEGATRON | FSDP,
    ALL = TEXTBOOK | LAYERED
};

static const struct act_rule_row rows[] = {
    {act_rule_tensor_heads,
     ALL,
     {"tensor-divides-heads", "V05", "heads split", "attention heads divide by TP"}},
    {act_rule_tensor_kv_heads,
     MEGATRON,
     {"tensor-divides-kv-heads", "V06", "KV heads split",
      "KV heads are a multiple or a divisor of TP"}},
    {act_rule_kv_heads,
     LAYERED,
     {"kv-heads-divide-heads", "V07", "KV heads", "heads divide by KV heads"}},
    {act_rule_hidden_heads,
     LAYERED,
     {"heads-divide-hidden", "V08", "head width",
      "hidden divides by heads unless the head width is given"}},
    {act_rule_tensor_ffn,
     MEGATRON,
     {"tensor-divides-ffn", "V09", "FFN split", "FFN divides by TP"}},
    {act_rule_expert_tensor_ffn,
     MEGATRON,
     {"expert-tensor-divides-ffn", "V09", "expert split", "expert FFN divides by expert TP"}},
    {act_rule_topk,
     LAYERED,
     {"topk-within-experts", "", "top-k", "a token goes to no more experts than there are"}},
    {act_rule_frozen_layers,
     ALL,
     {"freeze-needs-layers", "", "frozen layers", "the freeze method names frozen layers"}},
    {act_rule_pipeline_layers,
     MEGATRON,
     {"pipeline-divides-layers", "V11", "uneven stages", "layers divide by PP"}},
    {act_rule_stages_layers,
     LAYERED,
     {"stages-within-layers", "V11", "empty stages", "every stage has a layer"}},
    {act_rule_list_length,
     LAYERED,
     {"stage-list-length", "V12", "stage list",
      "layers_per_stage has one entry a stage or a chunk"}},
    {act_rule_list_sum,
     LAYERED,
     {"stage-list-sum", "V12", "stage list", "layers_per_stage adds up to the layers"}},
    {act_rule_list_interleave,
     MEGATRON,
     {"interleave-divides-stages", "V12", "uneven chunks",
      "each listed stage divides by the interleave"}},
    {act_rule_interleave_layers,
     MEGATRON,
     {"interleave-divides-layers", "V13", "uneven chunks",
      "layers a stage divide by the interleave"}},
    {act_rule_interleave_pipeline,
     LAYERED,
     {"interleave-needs-pipeline", "V14", "needs PP", "interleave needs PP above 1"}},
    {act_rule_interleave_batches,
     MEGATRON,
     {"interleave-batches", "V15", "micro batches", "with interleave, micro batches divide by PP"}},
    {act_rule_expert_experts,
     LAYERED,
     {"expert-divides-experts", "V17", "uneven EP", "experts divide by EP"}},
    {act_rule_expert_group,
     MEGATRON,
     {"expert-divides-group", "V18", "EP x ETP", "TP x CP x DP divides by EP x ETP"}},
    {act_rule_expert_shard,
     FSDP,
     {"expert-divides-shard", "V19", "EP group", "shard group x TP divides by EP"}},
    {act_rule_shard_group,
     LAYERED,
     {"shard-divides-data", "V02", "shard group", "DP x CP divides by the shard group"}},
    {act_rule_context_sequence,
     LAYERED,
     {"context-divides-sequence", "V22", "uneven CP",
      "the sequence divides by 2 x CP (torchtitan: x TP)"}},
    {act_rule_sequence_tensor,
     LAYERED,
     {"tensor-divides-sequence", "V23", "uneven SP", "with SP, the sequence divides by TP"}},
    {act_rule_global_batch,
     ALL,
     {"global-batch", "V30", "uneven batch", "the global batch divides by micro batch x DP"}},
    {act_rule_zero,
     ALL,
     {"zero-in-framework", "V40", "no such ZeRO", "the framework has the ZeRO stage"}},
    {act_rule_zero_pipeline,
     ALL,
     {"zero-with-pipeline", "V40", "ZeRO with PP", "ZeRO-2 and 3 are refused with pipeline"}},
    {act_rule_no_pipeline,
     ALL,
     {"framework-has-pipeline", "V42", "no PP here", "the framework has pipeline parallelism"}},
    {act_rule_torch_fsdp2,
     MEGATRON,
     {"torch-fsdp2", "V42", "FSDP2 clash",
      "torch FSDP2 goes with EP 1, bf16 and untied embeddings"}},
    {act_rule_no_peak, ALL, {"peak-known", "", "no peak", "the card lists a peak"}},
    {act_rule_precision,
     ALL,
     {"precision-on-card", "V55", "precision", "the card computes in the precision"}},
    {act_rule_flash,
     LAYERED,
     {"flash-on-card", "V55", "no flash", "fused attention needs compute capability 8.0"}},
    {act_rule_sequence_parallel_alone,
     LAYERED,
     {"sequence-parallel-alone", "V24", "SP alone", "SP needs TP above 1"}},
    {act_rule_positions,
     ALL,
     {"sequence-within-positions", "V27", "long sequence",
      "the sequence is no longer than the model's positions"}},
    {act_rule_tensor_node,
     ALL,
     {"tensor-within-node", "V28", "leaves node", "TP stays within the fast link"}},
    {act_rule_grouped_matmul,
     MEGATRON,
     {"grouped-matmul-on-card", "V55", "grouped matmul",
      "grouped matmuls of experts need compute capability 8.0"}},
    {act_rule_attention_unmodelled,
     ALL,
     {"attention-not-modelled", "", "attention", "all of the model's attention is modelled"}},
    {act_rule_low_precision,
     MEGATRON,
     {"low-precision-memory", "", "8-bit memory", "memory in 8 and 4 bits is as in 16"}},
    {act_rule_unvalidated,
     ALL,
     {"framework-validated", "", "unvalidated",
      "the framework's memory was compared with measurements"}},
    {act_rule_usable_assumed,
     ALL,
     {"usable-memory-known", "", "memory assumed", "usable memory was measured or given"}},
    {act_rule_kv_replicated,
     MEGATRON,
     {"kv-heads-replicated", "V06", "KV repeated", "TP above the KV heads repeats K and V"}},
    {act_rule_vocabulary_padded,
     LAYERED,
     {"vocabulary-padded", "V10", "padded", "the vocabulary is padded to a multiple of 128 x TP"}},
    {act_rule_interleave_overlap,
     MEGATRON,
     {"interleave-overlap", "V14", "overlap", "interleave at PP 2 needs overlapped transfers"}},
    {act_rule_recompute_flash,
     LAYERED,
     {"recompute-attention", "", "saves nothing", "recomputing attention saves something"}},
    {act_rule_price_currency,
     ALL,
     {"price-currency", "", "currency", "the price is in the scenario's currency"}},
};

_Static_assert(sizeof rows / sizeof rows[0] == ACT_RULE_ROWS, "a row is missing or not counted");

const struct act_rule_row *act_rule_row(int index)
{
    return &rows[index];
}

bool act_rule_broken(const struct act_rule_row *row, const struct act_case *at,
                     struct act_check *check)
{
    if (!(row->families & 1U << (unsigned)at->plan->framework.family) || !row->broken(at, check)) {
        return false;
    }
    check->rule = row->rule.name;
    check->brief = row->rule.brief;
    return true;
}

int act_rule_errors(const struct act_case *at)
{
    int errors = 0;

    for (int i = 0; i < ACT_RULE_ROWS; i++) {
        struct act_check check;
        errors += act_rule_broken(&rows[i], at, &check) && check.level == ACT_ERROR;
    }
    return errors;
}
