/* Scenario files: what is read, what is refused and how, what is written. */
#include "scenario_asserts.h"

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
    refused("model: qwen2-vl-72b\n", "vision towers are not planned here");
    refused("model: {vision_layers: 32}\n", "f:1:9: model.vision_layers: vision towers");
    refused("model: Qwen2-VL-7B\n", "vision towers");
    refused("model: {revision: main}\n", "unknown key");
    refused("training: {supervision: 1}\n", "unknown key");
    refused("model: jamba-1.5\n", "Mamba and other state-space layers");
    refused("model: {layer_types: [a, b]}\n", "block by block");
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
    path = scratch_path(folder, "closed.yaml");
    scratch_write(path, "model: llama2-70b\n", 18);
    chmod(path, 0);
    scratch_as_nobody(folder);
    int closed = act_scenario_load(path, &plan, &stamp, &problems);
    scratch_as_before();
    assert_int_equal(closed, -1);
    assert_problem(0, "closed.yaml: cannot be opened: permission denied");
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
        WITH_FOLDER(loads_files_and_refuses_what_is_none),
        WITH_FOLDER(loads_standard_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
