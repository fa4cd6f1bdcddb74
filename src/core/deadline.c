/* Replicas for a deadline. */
#include "core/deadline.h"

#include <actuary/field.h>
#include <actuary/model.h>

#include <math.h>

/* DP that does `factor` times as much in a day as now, were goodput what it is with `data`:
 * goodput falls as clusters grow. */
static double data_needed(const struct act_case *at, double factor, double data)
{
    struct act_plan other = *at->raw;

    act_field_set_number(&other, ACT_F_parallel_data, data);
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

    act_field_set_number(&other, ACT_F_parallel_data, (double)data);
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
static int64_t data_estimated(const struct act_case *at, double deadline, double most)
{
    int64_t batches = at->plan->training.global_batch / at->plan->training.micro_batch;
    double factor = at->time->calendar_days / deadline;
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

int64_t act_deadline_data(const struct act_case *at, double deadline, bool whole)
{
    double factor = at->time->calendar_days / deadline;
    const struct act_plan *plan = at->plan;
    double replica = act_plan_gpus(plan) / (double)plan->parallel.data;
    double most = floor(
        fmin(act_field(ACT_F_parallel_data)->max, act_field(ACT_F_parallel_gpus)->max / replica));

    if (at->time->estimated)
        return data_estimated(at, deadline, most);
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
    if (!whole)
        return (int64_t)need;
    /* Rather a few GPUs more than a global batch that is not whole (V30). */
    double end = fmin(fmin(most, (double)batches), need + fmin(need, DATA_TRIES));
    for (int64_t data = (int64_t)need; (double)data <= end; data++) {
        if (batches % data == 0 && data_needed(at, factor, (double)data) <= (double)data) {
            return data;
        }
    }
    return (int64_t)need;
}
