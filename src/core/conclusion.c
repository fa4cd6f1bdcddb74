#include <actuary/conclusion.h>
#include <actuary/metrics.h>
#include <actuary/units.h>

#include "core/writer.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct figure {
    char text[64];
};

__attribute__((format(printf, 2, 3))) static void say(struct act_writer *writer, const char *format,
                                                      ...)
{
    char text[320];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    act_writer_put(writer, text);
}

static struct figure figure(enum act_metric_unit unit, double value)
{
    struct figure figure;
    act_metric_text(unit, value, figure.text, sizeof figure.text);
    return figure;
}

static struct figure gib(double bytes)
{
    struct figure figure;
    act_number_format(bytes / 1073741824.0, 1, true, figure.text, sizeof figure.text);
    return figure;
}

static struct figure percent(double share)
{
    struct figure figure;
    size_t length = act_number_format(100 * share, 0, false, figure.text, 32);
    snprintf(figure.text + length, sizeof figure.text - length, " %%");
    return figure;
}

static bool timed(const struct act_result *result)
{
    return isfinite(result->time.calendar_days) && result->time.calendar_days > 0;
}

static void put_gpus(struct act_writer *writer, const struct act_plan *plan,
                     const struct act_result *result, const struct act_conclusion_names *names)
{
    double count = result->layout.gpus;

    say(writer, "%s GPU%s (%.95s)", figure(ACT_METRIC_WHOLE, count).text, count > 1 ? "s" : "",
        names->hardware ? names->hardware : plan->hardware.preset);
}

/* " in 801 calendar days for 1.85 M USD" */
static void put_price(struct act_writer *writer, const struct act_plan *plan,
                      const struct act_result *result)
{
    if (!timed(result)) {
        say(writer, " in a time that cannot be told");
        return;
    }
    say(writer, " in %s calendar days", figure(ACT_METRIC_DAYS, result->time.calendar_days).text);
    if (result->cost.known)
        say(writer, " for %s %s", figure(ACT_METRIC_MONEY, result->cost.total).text,
            plan->cost.currency);
    else
        say(writer, " at a price that is not known");
}

static void put_model(struct act_writer *writer, const struct act_plan *plan,
                      const struct act_conclusion_names *names)
{
    say(writer, "%.95s", names->model ? names->model : plan->model.preset);
}

static void put_unfit(struct act_writer *writer, const struct act_plan *plan,
                      const struct act_result *result, const struct act_conclusion_names *names)
{
    const struct act_memory *memory = &result->memory;

    put_model(writer, plan, names);
    say(writer, " does not fit on ");
    put_gpus(writer, plan, result, names);
    say(writer, ": the fullest one, of stage %d, would hold %s of %s GiB.", memory->worst,
        gib(memory->peak).text, gib(memory->usable).text);
    say(writer, " If it did, %s tokens would be trained",
        figure(ACT_METRIC_COUNT, plan->training.tokens).text);
    put_price(writer, plan, result);
    say(writer, ".");
}

static void put_fit(struct act_writer *writer, const struct act_plan *plan,
                    const struct act_result *result, const struct act_conclusion_names *names)
{
    const struct act_memory *memory = &result->memory;
    bool tuned = plan->training.method != ACT_FULL, one = !(result->layout.gpus > 1);

    put_gpus(writer, plan, result, names);
    say(writer, " %s%s ", tuned ? "tune" : "train", one ? "s" : "");
    put_model(writer, plan, names);
    say(writer, " on %s tokens", figure(ACT_METRIC_COUNT, plan->training.tokens).text);
    put_price(writer, plan, result);
    say(writer, "; %s holds %s of %s GiB%s.", one ? "it" : "the fullest GPU",
        gib(memory->peak).text, gib(memory->usable).text,
        result->fit == ACT_TIGHT ? ", which is tight" : "");
}

static void put_deadline(struct act_writer *writer, const struct act_plan *plan,
                         const struct act_result *result)
{
    double late = result->time.calendar_days - plan->training.deadline_days;

    if (!timed(result) || !(plan->training.deadline_days > 0))
        return;
    struct figure deadline = figure(ACT_METRIC_DAYS, plan->training.deadline_days);
    if (late <= 0)
        say(writer, " That is within the deadline of %s days.", deadline.text);
    else
        say(writer, " That is %s days after the deadline of %s.",
            figure(ACT_METRIC_DAYS, late).text, deadline.text);
}

