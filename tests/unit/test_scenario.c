/* Scenario files and presets: what is read, what is refused and how, what is written. */
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

static int parse(const char *text)
{
    act_problems_init(&problems, "f");
    return act_scenario_parse(text, strlen(text), &plan, &problems);
}

static void assert_problem(int index, const char *expected)
{
    char line[512];
    assert_true(index < problems.count);
    act_problem_text(&problems, index, line, sizeof line);
    if (!strstr(line, expected))
        assert_string_equal(line, expected);
}

/* Refused with one problem that contains `expected`, and the plan as it was. */
static void refused(const char *text, const char *expected)
{
    struct act_plan before;
    act_preset_default_plan(&before);
    plan = before;
    assert_int_equal(parse(text), -1);
    assert_problem(0, expected);
    assert_int_equal(problems.count, 1);
    assert_true(act_plan_equal(&plan, &before));
}

static void accepted(const char *text)
{
    if (parse(text) < 0)
        assert_problem(0, "no problem at all");
}

static void assert_written(const char *expected)
{
    struct act_buffer text;
    act_buffer_init(&text, 65536);
    assert_int_equal(act_scenario_write(&plan, &text), 0);
    assert_string_equal(text.text, expected);
    act_buffer_free(&text);
}

static void reads_the_contract_example(void **state)
{
    (void)state;
    accepted("schema: 1\n"
             "name: Llama-2-70B on A800\n"
             "notes: free text\n"
             "model: llama2-70b            # short for {preset: llama2-70b}\n"
             "framework: megatron\n"
             "training:\n  tokens: 2T\n  sequence: 4096\n  micro_batch: 1\n  global_batch: 1024\n"
             "parallel:\n  tensor: 4\n  pipeline: 4\n  data: 64\n  zero: 1\n  recompute: full\n"
             "hardware:\n  preset: a800-80gb-sxm\n  mfu: 40%\n"
             "cost:\n  price_per_gpu_hour: 1.50\n  currency: USD\n");
    assert_string_equal(plan.scenario.name, "Llama-2-70B on A800");
    assert_int_equal(plan.model.layers, 80); /* of the preset */
    assert_int_equal(plan.model.hidden, 8192);
    assert_int_equal(plan.parallel.tensor, 4);
    assert_int_equal(plan.parallel.recompute, ACT_RECOMPUTE_FULL);
    assert_true(plan.training.tokens == 2e12);
    assert_true(plan.hardware.mfu == 0.4);
    assert_true(plan.cost.price_per_gpu_hour == 1.5);
    assert_true(act_plan_given(&plan, ACT_F_parallel_tensor));
    assert_true(act_plan_given(&plan, ACT_F_model_preset));
    assert_false(act_plan_given(&plan, ACT_F_model_layers));
    assert_false(act_plan_given(&plan, ACT_F_parallel_context));
}

static void overrules_values_beside_a_preset(void **state)
{
    (void)state;
    accepted("model: {preset: llama2-70b, layers: 40}\nhardware: {mfu: 0.5}\n");
    assert_int_equal(plan.model.layers, 40);
    assert_int_equal(plan.model.hidden, 8192);
    assert_true(act_plan_given(&plan, ACT_F_model_layers));
    assert_true(plan.hardware.mfu == 0.5);
    assert_string_equal(plan.hardware.preset, "a800-80gb-sxm"); /* the default */
}

static void reads_json_and_quotes_where_units_are(void **state)
{
    (void)state;
    accepted("{\"model\": {\"preset\": \"llama3-8b\", \"kv_heads\": \"auto\"},\n"
             " \"training\": {\"tokens\": \"2T\", \"sequence\": 8192, \"precision\": \"bf16\"},\n"
             " \"parallel\": {\"layers_per_stage\": [16, 16], \"pipeline\": 2,\n"
             "   \"sequence_parallel\": false, \"recompute_modules\": [\"layernorm\", \"mlp\"]},\n"
             " \"hardware\": {\"mfu\": \"40%\"}}");
    assert_true(plan.training.tokens == 2e12);
    assert_int_equal(plan.training.sequence, 8192);
    assert_int_equal(plan.parallel.layers_per_stage.count, 2);
    assert_int_equal(plan.parallel.layers_per_stage.item[1], 16);
    assert_int_equal(plan.parallel.recompute_modules, ACT_MODULE_LAYERNORM | ACT_MODULE_MLP);
    assert_int_equal(plan.parallel.sequence_parallel, 0);
    refused("parallel: {tensor: \"8\"}\n",
            "f:1:20: parallel.tensor: \"8\" is a quoted text; write it without quotes");
    refused("parallel: {sequence_parallel: \"true\"}\n", "write it without quotes");
}

