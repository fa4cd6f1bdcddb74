/* Values as explanations write them. */
#include <actuary/explain.h>

#include <actuary/units.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Four digits, without zeros at the end; very small numbers with an exponent. */
static void put_digits(double value, const char *suffix, char *out, size_t size)
{
    char text[64], power[16] = "";
    int exponent = value > 0 ? (int)floor(log10(value) + 1e-12) : 0;

    if (exponent < -4) {
        value /= pow(10, exponent);
        snprintf(power, sizeof power, "e%d", exponent);
        exponent = 0;
    }
    act_number_format(value, exponent > 3 ? 0 : 3 - exponent, true, text, sizeof text);
    if (strchr(text, '.') != NULL) {
        size_t length = strlen(text);
        while (text[length - 1] == '0')
            length--;
        text[text[length - 1] == '.' ? length - 1 : length] = '\0';
    }
    snprintf(out, size, "%s%s%s", text, power, suffix);
}

void act_term_format(double value, enum act_term_unit unit, char *out, size_t size)
{
    act_term_format_in(false, value, unit, out, size);
}

void act_term_format_in(bool decimal, double value, enum act_term_unit unit, char *out, size_t size)
{
    static const struct step {
        double size;
        const char *suffix;
    } binary[] = {{0x1p50, " PiB"}, {0x1p40, " TiB"}, {0x1p30, " GiB"},
                  {0x1p20, " MiB"}, {0x1p10, " KiB"}, {1, " bytes"}},
      thousands[] = {{1e15, " PB"}, {1e12, " TB"}, {1e9, " GB"},
                     {1e6, " MB"},  {1e3, " kB"},  {1, " bytes"}},
      counts[] = {{1e15, " P"}, {1e12, " T"}, {1e9, " B"}, {1e6, " M"}, {1, ""}};
    const struct step *bytes = decimal ? thousands : binary;
    double positive = fabs(value);
    char *to = out;

    if (value < 0 && size > 1) {
        *to++ = '-';
        size--;
    }
    if (unit == ACT_TERM_BYTES) {
        int i = 0;
        while (bytes[i].size > 1 && positive < bytes[i].size)
            i++;
        put_digits(positive / bytes[i].size, bytes[i].suffix, to, size);
    } else if (unit != ACT_TERM_NUMBER && unit != ACT_TERM_FACTOR && positive >= 1e6) {
        int i = 0;
        while (positive < counts[i].size)
            i++;
        put_digits(positive / counts[i].size, counts[i].suffix, to, size);
    } else if (positive == floor(positive)) {
        act_number_format(positive, 0, true, to, size);
    } else {
        put_digits(positive, "", to, size);
    }
}
