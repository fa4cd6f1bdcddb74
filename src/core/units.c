/* Quantity to text. Digits come from printf's exact conversion with everything that is not a
 * digit left out, so that no locale's decimal point gets through. */
#include <actuary/units.h>

#include "core/writer.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The longest double in plain digits, with room for decimals and separators. */
enum { NUMBER_TEXT = 512, DECIMALS_MAX = 20, QUANTITY_TEXT = 64 };

struct scale {
    const char *suffix;
    int ten, two; /* the suffix stands for 10^ten x 2^two */
};

static const struct scale none[] = {{"", 0, 0}, {NULL, 0, 0}};
/* Counts below a million stay plain digits in files: 4096, not 4.096k. */
static const struct scale counts[] = {{"", 0, 0},   {"M", 6, 0},  {"B", 9, 0},
                                      {"T", 12, 0}, {"P", 15, 0}, {NULL, 0, 0}};
static const struct scale counts_short[] = {{"", 0, 0},   {"k", 3, 0},  {"M", 6, 0}, {"B", 9, 0},
                                            {"T", 12, 0}, {"P", 15, 0}, {NULL, 0, 0}};
static const struct scale bytes_binary[] = {{"B", 0, 0},    {"KiB", 0, 10}, {"MiB", 0, 20},
                                            {"GiB", 0, 30}, {"TiB", 0, 40}, {"PiB", 0, 50},
                                            {NULL, 0, 0}};
static const struct scale bytes_decimal[] = {{"B", 0, 0},  {"kB", 3, 0},  {"MB", 6, 0},
                                             {"GB", 9, 0}, {"TB", 12, 0}, {"PB", 15, 0},
                                             {NULL, 0, 0}};
static const struct scale bandwidths[] = {{"B/s", 0, 0},  {"kB/s", 3, 0},  {"MB/s", 6, 0},
                                          {"GB/s", 9, 0}, {"TB/s", 12, 0}, {"PB/s", 15, 0},
                                          {NULL, 0, 0}};
static const struct scale flops[] = {{"FLOPS", 0, 0},  {"kFLOPS", 3, 0},  {"MFLOPS", 6, 0},
                                     {"GFLOPS", 9, 0}, {"TFLOPS", 12, 0}, {"PFLOPS", 15, 0},
                                     {NULL, 0, 0}};
static const struct scale watts[] = {{"W", 0, 0}, {"kW", 3, 0}, {"MW", 6, 0}, {NULL, 0, 0}};
static const struct scale days[] = {{"d", 0, 0}, {NULL, 0, 0}};
static const struct scale seconds[] = {{"us", -6, 0}, {"ms", -3, 0}, {"s", 0, 0}, {NULL, 0, 0}};
static const struct scale shares[] = {{"%", -2, 0}, {NULL, 0, 0}};

static const struct scale *scales_of(enum act_unit unit, enum act_style style)
{
    switch (unit) {
    case ACT_UNIT_NONE:
        return none;
    case ACT_UNIT_COUNT:
    case ACT_UNIT_MONEY:
        return style == ACT_STYLE_FILE ? counts : counts_short;
    case ACT_UNIT_BYTES:
        return style == ACT_STYLE_SHORT_GB ? bytes_decimal : bytes_binary;
    case ACT_UNIT_BANDWIDTH:
        return bandwidths;
    case ACT_UNIT_FLOPS:
        return flops;
    case ACT_UNIT_WATT:
        return watts;
    case ACT_UNIT_DAYS:
        return days;
    case ACT_UNIT_SECONDS:
        return seconds;
    case ACT_UNIT_SHARE:
        return shares;
    }
    return none;
}

/* 0.d1d2d3… x 10^point: the shortest digits that read back as the same double. */
struct decimal {
    char digits[20];
    int count, point;
};

static bool reads_back(const struct decimal *decimal, double value)
{
    char text[40];

    snprintf(text, sizeof text, "%.*se%d", decimal->count, decimal->digits,
             decimal->point - decimal->count);
    return strtod(text, NULL) == value;
}

