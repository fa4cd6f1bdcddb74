/* What a field could become: the rows of the what-if table and of lists. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/presets.h"
#include "session/choices.h"
#include <actuary/field.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 8 };

static struct act_desk desk;

static int open_example(void **state)
{
    struct act_problems problems;

    (void)state;
    act_problems_init(&problems, "example");
    return act_desk_open(&desk, "example", &problems);
}

static int free_desk(void **state)
{
    (void)state;
    act_desk_free(&desk);
    return 0;
}

static void type(enum act_field_id field, const char *text)
{
    struct act_plan plan;
    double held;
    char why[256];

    if (act_desk_try(&desk, act_desk_tab(&desk), field, 0, text, &plan, &held, why, sizeof why))
        fail_msg("%s: %s", text, why);
    act_desk_commit(&desk, &plan, held, field, false, 0);
}

/* The rows as "1 2 [4] 8"; nothing is written beyond the limit. */
static void assert_near_rows(enum act_field_id field, int limit, const char *expected)
{
    static struct act_choice near[ROOM], untouched;
    char text[ROOM * 64] = "";

    for (int i = 0; i < ROOM; i++)
        near[i] = untouched;
    int count = act_choices_near(&desk, field, limit, near);
    assert_true(count <= limit);
    for (int i = 0; i < count; i++) {
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, near[i].now ? "%s[%.40s]" : "%s%.40s",
                 i > 0 ? " " : "", near[i].text);
        assert_true(near[i].tried && (near[i].refused || near[i].summary.valid));
    }
    if (strcmp(text, expected) != 0)
        fail_msg("%s: %s instead of %s", act_field(field)->key, text, expected);
    for (int i = count; i < ROOM; i++)
        assert_memory_equal(&near[i], &untouched, sizeof untouched);
}

static void neighbours_of_numbers(void **state)
{
    (void)state;
    assert_near_rows(ACT_F_parallel_tensor, 5, "1 2 [4] 8 16");
    assert_near_rows(ACT_F_parallel_tensor, 4, "2 [4] 8");
    assert_near_rows(ACT_F_parallel_tensor, 3, "2 [4] 8");
    type(ACT_F_parallel_tensor, "1");
    assert_near_rows(ACT_F_parallel_tensor, 5, "[1] 2 4");
    assert_near_rows(ACT_F_training_sequence, 5, "1024 2048 [4096] 8192 16384");
    assert_near_rows(ACT_F_parallel_data, 5, "8 16 [32] 64 128");
    assert_near_rows(ACT_F_scenario_name, 5, "");
}

static void neighbours_of_names(void **state)
{
    (void)state;
    /* none, attention, op, modules, alternate, first-n, full */
    assert_near_rows(ACT_F_parallel_recompute, 5, "[none] attention op modules alternate");
    type(ACT_F_parallel_recompute, "modules");
    assert_near_rows(ACT_F_parallel_recompute, 5, "attention op [modules] alternate first-n");
    assert_near_rows(ACT_F_parallel_recompute, 3, "op [modules] alternate");
    type(ACT_F_parallel_recompute, "full");
    assert_near_rows(ACT_F_parallel_recompute, 5, "op modules alternate first-n [full]");
    assert_near_rows(ACT_F_model_tied_embeddings, 5, "[false] true");
}

static void neighbours_of_presets(void **state)
{
    (void)state;
    type(ACT_F_hardware_preset, "h100-sxm");
    assert_near_rows(ACT_F_hardware_preset, 5, "h100-pcie [h100-sxm] h20");
    assert_near_rows(ACT_F_hardware_preset, 3, "h100-pcie [h100-sxm] h20");
    type(ACT_F_hardware_preset, "v100-32gb");
    assert_near_rows(ACT_F_hardware_preset, 5, "v100-16gb [v100-32gb]");
    type(ACT_F_hardware_preset, "a10");
    assert_near_rows(ACT_F_hardware_preset, 5, "[a10] a100-40gb-pcie");
}

static const struct act_choice *find(const struct act_choice *near, int count, const char *text)
{
    for (int i = 0; i < count; i++)
        if (strcmp(near[i].text, text) == 0)
            return &near[i];
    fail_msg("no row %s", text);
    return near;
}

