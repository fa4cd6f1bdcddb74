/* Single changes, generated from the table of fields, each priced by an estimate. */
#include <actuary/advice.h>

#include <actuary/field.h>

#include <math.h>

/* Halvings or doublings of a number that are tried while nothing fits. */
enum { REACH = 3 };

/* A smaller difference is none. */
static const double least_gain = 1e-3;

struct trying {
    const struct act_plan *raw;
    const struct act_plan *resolved;
    struct act_advices *ret;
};

static struct act_advice outcome(const struct act_plan *plan)
{
    struct act_result result;

    double estimated = 0;

    if (plan->hardware.mfu != ACT_AUTO && plan->framework.family != ACT_TEXTBOOK) {
        struct act_plan other = *plan;
        other.hardware.mfu = ACT_AUTO;
        act_estimate(&other, &result);
        estimated = result.time.calendar_days;
    }
    act_estimate(plan, &result);
    return (struct act_advice){.estimated_days =
                                   estimated > 0 ? estimated : result.time.calendar_days,
                               .fit = result.fit,
                               .errors = result.errors - (result.fit == ACT_DOES_NOT_FIT),
                               .peak = result.memory.peak,
                               .gpus = result.layout.gpus,
                               .days = result.time.calendar_days,
                               .cost = result.cost.known ? result.cost.total : NAN};
}

static bool less(double a, double b)
{
    return a < b * (1 - least_gain);
}

/* How well a change answers, 0 best. */
static int rank(const struct act_advice *now, const struct act_advice *advice)
{
    bool more = advice->gpus > now->gpus;

    if (advice->fit == ACT_DOES_NOT_FIT || advice->errors > 0)
        return 4;
    if (now->fit != ACT_DOES_NOT_FIT) /* tight was good enough before */
        return more ? 2 : 0;
    return 2 * more + (advice->fit == ACT_TIGHT);
}

static bool comes_before(const struct act_advice *now, const struct act_advice *a,
                         const struct act_advice *b)
{
    int rank_a = rank(now, a), rank_b = rank(now, b);

    if (rank_a != rank_b)
        return rank_a < rank_b;
    if (rank_a < 4 && a->gpus > now->gpus && a->gpus != b->gpus)
        return a->gpus < b->gpus;
    if (rank_a == 4)
        return a->peak < b->peak;
    if (less(a->days, b->days) || less(b->days, a->days))
        return a->days < b->days;
    return a->estimated_days < b->estimated_days;
}

/* Another value of the same field does at least as well in everything. */
static bool beats(const struct act_advice *now, const struct act_advice *one,
                  const struct act_advice *other)
{
    return one->set[0].field == other->set[0].field && one->gpus <= other->gpus &&
           rank(now, one) <= rank(now, other) && !less(other->peak, one->peak) &&
           !less(other->days, one->days) && !less(other->cost, one->cost) &&
           !less(other->estimated_days, one->estimated_days);
}

/* Of a plan that does not fit, only memory matters. */
static bool gains(const struct act_advice *now, const struct act_advice *advice)
{
    if (now->fit == ACT_DOES_NOT_FIT)
        return advice->fit < now->fit || less(advice->peak, now->peak);
    return advice->fit < now->fit || less(advice->peak, now->peak) ||
           less(advice->days, now->days) || less(advice->cost, now->cost);
}

/* Keeps a change in its place, unless another value of the field beats it; it replaces those that
 * it beats. */
static void keep(struct act_advices *advices, const struct act_advice *advice)
{
    int kept = 0;

    for (int i = 0; i < advices->count; i++)
        if (beats(&advices->now, &advices->item[i], advice))
            return;
    for (int i = 0; i < advices->count; i++)
        if (!beats(&advices->now, advice, &advices->item[i]))
            advices->item[kept++] = advices->item[i];
    advices->count = kept;
    if (kept == ACT_ADVICE_MAX)
        return;
    for (; kept > 0 && comes_before(&advices->now, advice, &advices->item[kept - 1]); kept--)
        advices->item[kept] = advices->item[kept - 1];
    advices->item[kept] = *advice;
    advices->count++;
}

static void set(struct act_advice *advice, enum act_field_id field, double value)
{
    advice->set[advice->sets++] = (struct act_repair){.field = field, .value = value};
}

static bool splits_layers(enum act_field_id field)
{
    return field == ACT_F_parallel_tensor || field == ACT_F_parallel_pipeline ||
           field == ACT_F_parallel_context;
}

/* The change of one field, with DP beside it where the GPUs can be held; where DP does not divide,
 * more GPUs are the price. False when it would leave some idle, and for TP beyond the fast link. */
static bool make(const struct trying *trying, enum act_field_id field, double value,
                 struct act_advice *ret)
{
    const struct act_plan *plan = trying->resolved;
    double data = (double)plan->parallel.data * act_field_number(plan, field) / value;

