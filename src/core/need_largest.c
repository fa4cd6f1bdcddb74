/* The largest value of a field within a limit. */
#include <actuary/need.h>

#include <actuary/field.h>

#include <math.h>

/* Values beyond the found one that are looked at too: fit may come back after a gap. */
enum { BEYOND = 8 };
/* Micro batches that are tried. */
enum { DIVISORS_MAX = 256 };

/* A question: the valid values of a field are `unit` x k - `off` for k from 1 to `last`. */
struct question {
    struct act_plan plan;
    enum act_field_id field;
    enum act_limit limit;
    double bound; /* days or money */
    int errors;   /* rules that are broken as it is */
    double unit, off, last;
};

const char *act_limit_name(enum act_limit limit)
{
    static const char *const names[] = {
        [ACT_LIMIT_MEMORY] = "memory", [ACT_LIMIT_DAYS] = "days", [ACT_LIMIT_BUDGET] = "budget"};

    return names[limit];
}

static int broken_rules(const struct act_result *result)
{
    return result->errors - (result->fit == ACT_DOES_NOT_FIT);
}

static bool stays_within(const struct question *question, double value)
{
    struct act_plan plan = question->plan;
    struct act_result result;

    act_field_set_number(&plan, question->field, value);
    act_estimate(&plan, &result);
    if (broken_rules(&result) > question->errors)
        return false;
    switch (question->limit) {
    case ACT_LIMIT_MEMORY:
        return result.fit != ACT_DOES_NOT_FIT;
    case ACT_LIMIT_DAYS:
        return result.time.calendar_days > 0 && result.time.calendar_days <= question->bound;
    default:
        return result.cost.known && result.cost.total <= question->bound;
    }
}

static double value_of(const struct question *question, double k)
{
    return question->unit * k - question->off;
}

static bool holds(const struct question *question, double k)
{
    return stays_within(question, value_of(question, k));
}

/* The largest k that holds when all below the answer do; `ret_k` 0 when none does. Gallops from
 * the value in use, then bisects. */
