/* Memory and deadline: whether the plan does what it is for, and the first simple change that
 * would make it. */
#include "check_rules.h"

#include <actuary/field.h>
#include <actuary/model.h>
#include <actuary/profile.h>
#include <actuary/units.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A change to try: factors on TP, PP and DP, and what else is turned on. */
struct attempt {
    int tensor, pipeline, data;
    bool micro_batch; /* 1 */
    bool zero;        /* the highest stage the framework takes */
    bool recompute;   /* full */
};

/* From the change that costs least to the one that costs most; GPUs are bought last. */
static const struct attempt attempts[] = {
    {.tensor = 1, .pipeline = 1, .data = 1, .micro_batch = true},
    {.tensor = 1, .pipeline = 1, .data = 1, .zero = true},
    {.tensor = 1, .pipeline = 1, .data = 1, .recompute = true},
    {.tensor = 2, .pipeline = 1, .data = 1},
    {.tensor = 1, .pipeline = 2, .data = 1},
    {.tensor = 4, .pipeline = 1, .data = 1},
    {.tensor = 8, .pipeline = 1, .data = 1},
    {.tensor = 8, .pipeline = 2, .data = 1},
    {.tensor = 2, .pipeline = 1, .data = 1, .recompute = true},
    {.tensor = 2, .pipeline = 2, .data = 1, .recompute = true},
    {.tensor = 8, .pipeline = 1, .data = 1, .recompute = true},
    {.tensor = 8, .pipeline = 4, .data = 1, .recompute = true},
    {.tensor = 1, .pipeline = 1, .data = 4},
};

enum { ATTEMPTS = sizeof attempts / sizeof attempts[0] };

/* What an attempt may change; no attempt changes more than a check has room for. */
static const enum act_field_id changed_fields[] = {
    ACT_F_parallel_tensor, ACT_F_parallel_pipeline,  ACT_F_parallel_data,
    ACT_F_parallel_zero,   ACT_F_parallel_recompute, ACT_F_training_micro_batch,
};

enum { CHANGED_FIELDS = sizeof changed_fields / sizeof changed_fields[0] };

static bool differs(const struct act_plan *a, const struct act_plan *b, enum act_field_id field)
{
    return fabs(act_field_number(a, field) - act_field_number(b, field)) > 0;
}

static void set(struct act_plan *plan, enum act_field_id field, int64_t value)
{
    act_field_set_number(plan, field, (double)value);
}

/* The attempt on a copy of `raw`; GPUs are held: DP pays for it, or it is not made. False when it
 * changes nothing or leads out of the fields' ranges or the fast link. */
static bool make_change(const struct act_plan *raw, const struct attempt *attempt,
                        const struct act_plan *resolved, struct act_plan *ret)
{
    int64_t tensor = raw->parallel.tensor * attempt->tensor;
    int64_t pipeline = raw->parallel.pipeline * attempt->pipeline;
    int64_t data = raw->parallel.data;
    int split = attempt->tensor * attempt->pipeline;
    const struct act_framework_fields *framework = &raw->framework;

    *ret = *raw;
    if (attempt->micro_batch && raw->training.micro_batch > 1) {
        set(ret, ACT_F_training_micro_batch, 1);
    }
    if (attempt->zero) {
        int64_t zero = framework->max_zero;
        if (pipeline > 1 && zero > framework->max_zero_pipeline) {
            zero = framework->max_zero_pipeline;
        }
        if (zero > resolved->parallel.zero) {
            set(ret, ACT_F_parallel_zero, zero);
        }
    }
    if (attempt->recompute && resolved->parallel.recompute != ACT_RECOMPUTE_FULL) {
        set(ret, ACT_F_parallel_recompute, ACT_RECOMPUTE_FULL);
    }
    if (attempt->tensor > 1) {
        if (tensor > resolved->hardware.link_domain ||
            (double)tensor > act_field(ACT_F_parallel_tensor)->max) {
            return false;
        }
        set(ret, ACT_F_parallel_tensor, tensor);
    }
    if (attempt->pipeline > 1) {
        if (pipeline > ACT_STAGES_MAX) {
            return false;
        }
        set(ret, ACT_F_parallel_pipeline, pipeline);
    }
    if (data % split != 0) { /* would take more GPUs */
        return false;
    }
    data = data / split * attempt->data;
    if ((double)data > act_field(ACT_F_parallel_data)->max) {
        return false;
    }
    if (data != raw->parallel.data) {
        set(ret, ACT_F_parallel_data, data);
    }
    for (int i = 0; i < CHANGED_FIELDS; i++) {
        if (differs(raw, ret, changed_fields[i])) {
            return true;
        }
    }
    return false;
}

