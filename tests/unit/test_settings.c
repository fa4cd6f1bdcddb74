/* The config file: every key, every kind of mistake with its place and cure, and what the settings
 * do to a plan. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/scenario.h"
#include "io/settings.h"
#include "scratch.h"
#include <actuary/estimate.h>
#include <actuary/field.h>
#include <stdio.h>
#include <string.h>

static int parse(const char *text, struct act_settings *settings, struct act_problems *problems)
{
    act_problems_init(problems, "config.yaml");
    return act_settings_parse(text, strlen(text), settings, problems);
}

static void every_key(void **state)
{
    (void)state;
    struct act_settings settings = {0};
    struct act_problems problems;
    assert_int_equal(parse("schema: 1\nunits: GB\ntheme: high-contrast\ncurrency: EUR\nmouse: on\n"
                           "ascii: yes\nplain: true\n",
                           &settings, &problems),
                     0);
    assert_true(settings.decimal && settings.mouse && settings.ascii && settings.plain);
    assert_int_equal(settings.scheme, ACT_SCHEME_HIGH_CONTRAST);
    assert_string_equal(settings.currency, "EUR");
    assert_int_equal(parse("{units: gib, mouse: off, ascii: no, plain: false, theme: Mono}",
                           &settings, &problems),
                     0);
    assert_false(settings.decimal || settings.mouse || settings.ascii || settings.plain);
    assert_int_equal(settings.scheme, ACT_SCHEME_MONO);
    assert_string_equal(settings.currency, "EUR"); /* left alone */
}

static void nothing_is_fine(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "\n", "# units: GB\n", "  # a\n\n#b", "\r\n"};
    struct act_settings settings = {.decimal = true};
    struct act_problems problems;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_int_equal(parse(texts[i], &settings, &problems), 0);
        assert_int_equal(problems.count, 0);
    }
    assert_true(settings.decimal);
}

static void mistakes_have_place_and_cure(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"unit: GB\n", "config.yaml:1:1: unit: unknown key; did you mean units?"},
        {"theme: dark\ncolour: red\n", "config.yaml:2:1: colour: unknown key; units, theme"},
        {"units: MB\n", "config.yaml:1:8: units: \"MB\" is no unit for memory; GiB or GB"},
        {"theme: drak\n", "config.yaml:1:8: theme: there is no theme \"drak\"; default, terminal"},
        {"mouse: maybe\n", "config.yaml:1:8: mouse: \"maybe\" is neither on nor off"},
        {"mouse: [on]\n", "config.yaml:1:8: mouse"},
        {"mouse:\n", "mouse"},
        {"currency: CURRENCIES\n", "config.yaml:1:11: currency"},
        {"currency: \"\"\n", "config.yaml:1:11: currency"},
        {"units: GB\nunits: GiB\n", "config.yaml:2:1"},
        {"- units\n", "config.yaml:1:1: a config file is made of lines"},
        {"units: &a GB\n", "config.yaml:1"},
        {"schema: 2\n", "schema 2 is newer"},
        {"plain: \"\033[2J\"\n", "config.yaml:1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct act_settings settings = {.currency = "CNY"}, before = settings;
        struct act_problems problems;
        char text[800];
        assert_int_equal(parse(cases[i].text, &settings, &problems), -1);
        assert_memory_equal(&settings, &before, sizeof settings);
        act_problem_text(&problems, 0, text, sizeof text);
        if (strstr(text, cases[i].says) == NULL)
            fail_msg("%s says \"%s\"", cases[i].text, text);
        for (const char *at = text; *at != '\0'; at++)
            assert_true((unsigned char)*at >= ' ');
    }
    /* All of them are told at once. */
    struct act_settings settings = {0};
    struct act_problems problems;
    assert_int_equal(parse("a: 1\nunits: x\ntheme: y\n", &settings, &problems), -1);
    assert_int_equal(problems.count, 3);
}

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005U + 1442695040888963407U;
    return *seed >> 33;
}

/* Whatever stands in the file: settings, or problems that can be printed and nothing changed. */
static void hostile_files(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "units: ", "GB",         "\n",   "theme: ", "dark",     ":",     "- ",    "[",
        "{",       "\"",         "\xff", "mouse: ", "on",       " ",     "\t",    "#",
        "\0x",     "&a ",        "*a",   "!!str",   "schema: ", "99",    "plain", "|",
        ">",       "currency: ", "EUR",  "\033",    "%YAML",    "---\n", "...\n", "null"};
    uint64_t seed = 20261130;
    int fine = 0;
    for (int round = 0; round < 20000; round++) {
        char text[512];
        size_t size = 0;
        int count = (int)(next_random(&seed) % 9);
        for (int i = 0; i < count; i++) {
            const char *part = parts[next_random(&seed) % (sizeof parts / sizeof *parts)];
            size_t length = part[0] == '\0' ? 2 : strlen(part); /* one holds a NUL */
            memcpy(text + size, part, length);
            size += length;
        }
        struct act_settings settings = {.currency = "CNY"}, before = settings;
        struct act_problems problems;
        act_problems_init(&problems, "config.yaml");
        if (act_settings_parse(text, size, &settings, &problems) == 0) {
            assert_int_equal(problems.count, 0);
            assert_true(settings.scheme < ACT_SCHEME_COUNT);
            fine++;
            continue;
        }
        assert_true(problems.count > 0);
        assert_memory_equal(&settings, &before, sizeof settings);
        for (int i = 0; i < problems.count; i++) {
            char line[800];
            act_problem_text(&problems, i, line, sizeof line);
            for (const char *at = line; *at != '\0'; at++)
                assert_true((unsigned char)*at >= ' ' && *at != 127);
        }
    }
    assert_true(fine > 100); /* both ways are tried */
}

