/* What an estimated step waits for, and what its estimate assumes (timing.md 2, 6, 7). */
#include "check_rules.h"
#include "core/timing_parts.h"

#include <actuary/field.h>
#include <actuary/units.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* From here on a part of the step is worth a warning. */
static const double much = 0.20;

static int percent(const struct act_time *time, enum act_time_part part)
{
    return (int)(100 * time->part[part] / time->step_seconds + 0.5);
}

static bool is_much(const struct act_time *time, enum act_time_part part)
{
    return time->estimated && time->step_seconds > 0 &&
           time->part[part] >= much * time->step_seconds;
}

/* Preset names are free text of up to 63 characters; messages show this much of one. */
#define NAME "%.32s"

enum { FIGURE = 32 };

/* Messages may hold fractions as texts only: printf would follow the locale. */
static const char *figure(double value, int decimals, char out[FIGURE])
{
    act_number_format(value, decimals, true, out, FIGURE);
    return out;
}

int act_rule_tensor_percent(const struct act_time *time)
{
    return time->estimated && time->step_seconds > 0 ? percent(time, ACT_TIME_TENSOR) : -1;
}

/* Words joined as "a, b or c". */
static void add_cure(char *out, size_t size, const char *cure, bool last)
{
    size_t length = strlen(out);

    if (length < size)
        snprintf(out + length, size - length, "%s%s",
                 length == 0 ? ""
                 : last      ? " or "
                             : ", ",
                 cure);
}

/* Another chunk a stage: there are layers for it, and Megatron deals micro batches out evenly. */
static bool takes_more_chunks(const struct act_case *at)
{
    const struct act_parallel_fields *parallel = &at->plan->parallel;
    double p = (double)parallel->pipeline;
    bool even =
        at->plan->framework.family != ACT_MEGATRON || fmod(at->layout->micro_batches, p) == 0;

    return even && (double)at->plan->model.layers / p > at->layout->chunks;
}

bool act_rule_bubble(const struct act_case *at, struct act_check *check)
{
    const struct act_parallel_fields *parallel = &at->plan->parallel;
    double batches = at->layout->micro_batches;
    bool plain = parallel->schedule == ACT_1F1B || parallel->schedule == ACT_GPIPE;
    bool chunks = takes_more_chunks(at), single = at->layout->chunks <= 1;
    bool small = at->plan->training.micro_batch > 1;
    char cures[ACT_CHECK_TEXT] = "", count[FIGURE];

    if (!is_much(at->time, ACT_TIME_BUBBLE)) {
        return false;
    }
    if (small)
        add_cure(cures, sizeof cures, "a smaller micro batch", false);
    add_cure(cures, sizeof cures, "a larger global batch", false);
    add_cure(cures, sizeof cures, "fewer stages", !chunks && !(plain && single));
    if (chunks)
        add_cure(cures, sizeof cures, "more chunks", !(plain && single));
    if (plain && single)
        add_cure(cures, sizeof cures, "a zero-bubble schedule", true);
    act_rule_says(check, ACT_WARNING,
                  "%lld stages idle %d %% of the step with %s micro batch%s: %s idle less",
                  (long long)parallel->pipeline, percent(at->time, ACT_TIME_BUBBLE),
                  figure(batches, 0, count), batches > 1 ? "es" : "", cures);
    if (small)
        act_rule_names(check, ACT_F_training_micro_batch);
    act_rule_names(check, ACT_F_training_global_batch);
    act_rule_names(check, ACT_F_parallel_pipeline);
    if (chunks)
        act_rule_names(check, ACT_F_parallel_interleave);
    else if (plain && single)
        act_rule_names(check, ACT_F_parallel_schedule);
    return true;
}

/* ZeRO-3 moves weights for every micro batch: what moves less is fewer of them, weights that stay,
 * or a group within the link. A larger global batch alone does nothing. */
static void say_gathered(const struct act_case *at, bool leaves, const char *speed,
                         struct act_check *check)
{
    const struct act_plan *plan = at->plan;
    bool once = at->layout->micro_batches <= 1;
    double inside = (double)plan->hardware.link_domain / (double)plan->parallel.tensor;
    bool inner = leaves && inside > 1 && inside < (double)at->layout->shard;

