/* Quantities: text to number and back. Expected numbers are the meaning of the text, worked by
 * hand from the definitions of the units. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <actuary/units.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ARITHMETIC = ACT_PARSE_ARITHMETIC, INTEGER = ACT_PARSE_INTEGER };

struct good {
    const char *text;
    enum act_unit unit;
    unsigned flags;
    double value;
};

static const struct good good[] = {
    {"0", ACT_UNIT_NONE, 0, 0},
    {"80", ACT_UNIT_NONE, 0, 80},
    {"  80  ", ACT_UNIT_NONE, 0, 80},
    {"+3", ACT_UNIT_NONE, 0, 3},
    {"-5", ACT_UNIT_NONE, 0, -5},
    {".5", ACT_UNIT_NONE, 0, 0.5},
    {"5.", ACT_UNIT_NONE, 0, 5},
    {"1e3", ACT_UNIT_NONE, 0, 1000},
    {"2.5E-1", ACT_UNIT_NONE, 0, 0.25},
    {"1_000", ACT_UNIT_NONE, 0, 1000},
    {"0.1", ACT_UNIT_NONE, 0, 0.1},
    {"1e-400", ACT_UNIT_NONE, 0, 0},
    {"2T", ACT_UNIT_COUNT, 0, 2e12},
    {"70B", ACT_UNIT_COUNT, 0, 70e9},
    {"70G", ACT_UNIT_COUNT, 0, 70e9},
    {"1.5M", ACT_UNIT_COUNT, 0, 1.5e6},
    {"32k", ACT_UNIT_COUNT, 0, 32000},
    {"32K", ACT_UNIT_COUNT, 0, 32000},
    {"1P", ACT_UNIT_COUNT, 0, 1e15},
    {"2e12", ACT_UNIT_COUNT, 0, 2e12},
    {"15_000_000", ACT_UNIT_COUNT, 0, 15e6},
    {"8Ki", ACT_UNIT_COUNT, 0, 8192},
    {"1Mi", ACT_UNIT_COUNT, 0, 1048576},
    {"1Ti", ACT_UNIT_COUNT, 0, 1099511627776.0},
    {"2 T", ACT_UNIT_COUNT, 0, 2e12},
    {"80GiB", ACT_UNIT_BYTES, 0, 85899345920.0},
    {"80 GiB", ACT_UNIT_BYTES, 0, 85899345920.0},
    {"80GB", ACT_UNIT_BYTES, 0, 80e9},
    {"512MiB", ACT_UNIT_BYTES, 0, 536870912},
    {"16B", ACT_UNIT_BYTES, 0, 16},
    {"1kB", ACT_UNIT_BYTES, 0, 1000},
    {"1KiB", ACT_UNIT_BYTES, 0, 1024},
    {"1TiB", ACT_UNIT_BYTES, 0, 1099511627776.0},
    {"80G", ACT_UNIT_BYTES, 0, 80e9},
    {"123", ACT_UNIT_BYTES, 0, 123},
    {"25GB/s", ACT_UNIT_BANDWIDTH, 0, 25e9},
    {"200Gb/s", ACT_UNIT_BANDWIDTH, 0, 25e9},
    {"200Gbps", ACT_UNIT_BANDWIDTH, 0, 25e9},
    {"2TB/s", ACT_UNIT_BANDWIDTH, 0, 2e12},
    {"8b/s", ACT_UNIT_BANDWIDTH, 0, 1},
    {"1GiB/s", ACT_UNIT_BANDWIDTH, 0, 1073741824},
    {"312TFLOPS", ACT_UNIT_FLOPS, 0, 312e12},
    {"312TFLOP/s", ACT_UNIT_FLOPS, 0, 312e12},
    {"312T", ACT_UNIT_FLOPS, 0, 312e12},
    {"1PFLOPS", ACT_UNIT_FLOPS, 0, 1e15},
    {"400W", ACT_UNIT_WATT, 0, 400},
    {"6.5kW", ACT_UNIT_WATT, 0, 6500},
    {"90d", ACT_UNIT_DAYS, 0, 90},
    {"12h", ACT_UNIT_DAYS, 0, 0.5},
    {"2w", ACT_UNIT_DAYS, 0, 14},
    {"90", ACT_UNIT_DAYS, 0, 90},
    {"5.2s", ACT_UNIT_SECONDS, 0, 5.2},
    {"300ms", ACT_UNIT_SECONDS, 0, 0.3},
    {"7us", ACT_UNIT_SECONDS, 0, 7e-6},
    {"0.4", ACT_UNIT_SHARE, 0, 0.4},
    {"40%", ACT_UNIT_SHARE, 0, 0.4},
    {"40 %", ACT_UNIT_SHARE, 0, 0.4},
    {"38.46%", ACT_UNIT_SHARE, 0, 0.3846},
    {"1", ACT_UNIT_SHARE, 0, 1},
    {"100%", ACT_UNIT_SHARE, 0, 1},
    {"1.50", ACT_UNIT_MONEY, 0, 1.5},
    {"12M", ACT_UNIT_MONEY, 0, 12e6},
    {"1.2B", ACT_UNIT_MONEY, 0, 1.2e9},
    {"8*1024", ACT_UNIT_NONE, ARITHMETIC, 8192},
    {"64/8", ACT_UNIT_NONE, ARITHMETIC, 8},
    {"2 + 3 * 4", ACT_UNIT_NONE, ARITHMETIC, 14},
    {"(2+3)*4", ACT_UNIT_NONE, ARITHMETIC, 20},
    {"20-5-3", ACT_UNIT_NONE, ARITHMETIC, 12},
    {"64/8/2", ACT_UNIT_NONE, ARITHMETIC, 4},
    {"-(2-5)", ACT_UNIT_NONE, ARITHMETIC, 3},
    {"2*-3", ACT_UNIT_NONE, ARITHMETIC, -6},
    {"2T-500B", ACT_UNIT_COUNT, ARITHMETIC, 1.5e12},
    {"2*40GiB", ACT_UNIT_BYTES, ARITHMETIC, 85899345920.0},
    {"50GB/s/2", ACT_UNIT_BANDWIDTH, ARITHMETIC, 25e9},
    {"624TFLOP/s/2", ACT_UNIT_FLOPS, ARITHMETIC, 312e12},
    {"80%/2", ACT_UNIT_SHARE, ARITHMETIC, 0.4},
    {"2e-3*1000", ACT_UNIT_NONE, ARITHMETIC, 2},
    {"2.5k", ACT_UNIT_COUNT, INTEGER, 2500},
};

static void test_reads_quantities(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        double value = -12345;
        char why[200] = "";
        int got =
            act_quantity_parse(good[i].text, good[i].unit, good[i].flags, &value, why, sizeof why);

        if (got != 0 || value != good[i].value)
            fail_msg("'%s': %d, %.17g instead of %.17g, '%s'", good[i].text, got, value,
                     good[i].value, why);
    }
}

struct bad {
    const char *text;
    enum act_unit unit;
    unsigned flags;
    const char *message; /* a part of it */
};

