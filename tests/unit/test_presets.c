/* Presets: where they are found, what is refused in them, what picking one changes. */
#include "scenario_asserts.h"

static void picking_a_preset_replaces_what_was_typed_beside_the_old(void **state)
{
    (void)state;
    char why[256];
    accepted("model: {preset: llama2-70b, layers: 40}\nhardware: {mfu: 50%}\n");
    assert_int_equal(act_scenario_set(&plan, "model", "llama2-13b", why, sizeof why), 0);
    assert_int_equal(plan.model.layers, 40);
    assert_int_equal(plan.model.hidden, 5120);
    assert_false(act_plan_given(&plan, ACT_F_model_layers));
    act_problems_init(&problems, "");
    act_field_set_number(&plan, ACT_F_model_hidden, 1024);
    assert_int_equal(act_preset_apply(&plan, ACT_MODELS, "llama2-70b", false, &problems), 0);
    assert_int_equal(plan.model.hidden, 1024); /* given, and not overruled */
    assert_int_equal(plan.model.layers, 80);
    assert_int_equal(act_preset_apply(&plan, ACT_HARDWARE, "h100-sxm", true, &problems), 0);
    assert_true(plan.hardware.mfu == 0.5); /* presets have none */
    struct act_plan before = plan;
    assert_int_equal(act_preset_apply(&plan, ACT_MODELS, "nonesuch", true, &problems), -1);
    assert_int_equal(problems.count, 1);
    assert_true(act_plan_equal(&plan, &before));
}

static void finds_the_users_presets_first(void **state)
{
    (void)state;
    int compiled = act_preset_count(ACT_MODELS);
    assert_true(compiled > 100);
    act_presets_free();
    static const char tiny[] = "title: Mine\nsource: me\ndate: 2026-11\nconfidence: low\n"
                               "note: a try\nmodel: {layers: 3, hidden: 64, heads: 4}\n";
    write_preset("config/actuary/presets/models/mine-1.yaml", tiny);
    write_preset("config/actuary/presets/models/llama2-70b.yaml", tiny);
    write_preset("data/actuary/presets/models/mine-1.yaml", "title: second\nmodel: {layers: 9}\n");
    write_preset("shared/actuary/presets/models/theirs.yaml", "model: {layers: 5}\n");
    write_preset("config/actuary/presets/models/Upper.yaml", tiny);
    write_preset("config/actuary/presets/models/.hidden.yaml", tiny);
    write_preset("config/actuary/presets/models/notes.txt", "hello");
    assert_int_equal(act_preset_count(ACT_MODELS), compiled + 2);
    for (int i = 1; i < act_preset_count(ACT_MODELS); i++)
        assert_true(strcmp(act_preset_name(ACT_MODELS, i - 1), act_preset_name(ACT_MODELS, i)) < 0);
    assert_null(act_preset_name(ACT_MODELS, compiled + 2));
    assert_null(act_preset_name(ACT_MODELS, -1));

    struct act_preset_info info;
    assert_int_equal(act_preset_describe(ACT_MODELS, "mine-1", &info, &problems), 0);
    assert_string_equal(info.title, "Mine");
    assert_string_equal(info.source, "me");
    assert_string_equal(info.date, "2026-11");
    assert_string_equal(info.confidence, "low");
    assert_string_equal(info.note, "a try");
    assert_true(info.user);
    assert_non_null(strstr(info.path, "config/actuary/presets/models/mine-1.yaml"));
    assert_int_equal(act_preset_describe(ACT_MODELS, "llama2-7b", &info, &problems), 0);
    assert_false(info.user);
    assert_string_equal(info.path, "");

    accepted("model: mine-1\n");
    assert_int_equal(plan.model.layers, 3);
    assert_int_equal(plan.model.vocab, 32000); /* silent: the table's default */
    accepted("model: llama2-70b\n");
    assert_int_equal(plan.model.layers, 3);
    accepted("model: theirs\n");
    assert_int_equal(plan.model.layers, 5);
    size_t size;
    assert_string_equal(act_preset_text(ACT_MODELS, "mine-1", &size), tiny);
    assert_int_equal(size, strlen(tiny));
    assert_null(act_preset_text(ACT_MODELS, "nonesuch", &size));
}

static void passes_over_folders_that_are_not_absolute(void **state)
{
    (void)state;
    write_preset("config/actuary/presets/models/mine.yaml", "model: {layers: 3}\n");
    write_preset(".config/actuary/presets/models/at-home.yaml", "model: {layers: 3}\n");
    char before[4096];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    setenv("XDG_CONFIG_HOME", "config", 1);
    int mine = act_preset_find(ACT_MODELS, "mine");
    int at_home = act_preset_find(ACT_MODELS, "at-home");
    assert_int_equal(chdir(before), 0);
    assert_int_equal(mine, -1);
    assert_true(at_home >= 0);
}

