/* Money, power and what stands around the GPUs, as rows of a report. */
#include "io/report_facts.h"

#include <actuary/units.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

struct figure {
    char text[64];
};

static struct figure number(double value, int decimals)
{
    struct figure figure;
    act_number_format(value, decimals, true, figure.text, sizeof figure.text);
    return figure;
}

static struct figure quantity(double value, enum act_unit unit, enum act_style style)
{
    struct figure figure;
    act_quantity_format(value, unit, style, figure.text, sizeof figure.text);
    return figure;
}

/* Files and disks are counted in powers of 1000. */
static struct figure size_of(double bytes)
{
    return quantity(bytes, ACT_UNIT_BYTES, ACT_STYLE_SHORT_GB);
}

static struct figure hours(double seconds)
{
    struct figure figure;
    bool days = seconds >= 3 * 86400, minutes = seconds < 5400;
    double unit = days ? 86400 : minutes ? 60 : 3600, amount = seconds / unit;

    snprintf(figure.text, sizeof figure.text, "%.40s %s", number(amount, amount < 10 ? 1 : 0).text,
             days      ? "days"
             : minutes ? "min"
                       : "h");
    return figure;
}

__attribute__((format(printf, 4, 5))) static void put(struct act_grid *ret, const char *label,
                                                      const char *value, const char *format, ...)
{
    char text[256];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    act_grid_cell(ret, ACT_CELL_LABEL, label);
    act_grid_cell(ret, ACT_CELL_PLAIN, value);
    act_grid_cell(ret, ACT_CELL_PLAIN, text);
}

static struct figure money(const struct act_case *item, double amount)
{
    struct figure figure;
    snprintf(figure.text, sizeof figure.text, "%.40s %s",
             number(amount, amount < 1000 ? 2 : 0).text, item->resolved.cost.currency);
    return figure;
}

static void put_payment(const struct act_case *item, struct act_grid *ret)
{
    const struct act_cost *cost = &item->result->cost;
    const struct act_cost_fields *fields = &item->resolved.cost;
    bool owned = fields->basis == ACT_OWN;

    if (!isnan(cost->purchase))
        put(ret, "purchase", money(item, cost->purchase).text,
            "the run's part of %s over %s years, network included", money(item, cost->outlay).text,
            quantity(fields->amortise_years, ACT_UNIT_NONE, ACT_STYLE_SHORT).text);
    if (owned && !isnan(cost->energy))
        put(ret, "energy", money(item, cost->energy).text, "at %s a kWh",
            quantity(fields->electricity_price, ACT_UNIT_MONEY, ACT_STYLE_SHORT).text);
    if (!isnan(cost->rent))
        put(ret, owned ? "rent, to compare" : "rent", money(item, cost->rent).text,
            "%s GPU-hours at %s%s%s", number(cost->gpu_hours, 0).text, number(cost->price, 2).text,
            fields->price_date[0] ? ", price: " : "", fields->price_date);
    if (!isnan(cost->staff))
        put(ret, "staff", money(item, cost->staff).text, "%s a year",
            money(item, fields->staff_per_year).text);
    if (cost->known)
        put(ret, "total", money(item, cost->total).text, "%s", "");
    else
        put(ret, "total", "not known", "%s GPU-hours; no price is given",
            number(cost->gpu_hours, 0).text);
}

static void put_goodput(const struct act_case *item, struct act_grid *ret)
{
    const struct act_cost *cost = &item->result->cost;
    const struct act_goodput *goodput = &cost->goodput;
    struct figure share = number(100 * cost->goodput_in_use, 1);
    char value[80];

    snprintf(value, sizeof value, "%s %%", share.text);
    if (cost->goodput_source == ACT_GOODPUT_FAILURES)
        put(ret, "goodput", value, "lost to checkpoints %s, rework %s, restarts %s %%",
            number(100 * goodput->lost_to_checkpoints, 1).text,
            number(100 * goodput->lost_to_rework, 1).text,
            number(100 * goodput->lost_to_restarts, 1).text);
    else
        put(ret, "goodput", value, "%s; failures alone would leave %s %%",
            cost->goodput_source == ACT_GOODPUT_GIVEN ? "given" : "usual at this size",
            number(100 * goodput->share, 1).text);
    if (isfinite(goodput->interval) && isfinite(goodput->mean_time_between_failures))
        put(ret, "checkpoints", size_of(goodput->checkpoint_bytes).text,
            "every %s; a failure every %s", hours(goodput->interval).text,
            hours(goodput->mean_time_between_failures).text);
}

static void put_power(const struct act_case *item, struct act_grid *ret)
{
    const struct act_facility *facility = &item->result->cost.facility;
    double energy = item->result->cost.energy_mwh;
    char value[80], racks[80] = "";

    if (!isnan(energy)) {
        snprintf(value, sizeof value, "%s MWh", number(energy, energy < 10 ? 3 : 0).text);
        put(ret, "energy used", value, "PUE %s, %s %% of the rated draw",
            number(item->resolved.cost.pue, 2).text,
            number(100 * item->resolved.cost.power_load, 0).text);
    }
    if (facility->servers <= 1)
        return;
    if (!isnan(facility->computing_power)) {
        snprintf(value, sizeof value, "%s kW", number(facility->computing_power / 1e3, 0).text);
        put(ret, "power", value, "%s kW with the building's",
            number(facility->building_power / 1e3, 0).text);
    }
    if (!isnan(facility->racks))
        snprintf(racks, sizeof racks, "in %s rack%s; ", number(facility->racks, 0).text,
                 facility->racks > 1 ? "s" : "");
    put(ret, "servers", number(facility->servers, 0).text, "%s%s network ports, %s switch%s", racks,
        number(facility->ports, 0).text, number(facility->switches, 0).text,
        facility->switches > 1 ? "es" : "");
}

void act_facts_cost(const struct act_case *item, struct act_grid *ret)
{
    act_grid_init(ret);
    act_grid_column(ret, "item", false);
    act_grid_column(ret, "amount", true);
    act_grid_column(ret, "remark", false);
    put_payment(item, ret);
    put_power(item, ret);
    put_goodput(item, ret);
}
