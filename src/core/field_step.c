/* Where + and - lead (step), and { and } (scale). Steps go over values that can work: a
 * pipeline of 7 stages for 80 layers is not one of them. */
#include <actuary/field.h>

#include <math.h>
#include <stdint.h>

static const double mib = 1048576.0, gib = 1073741824.0;

/* Values that have to divide `of` (and `also`), up to `limit`. */
struct divisors {
    int64_t of, also, limit;
};

static bool divides(const struct divisors *set, int64_t value)
{
    return set->of % value == 0 && set->also % value == 0;
}

/* Layers that are dealt to stages: the embedding and the loss may count as one each (V11). */
static int64_t slots(const struct act_plan *plan)
{
    return plan->model.layers + (plan->parallel.embedding_slot == 1) +
           (plan->parallel.loss_slot == 1);
}

static struct divisors tensor_divisors(const struct act_plan *plan)
{
    enum { DOMAINS = 4 };
    const struct act_model_fields *model = &plan->model;
    bool dense = model->ffn > 0 && act_field_applies(plan, ACT_F_model_ffn);
    struct divisors set = {model->heads, dense ? model->ffn : model->heads,
                           DOMAINS * plan->hardware.link_domain};

    return set;
}

static struct divisors interleave_divisors(const struct act_plan *plan)
{
    int64_t stages = plan->parallel.pipeline;
    bool works = stages > 1 && slots(plan) % stages == 0;
    int64_t stage = works ? slots(plan) / stages : 1;
    struct divisors set = {stage, stage, ACT_LIST_MAX / stages};

    return set;
}

/* The set of valid values of a field that has one. */
static bool divisors_of(const struct act_plan *plan, const struct act_field *field,
                        struct divisors *set)
{
    int64_t max = (int64_t)field->max;

    switch (field->steps) {
    case ACT_STEPS_DIVISOR_HEADS:
        *set = (struct divisors){plan->model.heads, plan->model.heads, max};
        break;
    case ACT_STEPS_TENSOR:
        *set = tensor_divisors(plan);
        break;
    case ACT_STEPS_PIPELINE:
        *set = (struct divisors){slots(plan), slots(plan), max};
        break;
    case ACT_STEPS_INTERLEAVE:
        *set = interleave_divisors(plan);
        break;
    case ACT_STEPS_EXPERT:
        *set = (struct divisors){plan->model.experts, plan->model.experts, max};
        break;
    default:
        return false;
    }
    if (set->limit > max)
        set->limit = max;
    if (set->limit > set->of) /* nothing larger divides it */
        set->limit = set->of;
    return true;
}

/* An explicit layout fixes the number of stages, and a dense model has no experts to spread. */
static bool steppable(const struct act_plan *plan, const struct act_field *field)
{
    if (field->steps == ACT_STEPS_PIPELINE)
        return plan->parallel.layers_per_stage.count == 0;
    return true;
}

/* The valid value beyond `now` in the direction that is nearest to `target`. */
static bool nearest_divisor(const struct divisors *set, double now, double target, int direction,
                            double *ret)
{
    bool found = false;

    for (int64_t value = 1; value <= set->limit; value++) {
        double candidate = (double)value;
        bool beyond = direction > 0 ? candidate > now : candidate < now;

        if (!beyond || !divides(set, value))
            continue;
        if (!found || fabs(candidate - target) < fabs(*ret - target)) {
            *ret = candidate;
            found = true;
        }
    }
    return found;
}

/* The next value beyond on a grid of `per_unit` values a unit. Grids finer than 1 divide: 12 / 10
 * is the double of "1.2", 12 x 0.1 is not. */
static double beyond(double value, double per_unit, int direction)
{
    const double slack = 1e-9;
    double steps = value * per_unit;

    steps = direction > 0 ? floor(steps + slack) + 1 : ceil(steps - slack) - 1;
    return steps / per_unit;
}

static double step_hidden(double now, int direction)
{
    const double small = 8, large = 128;
    bool below = direction > 0 ? now < large : now <= large;

    return beyond(now, 1 / (below ? small : large), direction);
}

static double step_power(double now, int direction)
{
    double power = 1;

    if (now < 1)
        return direction > 0 ? 1 : -1;
    while (power * 2 <= now)
        power *= 2;
    if (direction > 0)
        return power * 2;
    if (now > power)
        return power;
    return power > 1 ? power / 2 : 0;
}

/* 10^exponent x mantissa as the double nearest to that decimal. */
static double decade(double mantissa, int exponent)
{
    return exponent < 0 ? mantissa / pow(10, -exponent) : mantissa * pow(10, exponent);
}

static double step_decade(double now, int direction)
{
    static const double mantissas[] = {1, 1.5, 2, 3, 4, 5, 6, 8};
    enum { COUNT = sizeof mantissas / sizeof *mantissas };
    const double slack = 1e-9;
    int exponent = (int)floor(log10(now)) - 1;
    double below = 0;

    for (int i = 0;; i++) {
        double value = decade(mantissas[i % COUNT], exponent + i / COUNT);

        if (direction > 0 && value > now * (1 + slack))
            return value;
        if (direction < 0 && value >= now * (1 - slack))
            return below;
        below = value;
    }
}

/* Below this a quantity that may be zero goes to zero, and from zero up to this. */
static double smallest(const struct act_field *field)
{
    switch (field->unit) {
    case ACT_UNIT_BYTES:
        return 10 * mib;
    case ACT_UNIT_MONEY:
        return 0.01;
    default:
        return 0.1;
    }
}