static void reads_lists_in_blocks(void **state)
{
    (void)state;
    accepted("parallel:\n  pipeline: 2\n  layers_per_stage:\n    - 41\n    - 39\n"
             "  recompute_modules: []\n");
    assert_int_equal(plan.parallel.layers_per_stage.item[0], 41);
    assert_int_equal(plan.parallel.recompute_modules, 0);
    refused("parallel: {layers_per_stage: []}\n", "an empty list; write auto");
    refused("parallel: {layers_per_stage: 40}\n", "\"40\" is not a list; write [20, 20] or auto");
    refused("parallel: {layers_per_stage: [20, [1]]}\n", "f:1:35: parallel.layers_per_stage: an "
                                                         "item of the list is not a plain number");
    refused("parallel: {tensor: [8]}\n", "takes one value, not a list");
    refused("parallel: {tensor: {a: 8}}\n", "takes one value, not a group of keys");
}

static void refuses_bad_numbers(void **state)
{
    (void)state;
    refused("training:\n  tokens: -5\n", "f:2:11: training.tokens: -5");
    refused("hardware:\n  mfu: nan\n", "f:2:8: hardware.mfu: nan");
    refused("hardware:\n  mfu: inf\n", "f:2:8: hardware.mfu: inf");
    refused("training:\n  tokens: 1,000\n", "1,000 has a comma; write 1000 or 1_000");
    refused("training: {tokens: 1,000}\n", "write numbers without commas");
    refused("hardware:\n  mfu: 40\n", "write 40% or 0.4");
    refused("hardware:\n  mfu: 0.45abc\n", "f:2:8: hardware.mfu: 0.45abc");
    refused("parallel:\n  tensor: 0\n", "1 to 1024");
    refused("parallel:\n  tensor: 2000\n", "1 to 1024");
    refused("parallel:\n  tensor: 1.5\n", "is not a whole number");
    refused("parallel:\n  tensor: 8*2\n", "arithmetic");
    refused("parallel:\n  tensor: 0x10\n", "hexadecimal");
    refused("training:\n  method: fancy\n", "full, lora, qlora, freeze");
    refused("hardware:\n  memory: 80 apples\n", "hardware.memory: 80 apples");
}

static void refuses_values_that_are_none(void **state)
{
    (void)state;
    refused("parallel:\n  tensor:\n", "f:2:10: parallel.tensor: has no value");
    refused("parallel: {tensor: ~}\n", "has no value");
    refused("name: null\n", "f:1:7: name: has no value");
    refused("model:\n", "f:1:7: model: has no keys below it");
    refused("training: fast\n", "f:1:11: training: takes keys below it");
    accepted("name: \"null\"\n");
    assert_string_equal(plan.scenario.name, "null");
}

static void names_the_nearest_key(void **state)
{
    (void)state;
    refused("parallel: {tensr: 4}\n",
            "f:1:12: parallel.tensr: unknown key; did you mean parallel.tensor?");
    refused("hardware: {tensor: 4}\n", "did you mean parallel.tensor?");
    refused("tensor: 4\n", "f:1:1: tensor: unknown key; did you mean parallel.tensor?");
    refused("trainign: {tokens: 1T}\n", "did you mean training?");
    refused("zzzzzz: 1\n", "zzzzzz: unknown key; \"actuary list fields\"");
    refused("parallel: {gpus: 64}\n", "parallel.gpus: derived: tensor x context x pipeline x data; "
                                      "set parallel.data");
}

