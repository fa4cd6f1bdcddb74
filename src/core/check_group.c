/* Rules on the groups of GPUs and the sequence and batch they share (facts: rules V17-V19,
 * V22-V24, V27, V28, V30). */
#include "check_rules.h"

/* Largest EP at most the present one that divides the experts and, times `width`, the `group`
 * of GPUs the experts are spread over. */
static int64_t expert_below(const struct act_plan *plan, int64_t group, int64_t width)
{
    for (int64_t expert = plan->parallel.expert; expert > 1; expert--) {
        if (plan->model.experts % expert == 0 && group % (expert * width) == 0) {
            return expert;
        }
    }
    return 1;
}

bool act_rule_expert_experts(const struct act_case *at, struct act_check *check)
{
    int64_t experts = at->plan->model.experts, expert = at->plan->parallel.expert;
    char near[ACT_NEIGHBOURS];

    if (expert <= 1 || (experts > 0 && experts % expert == 0)) {
        return false;
    }
    if (experts <= 0) {
        act_rule_says(check, ACT_ERROR, "EP %lld needs experts, and the model has 0; EP 1",
                      (long long)expert);
    } else {
        act_rule_says(check, ACT_ERROR, "%lld experts do not divide by EP %lld; EP %s would",
                      (long long)experts, (long long)expert,
                      act_neighbours(act_divisor_below(experts, expert),
                                     act_divisor_above(experts, expert), near));
    }
    act_rule_names(check, ACT_F_parallel_expert);
    act_rule_names(check, ACT_F_model_experts);
    act_rule_mends(check, ACT_F_parallel_expert,
                   experts > 0 ? act_divisor_below(experts, expert) : 1);
    return true;
}

bool act_rule_expert_group(const struct act_case *at, struct act_check *check)
{
    const struct act_parallel_fields *parallel = &at->plan->parallel;
    int64_t group = parallel->tensor * parallel->context * parallel->data;
    int64_t width = parallel->expert_tensor > 0 ? parallel->expert_tensor : 1;
    int64_t fitting_width = group % width == 0 ? width : 1;

    if (at->plan->model.experts <= 0 || group % (parallel->expert * width) == 0) {
        return false;
    }
    int64_t below = expert_below(at->plan, group, fitting_width);
    act_rule_says(check, ACT_ERROR,
                  "TP x CP x DP = %lld GPUs do not divide by EP x expert TP = %lld; EP %lld with "
                  "expert TP %lld would",
                  (long long)group, (long long)(parallel->expert * width), (long long)below,
                  (long long)fitting_width);
    act_rule_names(check, ACT_F_parallel_expert);
    act_rule_names(check, ACT_F_parallel_expert_tensor);
    act_rule_names(check, ACT_F_parallel_data);
    act_rule_mends(check, ACT_F_parallel_expert, below);
    if (fitting_width != width) {
        act_rule_mends(check, ACT_F_parallel_expert_tensor, fitting_width);
    }
    return true;
}

bool act_rule_expert_shard(const struct act_case *at, struct act_check *check)
{
    const struct act_parallel_fields *parallel = &at->plan->parallel;
    int64_t group = at->layout->shard * parallel->tensor;

    if (at->plan->model.experts <= 0 || group % parallel->expert == 0) {
        return false;
    }
    int64_t below = expert_below(at->plan, group, 1);
    act_rule_says(check, ACT_ERROR,
                  "shard group x TP = %lld GPUs do not divide by EP %lld; EP %lld would",
                  (long long)group, (long long)parallel->expert, (long long)below);
    act_rule_names(check, ACT_F_parallel_expert);
    act_rule_names(check, ACT_F_parallel_data);
    act_rule_mends(check, ACT_F_parallel_expert, below);
    return true;
}

bool act_rule_shard_group(const struct act_case *at, struct act_check *check)
{
    const struct act_parallel_fields *parallel = &at->plan->parallel;
    int64_t group = parallel->data * parallel->context, shard = parallel->shard_group;

    if (shard < 1 || group % shard == 0) {
        return false;
    }
    int64_t below = act_divisor_below(group, shard);
    act_rule_says(check, ACT_ERROR, "DP x CP = %lld do not divide by shard group %lld; %lld would",
                  (long long)group, (long long)shard, (long long)below);
    act_rule_names(check, ACT_F_parallel_shard_group);
    act_rule_names(check, ACT_F_parallel_data);
    act_rule_mends(check, ACT_F_parallel_shard_group, below);
    return true;
}