static const struct bad bad[] = {
    {"", ACT_UNIT_NONE, 0, "nothing is given; write a plain number"},
    {"   ", ACT_UNIT_COUNT, 0, "nothing is given"},
    {"1,000", ACT_UNIT_COUNT, 0, "1,000 has a comma; write 1000 or 1_000"},
    {"1,000,000", ACT_UNIT_COUNT, 0, "write 1000000 or 1_000_000"},
    {"1,5T", ACT_UNIT_COUNT, 0, "write 1.5T with a point"},
    {"8,", ACT_UNIT_COUNT, 0, "has a comma"},
    {"nan", ACT_UNIT_SHARE, 0, "nan is not a number; write a share such as 40% or 0.4"},
    {"inf", ACT_UNIT_NONE, 0, "is not a number"},
    {"-inf", ACT_UNIT_NONE, 0, "is not a number"},
    {"0x10", ACT_UNIT_NONE, 0, "hexadecimal"},
    {"0X1p3", ACT_UNIT_NONE, 0, "hexadecimal"},
    {"80x", ACT_UNIT_NONE, 0, "has a suffix where none is used"},
    {"8k", ACT_UNIT_NONE, 0, "has a suffix where none is used"},
    {"2Q", ACT_UNIT_COUNT, 0, "unknown unit; write a count such as 4096 or 2T"},
    {"2m", ACT_UNIT_COUNT, 0, "unknown unit"},
    {"2TT", ACT_UNIT_COUNT, 0, "unknown unit"},
    {"2Bi", ACT_UNIT_COUNT, 0, "unknown unit"},
    {"1Mi", ACT_UNIT_MONEY, 0, "unknown unit"},
    {"2abcdefghijklmnopqrstuvwxyz", ACT_UNIT_COUNT, 0, "unknown unit"},
    {"0.45abc", ACT_UNIT_SHARE, 0, "unknown unit"},
    {"80gb", ACT_UNIT_BYTES, 0, "write a size such as 80GiB or 80GB"},
    {"80Gb", ACT_UNIT_BYTES, 0, "is in bits; write a size"},
    {"25G", ACT_UNIT_BANDWIDTH, 0, "does not say bytes or bits a second"},
    {"25GB", ACT_UNIT_BANDWIDTH, 0, "does not say bytes or bits a second"},
    {"400kWh", ACT_UNIT_WATT, 0, "unknown unit"},
    {"90m", ACT_UNIT_DAYS, 0, "write a time such as 90d, 12h or 2w"},
    {"40", ACT_UNIT_SHARE, 0, "40 is more than the whole; write 40% or 0.4"},
    {"1.5", ACT_UNIT_SHARE, 0, "1.5 is more than the whole; write 1.5% or 0.015"},
    {"4000", ACT_UNIT_SHARE, 0, "more than the whole; write a share"},
    {"2*20", ACT_UNIT_SHARE, ARITHMETIC, "40 is more than the whole"},
    {"1__0", ACT_UNIT_NONE, 0, "stray _; write it between digits only"},
    {"_1", ACT_UNIT_NONE, 0, "stray _"},
    {"1_", ACT_UNIT_NONE, 0, "stray _"},
    {"1_.5", ACT_UNIT_NONE, 0, "stray _"},
    {"1._5", ACT_UNIT_NONE, 0, "stray _"},
    {".", ACT_UNIT_NONE, 0, "not understood"},
    {"-", ACT_UNIT_NONE, 0, "not understood"},
    {"--5", ACT_UNIT_NONE, 0, "not understood"},
    {"1 2", ACT_UNIT_NONE, 0, "not understood"},
    {"1.2.3", ACT_UNIT_NONE, 0, "not understood"},
    {"8\n", ACT_UNIT_NONE, 0, "8? is not understood"},
    {"8*1024", ACT_UNIT_NONE, 0, "8*1024 is arithmetic"},
    {"64/8", ACT_UNIT_NONE, 0, "is arithmetic"},
    {"1/0", ACT_UNIT_NONE, ARITHMETIC, "divides by zero"},
    {"((64/8)", ACT_UNIT_NONE, ARITHMETIC, "lacks a )"},
    {"64/8)", ACT_UNIT_NONE, ARITHMETIC, "not understood"},
    {"8*", ACT_UNIT_NONE, ARITHMETIC, "not understood"},
    {"()", ACT_UNIT_NONE, ARITHMETIC, "not understood"},
    {"1e999", ACT_UNIT_NONE, 0, "too large"},
    {"1e99999999999999999999", ACT_UNIT_NONE, 0, "too large"},
    {"1e300T", ACT_UNIT_COUNT, 0, "too large"},
    {"1e300*1e300", ACT_UNIT_NONE, ARITHMETIC, "too large"},
    {"1e308+1e308", ACT_UNIT_NONE, ARITHMETIC, "too large"},
    {"2.5", ACT_UNIT_NONE, INTEGER, "2.5 is not a whole number; write 2 or 3"},
    {"-2.5", ACT_UNIT_NONE, INTEGER, "write -3 or -2"},
    {"\x1b[31m", ACT_UNIT_NONE, 0, "?[31m is not understood"},
};

