/* Figures as text, for reports in words. */
#ifndef ACTUARY_CLI_TEXT_PARTS_H
#define ACTUARY_CLI_TEXT_PARTS_H

#include <actuary/units.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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

static inline struct text gib(double bytes)
{
    return number(bytes / 1073741824.0, 1);
}

/* 8.4e23: three digits, no zeros at the end. */
static inline struct text exponential(double value)
{
    struct text digits, text;
    int exponent = value > 0 ? (int)floor(log10(value)) : 0;

    digits = number(value / pow(10, exponent), 2);
    size_t length = strlen(digits.text);
    while (length > 3 && digits.text[length - 1] == '0') {
        digits.text[--length] = '\0';
    }
    snprintf(text.text, sizeof text.text, "%.16se%d", digits.text, exponent);
    return text;
}

/* Days as the screen has them: whole ones, below ten with a decimal. */
static inline struct text days(double value)
{
    return number(value, value < 10 ? 2 : value < 100 ? 1 : 0);
}

#endif
