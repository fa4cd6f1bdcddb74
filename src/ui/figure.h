/* Figures as the screen writes them. All write terminated text and cut when too small. */
#ifndef ACTUARY_UI_FIGURE_H
#define ACTUARY_UI_FIGURE_H

#include <actuary/plan.h>
#include <stddef.h>

void act_figure_gib(double bytes, char *out, size_t size); /* "70.7" */
void act_figure_days(double days, char *out, size_t size); /* "1,041", "26.7", "3.2"; "–" */
void act_figure_money(double amount, const char *currency, char *out, size_t size); /* "$ 2.40 M" */
void act_figure_count(double count, char *out, size_t size);     /* "476 k", "119" */
void act_figure_seconds(double seconds, char *out, size_t size); /* "24.0 s", "1.9 h" */
/* With its sign, "+" or "−"; "=" when it rounds to nothing. */
void act_figure_signed_days(double days, char *out, size_t size);
void act_figure_signed_money(double amount, const char *currency, char *out, size_t size);

#endif