static void test_refuses_with_advice(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double value = -12345;
        char why[200] = "";
        int got =
            act_quantity_parse(bad[i].text, bad[i].unit, bad[i].flags, &value, why, sizeof why);

        if (got != -1 || value != -12345 || strstr(why, bad[i].message) == NULL)
            fail_msg("'%s': %d, %.17g, '%s' lacks '%s'", bad[i].text, got, value, why,
                     bad[i].message);
    }
}

static void test_long_texts(void **state)
{
    char text[600], why[80];
    double value = 7;

    (void)state;
    memset(text, '1', sizeof text);
    text[ACT_QUANTITY_MAX] = '\0';
    assert_int_equal(act_quantity_parse(text, ACT_UNIT_NONE, 0, &value, why, sizeof why), 0);
    assert_true(value > 1e255 && value < 1.2e255);
    text[ACT_QUANTITY_MAX] = '1';
    text[sizeof text - 1] = '\0';
    value = 7;
    assert_int_equal(act_quantity_parse(text, ACT_UNIT_NONE, 0, &value, why, sizeof why), -1);
    assert_true(value == 7);
    assert_non_null(strstr(why, "longer than 256"));

    memset(text, '(', ACT_QUANTITY_MAX); /* as deep as it goes */
    text[ACT_QUANTITY_MAX] = '\0';
    assert_int_equal(act_quantity_parse(text, ACT_UNIT_NONE, ARITHMETIC, &value, why, sizeof why),
                     -1);
    /* Messages are cut, never overrun; without room for one there is none. */
    assert_int_equal(act_quantity_parse("x", ACT_UNIT_NONE, 0, &value, why, 6), -1);
    assert_string_equal(why, "x is ");
    assert_int_equal(act_quantity_parse("x", ACT_UNIT_NONE, 0, &value, NULL, 0), -1);
}

