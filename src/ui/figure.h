/* Figures as the screen writes them. All write terminated text and cut when too small. */
#ifndef ACTUARY_UI_FIGURE_H
#define ACTUARY_UI_FIGURE_H

#include <actuary/plan.h>
#include <actuary/units.h>
#include <stdbool.h>
#include <stddef.h>

/* Sizes are in GiB unless GB is asked for, which then holds for the whole screen. */
void act_figure_use_decimal(bool decimal);
const char *act_figure_unit(void);                         /* "GiB" or "GB" */
double act_figure_unit_bytes(void);                        /* bytes of one */
enum act_style act_figure_style(void);                     /* for act_quantity_format */
void act_figure_gib(double bytes, char *out, size_t size); /* "70.7", in that unit */
void act_figure_days(double days, char *out, size_t size); /* "1,041", "26.7", "3.2"; "–" */
void act_figure_money(double amount, const char *currency, char *out, size_t size); /* "$ 2.40 M" */
void act_figure_count(double count, char *out, size_t size);     /* "476 k", "119" */
void act_figure_seconds(double seconds, char *out, size_t size); /* "24.0 s", "1.9 h" */
/* With its sign, "+" or "−"; "=" when it rounds to nothing. */
void act_figure_signed_days(double days, char *out, size_t size);
void act_figure_signed_money(double amount, const char *currency, char *out, size_t size);

#endif