static void broken_presets_tell_their_path_and_hide_nothing(void **state)
{
    (void)state;
    write_preset("config/actuary/presets/hardware/a.yaml", "hardware:\n  memry: 80GiB\n");
    write_preset("config/actuary/presets/hardware/b.yaml", "model: {layers: 3}\n");
    write_preset("config/actuary/presets/hardware/c.yaml", "title: nothing\n");
    write_preset("config/actuary/presets/hardware/d.yaml", "hardware: {mfu: 40%}\n");
    write_preset("config/actuary/presets/hardware/e.yaml", "[");
    write_preset("config/actuary/presets/hardware/f.yaml", "hardware: {preset: h100-sxm}\n");
    write_preset("config/actuary/presets/hardware/g.yaml", "");
    static const char *const expected[] = {
        "hardware/a.yaml:2:3: hardware.memry: unknown key; did you mean hardware.memory?",
        "hardware/b.yaml:1:1: model: unknown key; a preset of this folder has",
        "hardware/c.yaml:1:1: hardware: is missing",
        "hardware/d.yaml:1:12: hardware.mfu: is not a preset's to set",
        "hardware/e.yaml:2:1: not valid YAML",
        "hardware/f.yaml:1:12: hardware.preset: a preset cannot stand on another",
        "hardware/g.yaml: an empty preset",
    };
    act_preset_default_plan(&plan);
    struct act_plan before = plan;
    for (int i = 0; i < 7; i++) {
        char name[2] = {(char)('a' + i), '\0'};
        assert_true(act_preset_find(ACT_HARDWARE, name) >= 0);
        assert_int_equal(act_preset_apply(&plan, ACT_HARDWARE, name, true, &problems), -1);
        assert_problem(0, expected[i]);
        assert_true(act_plan_equal(&plan, &before));
    }
    refused("name: x\nhardware: a\n", "f:2:11: hardware: the preset is broken: ");
    accepted("hardware: h100-sxm\n");
    assert_string_equal(plan.hardware.preset, "h100-sxm");
}

static void every_compiled_preset_is_sound(void **state)
{
    (void)state;
    for (int kind = 0; kind < ACT_PRESET_KINDS; kind++)
        for (int i = 0; i < act_preset_count((enum act_preset_kind)kind); i++) {
            const char *name = act_preset_name((enum act_preset_kind)kind, i);
            struct act_preset_info info;
            act_preset_default_plan(&plan);
            act_problems_init(&problems, name);
            int result = kind == ACT_SCENARIOS ? act_scenario_open(name, &plan, NULL, &problems)
                                               : act_preset_apply(&plan, (enum act_preset_kind)kind,
                                                                  name, true, &problems);
            if (result < 0)
                assert_problem(0, "no problem at all");
            assert_int_equal(
                act_preset_describe((enum act_preset_kind)kind, name, &info, &problems), 0);
            assert_true(info.title[0] != '\0');
            assert_true(info.source[0] != '\0');
            assert_true(info.date[0] != '\0');
        }
}

/* Typical prices of 2026-08 in USD an hour: what a cost without a price of the user's is of. */
static void cards_have_typical_prices(void **state)
{
    static const struct {
        const char *card;
        double price;
    } typical[] = {
        {"b200", 5.5},   {"h100-sxm", 2.95}, {"h200-sxm", 3.5},  {"a100-80gb-sxm", 1.5},
        {"mi300x", 2.5}, {"l40s", 1.5},      {"v100-32gb", 0.5},
    };

    (void)state;
    for (size_t i = 0; i < sizeof typical / sizeof *typical; i++) {
        struct act_plan resolved;
        act_preset_default_plan(&plan);
        act_problems_init(&problems, "");
        assert_int_equal(act_preset_apply(&plan, ACT_HARDWARE, typical[i].card, true, &problems),
                         0);
        if (plan.hardware.rental_price != typical[i].price)
            fail_msg("%s: %g instead of %g", typical[i].card, plan.hardware.rental_price,
                     typical[i].price);
        assert_string_equal(plan.hardware.rental_price_date, "2026-08");
        act_plan_resolve(&plan, &resolved);
        assert_true(resolved.cost.price_per_gpu_hour == typical[i].price);
        assert_string_equal(resolved.cost.price_date, "2026-08");
    }
}