/* Rounds `value` > 0 to `count` significant digits. */
static void round_to(double value, int count, struct decimal *decimal)
{
    char text[64];
    const char *at = text;

    snprintf(text, sizeof text, "%.*e", count - 1, value);
    decimal->count = 0;
    for (; *at != 'e'; at++) {
        if (*at >= '0' && *at <= '9')
            decimal->digits[decimal->count++] = *at;
    }
    decimal->point = (int)strtol(at + 1, NULL, 10) + 1;
    while (decimal->count > 1 && decimal->digits[decimal->count - 1] == '0')
        decimal->count--;
}

static struct decimal shortest_of(double value)
{
    struct decimal decimal = {.digits = "0", .count = 1, .point = 1};

    if (value == 0)
        return decimal;
    /* Up to DBL_DIG digits always survive the way into a normal double and back, so a shorter
     * text, where there is one, is what these digits become without their trailing zeros. */
    for (int count = value < DBL_MIN ? 1 : DBL_DIG; count <= DBL_DECIMAL_DIG; count++) {
        round_to(value, count, &decimal);
        if (reads_back(&decimal, value))
            break;
    }
    return decimal;
}

static void put_zeros(struct act_writer *writer, int count)
{
    for (; count > 0; count--)
        act_writer_put_char(writer, '0');
}

static void put_decimal(struct act_writer *writer, const struct decimal *decimal)
{
    enum { LOWEST = -5, HIGHEST = 21 }; /* beyond, an exponent is easier to read than zeros */
    int point = decimal->point;
    bool with_exponent = point < LOWEST || point > HIGHEST;

    if (with_exponent)
        point = 1;
    if (point <= 0) {
        act_writer_put(writer, "0.");
        put_zeros(writer, -point);
    }
    for (int i = 0; i < decimal->count; i++) {
        if (i == point && i > 0)
            act_writer_put_char(writer, '.');
        act_writer_put_char(writer, decimal->digits[i]);
    }
    put_zeros(writer, point - decimal->count);
    if (with_exponent) {
        char exponent[16];
        snprintf(exponent, sizeof exponent, "e%d", decimal->point - 1);
        act_writer_put(writer, exponent);
    }
}

/* Replaces `best` with the value in the shortest of `scales` when that is no longer. */
static void file_text_in(double value, const struct scale *scales, char *best)
{
    const struct decimal plain = shortest_of(value);

    for (const struct scale *scale = scales; scale->suffix != NULL; scale++) {
        double one = ldexp(pow(10, scale->ten), scale->two);
        if (one > 1 && value < one)
            continue;
        struct decimal decimal = plain;
        if (scale->two != 0) /* dividing by a power of two is exact */
            decimal = shortest_of(ldexp(value, -scale->two));
        if (value > 0)
            decimal.point -= scale->ten;

        char text[QUANTITY_TEXT];
        struct act_writer writer;
        act_writer_init(&writer, text, sizeof text);
        put_decimal(&writer, &decimal);
        act_writer_put(&writer, scale->suffix);
        if (best[0] == '\0' || writer.length <= strlen(best))
            memcpy(best, text, writer.length + 1);
    }
}

static void put_file(struct act_writer *writer, double value, enum act_unit unit)
{
    char best[QUANTITY_TEXT] = "";

    if (value < 0)
        act_writer_put_char(writer, '-');
    value = fabs(value);
    file_text_in(value, scales_of(unit, ACT_STYLE_FILE), best);
    if (unit == ACT_UNIT_BYTES)
        file_text_in(value, bytes_decimal, best);
    act_writer_put(writer, best);
}

static bool is_whole(double value)
{
    return fabs(value - nearbyint(value)) <= 1e-11 * fabs(value);
}

/* How many digits after the point show 3 to 4 significant ones; fewer when they would be zeros
 * of an exact figure: "2 T" but "69.0 B". */
static int decimals_for(double value, bool cents)
{
    int decimals = value >= 999.95 ? 0 : value >= 9.995 ? 1 : 2;

    if (value > 0 && value < 0.995)
        decimals = 2 - (int)floor(log10(value));
    for (int fewer = cents ? 2 : 0; fewer < decimals; fewer++) {
        if (is_whole(value * pow(10, fewer)))
            return fewer;
    }
    return cents && decimals < 2 ? 2 : decimals;
}

