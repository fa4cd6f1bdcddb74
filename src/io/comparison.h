/* Scenarios side by side: which rows a comparison has, and what stands in them. The first scenario
 * is the base that the others are compared with. */
#ifndef ACTUARY_IO_COMPARISON_H
#define ACTUARY_IO_COMPARISON_H

#include <actuary/diff.h>
#include <actuary/estimate.h>
#include <actuary/field.h>
#include <actuary/metrics.h>
#include <stdbool.h>

/* As many as a report or comparison holds. */
enum { ACT_CASES_MAX = 32 };

/* A scenario with what came of it. */
struct act_case {
    const struct act_plan *plan; /* as the user has it */
    struct act_plan resolved;
    const struct act_result *result;
};

/* Points at both, and resolves the plan. */
void act_case_init(struct act_case *ret, const struct act_plan *plan,
                   const struct act_result *result);
/* The same, having estimated the plan into *ret_result. */
void act_case_estimate(const struct act_plan *plan, struct act_result *ret_result,
                       struct act_case *ret);

/* Fits, and breaks no rule. */
bool act_case_sound(const struct act_case *item);
/* "fits", "tight", "does not fit", "breaks rules". */
const char *act_case_verdict(const struct act_case *item);

struct act_compared {
    char text[160];  /* the value; "-" where there is none */
    char change[40]; /* from the base; "" for the base and where nothing differs */
    enum act_verdict verdict;
    bool differs; /* from the base */
};

/* How a field differs among the cases, and is it a row at all? `all`: also what follows from a
 * preset. */
enum act_difference act_compare_field_difference(const struct act_case *cases, int count,
                                                 enum act_field_id id);
bool act_compare_field_row(const struct act_case *cases, int count, enum act_field_id id, bool all);
/* How many fields follow from presets that differ. */
int act_compare_beside(const struct act_case *cases, int count);
void act_compare_field(const struct act_case *cases, int index, enum act_field_id id,
                       struct act_compared *ret);

/* Does a case have the figure, and is it a headline or all are asked for? */
bool act_compare_metric_row(const struct act_case *cases, int count, int metric, bool all);
void act_compare_metric(const struct act_case *cases, int index, int metric,
                        struct act_compared *ret);
/* The change of a figure from the base; not known where currencies differ. */
struct act_change act_compare_change(const struct act_case *cases, int index, int metric);

#endif
