#include "io/csv.h"

#include "io/escape.h"

#include <actuary/units.h>
#include <math.h>

/* All digits that the number has; nothing where there is none. */
static void put_number(double value, struct act_buffer *out)
{
    char text[64];

    if (!isfinite(value))
        return;
    act_quantity_format(value, ACT_UNIT_NONE, ACT_STYLE_FILE, text, sizeof text);
    act_buffer_puts(out, text);
}

/* Bytes are whole numbers, as in JSON. */
static double exact(int metric, const struct act_result *result)
{
    double value = act_metric_value(metric, result);
    return act_metric_at(metric)->unit == ACT_METRIC_BYTES ? round(value) : value;
}

static const char *truth(bool value)
{
    return value ? "true" : "false";
}

void act_csv_header(struct act_buffer *out)
{
    act_buffer_puts(out, "name,fits,framework,currency");
    for (int i = 0; act_metric_at(i); i++)
        act_buffer_printf(out, ",%s", act_metric_at(i)->key);
    act_buffer_puts(out, "\n");
}

void act_csv_plan(const struct act_plan *plan, const struct act_result *result,
                  struct act_buffer *out)
{
    act_escape_csv(out, plan->scenario.name);
    act_buffer_printf(out, ",%s,", truth(result->fit != ACT_DOES_NOT_FIT));
    act_escape_csv(out, plan->framework.preset);
    act_buffer_puts(out, ",");
    act_escape_csv(out, plan->cost.currency);
    for (int i = 0; act_metric_at(i); i++) {
        act_buffer_puts(out, ",");
        put_number(exact(i, result), out);
    }
    act_buffer_puts(out, "\n");
}

static void put_field_row(const struct act_case *cases, int count, enum act_field_id id, bool only,
                          struct act_buffer *out)
{
    const struct act_field *field = act_field(id);
    bool differs = act_compare_field_difference(cases, count, id) != ACT_SAME;
    char text[ACT_LIST_MAX * 8];

    if (!act_compare_field_row(cases, count, id, true) || (only && !differs))
        return;
    act_buffer_printf(out, "%s,%s", field->key, truth(differs));
    for (int i = 0; i < count; i++) {
        act_buffer_puts(out, ",");
        if (!act_field_applies(&cases[i].resolved, id))
            continue;
        act_field_text(&cases[i].resolved, id, ACT_STYLE_FILE, text, sizeof text);
        act_escape_csv(out, text);
    }
    act_buffer_puts(out, "\n");
}

static void put_metric_row(const struct act_case *cases, int count, int metric, bool only,
                           struct act_buffer *out)
{
    bool differs = false;

    for (int i = 1; i < count; i++) {
        struct act_compared cell;
        act_compare_metric(cases, i, metric, &cell);
        differs = differs || cell.differs;
    }
    if (!act_compare_metric_row(cases, count, metric, true) || (only && !differs))
        return;
    act_buffer_printf(out, "%s,%s", act_metric_at(metric)->key, truth(differs));
    for (int i = 0; i < count; i++) {
        act_buffer_puts(out, ",");
        put_number(exact(metric, cases[i].result), out);
    }
    act_buffer_puts(out, "\n");
}

static void put_fits(const struct act_case *cases, int count, bool only, struct act_buffer *out)
{
    bool first = cases[0].result->fit != ACT_DOES_NOT_FIT, differs = false;

    for (int i = 1; i < count; i++)
        differs = differs || first != (cases[i].result->fit != ACT_DOES_NOT_FIT);
    if (only && !differs)
        return;
    act_buffer_printf(out, "fits,%s", truth(differs));
    for (int i = 0; i < count; i++)
        act_buffer_printf(out, ",%s", truth(cases[i].result->fit != ACT_DOES_NOT_FIT));
    act_buffer_puts(out, "\n");
}

void act_csv_comparison(const struct act_case *cases, int count, bool only, struct act_buffer *out)
{
    act_buffer_puts(out, "key,differs");
    for (int i = 0; i < count; i++) {
        act_buffer_puts(out, ",");
        act_escape_csv(out, cases[i].plan->scenario.name);
    }
    act_buffer_puts(out, "\n");
    put_fits(cases, count, only, out);
    for (int id = 0; id < ACT_FIELD_COUNT; id++)
        put_field_row(cases, count, (enum act_field_id)id, only, out);
    for (int i = 0; act_metric_at(i); i++)
        put_metric_row(cases, count, i, only, out);
}
