/* GPUs for a deadline. */
#include <actuary/need.h>

#include "core/deadline.h"

#include <actuary/field.h>

#include <math.h>
#include <string.h>

static const double seconds_per_day = 86400;

/* How many DP are estimated beyond the first that should do. */
enum { FIND_TRIES = 64 };

struct search {
    const struct act_plan *plan;
    int64_t unit, batches;
    bool estimated;
};

const char *act_round_name(enum act_round round)
{
    static const char *const names[] = {
        [ACT_ROUND_REPLICA] = "replica", [ACT_ROUND_NODE] = "node", [ACT_ROUND_POWER2] = "power2"};

    return names[round];
}

/* Up to a multiple of `unit`; 880 x 1.05 is 924, whatever binary fractions make of it. */
static double up_to(double count, double unit)
{
    const double slack = 1e-9;

    return unit * ceil(count / unit * (1 - slack));
}

static double power_of_two(double count)
{
    return exp2(ceil(log2(count)));
}

static double rounded(const struct act_plan *resolved, double replica, double count,
                      enum act_round round)
{
    switch (round) {
    case ACT_ROUND_NODE:
        return up_to(count, (double)resolved->hardware.gpus_per_node);
    case ACT_ROUND_POWER2:
        return power_of_two(count);
    default:
        return up_to(count, replica);
    }
}

static struct act_plan with_data(const struct act_plan *plan, double data)
{
    struct act_plan ret = *plan;

    act_field_set_number(&ret, ACT_F_parallel_data, data);
    return ret;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* DP comes in multiples of this, so that EP x ETP divides TP x CP x DP. */
static int64_t data_unit(const struct act_plan *resolved)
{
    const struct act_parallel_fields *parallel = &resolved->parallel;
    bool experts = resolved->model.experts > 0 && resolved->framework.family != ACT_TEXTBOOK;
    int64_t spread = experts ? parallel->expert * parallel->expert_tensor : 1;

    return spread / common_divisor(spread, parallel->tensor * parallel->context);
}

/* Can this DP be asked about? An estimated step is only known where the batch can be dealt out. */
static bool is_whole(const struct search *search, int64_t data)
{
    return data % search->unit == 0 && (!search->estimated || search->batches % data == 0);
}

static struct search search_of(const struct act_plan *plan)
{
    struct act_plan resolved;
    struct search ret = {.plan = plan};

    act_plan_resolve(plan, &resolved);
    ret.unit = data_unit(&resolved);
    ret.batches = resolved.training.global_batch / resolved.training.micro_batch;
    ret.estimated = resolved.hardware.mfu == ACT_AUTO;
    return ret;
}

/* DP that makes it, looked for from the least one upwards; 0: there is none. */
static int64_t find_data(const struct search *search, double days, struct act_result *scratch)
{
    struct act_plan least = with_data(search->plan, (double)search->unit), resolved;
    int64_t most = (int64_t)act_field(ACT_F_parallel_data)->max;

    act_plan_resolve(&least, &resolved);
    act_estimate(&least, scratch);
    const struct act_case at = {&least,           &resolved,      &scratch->layout,
                                &scratch->memory, &scratch->time, NULL};
    if (!(scratch->time.calendar_days > 0) || !(days > 0))
        return 0;
    if (scratch->time.calendar_days <= days && is_whole(search, search->unit))
        return search->unit;
    int64_t data = act_deadline_data(&at, days, false);
    if (data == 0)
        return 0;
    if (search->estimated && most > search->batches)
        most = search->batches;
    /* Up to a whole number, and on while a larger cluster loses more than it gains. */
    for (int tries = 0; data <= most && tries < FIND_TRIES; data++) {
        if (!is_whole(search, data))
            continue;
        struct act_plan other = with_data(search->plan, (double)data);
        act_estimate(&other, scratch);
        if (scratch->time.calendar_days <= days)
            return data;
        tries++;
    }
    return 0;
}

static bool fits_with(const struct search *search, int64_t data, struct act_result *scratch)
{
    struct act_plan other = with_data(search->plan, (double)data);

    act_estimate(&other, scratch);
    return scratch->fit != ACT_DOES_NOT_FIT;
}

/* The least DP above `data` that fits, 0 when none does: the more of it, the less there is on each
 * GPU. `days` are made by all of them. */
static int64_t find_fit(const struct search *search, int64_t data, double days,
                        struct act_result *scratch)
{
    int64_t most = (int64_t)act_field(ACT_F_parallel_data)->max / search->unit * search->unit;
    int64_t low = data, high = data;

