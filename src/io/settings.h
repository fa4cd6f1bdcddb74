/* What a user wants of the program itself, whatever the scenario: a small YAML file,
 * $XDG_CONFIG_HOME/actuary/config.yaml (else ~/.config/actuary/config.yaml), and options that
 * overrule it.
 *
 *     units: GB          # GiB (default) or GB: sizes on screen and in text
 *     theme: light       # default, terminal, light, dark, high-contrast, mono
 *     currency: EUR      # of scenarios that name no currency and no amount of money
 *     mouse: on
 *     ascii: off
 *     plain: off         # for screen readers
 */
#ifndef ACTUARY_IO_SETTINGS_H
#define ACTUARY_IO_SETTINGS_H

#include "io/problem.h"
#include <actuary/plan.h>
#include <stdbool.h>
#include <stddef.h>

enum act_scheme {
    ACT_SCHEME_DEFAULT,  /* the terminal's own ground and text, mid tones that read on both */
    ACT_SCHEME_TERMINAL, /* the terminal's own sixteen colours alone */
    ACT_SCHEME_LIGHT,
    ACT_SCHEME_DARK,
    ACT_SCHEME_HIGH_CONTRAST,
    ACT_SCHEME_MONO,
    ACT_SCHEME_COUNT
};

/* Zero is what a user has who wants nothing. */
struct act_settings {
    bool decimal; /* sizes in GB */
    enum act_scheme scheme;
    char currency[8]; /* "" until one is wanted */
    bool mouse, ascii, plain;
};

/* "default", "terminal", …; NULL past the last. */
const char *act_scheme_name(int scheme);
/* 0, or -1 with a sentence in `why` and *ret untouched. */
int act_scheme_find(const char *name, enum act_scheme *ret, char *why, size_t why_size);

/* Reads the settings of a text into *ret. 0, or -1 with problems added (they must be initialised)
 * and *ret untouched. */
int act_settings_parse(const char *text, size_t size, struct act_settings *ret,
                       struct act_problems *problems);
/* The same from a file; NULL is the user's own, which need not exist. Begins the problems. */
int act_settings_load(const char *path, struct act_settings *ret, struct act_problems *problems);

/* What the settings mean for a plan that was read: the unit of its texts, and the currency where
 * the scenario names none and gives no amount in one. That currency is then given, so that a saved
 * file means the same elsewhere. */
void act_settings_apply(const struct act_settings *settings, struct act_plan *plan);

#endif
