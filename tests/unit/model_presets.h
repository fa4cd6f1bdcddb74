/* Model presets read without a reader of YAML, so that tests of counts and FLOPs need nothing but
 * the engine. */
#ifndef ACTUARY_TESTS_MODEL_PRESETS_H
#define ACTUARY_TESTS_MODEL_PRESETS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <actuary/field.h>
#include <actuary/model.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef SOURCE_ROOT
#define SOURCE_ROOT "."
#endif

enum { LINE_ROOM = 1024, PATH_ROOM = 1024 };

static inline FILE *open_source(const char *path)
{
    const char *root = getenv("ACTUARY_SOURCE_ROOT");
    char whole[PATH_ROOM];

    int length = snprintf(whole, sizeof whole, "%s/%s", root ? root : SOURCE_ROOT, path);
    assert_true(length < PATH_ROOM);
    FILE *file = fopen(whole, "r");
    if (!file)
        fail_msg("%s: %s", whole, strerror(errno));
    return file;
}

struct head {
    double counted, published; /* 0: not given */
};

/* A preset of models: "key: value" lines, those of the model indented. */
static inline void read_model(const char *name, struct act_plan *plan, struct head *head)
{
    char path[PATH_ROOM], line[LINE_ROOM];

    snprintf(path, sizeof path, "presets/models/%s.yaml", name);
    FILE *file = open_source(path);
    act_plan_init(plan);
    *head = (struct head){0};
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        char *value = strstr(line, ": ");
        if (!value)
            continue;
        *value = '\0';
        value += 2;
        if (strcmp(line, "counted") == 0)
            head->counted = strtod(value, NULL);
        else if (strcmp(line, "published") == 0)
            head->published = strtod(value, NULL);
        if (line[0] != ' ')
            continue;
        char key[LINE_ROOM], why[256];
        snprintf(key, sizeof key, "model.%s", line + strspn(line, " "));
        const struct act_field *field = act_field_find(key);
        if (!field)
            fail_msg("%s: no field %s", name, key);
        if (act_field_set_text(plan, field->id, value, 0, why, sizeof why) < 0)
            fail_msg("%s: %s: %s", name, key, why);
    }
    fclose(file);
}

static inline void plan_of(const char *name, struct act_plan *plan)
{
    struct head head;

    read_model(name, plan, &head);
}

static inline struct act_parameters count_of(const struct act_plan *plan)
{
    struct act_plan resolved;
    struct act_parameters count;

    act_plan_resolve(plan, &resolved);
    act_model_count(&resolved, &count);
    return count;
}

static inline struct act_flops flops_of(const struct act_plan *plan)
{
    struct act_plan resolved;
    struct act_parameters count;
    struct act_flops flops;

    act_plan_resolve(plan, &resolved);
    act_model_count(&resolved, &count);
    act_model_flops(&resolved, &count, &flops);
    return flops;
}

static inline void assert_exact(const char *what, double value, double expected)
{
    if (value != expected)
        fail_msg("%s: %.3f instead of %.3f", what, value, expected);
}

static inline void assert_near(double value, double expected, double share)
{
    if (!(fabs(value - expected) <= share * fabs(expected)))
        fail_msg("%.9g instead of %.9g", value, expected);
}

#endif
