/* Text to quantity. A number is collected as decimal digits and a power of ten, so that "2.5T"
 * becomes the double nearest to 2.5e12 in one rounding; strtod sees no decimal point, hence
 * nothing that a locale could change. */
#include <actuary/units.h>

#include "core/letters.h"
#include "core/writer.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXPONENT_LIMIT = 100000 }; /* far beyond any double, far below any overflow of int */

struct reader {
    const char *text; /* the whole, for messages */
    const char *at;
    enum act_unit unit;
    bool arithmetic;
    bool percent; /* a '%' was read */
    char *why;
    size_t why_size;
};

/* What a suffix multiplies by: 10^ten x 2^two x times / over. */
struct factor {
    int ten, two;
    double times, over;
};

static const char *const examples[] = {
    [ACT_UNIT_NONE] = "a plain number such as 8",
    [ACT_UNIT_COUNT] = "a count such as 4096 or 2T",
    [ACT_UNIT_BYTES] = "a size such as 80GiB or 80GB",
    [ACT_UNIT_BANDWIDTH] = "a bandwidth such as 25GB/s or 200Gb/s",
    [ACT_UNIT_FLOPS] = "a rate such as 312TFLOPS",
    [ACT_UNIT_WATT] = "a power such as 400W or 6.5kW",
    [ACT_UNIT_DAYS] = "a time such as 90d, 12h or 2w",
    [ACT_UNIT_SECONDS] = "a time such as 5.2s or 300ms",
    [ACT_UNIT_SHARE] = "a share such as 40% or 0.4",
    [ACT_UNIT_MONEY] = "an amount such as 1.50 or 12M",
};

__attribute__((format(printf, 2, 3))) static int fail(struct reader *r, const char *format, ...)
{
    va_list arguments;

    if (r->why_size > 0) {
        va_start(arguments, format);
        vsnprintf(r->why, r->why_size, format, arguments);
        va_end(arguments);
    }
    return -1;
}