static void names_the_nearest_preset(void **state)
{
    (void)state;
    refused("model: llama2-7O\n", "f:1:8: model: there is no preset \"llama2-7O\"; did you mean "
                                  "llama2-7b?");
    refused("hardware: {preset: a800-80gb}\n", "f:1:20: hardware.preset: there is no preset");
    refused("framework: zzzzzzzzzz\n", "\"actuary list frameworks\" shows those there are");
    refused("framework: [megatron]\n", "framework: takes keys below it");
    refused("framework: {preset: [megatron]}\n", "takes one value, not a list");
}

static void refuses_runs_by_name(void **state)
{
    (void)state;
    static const char *const methods[] = {"dpo", "rl", "ppo", "grpo", "rlhf"};
    for (int i = 0; i < 5; i++) {
        char text[64];
        snprintf(text, sizeof text, "training: {method: %s}\n", methods[i]);
        refused(text, "is not planned here: such a run holds several models at once");
    }
}

static void refuses_newer_schemas_by_name(void **state)
{
    (void)state;
    refused("schema: 2\nnew: {key: 1}\n", "schema 2 is newer than this program, which reads 1");
    refused("schema: 0\n", "must be 1");
    refused("schema: one\n", "must be 1");
    refused("schema:\n", "schema: has no value");
}

static void refuses_texts_that_terminals_obey(void **state)
{
    (void)state;
    refused("name: \"\\e[31mred\"\n", "f:1:7: name: the text has control characters");
    refused("name: |\n  two\n  lines\n", "name: the text has several lines");
    refused("name: \"\\u202eabc\"\n", "name: the text has control characters");
    char text[200] = "name: ";
    memset(text + 6, 'x', 96);
    refused(text, "at most 95 bytes");
    for (int i = 0; i < problems.count; i++)
        for (const char *at = problems.problem[i].text; *at; at++)
            assert_true((unsigned char)*at >= ' ');
}

static void lists_all_problems_of_a_file(void **state)
{
    (void)state;
    struct act_plan before;
    act_preset_default_plan(&before);
    plan = before;
    assert_int_equal(parse("parallel:\n  tensor: 0\n  pipelin: 2\nmodel: nonesuch\n"
                           "training: {tokens: 1T, tokens: 2T}\nname: ~\n"),
                     -1);
    assert_int_equal(problems.count, 5);
    assert_true(act_plan_equal(&plan, &before));
}

static void writes_what_is_given(void **state)
{
    (void)state;
    accepted("cost: {currency: EUR}\nname: 'a: \"b\" # c'\nnotes: \xE8\xAE\xAD\xE7\xBB\x83\n"
             "parallel: {tensor: 8, recompute_modules: [mlp, layernorm]}\n"
             "hardware: {memory: 80GiB, mfu: 35%}\ntraining: {tokens: 1500B}\n");
    assert_written("schema: 1\n"
                   "name: \"a: \\\"b\\\" # c\"\n"
                   "notes: \"\xE8\xAE\xAD\xE7\xBB\x83\"\n"
                   "model: llama2-70b\n"
                   "framework: megatron\n"
                   "training:\n"
                   "  tokens: 1.5T\n"
                   "parallel:\n"
                   "  tensor: 8\n"
                   "  recompute_modules: [layernorm, mlp]\n"
                   "hardware:\n"
                   "  preset: a800-80gb-sxm\n"
                   "  memory: 80GiB\n"
                   "  mfu: 35%\n"
                   "cost:\n"
                   "  currency: EUR\n");
}