    act_rule_says(check, ACT_WARNING,
                  "ZeRO 3 over %s of %s a GPU moves weights for every micro batch, %d %% of the "
                  "step: a larger micro batch%s%s ZeRO 1 or 2%s move less",
                  leaves ? "NICs" : "links", speed, percent(at->time, ACT_TIME_DATA),
                  once ? " and global batch" : "", inner ? "," : " or",
                  inner ? " or a shard group within the link" : "");
    act_rule_names(check, ACT_F_training_micro_batch);
    act_rule_names(check, ACT_F_parallel_zero);
    if (inner)
        act_rule_names(check, ACT_F_parallel_shard_group);
    if (once)
        act_rule_names(check, ACT_F_training_global_batch);
}

bool act_rule_data_traffic(const struct act_case *at, struct act_check *check)
{
    const struct act_plan *plan = at->plan;
    bool gathered = plan->parallel.zero >= 3;
    double ranks = gathered ? (double)at->layout->shard
                            : (double)plan->parallel.data * (double)plan->parallel.context;
    bool leaves = ranks * (double)plan->parallel.tensor > (double)plan->hardware.link_domain;
    double speed = leaves ? plan->hardware.nic_bandwidth : plan->hardware.link_bandwidth;
    char text[FIGURE];

    if (!is_much(at->time, ACT_TIME_DATA)) {
        return false;
    }
    act_quantity_format(speed, ACT_UNIT_BANDWIDTH, ACT_STYLE_SHORT, text, sizeof text);
    if (gathered) {
        say_gathered(at, leaves, text, check);
        return true;
    }
    act_rule_says(check, ACT_WARNING,
                  "ZeRO %lld over %s of %s a GPU: gradients and weights take %d %% of the step; "
                  "more tokens a GPU and step hide them",
                  (long long)plan->parallel.zero, leaves ? "NICs" : "links", text,
                  percent(at->time, ACT_TIME_DATA));
    act_rule_names(check, ACT_F_training_global_batch);
    act_rule_names(check, leaves ? ACT_F_hardware_nic_bandwidth : ACT_F_hardware_link_bandwidth);
    return true;
}

bool act_rule_expert_traffic(const struct act_case *at, struct act_check *check)
{
    const struct act_plan *plan = at->plan;
    const struct act_time *time = at->time;
    const double worth = 0.10;

    if (!time->estimated || !(time->step_seconds > 0) || plan->model.experts <= 0 ||
        plan->parallel.expert <= plan->hardware.link_domain ||
        time->part[ACT_TIME_EXPERT] <= worth * time->step_seconds) {
        return false;
    }
    act_rule_says(
        check, ACT_NOTE,
        "EP %lld leaves the link of %lld GPUs: %d %% of the all-to-all is shown, %d %% of "
        "the step; tuned kernels hide more",
        (long long)plan->parallel.expert, (long long)plan->hardware.link_domain,
        (int)(100 * ACT_EXPERT_VISIBLE + 0.5), percent(time, ACT_TIME_EXPERT));
    act_rule_names(check, ACT_F_parallel_expert);
    act_rule_names(check, ACT_F_hardware_link_domain);
    return true;
}

/* More than the peak: nothing computes that. */
bool act_rule_hfu(const struct act_case *at, struct act_check *check)
{
    const struct act_time *time = at->time;

    if (time->estimated || time->hfu <= 1 + 1e-9) {
        return false;
    }
    double most = floor(100 * time->mfu / time->hfu) / 100;
    char given[FIGURE], needed[FIGURE];
    act_rule_says(check, ACT_WARNING,
                  "MFU %s %% with what is computed again is HFU %s %%, more than the peak: at most "
                  "%d %% can be",
                  figure(100 * time->mfu, 0, given), figure(100 * time->hfu, 0, needed),
                  (int)(100 * most + 0.5));
    act_rule_names(check, ACT_F_hardware_mfu);
    act_rule_names(check, ACT_F_parallel_recompute);
    act_rule_mends_real(check, ACT_F_hardware_mfu, most);
    return true;
}

bool act_rule_launch_bound(const struct act_case *at, struct act_check *check)
{
    const struct act_step_time *step = &at->time->step;
    const struct act_layer_time *layer = step->moe.launch > 0 ? &step->moe : &step->dense;
    char host[FIGURE], work[FIGURE];

    if (!at->time->estimated || at->time->binding != ACT_BOUND_LAUNCH) {
        return false;
    }
    act_rule_says(check, ACT_WARNING,
                  "CPU launch bound: launching a %slayer takes %s ms, its kernels %s; a larger "
                  "micro batch%s would fill the GPU",
                  step->moe.launch > 0 ? "MoE " : "", figure(1e3 * layer->host, 1, host),
                  figure(1e3 * (layer->seconds - layer->launch), 1, work),
                  at->plan->framework.cuda_graphs > 0 ? "" : " or CUDA graphs");
    act_rule_names(check, ACT_F_training_micro_batch);
    act_rule_names(check, ACT_F_framework_cuda_graphs);
    return true;
}

