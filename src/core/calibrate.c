/* Factors from the figures of one run, and forgetting them. */
#include <actuary/calibrate.h>

#include <actuary/field.h>
#include <actuary/layout.h>
#include <actuary/memory.h>
#include <actuary/model.h>
#include <actuary/timing.h>
#include <actuary/units.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double gib = 1073741824.0;

unsigned act_pin_of_field(enum act_field_id field)
{
    switch ((int)field) {
    case ACT_F_training_measured_step_seconds:
    case ACT_F_training_measured_tokens_per_second_per_gpu:
        return ACT_PIN_TIME;
    case ACT_F_training_measured_peak:
    case ACT_F_calibration_counter:
        return ACT_PIN_MEMORY;
    default:
        return 0;
    }
}

static bool measured(const struct act_plan *plan, enum act_pin pin)
{
    const struct act_training_fields *training = &plan->training;

    if (pin == ACT_PIN_MEMORY)
        return training->measured_peak != ACT_AUTO;
    return training->measured_step_seconds != ACT_AUTO ||
           training->measured_tokens_per_second_per_gpu != ACT_AUTO;
}

unsigned act_pin_missing(const struct act_plan *plan)
{
    unsigned pins = 0;

    if (measured(plan, ACT_PIN_TIME) && plan->calibration.time_factor == ACT_AUTO)
        pins |= ACT_PIN_TIME;
    if (measured(plan, ACT_PIN_MEMORY) && plan->calibration.memory_factor == ACT_AUTO)
        pins |= ACT_PIN_MEMORY;
    return pins;
}

bool act_calibrated(const struct act_plan *plan, enum act_pin pin)
{
    enum act_field_id id =
        pin == ACT_PIN_TIME ? ACT_F_calibration_time_factor : ACT_F_calibration_memory_factor;

    return act_plan_given(plan, id) && act_field_number(plan, id) != ACT_AUTO;
}

const char *act_calibrated_from(const struct act_plan *plan, enum act_pin pin)
{
    const struct act_calibration_fields *calibration = &plan->calibration;

    if (pin == ACT_PIN_MEMORY && calibration->memory_from[0] != '\0')
        return calibration->memory_from;
    return calibration->from;
}

static int refuse_factor(double measured_value, double estimate, double unit, const char *name,
                         const char *what, char *why, size_t why_size)
{
    char was[32], is[32], times[32];
    double factor = measured_value / estimate;
    int digits = measured_value / unit < 10 ? 3 : 1;

    act_number_format(measured_value / unit, digits, true, was, sizeof was);
    act_number_format(estimate / unit, estimate / unit < 10 ? 3 : 1, true, is, sizeof is);
    act_number_format(factor, factor < 1 ? 3 : 1, true, times, sizeof times);
    snprintf(why, why_size,
             "measured %s %s, estimated %s: %s times as %s is more than a correction (0.1 to 10); "
             "set model, batch and layout as in the run",
             was, name, is, times, what);
    return -1;
}

static bool in_range(double factor)
{
    const struct act_field *row = act_field(ACT_F_calibration_time_factor);

    return factor >= row->min && factor <= row->max;
}

/* The plan as it would be estimated without a measured run. */
static void resolve_raw(const struct act_plan *plan, struct act_plan *ret)
{
    *ret = *plan;
    ret->hardware.mfu = ACT_AUTO;
    ret->calibration.time_factor = ACT_AUTO;
    ret->calibration.memory_factor = ACT_AUTO;
    act_plan_resolve(ret, ret);
}

