#include <actuary/metrics.h>
#include <actuary/units.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { M = 1 };

/* As in JSON: parts that are rounded to bytes add up to it. */
static double peak_of(const struct act_result *result)
{
    struct act_stage whole;

    act_stage_whole(&result->memory.stage[result->memory.worst], &whole);
    return whole.device;
}

#define ROW(key, label, unit, better, flags, value)                                                \
    {key, label, ACT_METRIC_##unit, ACT_BETTER_##better, ((flags)&M) != 0},
static const struct act_metric table[] = {ACT_METRICS(ROW)};

enum { METRICS = sizeof table / sizeof table[0] };

#define VALUE(key, label, unit, better, flags, value)                                              \
    if (at++ == index)                                                                             \
        return value;

const struct act_metric *act_metric_at(int index)
{
    return index >= 0 && index < METRICS ? &table[index] : NULL;
}

double act_metric_value(int index, const struct act_result *result)
{
    const struct act_result *r = result;
    int at = 0;

    ACT_METRICS(VALUE)
    return NAN;
}

/* Three digits, none of them a zero at the end but the first after the point: 8.5e23. */
static size_t put_power(double value, char *out, size_t size)
{
    char digits[32];
    int exponent = value > 0 ? (int)floor(log10(value)) : 0;
    size_t length = act_number_format(value / pow(10, exponent), 2, false, digits, sizeof digits);

    while (length > 3 && digits[length - 1] == '0')
        digits[--length] = '\0';
    return (size_t)snprintf(out, size, "%se%d", digits, exponent);
}

static size_t put_unit(double value, int decimals, const char *unit, char *out, size_t size)
{
    char digits[64];

    act_number_format(value, decimals, true, digits, sizeof digits);
    return (size_t)snprintf(out, size, "%s%s", digits, unit);
}

size_t act_metric_text(enum act_metric_unit unit, double value, char *out, size_t size)
{
    if (!isfinite(value))
        return (size_t)snprintf(out, size, "-");
    switch (unit) {
    case ACT_METRIC_WHOLE:
        return put_unit(value, 0, "", out, size);
    case ACT_METRIC_UPWARD:
        return put_unit(ceil(value), 0, "", out, size);
    case ACT_METRIC_TENTHS:
        return put_unit(value, value != 0 && fabs(value) < 1 ? 3 : 1, "", out, size);
    case ACT_METRIC_COUNT:
        return act_quantity_format(value, ACT_UNIT_COUNT, ACT_STYLE_SHORT, out, size);
    case ACT_METRIC_POWER:
        return put_power(value, out, size);
    case ACT_METRIC_BYTES:
        return put_unit(value / 1073741824.0, 1, " GiB", out, size);
    case ACT_METRIC_SECONDS:
        return put_unit(value, value < 10 ? 2 : 1, " s", out, size);
    case ACT_METRIC_DAYS:
        return put_unit(value, value < 10 ? 2 : value < 100 ? 1 : 0, "", out, size);
    case ACT_METRIC_SHARE:
        return put_unit(100 * value, 1, " %", out, size);
    case ACT_METRIC_MONEY:
        return act_quantity_format(value, ACT_UNIT_MONEY, ACT_STYLE_SHORT, out, size);
    }
    return 0;
}

const char *act_verdict_name(enum act_verdict verdict)
{
    static const char *const names[] = {"", "better", "worse"};
    return names[verdict];
}

struct act_change act_metric_change(const struct act_metric *metric, double base, double value)
{
    struct act_change change = {.known = isfinite(base) && isfinite(value), .share = NAN};

    if (!change.known)
        return change;
    change.by = value - base;
    change.differs = fabs(change.by) > 1e-9 * fmax(fabs(base), fabs(value));
    if (base != 0)
        change.share = change.by / fabs(base);
    if (change.differs && metric->better != ACT_BETTER_NEITHER)
        change.verdict = (change.by < 0) == (metric->better == ACT_BETTER_LOWER)
                             ? ACT_VERDICT_BETTER
                             : ACT_VERDICT_WORSE;
    return change;
}

/* A sign always, also of what rounds to nothing; one decimal below ten. */
static size_t put_signed(double value, const char *unit, char *out, size_t size)
{
    char digits[64];
    double magnitude = fabs(value);

    act_number_format(magnitude, magnitude < 9.95 ? 1 : 0, true, digits, sizeof digits);
    size_t length = strlen(digits);
    if (length > 2 && strcmp(digits + length - 2, ".0") == 0 && digits[0] != '0')
        digits[length - 2] = '\0';
    return (size_t)snprintf(out, size, "%c%s%s", value < 0 ? '-' : '+', digits, unit);
}

size_t act_change_text(const struct act_metric *metric, const struct act_change *change, char *out,
                       size_t size)
{
    char digits[64];

    if (size > 0)
        out[0] = '\0';
    if (!change->known || !change->differs)
        return 0;
    if (metric->unit == ACT_METRIC_SHARE)
        return put_signed(100 * change->by, " pt", out, size);
    /* A share of few things says little: the difference itself. */
    if (metric->better == ACT_BETTER_LOWER && metric->unit == ACT_METRIC_WHOLE &&
        fabs(change->by) < 100)
        return put_signed(change->by, "", out, size);
    if (!isfinite(change->share)) {
        act_metric_text(metric->unit, fabs(change->by), digits, sizeof digits);
        return (size_t)snprintf(out, size, "%c%s", change->by < 0 ? '-' : '+', digits);
    }
    if (change->share >= 9 || (change->share <= -0.9 && change->share > -1)) {
        double times = change->share > 0 ? change->share + 1 : 1 / (change->share + 1);
        act_number_format(times, 0, true, digits, sizeof digits);
        return (size_t)snprintf(out, size, "%s%s", change->share > 0 ? "x " : "1/", digits);
    }
    return put_signed(100 * change->share, " %", out, size);
}