/* Sizes are shown in GiB and MiB, so 80 GiB and not 80 GB is the round one. */
static double step_bytes(double now, int direction)
{
    const double most = 1000; /* MiB, on the screen the last before 1 GiB */

    if (direction > 0 ? now >= gib : now > gib) {
        double value = gib * step_decade(now / gib, direction);
        return value < gib ? gib : value;
    }
    double value = step_decade(fmin(now / mib, most), direction);
    return value < most ? mib * value : gib;
}

static double step_decade_field(const struct act_field *field, double now, int direction)
{
    if (field->min == 0 && direction > 0 && now < smallest(field))
        return smallest(field);
    if (field->min == 0 && direction < 0 && now <= smallest(field))
        return 0;
    return field->unit == ACT_UNIT_BYTES ? step_bytes(now, direction) : step_decade(now, direction);
}

/* Data keeps its odd part: 12, 24, 48 … going up, 12, 6, 3, 2, 1 going down. */
static double step_data(double now, int direction)
{
    if (direction > 0)
        return 2 * now;
    return fmod(now, 2) == 0 ? now / 2 : now - 1;
}

static double step_gpus(const struct act_plan *plan, double now, int direction)
{
    double data = (double)plan->parallel.data;

    return now / data * step_data(data, direction);
}

/* The next name, around. */
static double step_cycle(const struct act_field *field, double now, int direction)
{
    int count = 2, index = (int)now; /* a BOOL has two values */

    if (field->kind == ACT_KIND_ENUM) {
        for (count = 0; field->names[count] != NULL; count++)
            ;
    }
    if (index < 0)
        return direction > 0 ? 0 : count - 1;
    return (index + (direction > 0 ? 1 : count - 1)) % count;
}

static bool in_direction(double now, double value, int direction)
{
    return direction > 0 ? value > now : value < now;
}

bool act_field_step(const struct act_plan *plan, enum act_field_id id, int direction,
                    double *ret_value)
{
    const struct act_field *field = act_field(id);
    double now = act_field_number(plan, id), value;
    struct divisors set;

    if (field->kind == ACT_KIND_ENUM || field->kind == ACT_KIND_BOOL) {
        *ret_value = step_cycle(field, now, direction);
        return true;
    }
    if (now == ACT_AUTO && id == ACT_F_hardware_mfu && direction > 0) {
        *ret_value = 0.30; /* an MFU given instead of the estimate starts at the prudent one */
        return true;
    }
    if (now == ACT_AUTO || !steppable(plan, field))
        return false;
    if (divisors_of(plan, field, &set))
        return nearest_divisor(&set, now, now, direction, ret_value);
    switch (field->steps) {
    case ACT_STEPS_ONE:
        value = beyond(now, 1, direction);
        break;
    case ACT_STEPS_TENTH:
        value = beyond(now, 10, direction);
        break;
    case ACT_STEPS_PERCENT:
        value = beyond(now, 100, direction);
        break;
    case ACT_STEPS_POW2:
        value = step_power(now, direction);
        break;
    case ACT_STEPS_HIDDEN:
        value = step_hidden(now, direction);
        break;
    case ACT_STEPS_DECADE:
        value = step_decade_field(field, now, direction);
        break;
    case ACT_STEPS_DATA:
        value = step_data(now, direction);
        break;
    case ACT_STEPS_GPUS:
        value = step_gpus(plan, now, direction);
        break;
    default:
        return false;
    }
    if (value < field->min || value > field->max || !in_direction(now, value, direction))
        return false;
    *ret_value = value;
    return true;
}

/* From 5 % on, doubling and halving keep to a grid of 5 %. */
static double snap_percent(double value)
{
    const double per_unit = 20;

    return value < 1 / per_unit ? value : nearbyint(value * per_unit) / per_unit;
}

static double snap_hidden(double value)
{
    double grid = value < 128 ? 8 : 128;

    return nearbyint(value / grid) * grid;
}

bool act_field_scale(const struct act_plan *plan, enum act_field_id id, int direction,
                     double *ret_value)
{
    const struct act_field *field = act_field(id);
    double now = act_field_number(plan, id), value = direction > 0 ? now * 2 : now / 2;
    struct divisors set;

    if (now == ACT_AUTO || !steppable(plan, field))
        return false;
    if (divisors_of(plan, field, &set))
        return nearest_divisor(&set, now, value, direction, ret_value);
    switch (field->steps) {
    case ACT_STEPS_NONE:
    case ACT_STEPS_CYCLE:
    case ACT_STEPS_PRESET:
        return false;
    case ACT_STEPS_GPUS: {
        double data = (double)plan->parallel.data;
        value = now / data * (direction > 0 ? 2 * data : floor(data / 2));
        break;
    }
    case ACT_STEPS_PERCENT:
        value = snap_percent(value);
        break;
    case ACT_STEPS_HIDDEN:
        value = snap_hidden(value);
        break;
    case ACT_STEPS_TENTH:
        value = nearbyint(value * 10) / 10;
        break;
    default:
        break;
    }
    if (field->kind == ACT_KIND_INT)
        value = floor(value);
    if (field->steps != ACT_STEPS_GPUS) /* which goes by whole replicas, not to any count */
        value = value < field->min ? field->min : value > field->max ? field->max : value;
    if (value < field->min || value > field->max || !in_direction(now, value, direction))
        return false;
    *ret_value = value;
    return true;
}
