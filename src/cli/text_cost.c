#include "cli/text_cost.h"

#include "cli/text_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

struct section {
    const struct act_plan *plan;
    const struct act_cost *cost;
    struct act_buffer *out;
    int indent;
    bool begun;
};

__attribute__((format(printf, 2, 3))) static void put_line(struct section *section,
                                                           const char *format, ...)
{
    char line[256];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    act_buffer_printf(section->out, "%*s%s\n", section->begun ? section->indent : 0, "", line);
    section->begun = true;
}

static struct text money(double amount)
{
    /* Less than a cent keeps its digits. */
    return amount > 0 && amount < 0.01 ? quantity(amount, ACT_UNIT_MONEY)
                                       : number(amount, amount < 1000 ? 2 : 0);
}

/* Files and disks are counted in powers of 1000. */
static struct text size(double bytes, enum act_unit unit)
{
    struct text text;
    act_quantity_format(bytes, unit, ACT_STYLE_SHORT_GB, text.text, sizeof text.text);
    return text;
}

/* Two digits that mean something: 0.10 a kWh, 1.5 h, 47 h. */
static struct text short_number(double value)
{
    return number(value, value < 10 ? 1 : 0);
}

static struct text duration(double seconds)
{
    static const struct {
        double least, unit;
        const char *name;
    } units[] = {{3 * 86400, 86400, "days"}, {5400, 3600, "h"}, {90, 60, "min"}, {0, 1, "s"}};
    struct text text;
    int at = 0;

    while (seconds < units[at].least) {
        at++;
    }
    struct text figure = short_number(seconds / units[at].unit);
    snprintf(text.text, sizeof text.text, "%.40s %s", figure.text, units[at].name);
    return text;
}

/* "1,869,658 GPU-hours", "0.0014 GPU-hours" */
static struct text hours(double value)
{
    struct text figure = value < 1     ? quantity(value, ACT_UNIT_NONE)
                         : value < 100 ? number(value, 1)
                                       : number(value, 0);
    struct text text;

    snprintf(text.text, sizeof text.text, "%.40s GPU-hours", figure.text);
    return text;
}

static void put_rent(struct section *section)
{
    const struct act_cost *cost = section->cost;
    const struct act_cost_fields *fields = &section->plan->cost;
    bool owned = fields->basis == ACT_OWN;

    if (isnan(cost->rent)) {
        if (!owned) {
            put_line(section, "no price known; %s", hours(cost->gpu_hours).text);
        }
        return;
    }
    const char *open = fields->price_date[0] ? " (" : "";
    const char *close = fields->price_date[0] ? ")" : "";
    if (owned) { /* to compare: staff is paid either way */
        double staff = isnan(cost->staff) ? 0 : cost->staff;
        put_line(section, "rented at %s a GPU-hour%s%s%s it would be %s %s%s",
                 number(cost->price, 2).text, open, fields->price_date, close,
                 money(cost->rent + staff).text, fields->currency, staff > 0 ? " with staff" : "");
    } else {
        put_line(section, "rent %s %s, %s at %s%s%s%s", money(cost->rent).text, fields->currency,
                 hours(cost->gpu_hours).text, number(cost->price, 2).text, open, fields->price_date,
                 close);
    }
}

static void put_purchase(struct section *section)
{
    const struct act_cost *cost = section->cost;
    const struct act_cost_fields *fields = &section->plan->cost;

    if (isnan(cost->purchase)) {
        put_line(section, "no price of a server known; %s", hours(cost->gpu_hours).text);
        return;
    }
    put_line(section, "purchase %s %s of %s over %s years, network included",
             money(cost->purchase).text, fields->currency, money(cost->outlay).text,
             quantity(fields->amortise_years, ACT_UNIT_NONE).text);
    if (!isnan(cost->energy)) {
        put_line(section, "energy %s %s at %s a kWh", money(cost->energy).text, fields->currency,
                 quantity(fields->electricity_price, ACT_UNIT_MONEY).text);
    }
}

static void put_total(struct section *section)
{
    const struct act_cost *cost = section->cost;
    const char *currency = section->plan->cost.currency;

    if (!isnan(cost->staff)) {
        put_line(section, "staff %s %s", money(cost->staff).text, currency);
    }
    if (cost->known && (!isnan(cost->staff) || !isnan(cost->energy))) {
        put_line(section, "total %s %s", money(cost->total).text, currency);
    }
}