struct written {
    double value;
    enum act_unit unit;
    enum act_style style;
    const char *text;
};

static const struct written written[] = {
    {2e12, ACT_UNIT_COUNT, ACT_STYLE_FILE, "2T"},
    {70e9, ACT_UNIT_COUNT, ACT_STYLE_FILE, "70B"},
    {4096, ACT_UNIT_COUNT, ACT_STYLE_FILE, "4096"},
    {500000, ACT_UNIT_COUNT, ACT_STYLE_FILE, "500000"},
    {68976648192.0, ACT_UNIT_COUNT, ACT_STYLE_FILE, "68976648192"},
    {1048576, ACT_UNIT_COUNT, ACT_STYLE_FILE, "1048576"},
    {85899345920.0, ACT_UNIT_BYTES, ACT_STYLE_FILE, "80GiB"},
    {79.14 * 1073741824, ACT_UNIT_BYTES, ACT_STYLE_FILE, "79.14GiB"},
    {80e9, ACT_UNIT_BYTES, ACT_STYLE_FILE, "80GB"},
    {0, ACT_UNIT_BYTES, ACT_STYLE_FILE, "0B"},
    {312e12, ACT_UNIT_FLOPS, ACT_STYLE_FILE, "312TFLOPS"},
    {25e9, ACT_UNIT_BANDWIDTH, ACT_STYLE_FILE, "25GB/s"},
    {2039e9, ACT_UNIT_BANDWIDTH, ACT_STYLE_FILE, "2039GB/s"},
    {0.4, ACT_UNIT_SHARE, ACT_STYLE_FILE, "40%"},
    {0.07, ACT_UNIT_SHARE, ACT_STYLE_FILE, "7%"},
    {0, ACT_UNIT_SHARE, ACT_STYLE_FILE, "0%"},
    {90, ACT_UNIT_DAYS, ACT_STYLE_FILE, "90d"},
    {0.3, ACT_UNIT_SECONDS, ACT_STYLE_FILE, "0.3s"},
    {0, ACT_UNIT_SECONDS, ACT_STYLE_FILE, "0s"},
    {6500, ACT_UNIT_WATT, ACT_STYLE_FILE, "6.5kW"},
    {1.5, ACT_UNIT_MONEY, ACT_STYLE_FILE, "1.5"},
    {12e6, ACT_UNIT_MONEY, ACT_STYLE_FILE, "12M"},
    {1.1, ACT_UNIT_NONE, ACT_STYLE_FILE, "1.1"},
    {-0.0, ACT_UNIT_NONE, ACT_STYLE_FILE, "0"},
    {-2.5, ACT_UNIT_NONE, ACT_STYLE_FILE, "-2.5"},
    {1e300, ACT_UNIT_NONE, ACT_STYLE_FILE, "1e300"},
    {1.5e-9, ACT_UNIT_NONE, ACT_STYLE_FILE, "1.5e-9"},
    {5e-324, ACT_UNIT_NONE, ACT_STYLE_FILE, "5e-324"},
    {2e12, ACT_UNIT_COUNT, ACT_STYLE_SHORT, "2 T"},
    {68976648192.0, ACT_UNIT_COUNT, ACT_STYLE_SHORT, "69.0 B"},
    {999950, ACT_UNIT_COUNT, ACT_STYLE_SHORT, "1.00 M"},
    {4096, ACT_UNIT_COUNT, ACT_STYLE_SHORT, "4096"},
    {79.14 * 1073741824, ACT_UNIT_BYTES, ACT_STYLE_SHORT, "79.1 GiB"},
    {85899345920.0, ACT_UNIT_BYTES, ACT_STYLE_SHORT, "80 GiB"},
    {122.5e9, ACT_UNIT_BYTES, ACT_STYLE_SHORT_GB, "122.5 GB"},
    {79.14 * 1073741824, ACT_UNIT_BYTES, ACT_STYLE_SHORT_GB, "85.0 GB"},
    {0, ACT_UNIT_BYTES, ACT_STYLE_SHORT, "0 B"},
    {312e12, ACT_UNIT_FLOPS, ACT_STYLE_SHORT, "312 TFLOPS"},
    {1979e12, ACT_UNIT_FLOPS, ACT_STYLE_SHORT, "1979 TFLOPS"},
    {25e9, ACT_UNIT_BANDWIDTH, ACT_STYLE_SHORT, "25 GB/s"},
    {0.4, ACT_UNIT_SHARE, ACT_STYLE_SHORT, "40 %"},
    {0.07, ACT_UNIT_SHARE, ACT_STYLE_SHORT, "7 %"},
    {1.0 / 3, ACT_UNIT_SHARE, ACT_STYLE_SHORT, "33.3 %"},
    {90, ACT_UNIT_DAYS, ACT_STYLE_SHORT, "90 d"},
    {76.0769, ACT_UNIT_DAYS, ACT_STYLE_SHORT, "76.1 d"},
    {1041.3, ACT_UNIT_DAYS, ACT_STYLE_SHORT, "1,041 d"},
    {0.3, ACT_UNIT_SECONDS, ACT_STYLE_SHORT, "300 ms"},
    {0, ACT_UNIT_SECONDS, ACT_STYLE_SHORT, "0 s"},
    {1.5, ACT_UNIT_MONEY, ACT_STYLE_SHORT, "1.50"},
    {2396745, ACT_UNIT_MONEY, ACT_STYLE_SHORT, "2.40 M"},
    {-2396745, ACT_UNIT_MONEY, ACT_STYLE_SHORT, "-2.40 M"},
    {1.234567, ACT_UNIT_NONE, ACT_STYLE_SHORT, "1.23"},
    {(double)INFINITY, ACT_UNIT_NONE, ACT_STYLE_SHORT, "inf"},
    {(double)NAN, ACT_UNIT_BYTES, ACT_STYLE_FILE, "nan"},
};