static char folder[SCRATCH_PATH];

static int make_folder(void **state)
{
    (void)state;
    scratch_make(folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    scratch_remove(folder);
    return 0;
}

static void the_own_file_need_not_exist(void **state)
{
    (void)state;
    struct act_settings settings = {0};
    struct act_problems problems;
    const char *path;
    char text[800];
    setenv("XDG_CONFIG_HOME", folder, 1);
    assert_int_equal(act_settings_load(NULL, &settings, &problems), 0);
    path = scratch_path(folder, "missing.yaml");
    assert_int_equal(act_settings_load(path, &settings, &problems), -1);
    act_problem_text(&problems, 0, text, sizeof text);
    assert_non_null(strstr(text, "missing.yaml: cannot be opened"));
    scratch_folders(scratch_path(folder, "actuary"));
    path = scratch_path(folder, "actuary/config.yaml");
    scratch_write(path, "units: GB\n", 10);
    assert_int_equal(act_settings_load(NULL, &settings, &problems), 0);
    assert_true(settings.decimal);
    scratch_write(path, "units: XB\n", 10);
    assert_int_equal(act_settings_load(NULL, &settings, &problems), -1);
    assert_true(settings.decimal);
    setenv("XDG_CONFIG_HOME", "relative", 1); /* is passed over, as the specification has it */
    setenv("HOME", folder, 1);
    assert_int_equal(act_settings_load(NULL, &settings, &problems), 0);
}

static void scenario(const char *text, struct act_plan *plan)
{
    struct act_problems problems;
    act_problems_init(&problems, "scenario");
    assert_int_equal(act_scenario_parse(text, strlen(text), plan, &problems), 0);
}

static void a_currency_only_where_none_is_meant(void **state)
{
    (void)state;
    const struct act_settings euro = {.currency = "EUR"};
    struct act_plan plan;
    scenario("model: llama2-70b\n", &plan);
    act_settings_apply(&euro, &plan);
    assert_string_equal(plan.cost.currency, "EUR");
    assert_true(act_plan_given(&plan, ACT_F_cost_currency)); /* a saved file says so */
    scenario("cost: {currency: CNY}\n", &plan);
    act_settings_apply(&euro, &plan);
    assert_string_equal(plan.cost.currency, "CNY");
    scenario("cost: {price_per_gpu_hour: 2}\n", &plan); /* 2 USD do not become 2 EUR */
    act_settings_apply(&euro, &plan);
    assert_string_equal(plan.cost.currency, "USD");
    scenario("cost: {budget: 1M}\n", &plan);
    act_settings_apply(&euro, &plan);
    assert_string_equal(plan.cost.currency, "USD");
}

static void messages_follow_the_unit(void **state)
{
    (void)state;
    static struct act_result result;
    const struct act_settings gb = {.decimal = true}, gib = {0};
    struct act_plan plan;
    scenario("model: llama2-70b\nparallel: {tensor: 1, data: 8}\n", &plan);
    act_settings_apply(&gb, &plan);
    act_estimate(&plan, &result);
    bool found = false;
    for (int i = 0; i < result.checks.count; i++) {
        assert_null(strstr(result.checks.check[i].message, "GiB"));
        found = found || strstr(result.checks.check[i].message, " GB of ") != NULL;
    }
    assert_true(found);
    double peak = result.memory.peak;
    act_settings_apply(&gib, &plan);
    act_estimate(&plan, &result);
    assert_true(peak == result.memory.peak);
    found = false;
    for (int i = 0; i < result.checks.count; i++)
        found = found || strstr(result.checks.check[i].message, " GiB of ") != NULL;
    assert_true(found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key),
        cmocka_unit_test(nothing_is_fine),
        cmocka_unit_test(mistakes_have_place_and_cure),
        cmocka_unit_test(hostile_files),
        cmocka_unit_test(the_own_file_need_not_exist),
        cmocka_unit_test(a_currency_only_where_none_is_meant),
        cmocka_unit_test(messages_follow_the_unit),
    };
    return cmocka_run_group_tests_name("settings", tests, make_folder, remove_folder);
}