/* Of a single server a part may be used: its rating says little. */
static void put_power(struct section *section)
{
    const struct act_facility *facility = &section->cost->facility;
    double energy = section->cost->energy_mwh;
    double unit = energy >= 1 ? 1 : energy >= 1e-3 ? 1e3 : 1e6;
    struct text used = number(energy * unit, energy * unit < 10 ? 1 : 0);
    char power[128] = "";

    if (isnan(energy)) {
        return;
    }
    if (facility->servers > 1 && !isnan(facility->computing_power)) {
        double scale = facility->computing_power >= 1e5 ? 1e6 : 1e3;
        int decimals = scale > 1e3 ? 2 : 1;
        snprintf(power, sizeof power, "power %.30s %s, %.30s with PUE %.20s; ",
                 number(facility->computing_power / scale, decimals).text,
                 scale > 1e3 ? "MW" : "kW", number(facility->building_power / scale, decimals).text,
                 number(section->plan->cost.pue, 2).text);
    }
    put_line(section, "%senergy %s %s", power, used.text,
             unit > 1e3 ? "Wh"
             : unit > 1 ? "kWh"
                        : "MWh");
}

/* Only a cluster needs more than a socket and a disk. */
static void put_facility(struct section *section)
{
    const struct act_facility *facility = &section->cost->facility;
    const struct act_goodput *goodput = &section->cost->goodput;
    char racks[64] = "";

    if (facility->servers <= 1) {
        return;
    }
    if (!isnan(facility->racks)) {
        snprintf(racks, sizeof racks, " in %.40s rack%s", number(facility->racks, 0).text,
                 facility->racks > 1 ? "s" : "");
    }
    put_line(section, "%s servers%s; %s network ports, %s %s of %lld",
             number(facility->servers, 0).text, racks, number(facility->ports, 0).text,
             number(facility->switches, 0).text, facility->switches > 1 ? "switches" : "switch",
             (long long)section->plan->cost.switch_ports);
    bool known = section->plan->cost.checkpoint_bandwidth > 0;
    double seconds = known ? goodput->checkpoint_seconds : section->plan->cost.checkpoint_stall;
    double speed = known ? section->plan->cost.checkpoint_bandwidth : facility->storage_bandwidth;
    double written = section->cost->checkpoints * goodput->checkpoint_bytes;
    char all[96] = "";
    if (written > 0) {
        snprintf(all, sizeof all, "; %.60s written in all", size(written, ACT_UNIT_BYTES).text);
    }
    put_line(section, "checkpoint %s in %s %s %s%s",
             size(goodput->checkpoint_bytes, ACT_UNIT_BYTES).text,
             quantity(seconds, ACT_UNIT_SECONDS).text, known ? "at" : "needs",
             size(speed, ACT_UNIT_BANDWIDTH).text, all);
}

static void put_goodput(struct section *section)
{
    const struct act_goodput *goodput = &section->cost->goodput;
    enum act_goodput_source source = section->cost->goodput_source;

    if (source == ACT_GOODPUT_FAILURES) {
        put_line(section, "goodput %s %%; lost to checkpoints %s, rework %s, restarts %s %%",
                 number(100 * goodput->share, 1).text,
                 number(100 * goodput->lost_to_checkpoints, 1).text,
                 number(100 * goodput->lost_to_rework, 1).text,
                 number(100 * goodput->lost_to_restarts, 1).text);
    } else {
        put_line(section, "goodput %s %% %s; failures alone leave %s %%",
                 number(100 * section->cost->goodput_in_use, 0).text,
                 source == ACT_GOODPUT_GIVEN ? "given" : "as usual at this size",
                 number(100 * goodput->share, 1).text);
    }
    if (isfinite(goodput->interval) && isfinite(goodput->mean_time_between_failures)) {
        put_line(section, "failures every %s (%s/1,000 GPU-days); checkpoints every %s",
                 duration(goodput->mean_time_between_failures).text,
                 quantity(goodput->failures, ACT_UNIT_NONE).text, duration(goodput->interval).text);
    }
}

static struct section begin(const struct act_plan *plan, const struct act_result *result,
                            int indent, struct act_buffer *out)
{
    return (struct section){.plan = plan, .cost = &result->cost, .out = out, .indent = indent};
}

void act_text_cost(const struct act_plan *plan, const struct act_result *result, int indent,
                   struct act_buffer *out)
{
    struct section section = begin(plan, result, indent, out);

    if (isnan(result->cost.gpu_hours)) {
        put_line(&section, "none without a time");
        return;
    }
    if (plan->cost.basis == ACT_OWN) {
        put_purchase(&section);
    } else {
        put_rent(&section);
    }
    put_total(&section);
    if (plan->cost.basis == ACT_OWN) {
        put_rent(&section);
    }
}

void act_text_needs(const struct act_plan *plan, const struct act_result *result, int indent,
                    struct act_buffer *out)
{
    struct section section = begin(plan, result, indent, out);

    put_power(&section);
    put_facility(&section);
    if (section.cost->facility.servers > 1) {
        put_goodput(&section);
    }
}

bool act_text_has_needs(const struct act_result *result)
{
    return result->cost.facility.servers > 1 || !isnan(result->cost.energy_mwh);
}