static int time_factor(const struct act_plan *raw, const struct act_parameters *parameters,
                       const struct act_layout *layout, double *ret, char *why, size_t why_size)
{
    const struct act_training_fields *training = &raw->training;
    double step = training->measured_step_seconds;
    double rate = training->measured_tokens_per_second_per_gpu;
    struct act_flops flops;
    struct act_time time;

    if (raw->framework.family == ACT_TEXTBOOK) {
        snprintf(why, why_size,
                 "the textbook has no step to estimate, so none to correct; choose a framework");
        return -1;
    }
    if (step != ACT_AUTO && rate != ACT_AUTO) {
        snprintf(why, why_size,
                 "both a step time and tokens/s/GPU are measured; give one of the two");
        return -1;
    }
    if (step == ACT_AUTO)
        step = (double)training->global_batch * (double)training->sequence / (rate * layout->gpus);
    act_model_flops(raw, parameters, &flops);
    act_time_of(raw, parameters, &flops, layout, &time);
    if (!time.estimated || !(time.step_seconds > 0)) {
        snprintf(why, why_size, "no step can be estimated without a peak and bandwidths");
        return -1;
    }
    if (!in_range(step / time.step_seconds))
        return refuse_factor(step, time.step_seconds, 1, "s", "long", why, why_size);
    *ret = step / time.step_seconds;
    return 0;
}

/* The fullest GPU's counter under that factor. */
static double counter_under(struct act_plan *raw, const struct act_parameters *parameters,
                            const struct act_layout *layout, double factor)
{
    struct act_memory memory;
    double most = 0;

    raw->calibration.memory_factor = factor;
    act_memory_of(raw, parameters, layout, &memory);
    for (int i = 0; i < memory.stages; i++) {
        const struct act_stage *stage = &memory.stage[i];
        switch ((enum act_counter)raw->calibration.counter) {
        case ACT_COUNTER_ALLOCATED:
            most = fmax(most, stage->allocated);
            break;
        case ACT_COUNTER_RESERVED:
            most = fmax(most, stage->reserved);
            break;
        case ACT_COUNTER_DEVICE:
            most = fmax(most, stage->device);
            break;
        }
    }
    return most;
}