size_t act_conclusion(const struct act_plan *plan, const struct act_result *result,
                      const struct act_conclusion_names *names, char *out, size_t size)
{
    struct act_writer writer;
    int broken = result->errors - (result->fit == ACT_DOES_NOT_FIT);

    act_writer_init(&writer, out, size);
    if (result->fit == ACT_DOES_NOT_FIT)
        put_unfit(&writer, plan, result, names);
    else
        put_fit(&writer, plan, result, names);
    put_deadline(&writer, plan, result);
    if (broken > 0)
        say(&writer, " The plan breaks %d rule%s: see the checks.", broken, broken > 1 ? "s" : "");
    return writer.length;
}

static void put_goodput(struct act_writer *writer, const struct act_cost *cost)
{
    static const char *const sources[] = {[ACT_GOODPUT_GIVEN] = "given",
                                          [ACT_GOODPUT_FAILURES] = "from the failures given",
                                          [ACT_GOODPUT_USUAL] = "usual at this size"};

    say(writer, "; a goodput of %s, %s", percent(cost->goodput_in_use).text,
        sources[cost->goodput_source]);
}

static void put_prices(struct act_writer *writer, const struct act_plan *plan,
                       const struct act_cost *cost)
{
    const struct act_cost_fields *fields = &plan->cost;
    char price[64], years[64];

    if (fields->basis == ACT_OWN) {
        act_quantity_format(fields->amortise_years, ACT_UNIT_NONE, ACT_STYLE_SHORT, years,
                            sizeof years);
        if (!isnan(cost->purchase))
            say(writer, "; servers at %s %s each, written off over %s years",
                figure(ACT_METRIC_MONEY, fields->server_price).text, fields->currency, years);
    } else if (!isnan(cost->rent)) {
        act_number_format(cost->price, 2, true, price, sizeof price);
        say(writer, "; a rent of %s %s a GPU-hour", price, fields->currency);
    } else {
        return;
    }
    if (fields->price_date[0])
        say(writer, " (%s)", fields->price_date);
}

size_t act_conclusion_assumptions(const struct act_plan *plan, const struct act_result *result,
                                  char *out, size_t size)
{
    const struct act_time *time = &result->time;
    struct act_writer writer;

    act_writer_init(&writer, out, size);
    say(&writer, "This assumes an MFU of %s, %s", percent(time->mfu).text,
        time->estimated                            ? "estimated"
        : act_plan_given(plan, ACT_F_hardware_mfu) ? "given"
                                                   : "the default");
    if (time->error_bar > 0)
        say(&writer, " (a step's time within %s either way)", percent(time->error_bar).text);
    put_goodput(&writer, &result->cost);
    put_prices(&writer, plan, &result->cost);
    if (result->memory.error > 0)
        say(&writer, "; memory within %s either way", percent(result->memory.error).text);
    say(&writer, ".");
    return writer.length;
}

/* One figure of both: "calendar days 26.7 for 41.3 (-35 %, better)". */
static void put_change(struct act_writer *writer, const char *key, const char *unit,
                       const struct act_result *base, const struct act_result *result)
{
    const struct act_metric *metric = NULL;
    char by[64];
    int at = 0;

    while ((metric = act_metric_at(at)) != NULL && strcmp(metric->key, key) != 0)
        at++;
    double before = act_metric_value(at, base), after = act_metric_value(at, result);
    struct act_change change = act_metric_change(metric, before, after);
    if (!change.known)
        return;
    say(writer, "%s %s%s", writer->length > 0 ? "," : "",
        metric->unit == ACT_METRIC_BYTES ? "the fullest GPU " : "",
        figure(metric->unit, after).text);
    if (!change.differs) {
        say(writer, "%s as well", unit);
        return;
    }
    act_change_text(metric, &change, by, sizeof by);
    say(writer, "%s for %s (%s, %s)", unit, figure(metric->unit, before).text, by,
        act_verdict_name(change.verdict));
}

size_t act_conclusion_against(const struct act_plan *base, const struct act_result *base_result,
                              const struct act_plan *plan, const struct act_result *result,
                              char *out, size_t size)
{
    char changes[ACT_CONCLUSION_MAX], money[16];
    struct act_writer writer, list;

    act_writer_init(&list, changes, sizeof changes);
    if (timed(base_result) && timed(result))
        put_change(&list, "time.calendar_days", " calendar days", base_result, result);
    if (strcmp(base->cost.currency, plan->cost.currency) == 0) {
        snprintf(money, sizeof money, " %s", plan->cost.currency);
        put_change(&list, "cost.total", money, base_result, result);
    }
    put_change(&list, "memory.peak_bytes", "", base_result, result);
    act_writer_init(&writer, out, size);
    say(&writer, "%.95s, against %.95s:", plan->scenario.name, base->scenario.name);
    act_writer_put(&writer, changes);
    say(&writer, ".");
    return writer.length;
}
