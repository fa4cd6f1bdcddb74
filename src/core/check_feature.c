/* What a framework or a card does not have (facts: rules V40, V42, V55), and what an estimate
 * leaves out or assumes. */
#include "check_rules.h"
#include "core/peak.h"

#include <actuary/field.h>

/* Ampere: the first generation with bf16, fused attention and grouped matmuls (V55). */
static const double ampere = 8;

static bool is_before_ampere(const struct act_plan *plan)
{
    double capability = plan->hardware.compute_capability;
    return capability > 0 && capability < ampere;
}

/* Name of an enumerated value, for messages. */
static const char *name_of(enum act_field_id field, int64_t value)
{
    return act_field(field)->names[value];
}

/* Preset names are free text of up to 63 characters; messages show this much of one. */
#define NAME "%.32s"

bool act_rule_zero(const struct act_case *at, struct act_check *check)
{
    int64_t zero = at->plan->parallel.zero, highest = at->plan->framework.max_zero;

    if (zero <= highest) {
        return false;
    }
    act_rule_says(check, ACT_ERROR, NAME " has no ZeRO-%lld; ZeRO-%lld is its highest",
                  at->plan->framework.preset, (long long)zero, (long long)highest);
    act_rule_names(check, ACT_F_parallel_zero);
    act_rule_names(check, ACT_F_framework_preset);
    act_rule_mends(check, ACT_F_parallel_zero, highest);
    return true;
}

bool act_rule_zero_pipeline(const struct act_case *at, struct act_check *check)
{
    const struct act_plan *plan = at->plan;
    int64_t zero = plan->parallel.zero, highest = plan->framework.max_zero_pipeline;

    /* A stage that the framework has not at all is reported above. */
    if (plan->parallel.pipeline <= 1 || zero <= highest || zero > plan->framework.max_zero) {
        return false;
    }
    act_rule_says(check, ACT_ERROR, NAME " refuses ZeRO-%lld with PP %lld; ZeRO-%lld at most",
                  plan->framework.preset, (long long)zero, (long long)plan->parallel.pipeline,
                  (long long)highest);
    act_rule_names(check, ACT_F_parallel_zero);
    act_rule_names(check, ACT_F_parallel_pipeline);
    act_rule_mends(check, ACT_F_parallel_zero, highest);
    return true;
}

bool act_rule_no_pipeline(const struct act_case *at, struct act_check *check)
{
    int64_t stages = at->plan->parallel.pipeline;

    if (stages <= 1 || at->plan->framework.pipeline > 0) {
        return false;
    }
    act_rule_says(check, ACT_ERROR, NAME " has no pipeline, and PP is %lld; PP 1",
                  at->plan->framework.preset, (long long)stages);
    act_rule_names(check, ACT_F_parallel_pipeline);
    act_rule_names(check, ACT_F_framework_preset);
    act_rule_mends(check, ACT_F_parallel_pipeline, 1);
    return true;
}

bool act_rule_no_peak(const struct act_case *at, struct act_check *check)
{
    enum act_precision widest;

    if (at->time->peak > 0 || act_peak_widest(&at->plan->hardware, &widest)) {
        return false;
    }
    act_rule_says(check, ACT_ERROR,
                  NAME " lists no peak in any precision, so there is no time; give peak_tflops",
                  at->plan->hardware.preset);
    act_rule_names(check, ACT_F_hardware_peak_tflops);
    return true;
}

bool act_rule_precision(const struct act_case *at, struct act_check *check)
{
    const struct act_plan *plan = at->plan;
    int64_t precision = plan->training.precision;
    /* A peak that was typed in does not give an old card bf16. */
    bool emulated =
        precision == ACT_BF16 && is_before_ampere(plan) && plan->hardware.peak_bf16 <= 0;
    enum act_precision nearest;

    if (at->time->peak <= 0) {
        if (!act_peak_widest(&plan->hardware, &nearest)) {
            return false;
        }
        act_rule_says(check, ACT_ERROR,
                      NAME " lists no peak for %s, and what it lists is narrower, so there is no "
                           "time; give peak_tflops, or compute in %s",
                      plan->hardware.preset, name_of(ACT_F_training_precision, precision),
                      name_of(ACT_F_training_precision, nearest));
        act_rule_names(check, ACT_F_training_precision);
        act_rule_names(check, ACT_F_hardware_peak_tflops);
        act_rule_mends(check, ACT_F_training_precision, nearest);
        return true;
    }
    act_time_peak(plan, &nearest);
    if (!at->time->lacks_precision && !emulated) {
        return false;
    }
    if (!at->time->lacks_precision) {
        nearest = ACT_FP16;
    }
    act_rule_says(check, ACT_ERROR, NAME " has no %s; %s is the nearest it has",
                  plan->hardware.preset, name_of(ACT_F_training_precision, precision),
                  name_of(ACT_F_training_precision, nearest));
    act_rule_names(check, ACT_F_training_precision);
    act_rule_names(check, ACT_F_hardware_preset);
    act_rule_mends(check, ACT_F_training_precision, nearest);
    return true;
}

