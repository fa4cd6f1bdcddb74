#include "ui/figure.h"
#include <actuary/units.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double gib = 1073741824.0;

/* Beyond what a column holds: "384 k". */
static void figure(double value, double decimal_below, char *out, size_t size)
{
    if (value < 99999.5)
        act_number_format(value, value < decimal_below ? 1 : 0, true, out, size);
    else
        act_figure_count(value, out, size);
}

void act_figure_gib(double bytes, char *out, size_t size)
{
    figure(bytes / gib, 9999.95, out, size);
}

void act_figure_days(double days, char *out, size_t size)
{
    if (days > 0)
        figure(days, 99.95, out, size);
    else /* no run takes none: there is no time */
        snprintf(out, size, "–");
}

void act_figure_money(double amount, const char *currency, char *out, size_t size)
{
    const char *sign = strcmp(currency, "USD") == 0 ? "$" : currency;
    double scale = amount >= 999.5e9 ? 1e12 : amount >= 999.5e6 ? 1e9 : amount >= 999500 ? 1e6 : 1;
    const char *suffix = scale > 1e9 ? " T" : scale > 1e6 ? " B" : scale > 1 ? " M" : "";
    char number[48];
    double shown = amount / scale;
    act_number_format(shown, scale > 1 || shown < 99.995 ? 2 : 0, true, number, sizeof number);
    snprintf(out, size, "%s %s%s", sign, number, suffix);
}

void act_figure_count(double count, char *out, size_t size)
{
    double scale = count >= 999.5e12  ? 1e15
                   : count >= 999.5e9 ? 1e12
                   : count >= 999.5e6 ? 1e9
                   : count >= 999500  ? 1e6
                   : count >= 9999.5  ? 1e3
                                      : 1;
    const char *suffix = scale >= 1e15   ? " P"
                         : scale >= 1e12 ? " T"
                         : scale >= 1e9  ? " B"
                         : scale >= 1e6  ? " M"
                         : scale >= 1e3  ? " k"
                                         : "";
    char number[48];
    double shown = count / scale;
    int decimals = scale > 1 ? (shown < 9.995 ? 2 : shown < 99.95 ? 1 : 0) : 0;
    act_number_format(shown, decimals, true, number, sizeof number);
    snprintf(out, size, "%s%s", number, suffix);
}

void act_figure_seconds(double seconds, char *out, size_t size)
{
    double shown = seconds < 0.0995 ? seconds * 1000 : seconds < 5400 ? seconds : seconds / 3600;
    const char *unit = seconds < 0.0995 ? "ms" : seconds < 5400 ? "s" : "h";
    char number[48];
    act_number_format(shown,
                      shown < 9.995   ? 2
                      : shown < 99.95 ? 1
                                      : 0,
                      true, number, sizeof number);
    snprintf(out, size, "%s %s", number, unit);
}

static void with_sign(double amount, const char *text, const char *nothing, char *out, size_t size)
{
    if (strcmp(text, nothing) == 0)
        snprintf(out, size, "=");
    else
        snprintf(out, size, "%s%s", amount < 0 ? "−" : "+", text);
}

void act_figure_signed_days(double days, char *out, size_t size)
{
    char text[48];
    figure(fabs(days), 99.95, text, sizeof text);
    with_sign(days, text, "0.0", out, size);
}

void act_figure_signed_money(double amount, const char *currency, char *out, size_t size)
{
    char text[64], nothing[64];
    act_figure_money(fabs(amount), currency, text, sizeof text);
    act_figure_money(0, currency, nothing, sizeof nothing);
    with_sign(amount, text, nothing, out, size);
}