/* "<text> <problem>; write <example>" */
static int fail_example(struct reader *r, const char *problem)
{
    char quoted[ACT_EXCERPT];

    return fail(r, "%s %s; write %s", act_text_excerpt(r->text, quoted), problem,
                examples[r->unit]);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void skip_spaces(struct reader *r)
{
    while (*r->at == ' ')
        r->at++;
}

/* Reads k M G T P, with a following 'i' the powers of 1024. */
static const char *read_prefix(const char *at, bool binary, struct factor *factor)
{
    static const char letters[] = "kMGTP";
    const char *letter = *at == '\0' ? NULL : strchr(letters, *at == 'K' ? 'k' : *at);

    if (letter == NULL)
        return at;
    at++;
    int power = (int)(letter - letters) + 1;
    if (binary && *at == 'i') {
        factor->two = 10 * power;
        return at + 1;
    }
    factor->ten = 3 * power;
    return at;
}

static bool count_suffix(const char *at, bool binary, struct factor *factor)
{
    if (strcmp(at, "B") == 0) {
        factor->ten = 9;
        return true;
    }
    return *read_prefix(at, binary, factor) == '\0';
}

static bool bandwidth_suffix(const char *at, struct factor *factor)
{
    at = read_prefix(at, true, factor);
    if (*at == 'b')
        factor->two -= 3; /* bits */
    else if (*at != 'B')
        return false;
    return strcmp(at + 1, "/s") == 0 || strcmp(at + 1, "ps") == 0;
}

static bool days_suffix(const char *at, struct factor *factor)
{
    if (strcmp(at, "h") == 0)
        factor->over = 24;
    else if (strcmp(at, "w") == 0)
        factor->times = 7;
    else
        return strcmp(at, "d") == 0;
    return true;
}

static bool seconds_suffix(const char *at, struct factor *factor)
{
    if (strcmp(at, "ms") == 0)
        factor->ten = -3;
    else if (strcmp(at, "us") == 0)
        factor->ten = -6;
    else
        return strcmp(at, "s") == 0;
    return true;
}

/* Is `at`, which is not empty, a suffix of the unit? */
static bool read_suffix(struct reader *r, const char *at, struct factor *factor)
{
    switch (r->unit) {
    case ACT_UNIT_NONE:
        return false;
    case ACT_UNIT_COUNT:
        return count_suffix(at, true, factor);
    case ACT_UNIT_MONEY:
        return count_suffix(at, false, factor);
    case ACT_UNIT_BYTES:
        at = read_prefix(at, true, factor);
        return *at == '\0' || strcmp(at, "B") == 0;
    case ACT_UNIT_BANDWIDTH:
        return bandwidth_suffix(at, factor);
    case ACT_UNIT_FLOPS:
        at = read_prefix(at, false, factor);
        return *at == '\0' || act_same_letters(at, "FLOPS") || act_same_letters(at, "FLOP/s");
    case ACT_UNIT_WATT:
        return strcmp(read_prefix(at, false, factor), "W") == 0;
    case ACT_UNIT_DAYS:
        return days_suffix(at, factor);
    case ACT_UNIT_SECONDS:
        return seconds_suffix(at, factor);
    case ACT_UNIT_SHARE:
        factor->ten = -2;
        r->percent = true;
        return strcmp(at, "%") == 0;
    }
    return false;
}

/* The suffix behind a number. '/' belongs to it only in "/s": elsewhere it divides. */
static int parse_suffix(struct reader *r, struct factor *factor)
{
    char suffix[16];
    size_t length = 0;

    for (;; r->at++) {
        bool per_second =
            r->at[0] == '/' && r->at[1] == 's' && length > 0 && !act_is_letter(r->at[2]);
        if (!act_is_letter(*r->at) && *r->at != '%' && !per_second)
            break;
        if (length + 1 < sizeof suffix)
            suffix[length] = *r->at;
        length++;
    }
    if (length == 0)
        return 0;
    if (length + 1 > sizeof suffix)
        return fail_example(r, "has an unknown unit");
    suffix[length] = '\0';
    if (read_suffix(r, suffix, factor))
        return 0;
    if (r->unit == ACT_UNIT_BYTES && suffix[length - 1] == 'b')
        return fail_example(r, "is in bits");
    if (r->unit == ACT_UNIT_BANDWIDTH)
        return fail_example(r, "does not say bytes or bits a second");
    if (r->unit == ACT_UNIT_NONE)
        return fail_example(r, "has a suffix where none is used");
    return fail_example(r, "has an unknown unit");
}

static int fail_comma(struct reader *r)
{
    char quoted[ACT_EXCERPT], cured[ACT_EXCERPT], grouped[ACT_EXCERPT];
    size_t groups = strspn(r->at + 1, "0123456789"), length = 0;

    if (groups == 0)
        return fail_example(r, "has a comma");
    act_text_excerpt(r->text, quoted);
    if (groups != 3) {
        for (size_t i = 0; i <= strlen(quoted); i++)
            cured[i] = quoted[i] == ',' ? '.' : quoted[i];
        return fail(r, "%s has a comma; write %s with a point", quoted, cured);
    }
    for (size_t i = 0; i <= strlen(quoted); i++) {
        grouped[i] = quoted[i] == ',' ? '_' : quoted[i];
        if (quoted[i] != ',')
            cured[length++] = quoted[i];
    }
    return fail(r, "%s has a comma; write %s or %s", quoted, cured, grouped);
}

/* Appends the digits at the reader to `digits`; returns how many, or -1 for a stray '_'. */
static int collect(struct reader *r, char *digits, size_t *length)
{
    int count = 0;

    for (;; r->at++) {
        if (*r->at == '_') {
            if (count == 0 || !is_digit(r->at[-1]) || !is_digit(r->at[1])) {
                char quoted[ACT_EXCERPT];
                return fail(r, "%s has a stray _; write it between digits only, as in 1_000",
                            act_text_excerpt(r->text, quoted));
            }
        } else if (is_digit(*r->at)) {
            digits[(*length)++] = *r->at;
            count++;
        } else {
            return count;
        }
    }
}

/* An exponent, if there is one: 'e' without digits behind it is left for the suffix. */
static int parse_exponent(struct reader *r)
{
    const char *at = r->at;
    int value = 0;

    if (*at != 'e' && *at != 'E')
        return 0;
    at++;
    bool negative = *at == '-';
    if (*at == '-' || *at == '+')
        at++;
    if (!is_digit(*at))
        return 0;
    for (; is_digit(*at); at++)
        value = value < EXPONENT_LIMIT ? 10 * value + (*at - '0') : value;
    r->at = at;
    return negative ? -value : value;
}

static int fail_number(struct reader *r)
{
    if (*r->at == '\0' && r->at == r->text)
        return fail(r, "nothing is given; write %s", examples[r->unit]);
    if (act_is_letter(*r->at))
        return fail_example(r, "is not a number");
    return fail_example(r, "is not understood");
}

static int parse_number(struct reader *r, double *ret)
{
    char digits[ACT_QUANTITY_MAX + 32];
    size_t length = 0;
    struct factor factor = {0, 0, 1, 1};
    int whole, fraction = 0;

    if (r->at[0] == '0' && (r->at[1] == 'x' || r->at[1] == 'X'))
        return fail_example(r, "is hexadecimal");
    whole = collect(r, digits, &length);
    if (whole < 0)
        return -1;
    if (*r->at == '.' && (whole > 0 || is_digit(r->at[1]))) {
        r->at++;
        fraction = collect(r, digits, &length);
        if (fraction < 0)
            return -1;
    }
    if (length == 0)
        return fail_number(r);
    if (*r->at == ',')
        return fail_comma(r);
    int exponent = parse_exponent(r) - fraction;
    skip_spaces(r);
    if (parse_suffix(r, &factor) != 0)
        return -1;
    snprintf(digits + length, sizeof digits - length, "e%d", exponent + factor.ten);
    double value = ldexp(strtod(digits, NULL), factor.two) * factor.times / factor.over;
    if (!isfinite(value))
        return fail_example(r, "is too large a number");
    *ret = value;
    return 0;
}

static int parse_sum(struct reader *r, double *ret);

static int parse_operand(struct reader *r, double *ret)
{
    bool negative = false;

    skip_spaces(r);
    while (*r->at == '-' || *r->at == '+') {
        negative ^= *r->at == '-';
        r->at++;
        skip_spaces(r);
        if (!r->arithmetic)
            break;
    }
    if (*r->at == '(' && r->arithmetic) {
        /* Depth is bounded by ACT_QUANTITY_MAX. */
        r->at++;
        if (parse_sum(r, ret) != 0)
            return -1;
        if (*r->at != ')')
            return fail_example(r, "lacks a )");
        r->at++;
        skip_spaces(r);
    } else if (parse_number(r, ret) != 0) {
        return -1;
    }
    skip_spaces(r);
    if (negative)
        *ret = -*ret;
    return 0;
}

static int parse_product(struct reader *r, double *ret)
{
    if (parse_operand(r, ret) != 0)
        return -1;
    while (*r->at == '*' || *r->at == '/') {
        bool divide = *r->at == '/';
        double operand;

        r->at++;
        if (parse_operand(r, &operand) != 0)
            return -1;
        if (divide && operand == 0)
            return fail_example(r, "divides by zero");
        *ret = divide ? *ret / operand : *ret * operand;
        if (!isfinite(*ret))
            return fail_example(r, "is too large a number");
    }
    return 0;
}

static int parse_sum(struct reader *r, double *ret)
{
    if (parse_product(r, ret) != 0)
        return -1;
    while (*r->at == '+' || *r->at == '-') {
        bool subtract = *r->at == '-';
        double operand;

        r->at++;
        if (parse_product(r, &operand) != 0)
            return -1;
        *ret = subtract ? *ret - operand : *ret + operand;
        if (!isfinite(*ret))
            return fail_example(r, "is too large a number");
    }
    return 0;
}

static int check_end(struct reader *r)
{
    char quoted[ACT_EXCERPT];

    if (*r->at == '\0')
        return 0;
    if (!r->arithmetic && strchr("*/+-(", *r->at) != NULL)
        return fail(r, "%s is arithmetic, which is not taken here; write its result",
                    act_text_excerpt(r->text, quoted));
    return fail_example(r, "is not understood");
}

static int check_share(struct reader *r, double value)
{
    char percent[64], share[64];

    if (r->unit != ACT_UNIT_SHARE || r->percent || value <= 1)
        return 0;
    if (value > 100)
        return fail_example(r, "is more than the whole");
    act_quantity_format(value, ACT_UNIT_NONE, ACT_STYLE_FILE, percent, sizeof percent);
    act_quantity_format(value / 100, ACT_UNIT_NONE, ACT_STYLE_FILE, share, sizeof share);
    return fail(r, "%s is more than the whole; write %s%% or %s", percent, percent, share);
}

static int check_whole(struct reader *r, double value)
{
    char below[64], above[64], quoted[ACT_EXCERPT];

    if (value == floor(value))
        return 0;
    act_quantity_format(floor(value), ACT_UNIT_NONE, ACT_STYLE_FILE, below, sizeof below);
    act_quantity_format(floor(value) + 1, ACT_UNIT_NONE, ACT_STYLE_FILE, above, sizeof above);
    return fail(r, "%s is not a whole number; write %s or %s", act_text_excerpt(r->text, quoted),
                below, above);
}

int act_quantity_parse(const char *text, enum act_unit unit, unsigned flags, double *ret_value,
                       char *why, size_t why_size)
{
    struct reader r = {.text = text,
                       .unit = unit,
                       .arithmetic = (flags & ACT_PARSE_ARITHMETIC) != 0,
                       .why = why,
                       .why_size = why_size};
    double value;

    if (strnlen(text, ACT_QUANTITY_MAX + 1) > ACT_QUANTITY_MAX)
        return fail(&r, "the text is longer than %d characters; write %s", (int)ACT_QUANTITY_MAX,
                    examples[unit]);
    while (*r.text == ' ')
        r.text++;
    r.at = r.text;
    if ((r.arithmetic ? parse_sum(&r, &value) : parse_operand(&r, &value)) != 0 ||
        check_end(&r) != 0 || check_share(&r, value) != 0 ||
        ((flags & ACT_PARSE_INTEGER) != 0 && check_whole(&r, value) != 0))
        return -1;
    *ret_value = value;
    return 0;
}