static enum act_fit fit_of(const struct act_plan *raw, const struct act_case *at)
{
    struct act_plan plan;
    struct act_parameters parameters;
    struct act_layout layout;
    struct act_memory memory;

    act_plan_resolve(raw, &plan);
    act_layout_of(&plan, &layout);
    const struct act_case then = {raw, &plan, &layout, at->memory, at->time, NULL};
    if (act_rule_errors(&then) > 0) {
        return ACT_DOES_NOT_FIT;
    }
    act_model_count(&plan, &parameters);
    act_memory_of(&plan, &parameters, &layout, &memory);
    return act_memory_fit(&memory);
}

/* Adds the first change that makes the plan fit, or, when `tight` will do, the first that makes it
 * at least tight. */
static void find_mend(const struct act_case *at, struct act_check *check, bool tight)
{
    struct act_plan changed;
    int found = -1;

    if (act_rule_errors(at) > 0) { /* rules come first: a change must not build on a broken one */
        return;
    }
    for (int i = 0; i < ATTEMPTS; i++) {
        bool buys = attempts[i].data > 1; /* GPUs: only when nothing else makes it fit */
        if (buys && (found >= 0 || !tight)) {
            continue;
        }
        if (!make_change(at->raw, &attempts[i], at->plan, &changed)) {
            continue;
        }
        enum act_fit fit = fit_of(&changed, at);
        if (fit == ACT_FITS) {
            found = i;
            break;
        }
        if (fit == ACT_TIGHT && tight && found < 0) {
            found = i;
        }
    }
    if (found < 0) {
        return;
    }
    make_change(at->raw, &attempts[found], at->plan, &changed);
    for (int i = 0; i < CHANGED_FIELDS; i++) {
        if (differs(at->raw, &changed, changed_fields[i])) {
            act_rule_mends(check, changed_fields[i],
                           (int64_t)act_field_number(&changed, changed_fields[i]));
        }
    }
}

static void names_layout(struct act_check *check)
{
    act_rule_names(check, ACT_F_hardware_usable_memory);
    act_rule_names(check, ACT_F_parallel_tensor);
    act_rule_names(check, ACT_F_parallel_pipeline);
    act_rule_names(check, ACT_F_parallel_recompute);
}

/* When no simple change helps: how many such cards hold the states alone, all of them sharded. */
static void add_floor(const struct act_case *at, struct act_check *check)
{
    struct act_parameters parameters;
    struct act_profile profile;
    size_t length = strlen(check->message);
    char count[32];

    if (at->plan->training.method != ACT_FULL || at->plan->framework.family == ACT_TEXTBOOK ||
        at->memory->usable <= 0) {
        return;
    }
    act_model_count(at->plan, &parameters);
    act_profile_of(at->plan, &profile);
    double bytes = parameters.total * (profile.weight + profile.gradient +
                                       profile.gradient_partition + profile.optimizer_matrix);
    act_number_format(ceil(bytes / at->memory->usable), 0, true, count, sizeof count);
    snprintf(check->message + length, sizeof check->message - length,
             "; states alone need %s such GPUs", count);
}

bool act_rule_fit(const struct act_case *at, struct act_check *check)
{
    const struct act_memory *memory = at->memory;
    char peak[32], usable[32];

    if (act_memory_fit(memory) != ACT_DOES_NOT_FIT) {
        return false;
    }
    act_rule_says(check, ACT_ERROR, "stage %d needs %s %s of %s usable", memory->worst,
                  act_rule_size(at->plan, memory->peak, peak), act_rule_size_unit(at->plan),
                  act_rule_size(at->plan, memory->usable, usable));
    names_layout(check);
    find_mend(at, check, true);
    if (check->repairs == 0) {
        add_floor(at, check);
    }
    return true;
}

bool act_rule_tight(const struct act_case *at, struct act_check *check)
{
    const struct act_memory *memory = at->memory;

    if (act_memory_fit(memory) != ACT_TIGHT) {
        return false;
    }
    act_rule_says(check, ACT_WARNING,
                  "tight: stage %d takes %d %% of usable memory; below 90 %% is "
                  "safe",
                  memory->worst, (int)(memory->peak / memory->usable * 100));
    names_layout(check);
    find_mend(at, check, false);
    return true;
}

/* DP that does `factor` times as much in a day as now, were goodput what it is with `data`:
 * goodput falls as clusters grow. */
static double data_needed(const struct act_case *at, double factor, double data)
{
    struct act_plan other = *at->raw;

    set(&other, ACT_F_parallel_data, (int64_t)data);
    act_plan_resolve(&other, &other);
    return ceil((double)at->plan->parallel.data * factor * at->plan->cost.goodput /
                other.cost.goodput);
}