static double find_edge(const struct question *question, double start)
{
    double low = start, high;

    if (holds(question, low)) {
        for (high = 2 * low; high < question->last && holds(question, high); high *= 2)
            low = high;
        if (high >= question->last) {
            if (holds(question, question->last))
                return question->last;
            high = question->last;
        }
    } else {
        do {
            high = low;
            low = floor(low / 2);
        } while (low >= 1 && !holds(question, low));
    }
    while (high - low > 1) {
        double middle = floor((low + high) / 2);
        if (middle >= 1 && holds(question, middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}

static struct act_largest_value largest_multiple(const struct question *question, double now)
{
    double start = fmax(1, floor((now + question->off) / question->unit));
    double k;

    if (question->last < 1)
        return (struct act_largest_value){.extent = ACT_EXTENT_NONE};
    k = find_edge(question, fmin(start, question->last));
    for (int i = BEYOND; i > 0; i--) {
        if (k + i <= question->last && holds(question, k + i)) {
            k += i;
            i = BEYOND + 1;
        }
    }
    if (k < 1)
        return (struct act_largest_value){.extent = ACT_EXTENT_NONE, .next = value_of(question, 1)};
    if (k >= question->last)
        return (struct act_largest_value){.extent = ACT_EXTENT_ALL, .value = value_of(question, k)};
    return (struct act_largest_value){.extent = ACT_EXTENT_FOUND,
                                      .value = value_of(question, k),
                                      .next = value_of(question, k + 1)};
}

/* The divisors of `n` within the field's range, ascending. */
static int divisors_of(int64_t n, int64_t most, int64_t ret[DIVISORS_MAX])
{
    int count = 0;

    for (int64_t i = 1; i <= n && i <= most && count < DIVISORS_MAX; i++)
        if (n % i == 0)
            ret[count++] = i;
    return count;
}

/* Speed does not only rise with the micro batch, and there are few: all are tried, from above. */
static struct act_largest_value largest_micro_batch(const struct question *question,
                                                    const struct act_plan *resolved)
{
    int64_t share = resolved->training.global_batch / resolved->parallel.data;
    int64_t divisor[DIVISORS_MAX];
    int count =
        divisors_of(share > 1 ? share : 1, (int64_t)act_field(question->field)->max, divisor);

    for (int i = count - 1; i >= 0; i--) {
        double value = (double)divisor[i];
        if (!stays_within(question, value))
            continue;
        if (i == count - 1)
            return (struct act_largest_value){.extent = ACT_EXTENT_ALL, .value = value};
        return (struct act_largest_value){
            .extent = ACT_EXTENT_FOUND, .value = value, .next = (double)divisor[i + 1]};
    }
    return (struct act_largest_value){.extent = ACT_EXTENT_NONE, .next = 1};
}

static int64_t least_multiple(int64_t a, int64_t b)
{
    int64_t x = a, y = b;

    while (y != 0) {
        int64_t rest = x % y;
        x = y;
        y = rest;
    }
    return a / x * b;
}

/* Steps of the field's valid values; false where there is nothing to ask. */
static bool set_grid(struct question *question, const struct act_plan *resolved)
{
    const struct act_parallel_fields *parallel = &resolved->parallel;
    double max = act_field(question->field)->max;

    question->off = 0;
    switch ((int)question->field) {
    case ACT_F_training_sequence:
        question->unit = (double)least_multiple(128, 2 * parallel->tensor * parallel->context);
        break;
    case ACT_F_model_layers:
        question->unit = (double)(parallel->pipeline * parallel->interleave);
        question->off = (double)((parallel->embedding_slot > 0) + (parallel->loss_slot > 0));
        if (parallel->layers_per_stage.count > 0)
            return false;
        break;
    case ACT_F_model_parameters:
        question->unit = 1e8;
        break;
    default:
        question->unit =
            (double)resolved->training.global_batch * (double)resolved->training.sequence;
        break;
    }
    question->last = floor((max + question->off) / question->unit);
    return true;
}

static struct act_largest_value largest(struct question *question, const struct act_plan *resolved,
                                        double now)
{
    if (question->limit != ACT_LIMIT_MEMORY && isnan(question->bound))
        return (struct act_largest_value){.extent = ACT_EXTENT_FREE};
    if (question->field == ACT_F_training_tokens && question->limit == ACT_LIMIT_MEMORY)
        return (struct act_largest_value){.extent = ACT_EXTENT_FREE};
    if (question->field == ACT_F_training_micro_batch)
        return largest_micro_batch(question, resolved);
    if (!set_grid(question, resolved))
        return (struct act_largest_value){.extent = ACT_EXTENT_FREE};
    return largest_multiple(question, now);
}

void act_need_largest(const struct act_plan *plan, const struct act_limits *limits,
                      struct act_largest ret[ACT_LARGEST_COUNT])
{
    bool counted = plan->model.parameters == ACT_AUTO;
    const enum act_field_id fields[ACT_LARGEST_COUNT] = {
        ACT_F_training_micro_batch,
        ACT_F_training_sequence,
        counted ? ACT_F_model_layers : ACT_F_model_parameters,
        ACT_F_training_tokens,
    };
    struct question question = {.plan = *plan};
    struct act_plan resolved;
    struct act_result result;

    /* Only slow: its check looks for replicas. */
    question.plan.training.deadline_days = ACT_AUTO;
    act_plan_resolve(&question.plan, &resolved);
    act_estimate(&question.plan, &result);
    question.errors = broken_rules(&result);
    double budget = result.cost.known ? limits->budget : NAN;
    for (int i = 0; i < ACT_LARGEST_COUNT; i++) {
        question.field = fields[i];
        ret[i].field = fields[i];
        ret[i].now = act_field_number(&resolved, fields[i]);
        for (int j = 0; j < ACT_LIMIT_COUNT; j++) {
            question.limit = (enum act_limit)j;
            question.bound = j == ACT_LIMIT_DAYS ? limits->days : budget;
            ret[i].by[j] = largest(&question, &resolved, ret[i].now);
        }
    }
}
