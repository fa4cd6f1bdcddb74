/* What is said on a page that is presented: few figures, and differences in words. */
#ifndef ACTUARY_UI_PRESENT_WORDS_H
#define ACTUARY_UI_PRESENT_WORDS_H

#include "session/desk.h"

enum { ACT_PRESENT_WORDS_MAX = 400 };

/* Figures in letters that glyphs have: "76.1", "$1.85M", "1,024"; "-" for what is not known. */
void act_present_days(const struct act_result *result, char *out, size_t size);
void act_present_cost(const struct act_plan *plan, const struct act_result *result, char *out,
                      size_t size);
void act_present_gpus(const struct act_result *result, char *out, size_t size);
/* An amount in three digits: "$1.85M", "640k" (no sign but the dollar's). */
void act_present_money(double amount, const char *currency, char *out, size_t size);

/* The scenario against the baseline: "21.0 days later and $238k cheaper than 1 A800, with 512 GPUs
 * fewer". `base_name` is what the baseline is called. */
void act_present_against(const struct act_tab *base, const char *base_name,
                         const struct act_tab *tab, char *out, size_t size);

#endif