/* The servers' highest draw in kW (facts: presets 3), and how many a rack holds. */
static void cards_have_servers_with_a_power(void **state)
{
    static const struct {
        const char *card;
        double kilowatt, servers_per_rack;
    } servers[] = {
        {"v100-32gb", 3.5, 11},    {"a100-80gb-sxm", 6.5, 6}, {"a800-80gb-sxm", 6.5, 6},
        {"h100-sxm", 10.2, 3},     {"h800-sxm", 10.2, 3},     {"b200", 14.3, 2},
        {"gb200", 132.0 / 18, 18}, {"gb300", 7.5, 18},        {"ascend-910c", 560.0 / 48, 3},
        {"ascend-910b", 5.856, 6}, /* from its TDP */
    };

    (void)state;
    for (size_t i = 0; i < sizeof servers / sizeof *servers; i++) {
        struct act_plan resolved;
        act_preset_default_plan(&plan);
        act_problems_init(&problems, "");
        assert_int_equal(act_preset_apply(&plan, ACT_HARDWARE, servers[i].card, true, &problems),
                         0);
        act_plan_resolve(&plan, &resolved);
        double watt = resolved.hardware.node_power;
        if (!(watt / 1000 > servers[i].kilowatt - 0.005 &&
              watt / 1000 < servers[i].kilowatt + 0.005))
            fail_msg("%s: %g W instead of %g kW", servers[i].card, watt, servers[i].kilowatt);
        assert_int_equal(resolved.hardware.rack_power / watt, servers[i].servers_per_rack);
    }
}

static void opens_paths_before_presets(void **state)
{
    (void)state;
    write_preset("config/actuary/presets/scenarios/mine.yaml",
                 "title: Mine\nsource: me\nname: of the preset\nparallel: {tensor: 4}\n");
    struct act_stamp stamp = {.known = true};
    assert_int_equal(act_scenario_open("mine", &plan, &stamp, &problems), 0);
    assert_string_equal(plan.scenario.name, "of the preset");
    assert_false(stamp.known);
    assert_int_equal(act_scenario_open("mne", &plan, &stamp, &problems), -1);
    assert_problem(0, "mne: no such file, and no scenario preset; did you mean mine?");
    assert_int_equal(act_scenario_open("./mine", &plan, &stamp, &problems), -1);
    assert_problem(0, "./mine: cannot be opened: no such file");
    size_t size; /* a preset's text is a scenario file */
    accepted(act_preset_text(ACT_SCENARIOS, "mine", &size));
    refused("source: [1]\n", "source: takes one value");
    char before[4096];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    scratch_write("mine", "name: of the file\n", 18);
    int result = act_scenario_open("mine", &plan, &stamp, &problems);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(result, 0);
    assert_string_equal(plan.scenario.name, "of the file");
    assert_true(stamp.known);
}

/* What is reached of a slot without peer-to-peer: the sisters that were run give the share for the
 * cards that were not. */
static void newer_cards_link_as_their_sisters(void **state)
{
    static const struct {
        const char *run, *assumed;
        double run_slot, assumed_slot; /* PCIe 4 and 5, 16 lanes, one direction */
    } pairs[] = {
        {"rtx-4090", "rtx-5090", 31.5e9, 63e9},
        {"l40s", "rtx-pro-6000-blackwell", 31.5e9, 63e9},
        {"rtx-6000-ada", "rtx-pro-6000-blackwell", 31.5e9, 63e9},
    };
    char why[256];

    (void)state;
    accepted("model: llama2-7b\n");
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        assert_int_equal(act_scenario_set(&plan, "hardware", pairs[i].run, why, sizeof why), 0);
        double reached = plan.hardware.link_bandwidth / pairs[i].run_slot;
        assert_int_equal(act_scenario_set(&plan, "hardware", pairs[i].assumed, why, sizeof why), 0);
        double share = plan.hardware.link_bandwidth / pairs[i].assumed_slot;
        assert_true(share > 0.999 * reached && share < 1.001 * reached);
        assert_true(plan.hardware.step_error >= 0.30);
    }
}

/* The date beside a price is that of the price: none that is made up. */
static void prices_from_memory_say_so(void **state)
{
    char why[256];
    int remembered = 0;

    (void)state;
    accepted("model: llama2-7b\n");
    for (int i = 0; i < act_preset_count(ACT_HARDWARE); i++) {
        struct act_preset_info info;
        const char *name = act_preset_name(ACT_HARDWARE, i);
        assert_int_equal(act_preset_describe(ACT_HARDWARE, name, &info, &problems), 0);
        assert_int_equal(act_scenario_set(&plan, "hardware", name, why, sizeof why), 0);
        bool memory = strcmp(plan.hardware.rental_price_date, "from memory") == 0;
        const char *rent = strstr(info.note, "Rent between");
        bool said = rent && strstr(rent, "GPU-hour, from memory");
        assert_int_equal(memory, said);
        remembered += memory;
    }
    assert_int_equal(remembered, 13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(picking_a_preset_replaces_what_was_typed_beside_the_old),
        WITH_FOLDER(finds_the_users_presets_first),
        WITH_FOLDER(newer_cards_link_as_their_sisters),
        WITH_FOLDER(prices_from_memory_say_so),
        WITH_FOLDER(passes_over_folders_that_are_not_absolute),
        WITH_FOLDER(broken_presets_tell_their_path_and_hide_nothing),
        WITH_FOLDER(every_compiled_preset_is_sound),
        WITH_FOLDER(cards_have_typical_prices),
        WITH_FOLDER(cards_have_servers_with_a_power),
        WITH_FOLDER(opens_paths_before_presets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
