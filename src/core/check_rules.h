/* What the rules of check.h share. One rule is one small function: it looks at a case and, when
 * the rule is broken, says so with act_rule_says and names fields and cure. It fires at most once
 * a plan. check_table.c has the table. */
#ifndef ACTUARY_CORE_CHECK_RULES_H
#define ACTUARY_CORE_CHECK_RULES_H

#include <actuary/check.h>
#include <stdbool.h>

/* What a rule may look at. */
struct act_case {
    const struct act_plan *raw;  /* as the user has it, with what is left to derive */
    const struct act_plan *plan; /* resolved */
    const struct act_layout *layout;
    const struct act_memory *memory;
    const struct act_time *time;
    const struct act_cost *cost; /* NULL where only the rules of the table are tried */
};

/* Starts a check: its level and message, no fields, no repair. Always true, so that a rule can
 * end with it. The format may use integers and texts only: fractions follow the locale. */
bool act_rule_says(struct act_check *check, enum act_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void act_rule_names(struct act_check *check, enum act_field_id field);
/* Adds a value to set. One out of the field's range is no cure and takes those named before it
 * back, so it is named last. */
void act_rule_mends(struct act_check *check, enum act_field_id field, int64_t value);
void act_rule_mends_real(struct act_check *check, enum act_field_id field, double value);

/* Largest divisor of n that is at most `limit`, and smallest that is at least `from` (0: none). */
int64_t act_divisor_below(int64_t n, int64_t limit);
int64_t act_divisor_above(int64_t n, int64_t from);
/* The multiples of `unit` beside `value`: nearest one, at least `unit`. */
int64_t act_multiple_near(int64_t value, int64_t unit);

enum { ACT_NEIGHBOURS = 48 };
/* "4 or 13" for the nearest valid values beside a wrong one; "4" when one is 0 or both agree. */
const char *act_neighbours(int64_t below, int64_t above, char out[ACT_NEIGHBOURS]);

enum { ACT_GIB_TEXT = 24 };
/* Bytes as GiB for a message, without the unit: one decimal, as everywhere on screen. */
const char *act_rule_gib(double bytes, char out[ACT_GIB_TEXT]);
/* For messages, whose fractions must not follow the locale: "29 seconds" or "61 minutes"; a share
 * as "42 %" or "less than 0.1 %". */
const char *act_rule_duration(double seconds, char out[ACT_GIB_TEXT]);
const char *act_rule_share(double share, char out[ACT_GIB_TEXT]);

/* Some layers have a dense MLP of model.ffn. */
bool act_rule_has_dense_ffn(const struct act_plan *plan);

/* Does TP = `tensor` divide all that it must in this plan (V05, V06, V09)? 1 always does. */
bool act_tensor_divides(const struct act_plan *plan, int64_t tensor);
/* Largest TP at most `limit` that does. */
int64_t act_tensor_below(const struct act_plan *plan, int64_t limit);

/* Layers, and embedding and loss where they count as one, to deal to stages (V11). */
int64_t act_rule_slots(const struct act_plan *plan);

typedef bool act_rule_function(const struct act_case *at, struct act_check *check);

struct act_rule_row {
    act_rule_function *broken;
    unsigned families; /* bits of enum act_family: where the rule holds */
    struct act_rule rule;
};

/* The table in check_table.c: every rule but those of check_fit.c and check_time.c, which look at
 * what comes of a plan. */
enum { ACT_RULE_ROWS = 46 };
const struct act_rule_row *act_rule_row(int index);
/* Tries one rule, where it holds for the plan's family, and names it in the check. */
bool act_rule_broken(const struct act_rule_row *row, const struct act_case *at,
                     struct act_check *check);
/* How many rules of the table are broken as errors. */
int act_rule_errors(const struct act_case *at);

/* check_shape.c: what divides what */
act_rule_function act_rule_tensor_heads, act_rule_tensor_kv_heads, act_rule_kv_replicated,
    act_rule_kv_heads, act_rule_hidden_heads, act_rule_tensor_ffn, act_rule_expert_tensor_ffn,
    act_rule_vocabulary_padded, act_rule_topk, act_rule_frozen_layers;
/* check_pipeline.c: layers, stages and chunks */
act_rule_function act_rule_pipeline_layers, act_rule_stages_layers, act_rule_list_length,
    act_rule_list_sum, act_rule_list_interleave, act_rule_interleave_layers,
    act_rule_interleave_pipeline, act_rule_interleave_overlap, act_rule_interleave_batches;
/* check_group.c: groups of GPUs, and the batch and sequence they share */
act_rule_function act_rule_expert_experts, act_rule_expert_group, act_rule_expert_shard,
    act_rule_shard_group, act_rule_context_sequence, act_rule_sequence_tensor,
    act_rule_sequence_parallel_alone, act_rule_positions, act_rule_tensor_node,
    act_rule_global_batch;
/* check_feature.c: what a framework or a card has not, and what an estimate leaves out */
act_rule_function act_rule_zero, act_rule_zero_pipeline, act_rule_no_pipeline, act_rule_no_peak,
    act_rule_precision, act_rule_flash, act_rule_grouped_matmul, act_rule_recompute_flash,
    act_rule_attention_unmodelled, act_rule_unvalidated, act_rule_low_precision,
    act_rule_torch_fsdp2, act_rule_usable_assumed;
/* check_loop.c: how a training loop costs memory */
act_rule_function act_rule_mixed_units, act_rule_no_sync, act_rule_plain_loss,
    act_rule_varying_lengths;
/* check_time.c: what an estimated step waits for, and what its estimate assumes */
act_rule_function act_rule_bubble, act_rule_data_traffic, act_rule_launch_bound,
    act_rule_head_width, act_rule_expert_traffic, act_rule_hfu, act_rule_mfu_given,
    act_rule_time_approximate, act_rule_time_untested;
/* Percent of an estimated step that TP's traffic takes, -1 when it is not estimated. */
int act_rule_tensor_percent(const struct act_time *time);
/* check_calibration.c: measured runs */
act_rule_function act_rule_calibration_far, act_rule_calibration_unused;
/* check_fit.c: memory and deadline */
act_rule_function act_rule_fit, act_rule_tight, act_rule_deadline;
/* check_cost.c: prices, budget, failures and power */
act_rule_function act_rule_price_currency, act_rule_server_price, act_rule_electricity_price,
    act_rule_budget, act_rule_headway, act_rule_checkpoint_interval, act_rule_checkpoint_stall,
    act_rule_rack_power;

#endif