bool act_rule_head_width(const struct act_case *at, struct act_check *check)
{
    const struct act_model_fields *model = &at->plan->model;
    bool mla = model->attention == ACT_MLA;
    int64_t width = mla ? model->qk_nope_dim + model->qk_rope_dim : model->head_dim;

    if (!at->time->estimated || at->plan->training.attention_kernel != ACT_MATH || width % 8 == 0) {
        return false;
    }
    act_rule_says(check, ACT_WARNING,
                  "head width %lld is no multiple of 8: its scores are computed at %d %% of the "
                  "matmul rate instead of %d %%",
                  (long long)width, (int)(100 * ACT_ODD_SCORES_SHARE + 0.5),
                  (int)(100 * ACT_SCORES_SHARE + 0.5));
    act_rule_names(check, mla ? ACT_F_model_qk_rope_dim : ACT_F_model_head_dim);
    act_rule_names(check, ACT_F_training_attention_kernel);
    return true;
}

bool act_rule_mfu_given(const struct act_case *at, struct act_check *check)
{
    if (at->raw->hardware.mfu != ACT_AUTO || at->plan->framework.family != ACT_TEXTBOOK) {
        return false;
    }
    act_rule_says(check, ACT_NOTE,
                  NAME " has no step to estimate: MFU is taken as %d %%, the prudent figure; give "
                       "one, or another framework",
                  at->plan->framework.preset, (int)(100 * at->plan->hardware.mfu + 0.5));
    act_rule_names(check, ACT_F_hardware_mfu);
    act_rule_names(check, ACT_F_framework_preset);
    return true;
}

bool act_rule_time_approximate(const struct act_case *at, struct act_check *check)
{
    const struct act_parallel_fields *parallel = &at->plan->parallel;
    double left = parallel->pipeline > 1 ? act_bubble_share(parallel->schedule) : 1;
    char text[FIGURE];

    if (!at->time->estimated) {
        return false;
    }
    if (parallel->offload != ACT_OFFLOAD_NONE) {
        act_rule_says(check, ACT_NOTE,
                      "offload of %s is taken to make a step %s times as long: approximate",
                      act_field(ACT_F_parallel_offload)->names[parallel->offload],
                      figure(act_offload_factor(parallel->offload), 1, text));
        act_rule_names(check, ACT_F_parallel_offload);
        return true;
    }
    if (left >= 1) {
        return false;
    }
    snprintf(text, sizeof text, left > 0 ? "%d %% of 1F1B's" : "none", (int)(100 * left + 0.5));
    act_rule_says(check, ACT_NOTE, "the bubble of %s is taken as %s: approximate",
                  act_field(ACT_F_parallel_schedule)->names[parallel->schedule], text);
    act_rule_names(check, ACT_F_parallel_schedule);
    return true;
}

/* Card, framework and what else lies apart; approximations are said by the rule above. */
bool act_rule_time_untested(const struct act_case *at, struct act_check *check)
{
    const struct act_plan *plan = at->plan;
    bool card = plan->hardware.step_error >= 0.25, framework = plan->framework.step_error >= 0.25;
    struct act_untested untested = {"", ACT_F_hardware_preset};
    bool other = act_time_untested(plan, &untested) && untested.field != ACT_F_parallel_offload &&
                 untested.field != ACT_F_parallel_schedule;
    const char *what[] = {plan->hardware.preset, plan->framework.preset, untested.what};
    const bool is[] = {card, framework, other};
    char names[ACT_CHECK_TEXT] = "";

    if (!at->time->estimated || !(at->time->step_seconds > 0) || (!card && !framework && !other)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(names);
        if (is[i])
            snprintf(names + length, sizeof names - length, "%s" NAME, length > 0 ? " and " : "",
                     what[i]);
    }
    act_rule_says(check, ACT_NOTE, "few or no step times of %s were compared: +-%d %%", names,
                  (int)(100 * at->time->error_bar + 0.5));
    act_rule_names(check, card        ? ACT_F_hardware_preset
                          : framework ? ACT_F_framework_preset
                                      : untested.field);
    return true;
}