/* The multiple of `unit` nearest to the sequence, within a learned position table; 0: none. */
static int64_t sequence_near(const struct act_plan *plan, int64_t unit)
{
    int64_t near = act_multiple_near(plan->training.sequence, unit);
    int64_t positions = plan->model.max_positions;

    if (plan->model.positions == ACT_LEARNED && positions > 0 && near > positions) {
        near = positions / unit * unit;
    }
    return near;
}

bool act_rule_context_sequence(const struct act_case *at, struct act_check *check)
{
    const struct act_plan *plan = at->plan;
    int64_t context = plan->parallel.context, sequence = plan->training.sequence;
    bool fsdp = plan->framework.family == ACT_FSDP;
    /* Causal balance cuts the sequence in 2 CP pieces; torchtitan then cuts each by TP. */
    int64_t others = 2 * (fsdp ? plan->parallel.tensor : 1);
    int64_t unit = others * context;
    char near[ACT_NEIGHBOURS];

    if (context <= 1 || sequence % unit == 0) {
        return false;
    }
    int64_t below = context;
    while (below > 1 && sequence % (others * below) != 0) {
        below--;
    }
    int64_t down = sequence / unit * unit;
    act_rule_says(check, ACT_ERROR,
                  "sequence %lld does not divide by 2 x CP %lld%s = %lld; sequence %s would",
                  (long long)sequence, (long long)context, fsdp ? " x TP" : "", (long long)unit,
                  act_neighbours(down, down + unit, near));
    act_rule_names(check, ACT_F_parallel_context);
    act_rule_names(check, ACT_F_training_sequence);
    /* An odd CP is mended itself, an odd length for a sound CP is rounded. */
    int64_t rounded = sequence_near(at->plan, unit);
    if (below * 2 >= context || rounded == 0) {
        act_rule_mends(check, ACT_F_parallel_context, below);
    } else {
        act_rule_mends(check, ACT_F_training_sequence, rounded);
    }
    return true;
}

bool act_rule_sequence_tensor(const struct act_case *at, struct act_check *check)
{
    const struct act_parallel_fields *parallel = &at->plan->parallel;
    int64_t sequence = at->plan->training.sequence;
    int64_t unit = parallel->tensor * parallel->context;
    char near[ACT_NEIGHBOURS];

    if (parallel->sequence_parallel <= 0 || parallel->tensor <= 1 || sequence % unit == 0) {
        return false;
    }
    int64_t below = parallel->tensor;
    while (below > 1 &&
           (sequence % (below * parallel->context) != 0 || !act_tensor_divides(at->plan, below))) {
        below--;
    }
    /* With CP a rounded length keeps V22 whole as well. */
    int64_t whole = parallel->context > 1 ? 2 * unit : unit;
    int64_t down = sequence / whole * whole;
    act_rule_says(check, ACT_ERROR,
                  "with SP, sequence %lld does not divide by TP %lld%s; sequence %s would",
                  (long long)sequence, (long long)parallel->tensor,
                  parallel->context > 1 ? " x CP" : "", act_neighbours(down, down + whole, near));
    act_rule_names(check, ACT_F_training_sequence);
    act_rule_names(check, ACT_F_parallel_tensor);
    act_rule_names(check, ACT_F_parallel_sequence_parallel);
    /* As above: an odd TP is mended itself, an odd length for a sound TP is rounded. */
    int64_t rounded = sequence_near(at->plan, whole);
    bool tensor_helps = sequence % (below * parallel->context) == 0;
    if (tensor_helps && (below * 2 >= parallel->tensor || rounded == 0)) {
        act_rule_mends(check, ACT_F_parallel_tensor, below);
    } else if (rounded > 0) {
        act_rule_mends(check, ACT_F_training_sequence, rounded);
    } else {
        act_rule_mends(check, ACT_F_parallel_sequence_parallel, 0);
    }
    return true;
}

