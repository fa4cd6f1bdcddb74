/* What an estimated step waits for, and what its estimate assumes (timing.md 2, 6, 7). */
#include "check_rules.h"

#include <actuary/field.h>
#include <actuary/units.h>

#include <stdio.h>

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

bool act_rule_bubble(const struct act_case *at, struct act_check *check)
{
    const struct act_parallel_fields *parallel = &at->plan->parallel;

    if (!is_much(at->time, ACT_TIME_BUBBLE)) {
        return false;
    }
    act_rule_says(check, ACT_WARNING,
                  "%lld stages idle %d %% of the step with %lld micro batches: a larger global "
                  "batch, fewer stages or more chunks idle less",
                  (long long)parallel->pipeline, percent(at->time, ACT_TIME_BUBBLE),
                  (long long)at->layout->micro_batches);
    act_rule_names(check, ACT_F_parallel_pipeline);
    act_rule_names(check, ACT_F_training_global_batch);
    act_rule_names(check, ACT_F_parallel_interleave);
    return true;
}

bool act_rule_data_traffic(const struct act_case *at, struct act_check *check)
{
    const struct act_plan *plan = at->plan;
    double ranks = (double)plan->parallel.data * (double)plan->parallel.context *
                   (double)plan->parallel.tensor;
    bool leaves = ranks > (double)plan->hardware.link_domain;
    double speed = leaves ? plan->hardware.nic_bandwidth : plan->hardware.link_bandwidth;
    char text[FIGURE];

    if (!is_much(at->time, ACT_TIME_DATA)) {
        return false;
    }
    act_rule_says(check, ACT_WARNING,
                  "ZeRO %lld over %s of %s GB/s a GPU: gradients and weights take %d %% of the "
                  "step; more tokens a GPU and step hide them",
                  (long long)plan->parallel.zero, leaves ? "NICs" : "links",
                  figure(speed / 1e9, speed < 1e11 ? 1 : 0, text),
                  percent(at->time, ACT_TIME_DATA));
    act_rule_names(check, ACT_F_parallel_zero);
    act_rule_names(check, leaves ? ACT_F_hardware_nic_bandwidth : ACT_F_hardware_link_bandwidth);
    act_rule_names(check, ACT_F_training_global_batch);
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
                  "head width %lld is no multiple of 8: its scores are computed at 14 %% of the "
                  "matmul rate instead of 55 %%",
                  (long long)width);
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
    static const char *const bubbles[] = {
        [ACT_1F1B] = NULL,
        [ACT_GPIPE] = NULL,
        [ACT_ZB_1P] = "a third of 1F1B's",
        [ACT_ZB_2P] = "none",
        [ACT_DUALPIPE] = "half of 1F1B's",
    };
    const struct act_parallel_fields *parallel = &at->plan->parallel;
    const char *bubble = parallel->pipeline > 1 ? bubbles[parallel->schedule] : NULL;

    if (!at->time->estimated) {
        return false;
    }
    if (parallel->offload != ACT_OFFLOAD_NONE) {
        act_rule_says(check, ACT_NOTE,
                      "offload of %s is taken to make a step %s times as long: approximate",
                      act_field(ACT_F_parallel_offload)->names[parallel->offload],
                      parallel->offload == ACT_OFFLOAD_OPTIMIZER ? "1.9" : "4.2");
        act_rule_names(check, ACT_F_parallel_offload);
        return true;
    }
    if (bubble == NULL) {
        return false;
    }
    act_rule_says(check, ACT_NOTE, "the bubble of %s is taken as %s: approximate",
                  act_field(ACT_F_parallel_schedule)->names[parallel->schedule], bubble);
    act_rule_names(check, ACT_F_parallel_schedule);
    return true;
}

bool act_rule_time_untested(const struct act_case *at, struct act_check *check)
{
    const struct act_plan *plan = at->plan;
    bool card = plan->hardware.step_error >= 0.25, framework = plan->framework.step_error >= 0.25;

    if (!at->time->estimated || (!card && !framework)) {
        return false;
    }
    act_rule_says(
        check, ACT_NOTE, "few or no step times of " NAME "%s" NAME " were compared: +-%d %%",
        card ? plan->hardware.preset : plan->framework.preset, card && framework ? " and " : "",
        card && framework ? plan->framework.preset : "", (int)(100 * at->time->error_bar + 0.5));
    act_rule_names(check, card ? ACT_F_hardware_preset : ACT_F_framework_preset);
    return true;
}