    *ret = (struct act_advice){0};
    set(ret, field, value);
    if (field == ACT_F_parallel_tensor && value > (double)plan->hardware.link_domain &&
        value > (double)plan->parallel.tensor)
        return false;
    if (!splits_layers(field))
        return true;
    if (data == floor(data) && data <= act_field(ACT_F_parallel_data)->max) {
        set(ret, ACT_F_parallel_data, data);
        return true;
    }
    return value > act_field_number(plan, field);
}

/* Prices a value; true when it makes the plan fit. */
static bool try_value(const struct trying *trying, enum act_field_id field, double value)
{
    const struct act_advice *now = &trying->ret->now;
    struct act_plan plan = *trying->raw;
    struct act_advice made;

    if (!make(trying, field, value, &made))
        return false;
    act_advice_take(&made, &plan);
    struct act_advice priced = outcome(&plan);
    bool unfits = priced.fit == ACT_DOES_NOT_FIT && now->fit != ACT_DOES_NOT_FIT;
    if (priced.errors > now->errors || unfits)
        return false;
    priced.sets = made.sets;
    for (int i = 0; i < made.sets; i++)
        priced.set[i] = made.set[i];
    if (gains(now, &priced))
        keep(trying->ret, &priced);
    return priced.fit == ACT_FITS;
}

/* The next value to try beyond that of `at`: half or double, or the next step where there is no
 * such value. */
static bool next_value(const struct act_plan *at, enum act_field_id field, int direction,
                       double *ret)
{
    return act_field_scale(at, field, direction, ret) || act_field_step(at, field, direction, ret);
}

static void try_numbers(const struct trying *trying, const struct act_field *field)
{
    bool fits = trying->ret->now.fit == ACT_FITS;

    for (int direction = -1; direction <= 1; direction += 2) {
        struct act_plan at = *trying->resolved;
        double value;
        for (int i = 0; i < (fits ? 1 : REACH); i++) {
            if (!next_value(&at, field->id, direction, &value) ||
                try_value(trying, field->id, value))
                break;
            act_field_set_number(&at, field->id, value);
        }
    }
}

/* The losses that a family's loops have. */
static bool has_loss(const struct act_plan *plan, int loss)
{
    if (plan->framework.family == ACT_MEGATRON)
        return loss >= ACT_LOSS_UNFUSED && loss <= ACT_LOSS_FUSED;
    return loss >= ACT_LOSS_PLAIN;
}

/* Names that stand in a list but cannot be chosen here. A given MFU is a share of one precision's
 * peak: what it would be of another's is not known. */
static bool can_choose(const struct act_plan *plan, enum act_field_id field, int value)
{
    switch ((int)field) {
    case ACT_F_framework_loss:
        return has_loss(plan, value);
    case ACT_F_framework_allocator:
        return value != ACT_ZERO3_ALLOCATOR;
    case ACT_F_training_precision:
        return plan->hardware.mfu == ACT_AUTO;
    default:
        return true;
    }
}

static void try_names(const struct trying *trying, const struct act_field *field)
{
    int now = (int)act_field_number(trying->resolved, field->id);

    for (int i = 0; field->kind == ACT_KIND_BOOL ? i < 2 : field->names[i] != NULL; i++) {
        if (i != now && can_choose(trying->resolved, field->id, i))
            try_value(trying, field->id, i);
    }
}

void act_advise(const struct act_plan *plan, struct act_advices *ret)
{
    struct act_plan raw = *plan, resolved;
    const struct trying trying = {&raw, &resolved, ret};

    /* What its own checks would look for is not asked here, only slow. */
    raw.training.deadline_days = ACT_AUTO;
    act_plan_resolve(&raw, &resolved);
    ret->now = outcome(&raw);
    ret->count = 0;
    for (int i = 0; i < ACT_FIELD_COUNT; i++) {
        const struct act_field *field = act_field((enum act_field_id)i);
        if (!(field->flags & ACT_FIELD_LEVER) || !act_field_applies(&resolved, field->id))
            continue;
        if (field->kind == ACT_KIND_ENUM || field->kind == ACT_KIND_BOOL)
            try_names(&trying, field);
        else
            try_numbers(&trying, field);
    }
}

void act_advice_take(const struct act_advice *advice, struct act_plan *plan)
{
    for (int i = 0; i < advice->sets; i++)
        act_field_set_number(plan, advice->set[i].field, advice->set[i].value);
}

size_t act_advice_value(const struct act_advice *advice, const struct act_plan *plan, char *out,
                        size_t size)
{
    struct act_plan changed = *plan;

    act_advice_take(advice, &changed);
    return act_field_text(&changed, advice->set[0].field, ACT_STYLE_FILE, out, size);
}

bool act_advice_helps(const struct act_advices *advices, const struct act_advice *advice)
{
    if (rank(&advices->now, advice) == 4)
        return false;
    return advices->now.fit == ACT_DOES_NOT_FIT || less(advice->days, advices->now.days);
}
