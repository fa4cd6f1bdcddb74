/* Figures as text, for reports in words. */
#ifndef ACTUARY_CLI_TEXT_PARTS_H
#define ACTUARY_CLI_TEXT_PARTS_H

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

#endif