/* The least factor under which the counter is at least `peak` or, `above`, more than it. */
static double reach(struct act_plan *raw, const struct act_parameters *parameters,
                    const struct act_layout *layout, double peak, bool above)
{
    enum { HALVINGS = 60 };
    const struct act_field *row = act_field(ACT_F_calibration_memory_factor);
    double low = row->min, high = row->max;

    for (int i = 0; i < HALVINGS; i++) {
        double middle = low + (high - low) / 2;
        double value = counter_under(raw, parameters, layout, middle);
        if (above ? value > peak : value >= peak)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* Allocated memory is proportional to the factor. The other counters only grow with it: an
 * allocator stops at the end of the card, and the context stays as it is. */
static int memory_factor(struct act_plan *raw, const struct act_parameters *parameters,
                         const struct act_layout *layout, double *ret, char *why, size_t why_size)
{
    const double vague = 0.01; /* factors that the peak leaves open, as a share */
    const struct act_field *row = act_field(ACT_F_calibration_memory_factor);
    double peak = raw->training.measured_peak, factor = 0;
    double estimate = counter_under(raw, parameters, layout, 1);

    if (raw->calibration.counter == ACT_COUNTER_ALLOCATED) {
        factor = peak / estimate;
    } else if (peak >= counter_under(raw, parameters, layout, row->min) &&
               peak <= counter_under(raw, parameters, layout, row->max)) {
        double low = reach(raw, parameters, layout, peak, false);
        double high = reach(raw, parameters, layout, peak, true);
        if (high > low * (1 + vague)) {
            snprintf(why, why_size,
                     "at that peak the allocator fills the card whatever the run needs; give the "
                     "allocated peak (torch.cuda.max_memory_allocated)");
            return -1;
        }
        factor = low;
    }
    if (!in_range(factor))
        return refuse_factor(peak, estimate, gib, "GiB", "much", why, why_size);
    *ret = factor;
    return 0;
}

static void write_from(const struct act_plan *plan, const char *date, const char *source,
                       char out[static 128])
{
    const struct act_parallel_fields *parallel = &plan->parallel;
    char context[24] = "", expert[24] = "";

    if (parallel->context > 1)
        snprintf(context, sizeof context, " CP %lld", (long long)parallel->context);
    if (plan->model.experts > 0 && parallel->expert > 1)
        snprintf(expert, sizeof expert, " EP %lld", (long long)parallel->expert);
    snprintf(out, 128, "TP %lld%s PP %lld%s DP %lld%s%.10s%s%.40s", (long long)parallel->tensor,
             context, (long long)parallel->pipeline, expert, (long long)parallel->data,
             date[0] != '\0' ? ", " : "", date, source[0] != '\0' ? ", " : "", source);
}

/* Names the run of the factors just pinned, beside the run of the one that stays. */
static void name_run(struct act_plan *plan, unsigned pins, const char *run)
{
    struct act_calibration_fields *calibration = &plan->calibration;
    bool other = (pins & ACT_PIN_TIME) == 0     ? act_calibrated(plan, ACT_PIN_TIME)
                 : (pins & ACT_PIN_MEMORY) == 0 ? act_calibrated(plan, ACT_PIN_MEMORY)
                                                : false;
    char stays[sizeof calibration->from] = "";

    if (other && (pins & ACT_PIN_TIME) == 0) { /* the step's run stays */
        memcpy(stays, calibration->from, sizeof stays);
        snprintf(calibration->memory_from, sizeof calibration->memory_from, "%s",
                 strcmp(stays, run) == 0 ? "" : run);
    } else {
        if (other)
            memcpy(stays, act_calibrated_from(plan, ACT_PIN_MEMORY), sizeof stays);
        snprintf(calibration->memory_from, sizeof calibration->memory_from, "%s",
                 strcmp(stays, run) == 0 ? "" : stays);
        snprintf(calibration->from, sizeof calibration->from, "%s", run);
    }
    act_plan_set_given(plan, ACT_F_calibration_from, calibration->from[0] != '\0');
    act_plan_set_given(plan, ACT_F_calibration_memory_from, calibration->memory_from[0] != '\0');
}

int act_pin(struct act_plan *plan, unsigned pins, const char *date, const char *source, char *why,
            size_t why_size)
{
    struct act_parameters parameters;
    struct act_layout layout;
    struct act_plan raw;
    double time = 1, memory = 1;
    char run[sizeof plan->calibration.from];

    resolve_raw(plan, &raw);
    act_model_count(&raw, &parameters);
    act_layout_of(&raw, &layout);
    if ((pins & ACT_PIN_TIME) != 0 &&
        time_factor(&raw, &parameters, &layout, &time, why, why_size) != 0)
        return -1;
    if ((pins & ACT_PIN_MEMORY) != 0 &&
        memory_factor(&raw, &parameters, &layout, &memory, why, why_size) != 0)
        return -1;
    write_from(&raw, date, source, run);
    name_run(plan, pins, run);
    if ((pins & ACT_PIN_TIME) != 0)
        act_field_set_number(plan, ACT_F_calibration_time_factor, time);
    if ((pins & ACT_PIN_MEMORY) != 0) {
        act_field_set_number(plan, ACT_F_calibration_memory_factor, memory);
        act_plan_set_given(plan, ACT_F_calibration_counter, true);
    }
    return 0;
}

void act_pin_forget(struct act_plan *plan, unsigned pins)
{
    if ((pins & ACT_PIN_TIME) != 0) {
        act_field_reset(plan, ACT_F_training_measured_step_seconds);
        act_field_reset(plan, ACT_F_training_measured_tokens_per_second_per_gpu);
        act_field_reset(plan, ACT_F_calibration_time_factor);
        if (plan->calibration.memory_from[0] != '\0') {
            memcpy(plan->calibration.from, plan->calibration.memory_from,
                   sizeof plan->calibration.from);
            act_field_reset(plan, ACT_F_calibration_memory_from);
        }
    }
    if ((pins & ACT_PIN_MEMORY) != 0) {
        act_field_reset(plan, ACT_F_training_measured_peak);
        act_field_reset(plan, ACT_F_calibration_memory_factor);
        act_field_reset(plan, ACT_F_calibration_counter);
        act_field_reset(plan, ACT_F_calibration_memory_from);
    }
    if (!act_calibrated(plan, ACT_PIN_TIME) && !act_calibrated(plan, ACT_PIN_MEMORY))
        act_field_reset(plan, ACT_F_calibration_from);
}
