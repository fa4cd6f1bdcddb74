/* Framework rules tried on a plan: what clashes, which two numbers, and what would mend it.
 * Nothing is refused; a broken rule is a check (facts/rules.md V05…V55). */
#ifndef ACTUARY_CHECK_H
#define ACTUARY_CHECK_H

#include <actuary/cost.h>
#include <actuary/layout.h>
#include <actuary/memory.h>
#include <actuary/plan.h>
#include <actuary/timing.h>
#include <stddef.h>

enum act_level { ACT_ERROR, ACT_WARNING, ACT_NOTE };

enum {
    ACT_CHECKS_MAX = 80,
    ACT_CHECK_FIELDS_MAX = 4,
    ACT_CHECK_TEXT = 200,
};

/* One value to set, as act_field_set_number does; ACT_AUTO on a list gives the list up. */
struct act_repair {
    enum act_field_id field;
    double value;
};

struct act_check {
    enum act_level level;
    const char *rule;  /* "tensor-divides-heads" */
    const char *brief; /* of the rule, at most 14 letters */
    char message[ACT_CHECK_TEXT];
    int fields; /* how many of field[] */
    enum act_field_id field[ACT_CHECK_FIELDS_MAX];
    int repairs; /* values to set together; 0: no repair known */
    struct act_repair repair[ACT_CHECK_FIELDS_MAX];
};

struct act_checks {
    int count;
    struct act_check check[ACT_CHECKS_MAX];
};

const char *act_level_name(enum act_level level);

/* Tries every rule; errors first, then warnings, then notes. `plan` is as the user has it, for
 * what was left to derive and for repairs; the rest comes from `resolved`. */
void act_check_plan(const struct act_plan *plan, const struct act_plan *resolved,
                    const struct act_layout *layout, const struct act_memory *memory,
                    const struct act_time *time, const struct act_cost *cost,
                    struct act_checks *ret);

/* Makes the repairs of a check on the plan the user edits; the check's rule then holds. */
void act_check_mend(const struct act_check *check, struct act_plan *plan);

/* The repairs of a check as a scenario's keys, "parallel.tensor=8 parallel.data=4"; "" when it has
 * none. Length as snprintf returns it. */
size_t act_check_repair_text(const struct act_check *check, char *out, size_t size);

/* One line on what divides, for when nothing is wrong: "64 heads and 8 KV heads divide by TP 4;
 * 80 layers by PP 4". Names only what holds on the resolved plan; may be empty. */
void act_check_summary(const struct act_plan *plan, char *out, size_t size);

/* The rules, for lists and tests: NULL past the end. */
struct act_rule {
    const char *name;
    const char *id;      /* number of a framework's rule, "V05"; "" for the planner's own */
    const char *brief;   /* what is wrong when it is broken, at most 14 letters: "uneven stages" */
    const char *summary; /* one line: what holds */
};
const struct act_rule *act_rule_at(int index);

#endif