static void test_writes_quantities(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        char text[64];
        size_t length = act_quantity_format(written[i].value, written[i].unit, written[i].style,
                                            text, sizeof text);

        if (strcmp(text, written[i].text) != 0 || length != strlen(text))
            fail_msg("%.17g: '%s' (%zu) instead of '%s'", written[i].value, text, length,
                     written[i].text);
    }
}

static void test_writes_numbers(void **state)
{
    char text[400];

    (void)state;
    assert_int_equal(act_number_format(1041.3, 0, true, text, sizeof text), 5);
    assert_string_equal(text, "1,041");
    act_number_format(1234567.891, 2, true, text, sizeof text);
    assert_string_equal(text, "1,234,567.89");
    act_number_format(1234567.891, 1, false, text, sizeof text);
    assert_string_equal(text, "1234567.9");
    act_number_format(-999, 0, true, text, sizeof text);
    assert_string_equal(text, "-999");
    act_number_format(-0.001, 1, true, text, sizeof text); /* no "-0.0" */
    assert_string_equal(text, "0.0");
    assert_int_equal(act_number_format(1e308, 0, false, text, sizeof text), 309);
    /* Cut and terminated, with the length of the whole. */
    assert_int_equal(act_number_format(1041.3, 0, true, text, 4), 5);
    assert_string_equal(text, "1,0");
    assert_int_equal(act_number_format(1041.3, 0, true, NULL, 0), 5);
    assert_int_equal(act_quantity_format(2e12, ACT_UNIT_COUNT, ACT_STYLE_SHORT, text, 1), 3);
    assert_string_equal(text, "");
}