/* GPUs that are held bound a layout; a count of GPUs, or DP, asks for more of them. */
static void rows_tell_what_they_lead_to(void **state)
{
    (void)state;
    static struct act_choice near[ROOM];
    int count = act_choices_near(&desk, ACT_F_parallel_tensor, 5, near);
    const struct act_choice *eight = find(near, count, "8");
    assert_int_equal(eight->summary.fit, ACT_FITS);
    assert_true(eight->summary.gpus == 64);
    assert_string_equal(eight->summary.note, "");
    assert_int_equal(find(near, count, "4")->summary.fit, ACT_DOES_NOT_FIT);
    assert_string_equal(find(near, count, "16")->summary.note, "leaves node");

    count = act_choices_near(&desk, ACT_F_parallel_data, 5, near);
    assert_true(find(near, count, "16")->summary.gpus == 128);
    assert_string_equal(find(near, count, "16")->summary.note, "");
    count = act_choices_near(&desk, ACT_F_parallel_gpus, 5, near);
    assert_string_equal(find(near, count, "128")->summary.note, "");

    type(ACT_F_parallel_tensor, "8");
    type(ACT_F_parallel_pipeline, "8"); /* one replica: the next takes twice as many */
    count = act_choices_near(&desk, ACT_F_parallel_pipeline, 5, near);
    assert_string_equal(find(near, count, "10")->summary.note, "80 GPUs");
}

static void lists_have_every_value(void **state)
{
    (void)state;
    struct act_choices choices;
    struct act_tab *tab = act_desk_tab(&desk);
    struct act_plan before = tab->plan;

    assert_true(act_choices_make(&desk, ACT_F_parallel_recompute, &choices));
    assert_int_equal(choices.count, 8); /* seven names and auto */
    assert_string_equal(choices.choice[0].text, "none");
    assert_true(choices.choice[0].now && !choices.choice[1].now);
    assert_string_equal(choices.choice[7].text, "auto");
    assert_string_equal(choices.choice[7].note, "derived");
    for (int i = 0; i < choices.count; i++) {
        assert_false(choices.choice[i].tried);
        act_choices_try(&desk, &choices, i);
        assert_true(choices.choice[i].tried && choices.choice[i].summary.valid);
    }
    act_choices_free(&choices);

    assert_true(act_choices_make(&desk, ACT_F_hardware_preset, &choices));
    assert_int_equal(choices.count, act_preset_count(ACT_HARDWARE));
    int now = 0;
    for (int i = 0; i < choices.count; i++) {
        now += choices.choice[i].now;
        assert_int_equal(choices.choice[i].now,
                         strcmp(choices.choice[i].text, "a800-80gb-sxm") == 0);
    }
    assert_int_equal(now, 1);
    act_choices_try(&desk, &choices, 0);
    assert_true(choices.choice[0].note[0] != '\0'); /* its title */
    act_choices_free(&choices);

    assert_true(act_choices_make(&desk, ACT_F_parallel_tensor, &choices));
    assert_string_equal(choices.choice[0].text, "1");
    assert_string_equal(choices.choice[2].text, "4");
    assert_true(choices.choice[2].now);
    act_choices_free(&choices);

    assert_true(act_choices_make(&desk, ACT_F_scenario_notes, &choices));
    assert_int_equal(choices.count, 0);
    act_choices_free(&choices);
    assert_memory_equal(&before, &tab->plan, sizeof before);
}

#define ON_EXAMPLE(test) cmocka_unit_test_setup_teardown(test, open_example, free_desk)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_EXAMPLE(neighbours_of_numbers),  ON_EXAMPLE(neighbours_of_names),
        ON_EXAMPLE(neighbours_of_presets),  ON_EXAMPLE(rows_tell_what_they_lead_to),
        ON_EXAMPLE(lists_have_every_value),
    };
    /* No presets but those compiled in. */
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
    setenv("XDG_DATA_HOME", "/nonexistent", 1);
    setenv("XDG_DATA_DIRS", "/nonexistent", 1);
    return cmocka_run_group_tests_name("choices", tests, NULL, NULL);
}
