/* Quantities: text to number and back, the same under every locale.
 *
 * Inside the program every quantity is a double in its base unit: bytes, bytes per second,
 * FLOP/s, watts, days, seconds, shares 0..1, plain counts. Units exist only at the edges, and
 * this is the edge. Nothing here reads or changes the process locale. */
#ifndef ACTUARY_UNITS_H
#define ACTUARY_UNITS_H

#include <stdbool.h>
#include <stddef.h>

enum act_unit {
    ACT_UNIT_NONE,      /* a bare number; no suffix accepted */
    ACT_UNIT_COUNT,     /* tokens, parameters: k M B G T P (powers of 1000; B = G), Ki Mi Gi Ti */
    ACT_UNIT_BYTES,     /* 80GiB, 80GB, 512MiB, 16B */
    ACT_UNIT_BANDWIDTH, /* bytes a second: 25GB/s, 200Gb/s (bits), 2TB/s */
    ACT_UNIT_FLOPS,     /* FLOP a second: 312TFLOPS, 1PFLOPS */
    ACT_UNIT_WATT,      /* 400W, 6.5kW */
    ACT_UNIT_DAYS,      /* 90d, 12h, 2w: days */
    ACT_UNIT_SECONDS,   /* 5.2s, 300ms */
    ACT_UNIT_SHARE,     /* 0.4 or 40%: a share from 0 to 1; "40" is refused with advice */
    ACT_UNIT_MONEY,     /* an amount in the scenario's currency: 1.50, 12M */
};

enum {
    ACT_PARSE_ARITHMETIC = 1, /* + - * / and parentheses: the planner and --set, never files */
    ACT_PARSE_INTEGER = 2,    /* refuse a fraction */
};

/* Longest text act_quantity_parse looks at; longer texts are refused. */
enum { ACT_QUANTITY_MAX = 256 };

/* Reads the whole of `text` as one quantity of `unit` and stores it in base units.
 * Accepts digits with '_' between them, a decimal point, an exponent, a suffix and a unit.
 * Refuses commas (with advice), nan, inf, hex, trailing text and overflow.
 * Returns 0, or -1 with one sentence (what is wrong; what would be right) in `why` and
 * `*ret_value` untouched. */
int act_quantity_parse(const char *text, enum act_unit unit, unsigned flags, double *ret_value,
                       char *why, size_t why_size);

enum act_style {
    ACT_STYLE_FILE,     /* shortest text that act_quantity_parse reads back to the same double */
    ACT_STYLE_SHORT,    /* for eyes: 3 to 4 significant digits, "69.0 B", "79.1 GiB", "40 %" */
    ACT_STYLE_SHORT_GB, /* as SHORT, sizes in powers of 1000 */
};

/* Writes `value` as text of `unit` into `out` (always terminated, cut when too small) and
 * returns the length of the whole text, as snprintf does. */
size_t act_quantity_format(double value, enum act_unit unit, enum act_style style, char *out,
                           size_t out_size);

/* `value` with `decimals` digits after the point and ',' between groups of three when
 * `group` is set: 1041.3 -> "1,041". Same return as above. */
size_t act_number_format(double value, int decimals, bool group, char *out, size_t out_size);

/* Length of the first word of `text`, which begins with no blank: up to a blank, and over it where
 * a number's unit follows. Lines are broken after such words. */
size_t act_word_length(const char *text);

#endif