bool act_rule_sequence_parallel_alone(const struct act_case *at, struct act_check *check)
{
    const struct act_parallel_fields *parallel = &at->plan->parallel;

    if (parallel->sequence_parallel <= 0 || parallel->tensor > 1) {
        return false;
    }
    act_rule_says(check, ACT_WARNING,
                  "SP does nothing at TP %lld and some launchers refuse it; turn it off",
                  (long long)parallel->tensor);
    act_rule_names(check, ACT_F_parallel_sequence_parallel);
    act_rule_names(check, ACT_F_parallel_tensor);
    act_rule_mends(check, ACT_F_parallel_sequence_parallel, 0);
    return true;
}

bool act_rule_positions(const struct act_case *at, struct act_check *check)
{
    int64_t positions = at->plan->model.max_positions, sequence = at->plan->training.sequence;
    bool learned = at->plan->model.positions == ACT_LEARNED;

    if (positions < 1 || sequence <= positions) {
        return false;
    }
    act_rule_says(check, learned ? ACT_ERROR : ACT_WARNING,
                  "sequence %lld is longer than the model's %lld positions%s", (long long)sequence,
                  (long long)positions, learned ? "" : "; it needs RoPE scaling");
    act_rule_names(check, ACT_F_training_sequence);
    act_rule_names(check, ACT_F_model_max_positions);
    if (learned) {
        /* A length that TP and CP divide too: mending them must not lead back here. */
        const struct act_parallel_fields *parallel = &at->plan->parallel;
        int64_t unit =
            parallel->sequence_parallel > 0 && parallel->tensor > 1 ? parallel->tensor : 1;
        unit *= parallel->context > 1 ? 2 * parallel->context : 1;
        int64_t down = positions / unit * unit;
        act_rule_mends(check, ACT_F_training_sequence, down > 0 ? down : positions);
    } else {
        act_rule_mends(check, ACT_F_model_max_positions, sequence);
    }
    return true;
}

bool act_rule_tensor_node(const struct act_case *at, struct act_check *check)
{
    int64_t tensor = at->plan->parallel.tensor, domain = at->plan->hardware.link_domain;

    if (domain < 1 || tensor <= domain) {
        return false;
    }
    int64_t below = act_tensor_below(at->plan, domain);
    int percent = act_rule_tensor_percent(at->time);
    if (percent >= 0) {
        act_rule_says(check, ACT_WARNING,
                      "TP %lld leaves the fast link of %lld GPUs: its traffic takes %d %% of the "
                      "step; TP %lld stays",
                      (long long)tensor, (long long)domain, percent, (long long)below);
    } else {
        act_rule_says(
            check, ACT_WARNING,
            "TP %lld leaves the fast link of %lld GPUs and is very slow there; TP %lld stays",
            (long long)tensor, (long long)domain, (long long)below);
    }
    act_rule_names(check, ACT_F_parallel_tensor);
    act_rule_names(check, ACT_F_hardware_link_domain);
    act_rule_mends(check, ACT_F_parallel_tensor, below);
    return true;
}

bool act_rule_global_batch(const struct act_case *at, struct act_check *check)
{
    const struct act_plan *plan = at->plan;
    int64_t batch = plan->training.global_batch, micro = plan->training.micro_batch;
    int64_t data = plan->parallel.data;
    int64_t unit = micro * data;
    char near[ACT_NEIGHBOURS];

    if (batch % unit == 0) {
        return false;
    }
    int64_t down = batch / unit * unit;
    act_rule_says(
        check, ACT_ERROR,
        "global batch %lld does not divide by micro batch %lld x DP %lld = %lld; %s would",
        (long long)batch, (long long)micro, (long long)data, (long long)unit,
        act_neighbours(down, down + unit, near));
    act_rule_names(check, ACT_F_training_global_batch);
    act_rule_names(check, ACT_F_training_micro_batch);
    act_rule_names(check, ACT_F_parallel_data);
    /* Interleaving wants whole groups of PP micro batches (V15): mend both at once. */
    int64_t group = plan->parallel.interleave > 1 ? plan->parallel.pipeline : 1;
    act_rule_mends(check, ACT_F_training_global_batch, act_multiple_near(batch, unit * group));
    if (check->repairs == 0) {
        act_rule_mends(check, ACT_F_training_micro_batch, 1);
        act_rule_mends(check, ACT_F_training_global_batch, act_multiple_near(batch, data));
    }
    return true;
}