bool act_rule_flash(const struct act_case *at, struct act_check *check)
{
    const struct act_plan *plan = at->plan;

    if (plan->training.attention_kernel == ACT_MATH || !is_before_ampere(plan)) {
        return false;
    }
    act_rule_says(check, ACT_ERROR,
                  "%s attention needs compute capability 8.0, " NAME " has %lld.%lld; math works",
                  name_of(ACT_F_training_attention_kernel, plan->training.attention_kernel),
                  plan->hardware.preset, (long long)plan->hardware.compute_capability,
                  (long long)(plan->hardware.compute_capability * 10 + 0.5) % 10);
    act_rule_names(check, ACT_F_training_attention_kernel);
    act_rule_names(check, ACT_F_hardware_preset);
    act_rule_mends(check, ACT_F_training_attention_kernel, ACT_MATH);
    return true;
}

bool act_rule_grouped_matmul(const struct act_case *at, struct act_check *check)
{
    if (at->plan->model.experts <= 0 || !is_before_ampere(at->plan)) {
        return false;
    }
    act_rule_says(check, ACT_WARNING,
                  "grouped matmuls of %lld experts need compute capability 8.0, which " NAME
                  " has not: one matmul an expert is slower",
                  (long long)at->plan->model.experts, at->plan->hardware.preset);
    act_rule_names(check, ACT_F_hardware_preset);
    act_rule_names(check, ACT_F_model_experts);
    return true;
}

bool act_rule_recompute_flash(const struct act_case *at, struct act_check *check)
{
    const struct act_plan *plan = at->plan;

    if (plan->parallel.recompute != ACT_RECOMPUTE_ATTENTION ||
        plan->training.attention_kernel == ACT_MATH) {
        return false;
    }
    act_rule_says(check, ACT_NOTE,
                  "%s attention keeps no scores, so recomputing attention saves almost nothing",
                  name_of(ACT_F_training_attention_kernel, plan->training.attention_kernel));
    act_rule_names(check, ACT_F_parallel_recompute);
    act_rule_names(check, ACT_F_training_attention_kernel);
    act_rule_mends(check, ACT_F_parallel_recompute, ACT_RECOMPUTE_NONE);
    return true;
}

bool act_rule_attention_unmodelled(const struct act_case *at, struct act_check *check)
{
    const struct act_model_fields *model = &at->plan->model;

    if (model->linear_layers > 0) {
        act_rule_says(check, ACT_WARNING,
                      "linear attention of %lld layers is counted but not modelled: +-30 %%",
                      (long long)model->linear_layers);
        act_rule_names(check, ACT_F_model_linear_layers);
        return true;
    }
    if (model->attention == ACT_MLA && model->index_heads > 0) {
        act_rule_says(check, ACT_WARNING,
                      "sparse attention with %lld indexer heads is counted but not modelled: "
                      "+-30 %%",
                      (long long)model->index_heads);
        act_rule_names(check, ACT_F_model_index_heads);
        return true;
    }
    return false;
}

/* Megatron's --use-torch-fsdp2 refuses what follows (facts: rules V42). */
bool act_rule_torch_fsdp2(const struct act_case *at, struct act_check *check)
{
    const struct act_plan *plan = at->plan;

    if (plan->parallel.zero < 2) {
        return false;
    }
    const char *what = plan->parallel.expert > 1              ? "EP above 1"
                       : plan->training.precision == ACT_FP16 ? "fp16"
                       : plan->model.tied_embeddings > 0      ? "tied embeddings"
                                                              : NULL;
    if (what == NULL) {
        return false;
    }
    act_rule_says(check, ACT_ERROR, "ZeRO %lld is torch FSDP2 in Megatron, which refuses %s",
                  (long long)plan->parallel.zero, what);
    act_rule_names(check, ACT_F_parallel_zero);
    act_rule_mends(check, ACT_F_parallel_zero, 1);
    return true;
}

bool act_rule_low_precision(const struct act_case *at, struct act_check *check)
{
    if (at->plan->training.precision < ACT_FP8) {
        return false;
    }
    act_rule_says(check, ACT_NOTE,
                  "memory in 8 and 4 bits is taken as bf16 and 5 %% more; measured runs disagree");
    act_rule_names(check, ACT_F_training_precision);
    return true;
}

bool act_rule_unvalidated(const struct act_case *at, struct act_check *check)
{
    if (at->plan->framework.validated != 0) {
        return false;
    }
    act_rule_says(check, ACT_NOTE,
                  "memory of " NAME " was not compared with measured runs: +-%d %%",
                  at->plan->framework.preset, (int)(100 * at->memory->error + 0.5));
    act_rule_names(check, ACT_F_framework_preset);
    return true;
}

bool act_rule_usable_assumed(const struct act_case *at, struct act_check *check)
{
    const struct act_hardware_fields *card = &at->plan->hardware;
    if (at->raw->hardware.usable_memory > 0) {
        return false;
    }
    act_rule_says(check, ACT_NOTE, "usable memory of " NAME " is assumed: %d %% of the marketed",
                  card->preset, (int)(card->usable_memory / card->memory * 100 + 0.5));
    act_rule_names(check, ACT_F_hardware_usable_memory);
    return true;
}