static void quotes_what_yaml_would_misread(void **state)
{
    (void)state;
    static const char *const names[] = {"null", "NULL", "true", "~",  "123", "1.5",     "",
                                        " a",   "a ",   "- a",  "#a", "a:",  "a #b",    "[a]",
                                        "{a}",  "'a'",  "\"a",  "&a", "*a",  "!a",      "%a",
                                        "@a",   "`a",   "? a",  "|",  ">",   "a\\nb",   "a: b",
                                        "---",  "...",  "=",    "<<", "yes", "\xC3\xA9"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct act_plan before;
        char why[200];
        act_preset_default_plan(&before);
        assert_int_equal(act_scenario_set(&before, "name", names[i], why, sizeof why), 0);
        struct act_buffer text;
        act_buffer_init(&text, 65536);
        assert_int_equal(act_scenario_write(&before, &text), 0);
        accepted(text.text);
        act_buffer_free(&text);
        assert_string_equal(plan.scenario.name, names[i]);
        assert_true(act_plan_equal(&plan, &before));
    }
}

static void writing_reports_a_lack_of_room(void **state)
{
    (void)state;
    struct act_buffer text;
    act_preset_default_plan(&plan);
    act_buffer_init(&text, 20);
    assert_int_equal(act_scenario_write(&plan, &text), -1);
    act_buffer_free(&text);
}

