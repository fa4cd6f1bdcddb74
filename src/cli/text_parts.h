/* Figures as text, for reports in words. */
#ifndef ACTUARY_CLI_TEXT_PARTS_H
#define ACTUARY_CLI_TEXT_PARTS_H

#include <actuary/plan.h>
#include <actuary/units.h>

/* A number as text that lives until the end of the full expression's statement. */
struct text {
    char text[64];
};

static inline struct text number(double value, int decimals)
{
    struct text text;
    act_number_format(value, decimals, true, text.text, sizeof text.text);
    return text;
}

static inline struct text quantity(double value, enum act_unit unit)
{
    struct text text;
    act_quantity_format(value, unit, ACT_STYLE_SHORT, text.text, sizeof text.text);
    return text;
}

/* Memory as the reader of the plan wants it: GiB, or GB. */
static inline double size_unit(const struct act_plan *plan)
{
    return plan->decimal_sizes ? 1e9 : 1073741824.0;
}

static inline const char *size_name(const struct act_plan *plan)
{
    return plan->decimal_sizes ? "GB" : "GiB";
}

#endif
