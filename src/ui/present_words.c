#include "ui/present_words.h"

#include "ui/figure.h"

#include <actuary/units.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Glyphs are wide: three digits, no blanks. */
static void three_digits(double value, char *out, size_t size)
{
    static const char suffixes[] = " kMBTP";
    char number[48];
    int power = 0;

    while (value >= (power == 0 ? 9999.5 : 999.5) && suffixes[power + 1] != '\0') {
        value /= 1000;
        power++;
    }
    int decimals = power == 0 ? 0 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    act_number_format(value, decimals, true, number, sizeof number);
    if (power == 0)
        snprintf(out, size, "%s", number);
    else
        snprintf(out, size, "%s%c", number, suffixes[power]);
}

void act_present_days(const struct act_result *result, char *out, size_t size)
{
    double days = result->time.calendar_days;

    if (!isfinite(days) || !(days > 0))
        snprintf(out, size, "-");
    else if (days >= 99.95)
        three_digits(days, out, size);
    else
        act_figure_days(days, out, size);
}

void act_present_money(double amount, const char *currency, char *out, size_t size)
{
    char number[48];

    if (amount < 99.95)
        act_number_format(amount, 2, false, number, sizeof number);
    else
        three_digits(amount, number, sizeof number);
    snprintf(out, size, "%s%s", strcmp(currency, "USD") == 0 ? "$" : "", number);
}

void act_present_cost(const struct act_plan *plan, const struct act_result *result, char *out,
                      size_t size)
{
    if (!result->cost.known || !isfinite(result->cost.total))
        snprintf(out, size, "-");
    else
        act_present_money(result->cost.total, plan->cost.currency, out, size);
}

void act_present_gpus(const struct act_result *result, char *out, size_t size)
{
    if (result->layout.gpus < 99999.5)
        act_number_format(result->layout.gpus, 0, true, out, size);
    else
        three_digits(result->layout.gpus, out, size);
}

struct words {
    char text[ACT_PRESENT_WORDS_MAX];
    size_t length;
};

/* Appends, cut at the end. */
__attribute__((format(printf, 2, 3))) static void say(struct words *words, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    int length = vsnprintf(words->text + words->length, sizeof words->text - words->length, format,
                           arguments);
    va_end(arguments);
    words->length += length > 0 ? (size_t)length : 0;
    if (words->length >= sizeof words->text)
        words->length = sizeof words->text - 1;
}

static bool timed(const struct act_result *result)
{
    return isfinite(result->time.calendar_days) && result->time.calendar_days > 0;
}

/* "21.0 days later"; false when the days are the same to what is shown of them. */
static bool say_days(struct words *words, const struct act_result *base,
                     const struct act_result *result)
{
    double by = result->time.calendar_days - base->time.calendar_days;
    char before[48], after[48], figure[48];

    act_figure_days(base->time.calendar_days, before, sizeof before);
    act_figure_days(result->time.calendar_days, after, sizeof after);
    act_figure_days(fabs(by), figure, sizeof figure);
    if (strcmp(before, after) == 0)
        return false;
    say(words, "%s day%s %s", figure, strcmp(figure, "1.0") == 0 ? "" : "s",
        by > 0 ? "later" : "sooner");
    return true;
}

/* "$ 0.40 M cheaper" */
static bool say_cost(struct words *words, const struct act_tab *base, const struct act_tab *tab)
{
    const char *currency = tab->plan.cost.currency;
    double by = tab->result.cost.total - base->result.cost.total;
    char before[64], after[64], figure[64];

    act_figure_money(base->result.cost.total, currency, before, sizeof before);
    act_figure_money(tab->result.cost.total, currency, after, sizeof after);
    act_present_money(fabs(by), currency, figure, sizeof figure);
    if (strcmp(before, after) == 0)
        return false;
    bool dollars = strcmp(currency, "USD") == 0;
    say(words, "%s%s%s%s %s", words->length > 0 ? " and " : "", figure, dollars ? "" : " ",
        dollars ? "" : currency, by > 0 ? "more expensive" : "cheaper");
    return true;
}

static void say_gpus(struct words *words, const struct act_result *base,
                     const struct act_result *result)
{
    double by = result->layout.gpus - base->layout.gpus;
    char count[48];

    if (!(fabs(by) >= 0.5))
        return;
    act_number_format(fabs(by), 0, true, count, sizeof count);
    say(words, ", with %s GPU%s %s", count, fabs(by) < 1.5 ? "" : "s", by > 0 ? "more" : "fewer");
}

void act_present_against(const struct act_tab *base, const char *base_name,
                         const struct act_tab *tab, char *out, size_t size)
{
    const struct act_result *from = &base->result, *to = &tab->result;
    struct words words = {.length = 0};
    bool time = timed(from) && timed(to);
    bool cost = from->cost.known && to->cost.known &&
                strcmp(base->plan.cost.currency, tab->plan.cost.currency) == 0;
    bool later = time && say_days(&words, from, to);
    bool dearer = cost && say_cost(&words, base, tab);

    if (later || dearer)
        say(&words, " than %s", base_name);
    if (!later && time)
        say(&words, "%s as many days%s%s", dearer ? ", in" : "In", dearer ? "" : " as ",
            dearer ? "" : base_name);
    if (!dearer && cost)
        say(&words, "%s the same cost%s%s", later || time ? ", at" : "At",
            later || time ? "" : " as ", later || time ? "" : base_name);
    if (words.length == 0)
        say(&words, "Beside %s", base_name);
    say_gpus(&words, from, to);
    if (from->fit != to->fit && (from->fit == ACT_DOES_NOT_FIT || to->fit == ACT_DOES_NOT_FIT))
        say(&words, to->fit == ACT_DOES_NOT_FIT ? ", but it does not fit" : ", and it fits");
    snprintf(out, size, "%s", words.text);
}