static void sets_keys(void **state)
{
    (void)state;
    char why[256];
    act_preset_default_plan(&plan);
    assert_int_equal(act_scenario_set(&plan, "parallel.tensor", "2*4", why, sizeof why), 0);
    assert_int_equal(plan.parallel.tensor, 8);
    assert_int_equal(act_scenario_set(&plan, "parallel.pipeline", "2", why, sizeof why), 0);
    assert_int_equal(act_scenario_set(&plan, "parallel.gpus", "128", why, sizeof why), 0);
    assert_int_equal(plan.parallel.data, 8);
    assert_true(act_plan_given(&plan, ACT_F_parallel_data));
    assert_int_equal(act_scenario_set(&plan, "model", "llama3-8b", why, sizeof why), 0);
    assert_int_equal(plan.model.layers, 32);
    assert_string_equal(plan.model.preset, "llama3-8b");
    assert_int_equal(act_scenario_set(&plan, "model.preset", "llama2-70b", why, sizeof why), 0);
    assert_int_equal(plan.model.layers, 80);

    struct act_plan before = plan;
    static const char *const wrong[][3] = {
        {"parallel.tensr", "8", "parallel.tensr: unknown key; did you mean parallel.tensor?"},
        {"tensor", "8", "did you mean parallel.tensor?"},
        {"parallel.tensor", "0", "parallel.tensor: 0"},
        {"parallel.tensor", "", "parallel.tensor: "},
        {"model", "nonesuch", "model.preset: there is no preset \"nonesuch\""},
        {"training", "8", "unknown key"},
        {"training.method", "grpo", "several models at once"},
        {"", "8", "unknown key"},
        {"\x1b[2J", "8", "?[2J: unknown key"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(act_scenario_set(&plan, wrong[i][0], wrong[i][1], why, sizeof why), -1);
        if (!strstr(why, wrong[i][2]))
            assert_string_equal(why, wrong[i][2]);
        assert_true(act_plan_equal(&plan, &before));
    }
}

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

static int with_folder(void **state)
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

static int without_folder(void **state)
{
    (void)state;
    scratch_remove(folder);
    act_presets_free();
    return 0;
}

static void write_preset(const char *name, const char *text)
{
    const char *path = scratch_path(folder, name);
    char parent[2 * SCRATCH_PATH];
    snprintf(parent, sizeof parent, "%s", path);
    *strrchr(parent, '/') = '\0';
    scratch_folders(parent);
    scratch_write(path, text, strlen(text));
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

static void loads_files_and_refuses_what_is_none(void **state)
{
    (void)state;
    struct act_stamp stamp;
    const char *path = scratch_path(folder, "plan.yaml");
    scratch_write(path, "parallel: {tensor: 8}\n", 22);
    assert_int_equal(act_scenario_load(path, &plan, &stamp, &problems), 0);
    assert_int_equal(plan.parallel.tensor, 8);
    assert_true(stamp.known);
    assert_int_equal(stamp.size, 22);

    assert_int_equal(act_scenario_load(folder, &plan, &stamp, &problems), -1);
    assert_problem(0, ": is a folder, not a file");
    path = scratch_path(folder, "pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(act_scenario_load(path, &plan, &stamp, &problems), -1);
    assert_problem(0, "pipe: is a pipe, not a regular file; use - to read standard input");
    assert_int_equal(act_scenario_load("/dev/zero", &plan, &stamp, &problems), -1);
    assert_problem(0, "/dev/zero: is a device, not a regular file");
    assert_int_equal(act_scenario_load(scratch_path(folder, "no"), &plan, &stamp, &problems), -1);
    assert_problem(0, "/no: cannot be opened: no such file or folder");
    assert_int_equal(act_scenario_load(scratch_path(folder, "pipe/x"), &plan, &stamp, &problems),
                     -1);
    assert_problem(0, "a part of the path is not a folder");
    if (geteuid() != 0) {
        path = scratch_path(folder, "closed.yaml");
        scratch_write(path, "model: llama2-70b\n", 18);
        chmod(path, 0);
        assert_int_equal(act_scenario_load(path, &plan, &stamp, &problems), -1);
        assert_problem(0, "closed.yaml: cannot be opened: permission denied");
    }
    char *big = calloc(1, 5 << 20);
    assert_non_null(big);
    memset(big, 'x', 5 << 20);
    memcpy(big, "name: ", 6);
    path = scratch_path(folder, "big.yaml");
    scratch_write(path, big, 5 << 20);
    free(big);
    assert_int_equal(act_scenario_load(path, &plan, &stamp, &problems), -1);
    assert_problem(0, "big.yaml: is larger than 256 KiB");
    path = scratch_path(folder, "red\x1b[31m.yaml");
    scratch_write(path, "", 0);
    assert_int_equal(act_scenario_load(path, &plan, &stamp, &problems), -1);
    assert_problem(0, "red?[31m.yaml: an empty scenario");
    assert_int_equal(plan.parallel.tensor, 8); /* of the only one that was read */
}

static void loads_standard_input(void **state)
{
    (void)state;
    int ends[2], before = dup(STDIN_FILENO);
    struct act_stamp stamp = {.known = true};
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "parallel: {tensor: 2}\n", 22), 22);
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    int first = act_scenario_load("-", &plan, &stamp, &problems);
    int second = act_scenario_load("-", &plan, &stamp, &problems);
    dup2(before, STDIN_FILENO);
    close(before);
    assert_int_equal(first, 0);
    assert_int_equal(plan.parallel.tensor, 2);
    assert_false(stamp.known);
    assert_int_equal(second, -1);
    assert_problem(0, "standard input: an empty scenario");
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

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, with_folder, without_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(reads_the_contract_example),
        WITH_FOLDER(overrules_values_beside_a_preset),
        WITH_FOLDER(reads_json_and_quotes_where_units_are),
        WITH_FOLDER(reads_lists_in_blocks),
        WITH_FOLDER(refuses_bad_numbers),
        WITH_FOLDER(refuses_values_that_are_none),
        WITH_FOLDER(names_the_nearest_key),
        WITH_FOLDER(names_the_nearest_preset),
        WITH_FOLDER(refuses_runs_by_name),
        WITH_FOLDER(refuses_newer_schemas_by_name),
        WITH_FOLDER(refuses_texts_that_terminals_obey),
        WITH_FOLDER(lists_all_problems_of_a_file),
        WITH_FOLDER(writes_what_is_given),
        WITH_FOLDER(quotes_what_yaml_would_misread),
        WITH_FOLDER(writing_reports_a_lack_of_room),
        WITH_FOLDER(sets_keys),
        WITH_FOLDER(picking_a_preset_replaces_what_was_typed_beside_the_old),
        WITH_FOLDER(finds_the_users_presets_first),
        WITH_FOLDER(passes_over_folders_that_are_not_absolute),
        WITH_FOLDER(broken_presets_tell_their_path_and_hide_nothing),
        WITH_FOLDER(every_compiled_preset_is_sound),
        WITH_FOLDER(loads_files_and_refuses_what_is_none),
        WITH_FOLDER(loads_standard_input),
        WITH_FOLDER(opens_paths_before_presets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