static void put_short(struct act_writer *writer, double value, enum act_unit unit,
                      enum act_style style)
{
    enum { SMALLEST_PLAIN_POWER = 4 }; /* below 10^-4 in the smallest unit: as in a file */
    const struct scale *scale = scales_of(unit, style);
    double size = fabs(value), one = ldexp(pow(10, scale->ten), scale->two);
    char text[NUMBER_TEXT];

    /* The next larger unit as soon as rounding would show 1000 of this one. */
    while (scale[1].suffix != NULL) {
        double larger = ldexp(pow(10, scale[1].ten), scale[1].two);
        /* "4096", "2039 GB/s": four exact digits say more than three rounded ones. */
        bool four = size < 9999.5 * one && unit != ACT_UNIT_BYTES && unit != ACT_UNIT_MONEY &&
                    is_whole(size / one) && !is_whole(size / larger * 100);
        if (size == 0 ? larger > 1 : size < larger * 0.99995 || four)
            break;
        one = larger;
        scale++;
    }
    size = scale->ten < 0 ? size * pow(10, -scale->ten) : size / one;
    if ((size > 0 && size < pow(10, -SMALLEST_PLAIN_POWER)) || size >= 1e15) {
        put_file(writer, value, unit);
        return;
    }
    bool group = size >= (unit == ACT_UNIT_DAYS ? 999.5 : 9999.5);
    bool cents = unit == ACT_UNIT_MONEY && scale->ten == 0;
    act_number_format(value < 0 ? -size : size, decimals_for(size, cents), group, text,
                      sizeof text);
    act_writer_put(writer, text);
    if (scale->suffix[0] != '\0') {
        act_writer_put_char(writer, ' ');
        act_writer_put(writer, scale->suffix);
    }
}

static bool put_not_finite(struct act_writer *writer, double value)
{
    if (isfinite(value))
        return false;
    act_writer_put(writer, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
    return true;
}

size_t act_quantity_format(double value, enum act_unit unit, enum act_style style, char *out,
                           size_t out_size)
{
    struct act_writer writer;

    act_writer_init(&writer, out, out_size);
    if (put_not_finite(&writer, value))
        return writer.length;
    if (style == ACT_STYLE_FILE)
        put_file(&writer, value, unit);
    else
        put_short(&writer, value, unit, style);
    return writer.length;
}

size_t act_number_format(double value, int decimals, bool group, char *out, size_t out_size)
{
    struct act_writer writer;
    char text[NUMBER_TEXT];

    act_writer_init(&writer, out, out_size);
    if (put_not_finite(&writer, value))
        return writer.length;
    decimals = decimals < 0 ? 0 : decimals > DECIMALS_MAX ? DECIMALS_MAX : decimals;
    snprintf(text, sizeof text, "%.*f", decimals, fabs(value));
    if (value < 0 && strpbrk(text, "123456789") != NULL)
        act_writer_put_char(&writer, '-');
    size_t whole = strspn(text, "0123456789");
    for (size_t i = 0; i < whole; i++) {
        if (group && i > 0 && (whole - i) % 3 == 0)
            act_writer_put_char(&writer, ',');
        act_writer_put_char(&writer, text[i]);
    }
    if (decimals > 0) {
        act_writer_put_char(&writer, '.');
        act_writer_put(&writer, text + strlen(text) - (size_t)decimals);
    }
    return writer.length;
}

size_t act_word_length(const char *text)
{
    static const char *const units[] = {"GiB", "MiB",   "KiB", "TiB", "PiB", "GB", "MB", "kB",
                                        "TB",  "bytes", "B",   "M",   "T",   "P",  "k",  "%"};
    size_t length = strcspn(text, " ");

    if (length == 0 || text[length] == '\0' || text[length - 1] < '0' || text[length - 1] > '9')
        return length;
    const char *unit = text + length + 1;
    size_t unit_length = strcspn(unit, " ,);:");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i]) == unit_length && memcmp(units[i], unit, unit_length) == 0)
            return length + 1 + strcspn(unit, " ");
    return length;
}