/* How far above the least DP a whole global batch is looked for. */
enum { DATA_TRIES = 4096 };
/* How often the DP that is needed is reckoned anew. */
enum { DATA_STEPS = 256 };

/* Calendar days with another DP, estimated anew: communication and bubbles change with it. */
static double estimated_days(const struct act_case *at, int64_t data)
{
    struct act_parameters parameters;
    struct act_flops flops;
    struct act_layout layout;
    struct act_time time;
    struct act_plan other = *at->raw;

    set(&other, ACT_F_parallel_data, data);
    act_plan_resolve(&other, &other);
    act_model_count(&other, &parameters);
    act_model_flops(&other, &parameters, &flops);
    act_layout_of(&other, &layout);
    act_time_of(&other, &parameters, &flops, &layout, &time);
    return time.calendar_days;
}

/* The first DP from `data` on that divides the batches (V30); `data` if there is none nearby. */
static int64_t whole_data(int64_t batches, int64_t data)
{
    int64_t last = data + (data < DATA_TRIES ? data : DATA_TRIES);

    for (int64_t i = data; i <= last; i++) {
        if (batches % i == 0) {
            return i;
        }
    }
    return data;
}

/* How many DP are estimated for a deadline. */
enum { DEADLINE_TRIES = 24 };

/* DP that meets the deadline of an estimated step, 0 when none is found. No replica may be without
 * a micro batch. */
static int64_t data_estimated(const struct act_case *at, double factor, double most)
{
    int64_t batches = at->plan->training.global_batch / at->plan->training.micro_batch;
    double deadline = at->plan->training.deadline_days;
    double end = fmin(most, (double)batches);
    double need = ceil((double)at->plan->parallel.data * factor);

    for (int i = 0; i < DEADLINE_TRIES && need <= end; i++) {
        int64_t data = whole_data(batches, (int64_t)need);
        if ((double)data > end) {
            return 0;
        }
        double days = estimated_days(at, data);
        if (days <= deadline) {
            return data;
        }
        need = fmax((double)data + 1, floor((double)data * days / deadline));
    }
    return 0;
}

/* DP that meets the deadline, 0 when none does: days go down as GPUs go up. */
static int64_t data_for(const struct act_case *at, double factor)
{
    const struct act_plan *plan = at->plan;
    double replica = act_plan_gpus(plan) / (double)plan->parallel.data;
    double most = floor(
        fmin(act_field(ACT_F_parallel_data)->max, act_field(ACT_F_parallel_gpus)->max / replica));

    if (at->time->estimated)
        return data_estimated(at, factor, most);
    double need = ceil((double)plan->parallel.data * factor);
    int64_t batches = plan->training.global_batch / plan->training.micro_batch;

    /* Goodput falls as the cluster grows, so that more may be needed than was reckoned; from some
     * size on failures eat up what is added. */
    for (int i = 0; i < DATA_STEPS && need <= most; i++) {
        double more = data_needed(at, factor, need);
        if (more <= need) {
            break;
        }
        need = more;
    }
    if (need <= most && data_needed(at, factor, need) > need) {
        return 0;
    }
    if (need > most) {
        return 0;
    }
    /* Rather a few GPUs more than a global batch that is not whole (V30). */
    double end = fmin(fmin(most, (double)batches), need + fmin(need, DATA_TRIES));
    for (int64_t data = (int64_t)need; (double)data <= end; data++) {
        if (batches % data == 0 && data_needed(at, factor, (double)data) <= (double)data) {
            return data;
        }
    }
    return (int64_t)need;
}

bool act_rule_deadline(const struct act_case *at, struct act_check *check)
{
    double deadline = at->plan->training.deadline_days, days = at->time->calendar_days;
    char late[32], due[32];

    if (deadline <= 0 || days <= deadline) {
        return false;
    }
    int64_t data = data_for(at, days / deadline);
    act_number_format(days, days < 10, true, late, sizeof late);
    act_number_format(deadline, deadline < 10, true, due, sizeof due);
    if (data > 0) {
        act_rule_says(check, ACT_WARNING,
                      "%s days miss the deadline of %s days; DP %lld would make it", late, due,
                      (long long)data);
        act_rule_mends(check, ACT_F_parallel_data, data);
    } else {
        act_rule_says(check, ACT_WARNING, "%s days miss the deadline of %s days", late, due);
    }
    act_rule_names(check, ACT_F_training_deadline_days);
    act_rule_names(check, ACT_F_parallel_data);
    return true;
}
