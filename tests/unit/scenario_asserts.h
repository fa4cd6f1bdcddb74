/* Scenario texts read into a plan, asserts on what is said about them, and folders of presets. */
#ifndef ACTUARY_TESTS_SCENARIO_ASSERTS_H
#define ACTUARY_TESTS_SCENARIO_ASSERTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/presets.h"
#include "io/scenario.h"
#include "scratch.h"
#include <actuary/field.h>

static struct act_plan plan;
static struct act_problems problems;
static char folder[SCRATCH_PATH];

static inline int parse(const char *text)
{
    act_problems_init(&problems, "f");
    return act_scenario_parse(text, strlen(text), &plan, &problems);
}

static inline void assert_problem(int index, const char *expected)
{
    char line[512];
    assert_true(index < problems.count);
    act_problem_text(&problems, index, line, sizeof line);
    if (!strstr(line, expected))
        assert_string_equal(line, expected);
}

/* Refused with one problem that contains `expected`, and the plan as it was. */
static inline void refused(const char *text, const char *expected)
{
    struct act_plan before;
    act_preset_default_plan(&before);
    plan = before;
    assert_int_equal(parse(text), -1);
    assert_problem(0, expected);
    assert_int_equal(problems.count, 1);
    assert_true(act_plan_equal(&plan, &before));
}

static inline void accepted(const char *text)
{
    if (parse(text) < 0)
        assert_problem(0, "no problem at all");
}

static inline int with_folder(void **state)
{
    (void)state;
    scratch_make(folder);
    setenv("HOME", folder, 1);
    setenv("XDG_CONFIG_HOME", scratch_path(folder, "config"), 1);
    setenv("XDG_DATA_HOME", scratch_path(folder, "data"), 1);
    setenv("XDG_DATA_DIRS", scratch_path(folder, "shared"), 1);
    act_presets_free();
    return 0;
}

static inline int without_folder(void **state)
{
    (void)state;
    scratch_remove(folder);
    act_presets_free();
    return 0;
}

static inline void write_preset(const char *name, const char *text)
{
    const char *path = scratch_path(folder, name);
    char parent[2 * SCRATCH_PATH];
    snprintf(parent, sizeof parent, "%s", path);
    *strrchr(parent, '/') = '\0';
    scratch_folders(parent);
    scratch_write(path, text, strlen(text));
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, with_folder, without_folder)

#endif