    if (search->estimated) { /* few divide the batch */
        for (int64_t next = data + 1; next <= search->batches && next <= most; next++)
            if (is_whole(search, next) && fits_with(search, next, scratch))
                return scratch->time.calendar_days <= days ? next : 0;
        return 0;
    }
    while (high < most && !fits_with(search, high, scratch)) {
        low = high;
        high = 2 * high < most ? 2 * high : most;
    }
    if (!fits_with(search, high, scratch))
        return 0;
    while (high - low > search->unit) {
        int64_t middle = (low + high) / 2 / search->unit * search->unit;
        if (fits_with(search, middle, scratch))
            high = middle;
        else
            low = middle;
    }
    fits_with(search, high, scratch);
    return scratch->time.calendar_days <= days ? high : 0;
}

/* With a given MFU the batch follows the GPUs, by the rule's own repair. */
static double mend_batch(struct act_plan *plan, struct act_result *result)
{
    double before = act_field_number(plan, ACT_F_training_global_batch);

    for (int i = 0; i < result->checks.count; i++) {
        if (strcmp(result->checks.check[i].rule, "global-batch") == 0) {
            act_check_mend(&result->checks.check[i], plan);
            act_estimate(plan, result);
            double after = act_field_number(plan, ACT_F_training_global_batch);
            return after != before ? after : 0;
        }
    }
    return 0;
}

static void choose(const struct search *search, const struct act_deadline *deadline,
                   struct act_gpu_need *ret)
{
    struct act_plan resolved;
    double replicas = fmax(ret->replicas, ret->fit_replicas);
    int64_t least = (int64_t)(replicas * (double)search->unit);

    act_plan_resolve(search->plan, &resolved);
    ret->with_spare = up_to(replicas * ret->replica * (1 + deadline->spare), 1);
    ret->chosen = rounded(&resolved, ret->replica, ret->with_spare, deadline->round);
    double data = floor(ret->chosen / ret->replica) * (double)search->unit;
    int64_t most = (int64_t)fmin(data, act_field(ACT_F_parallel_data)->max);
    while (most > least && !is_whole(search, most))
        most--;
    ret->data = (double)most;
    ret->idle = ret->chosen - ret->data / (double)search->unit * ret->replica;
    struct act_plan chosen = with_data(search->plan, ret->data);
    act_estimate(&chosen, &ret->result);
    if (!ret->estimated)
        ret->global_batch = mend_batch(&chosen, &ret->result);
}

void act_need_gpus(const struct act_plan *plan, const struct act_deadline *deadline,
                   struct act_gpu_need *ret)
{
    struct act_plan raw = *plan;

    memset(ret, 0, sizeof *ret);
    raw.training.deadline_days = ACT_AUTO; /* the plan's own is not the one that is asked about */
    const struct search search = search_of(&raw);
    int64_t data = find_data(&search, deadline->days, &ret->result);
    struct act_plan least = with_data(&raw, (double)(data > 0 ? data : search.unit));
    act_estimate(&least, &ret->result);
    ret->flops = ret->result.flops.total;
    ret->speed = ret->flops / (deadline->days * seconds_per_day);
    ret->peak = ret->result.time.peak;
    ret->estimated = search.estimated;
    ret->mfu = ret->result.time.mfu;
    ret->replica = act_plan_gpus(&raw) / (double)raw.parallel.data * (double)search.unit;
    if (data == 0)
        return;
    ret->found = true;
    ret->goodput = ret->result.cost.goodput_in_use;
    ret->by_compute = up_to(ret->speed / (ret->peak * ret->mfu), 1);
    ret->replicas = (double)(data / search.unit);
    ret->gpus = ret->replicas * ret->replica;
    ret->days = ret->result.time.calendar_days;
    if (ret->result.fit == ACT_DOES_NOT_FIT) {
        int64_t fitting = find_fit(&search, data, deadline->days, &ret->result);
        ret->fit_replicas = (double)(fitting / search.unit);
        ret->fit_gpus = ret->fit_replicas * ret->replica;
    }
    choose(&search, deadline, ret);
}

void act_need_take(const struct act_gpu_need *need, struct act_plan *plan)
{
    act_field_set_number(plan, ACT_F_parallel_data, need->data);
    if (need->global_batch > 0)
        act_field_set_number(plan, ACT_F_training_global_batch, need->global_batch);
}

/* `given`, or the plan's own, or NAN. */
static double limit_of(double given, double own)
{
    return !isnan(given) ? given : own != ACT_AUTO ? own : NAN;
}

void act_answers_of(const struct act_plan *plan, const struct act_deadline *deadline, double budget,
                    struct act_answers *ret)
{
    ret->deadline = *deadline;
    ret->deadline.days = limit_of(deadline->days, plan->training.deadline_days);
    ret->limits.days = ret->deadline.days;
    ret->limits.budget = limit_of(budget, plan->cost.budget);
    ret->asked = !isnan(ret->deadline.days);
    if (ret->asked)
        act_need_gpus(plan, &ret->deadline, &ret->gpus);
    act_need_largest(plan, &ret->limits, ret->largest);
    act_advise(plan, &ret->advices);
}