static void test_words_keep_their_unit(void **state)
{
    static const struct {
        const char *text;
        size_t length;
    } cases[] = {
        {"21.04 GiB + 1", 9},
        {"80 × 268 MiB", 2},
        {"8.6 B) / 2", 6},
        {"40 %", 4},
        {"word GiB", 4},
        {"12 GiBs", 2},
        {"", 0},
        {"alone", 5},
        {"3", 1},
        {"3 ", 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(act_word_length(cases[i].text), cases[i].length);
}

/* With whatever locale the environment names; one with a decimal comma where there is one. */
static void test_locale_does_not_matter(void **state)
{
    static const char *const locales[] = {"", "de_DE.UTF-8", "fr_FR.UTF-8", "C"};

    (void)state;
    for (size_t i = 0; i < sizeof locales / sizeof *locales; i++) {
        char text[64], why[80];
        double value = 0;

        setlocale(LC_ALL, locales[i]); /* may fail where it is not installed */
        assert_int_equal(act_quantity_parse("0.45", ACT_UNIT_SHARE, 0, &value, why, sizeof why), 0);
        assert_true(value == 0.45);
        act_quantity_format(79.14 * 1073741824, ACT_UNIT_BYTES, ACT_STYLE_FILE, text, sizeof text);
        assert_string_equal(text, "79.14GiB");
        act_number_format(1234.5, 1, true, text, sizeof text);
        assert_string_equal(text, "1,234.5");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_quantities),
        cmocka_unit_test(test_refuses_with_advice),
        cmocka_unit_test(test_long_texts),
        cmocka_unit_test(test_writes_quantities),
        cmocka_unit_test(test_writes_numbers),
        cmocka_unit_test(test_words_keep_their_unit),
        cmocka_unit_test(test_locale_does_not_matter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
