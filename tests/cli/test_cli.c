/* What scripts may rely on: results, exit status, where output and errors go. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../unit/scratch.h"
#include "run.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>

static const double gib = 1073741824.0;

static int set_up(void **state)
{
    (void)state;
    run_start();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    run_stop();
    return 0;
}

/* The number at "memory.stages.0.weights". */
static double number_at(const json_t *value, const char *path)
{
    char copy[128];

    snprintf(copy, sizeof copy, "%s", path);
    for (char *rest = copy, *part; (part = strsep(&rest, ".")) != NULL;) {
        value = json_is_array(value) ? json_array_get(value, (size_t)strtoul(part, NULL, 10))
                                     : json_object_get(value, part);
    }
    if (!json_is_number(value)) {
        fail_msg("no number at %s", path);
    }
    return json_number_value(value);
}

static json_t *json_of(struct run run, int status)
{
    json_error_t error;

    if (run.status != status || run.err_size > 0) {
        fail_msg("status %d: %s", run.status, run.err);
    }
    json_t *value = json_loads(run.out, JSON_REJECT_DUPLICATES, &error);
    if (!value) {
        fail_msg("line %d: %s", error.line, error.text);
    }
    run_free(&run);
    return value;
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.9g instead of %.9g +- %.3g", value, expected, tolerance);
    }
}

/* Ends with `status`, says `words` on standard error in one line, and nothing anywhere else. */
static void assert_refused(struct run run, int status, const char *words)
{
    if (run.status != status || !strstr(run.err, words)) {
        fail_msg("status %d instead of %d, \"%s\" lacks \"%s\"", run.status, status, run.err,
                 words);
    }
    assert_int_equal(run.out_size, 0);
    assert_true(run.err_size > 0 && run.err[run.err_size - 1] == '\n');
    assert_ptr_equal(strchr(run.err, '\n'), run.err + run.err_size - 1);
    run_free(&run);
}

static double states_of_stage_0(const json_t *plan)
{
    return number_at(plan, "memory.stages.0.weights") +
           number_at(plan, "memory.stages.0.gradients") +
           number_at(plan, "memory.stages.0.optimizer");
}

static void test_chapter_7(void **state)
{
    (void)state;
    json_t *plan = json_of(run("plan chapter-7 --format json"), 0);

    assert_near(number_at(plan, "time.flops_6pd"), 8.4e23, 1e9);
    assert_near(number_at(plan, "time.days"), 76.08, 0.005);
    assert_near(number_at(plan, "time.mfu"), 0.40, 0);
    assert_near(number_at(plan, "gpus"), 1024, 0);
    assert_near(number_at(plan, "schema"), 1, 0);
    json_decref(plan);
}

/* A card that the allocator fills to the last byte: integers say the same as the verdict. */
static void test_a_full_card_fits(void **state)
{
    (void)state;
    json_t *plan = json_of(run("plan llama3-8b-h100 --set parallel.data=2 --set parallel.zero=1 "
                               "--set model.layers=18 --format json"),
                           0);

    assert_true(number_at(plan, "memory.headroom_bytes") >= 0);
    assert_true(number_at(plan, "memory.peak_bytes") <= number_at(plan, "memory.usable_bytes"));
    json_decref(plan);
}

static void test_chapter_7_static_memory(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        double bytes; /* 14 P, shared by TP x PP: engine.md 7 */
    } cases[] = {
        {"plan chapter-7 --format json --set parallel.zero=0 --set parallel.tensor=1 "
         "--set parallel.pipeline=1",
         980e9},
        {"plan chapter-7 --format json --set parallel.zero=0 --set parallel.tensor=8 "
         "--set parallel.pipeline=1",
         122.5e9},
        {"plan chapter-7 --format json --set parallel.zero=0 --set parallel.tensor=4 "
         "--set parallel.pipeline=4",
         61.25e9},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct run done = run(cases[i].line);
        int status = done.status;
        assert_true(status == 0 || status == 1);
        json_t *plan = json_of(done, status);
        assert_near(states_of_stage_0(plan), cases[i].bytes, 2);
        json_decref(plan);
    }
}

static void test_megatron_from_standard_input(void **state)
{
    (void)state;
    /* The issue's figures for Llama-2-70B, TP 8 PP 4 DP 8, ZeRO-1, SP. */
    json_t *plan = json_of(run_input("plan - --format json", "model: llama2-70b\n"
                                                             "framework: megatron\n"
                                                             "training:\n"
                                                             "  sequence: 4096\n"
                                                             "  micro_batch: 1\n"
                                                             "  global_batch: 256\n"
                                                             "parallel:\n"
                                                             "  tensor: 8\n"
                                                             "  pipeline: 4\n"
                                                             "  data: 8\n"
                                                             "  zero: 1\n"
                                                             "  sequence_parallel: true\n"
                                                             "  recompute: none\n"),
                           0);

    assert_near(states_of_stage_0(plan) / gib, 15.17, 0.02);
    assert_near(number_at(plan, "memory.stages.0.activations") / gib, 10.48, 0.02);
    json_decref(plan);
}

static void test_status_and_verdict(void **state)
{
    (void)state;
    struct run done = run("plan example");

    assert_int_equal(done.status, 1);
    assert_int_equal(strncmp(done.out, "DOES NOT FIT  ", 14), 0);
    assert_non_null(strstr(done.out, "\nerror "));
    run_free(&done);
    done = run("plan example --set parallel.tensor=8 --set parallel.data=4");
    assert_int_equal(done.status, 0);
    assert_int_equal(strncmp(done.out, "FITS  ", 6), 0);
    run_free(&done);
    /* It fits, and breaks a rule. */
    done = run("plan chapter-7 --set training.global_batch=1000");
    assert_int_equal(done.status, 1);
    assert_int_equal(strncmp(done.out, "BREAKS RULES  ", 14), 0);
    assert_non_null(strstr(done.out, "global batch 1000 does not divide"));
    run_free(&done);
}

static void test_set(void **state)
{
    (void)state;
    json_t *plan = json_of(run("plan chapter-7 --format json --set parallel.data=8*16 "
                               "--set=hardware.mfu=20% --set training.tokens=1T"),
                           0);

    assert_near(number_at(plan, "gpus"), 2048, 0);
    assert_near(number_at(plan, "time.days"), 76.0766 / 2, 0.001);
    json_decref(plan);
    /* A preset fills its group in: 320 TFLOPS instead of 312. */
    plan = json_of(run("plan chapter-7 --format json --set hardware=ascend-910b"), 0);
    assert_near(number_at(plan, "time.tflops_per_gpu"), 320 * 0.4, 1e-9);
    json_decref(plan);
    assert_refused(run("plan chapter-7 --set parallel.tensr=4"), 2,
                   "parallel.tensr: unknown key; did you mean parallel.tensor?");
    assert_refused(run("plan chapter-7 --set parallel.tensor=0"), 2, "parallel.tensor: ");
    assert_refused(run("plan chapter-7 --set parallel.tensor"), 2, "KEY=VALUE");
    assert_refused(run("plan chapter-7 --set =4"), 2, "KEY=VALUE");
    assert_refused(run("plan chapter-7 --set training.tokens=1,000"), 2, "training.tokens: ");
}

static void test_several_scenarios(void **state)
{
    (void)state;
    json_t *plans = json_of(run("plan chapter-7 example --format json"), 1);

    assert_true(json_is_array(plans));
    assert_int_equal(json_array_size(plans), 2);
    assert_near(number_at(plans, "0.gpus"), 1024, 0);
    assert_near(number_at(plans, "1.gpus"), 64, 0);
    json_decref(plans);
    struct run both = run("plan chapter-7 example"), first = run("plan chapter-7");
    struct run second = run("plan example");
    assert_int_equal(both.status, 1);
    assert_int_equal(strncmp(both.out, first.out, first.out_size), 0);
    assert_non_null(strstr(both.out + first.out_size, second.out));
    run_free(&both);
    run_free(&first);
    run_free(&second);
    /* One bad file, no result at all. */
    assert_refused(run("plan chapter-7 nosuch example"), 3, "nosuch");
}

static void test_wrong_usage(void **state)
{
    (void)state;
    assert_refused(run(""), 2, "needs a terminal");
    assert_refused(run("plan"), 2, "which scenario?");
    assert_refused(run("plan --fromat json x"), 2,
                   "unknown option --fromat; did you mean --format?");
    assert_refused(run("plan x --frobnicate"), 2, "actuary plan --help");
    assert_refused(run("--frobnicate"), 2, "actuary --help");
    assert_refused(run("plan x --format pdf"), 2, "text, json, csv, markdown or html");
    assert_refused(run("list models --format csv"), 2, "text or json");
    assert_refused(run("explain example --format html"), 2, "text or json");
    assert_refused(run("compare"), 2, "two scenarios or more");
    assert_refused(run("need example --days 1e-300"), 2, "--days 1e-300: give 0.001d to");
    assert_refused(run("plan - --measured-log -"), 2, "at once; give one of them as a file");
    assert_refused(run("compare example"), 2, "two scenarios or more");
    assert_refused(run("plan example --differences"), 2, "unknown option --differences");
    assert_refused(run("compare example exmaple"), 3, "exmaple");
    assert_refused(run("plan x --format"), 2, "needs a value");
    assert_refused(run("plan x -o"), 2, "needs a value");
    assert_refused(run("plan x --no-color=1"), 2, "takes no value");
    assert_refused(run("list"), 2, "models, frameworks, hardware, scenarios, fields");
    assert_refused(run("list modles"), 2, "did you mean models?");
    assert_refused(run("list models fields"), 2, "One of");
    assert_refused(run("list models --set a=b"), 2, "unknown option --set");
    assert_refused(run("show"), 2, "which preset?");
    assert_refused(run("plan x \033[31m-bad --\033[31m"), 2, "unknown option --?[31m");
    /* After -- there are no options. */
    assert_refused(run("plan -- --help"), 3, "--help: ");
}

/* Reports and comparisons hold so many scenarios, and `plan` without one any number. */
static void test_many_scenarios(void **state)
{
    (void)state;
    char line[1024] = "compare";

    for (int i = 0; i < 33; i++) {
        size_t length = strlen(line);
        snprintf(line + length, sizeof line - length, " chapter-7");
    }
    assert_refused(run(line), 2, "33 scenarios at once; at most 32");
    line[strlen(line) - strlen(" chapter-7")] = '\0';
    struct run done = run(line);
    assert_int_equal(done.status, 0);
    assert_int_equal(done.err_size, 0);
    run_free(&done);
}

/* The status of a comparison is that of the worst. */
static void test_compare_status(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        int status;
    } cases[] = {{"compare chapter-7 llama3-8b-h100", 0},
                 {"compare chapter-7 example", 1},
                 {"plan chapter-7 example --format html", 1},
                 {"plan chapter-7 llama3-8b-h100 --format csv", 0}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct run done = run(cases[i].line);
        assert_int_equal(done.status, cases[i].status);
        assert_int_equal(done.err_size, 0);
        run_free(&done);
    }
}

static void test_bad_files(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "standard input"},
        {"training:\n  tokens: -5\n", "standard input:2:11: training.tokens: "},
        {"parallel:\n  tensr: 4\n", "did you mean parallel.tensor?"},
        {"hardware:\n  mfu: nan\n", "hardware.mfu: "},
        {"model: llama2-7\n", "did you mean llama2-7"},
        {"hardware: h100\n", "did you mean h100-sxm?"},
        {"hardware: a800\n", "did you mean a800-80gb-sxm?"},
        {"hardware: rtx-6\n", "did you mean rtx-6000-ada?"},
        {"model: qwen2.5-7\n", "did you mean qwen2.5-7b?"},
        {"a: 1\na: 2\n", "standard input:"},
        {"[[[[", "standard input:"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct run done = run_input("plan -", cases[i].text);
        assert_int_equal(done.status, 3);
        assert_int_equal(done.out_size, 0);
        if (!strstr(done.err, cases[i].words)) {
            fail_msg("\"%s\" lacks \"%s\"", done.err, cases[i].words);
        }
        run_free(&done);
    }
    assert_refused(run("plan /"), 3, "/: ");
    assert_refused(run("plan qwen2.5-7b"), 3,
                   "a model preset; plan it with: actuary plan example --set model=qwen2.5-7b");
    assert_refused(run("plan h100-sxm"), 3, "--set hardware=h100-sxm");
    assert_refused(run("plan /nonexistent.yaml"), 3, "/nonexistent.yaml: ");
    assert_refused(run("show nosuchthing"), 3, "there is no preset");
    assert_refused(run("show llama2-70"), 3, "did you mean models/llama2-70b?");
}

static void test_where_results_go(void **state)
{
    (void)state;
    const char *path = scratch_path(run_folder, "result.json");
    const char *to_file[] = {"plan", "chapter-7", "--format", "json", "-o", path, NULL};
    const char *to_nowhere[] = {"plan", "chapter-7", "-o", "/nonexistent/result", NULL};
    const char *plain[] = {"plan", "chapter-7", NULL};
    const char *models[] = {"list", "models", NULL};

    struct run shown = run("plan chapter-7 --format json");
    for (int i = 0; i < 2; i++) { /* a file that is there is written over */
        struct run saved = run_words(to_file, NULL, RUN_CAPTURE);
        assert_int_equal(saved.status, 0);
        assert_int_equal(saved.out_size + saved.err_size, 0);
        char *text = scratch_read(path);
        assert_non_null(text);
        assert_string_equal(text, shown.out);
        free(text);
        run_free(&saved);
    }
    run_free(&shown);
    /* The end of the name chooses the format, --format before it. */
    static const struct {
        const char *name, *format, *begins;
    } ends[] = {{"a.json", NULL, "{"},
                {"a.HTML", NULL, "<!DOCTYPE html>"},
                {"a.md", NULL, "#"},
                {"a.csv", NULL, "name,fits"},
                {"a.txt", NULL, "FITS"},
                {"a", NULL, "FITS"},
                {"a.html", "--format=json", "{"}};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        char *file = strdup(scratch_path(run_folder, ends[i].name));
        const char *words[] = {"plan", "chapter-7", "-o", file, ends[i].format, NULL};
        struct run saved = run_words(words, NULL, RUN_CAPTURE);
        assert_int_equal(saved.status, 0);
        run_free(&saved);
        char *text = scratch_read(file);
        assert_non_null(text);
        if (strncmp(text, ends[i].begins, strlen(ends[i].begins)) != 0)
            fail_msg("%s begins with \"%.20s\"", ends[i].name, text);
        free(text);
        free(file);
    }
    assert_refused(run("need chapter-7 -o x.html"), 2, "-o x.html: there is no html here");
    assert_refused(run_words(to_nowhere, NULL, RUN_CAPTURE), 4, "/nonexistent/result: ");
    assert_refused(run_words(plain, NULL, RUN_FULL_DISK), 4, "standard output: ");
    assert_refused(run_words(models, NULL, RUN_FULL_DISK), 4, "standard output: ");
    /* A reader that went away is not worth a word. */
    struct run closed = run_words(plain, NULL, RUN_CLOSED_PIPE);
    assert_int_equal(closed.status, 0);
    assert_int_equal(closed.err_size, 0);
    run_free(&closed);
}

static void test_help(void **state)
{
    (void)state;
    static const char *const lines[] = {"--help",      "-h",          "plan --help",
                                        "list --help", "show --help", "compare --help",
                                        "need --help"};
    /* Of later issues: neither there nor promised. */
    static const char *const later[] = {"search", "sweep", "import", "export"};

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct run done = run(lines[i]);
        assert_int_equal(done.status, 0);
        assert_int_equal(done.err_size, 0);
        assert_int_equal(strncmp(done.out, "actuary", 7), 0);
        for (size_t j = 0; j < sizeof later / sizeof later[0]; j++) {
            assert_null(strstr(done.out, later[j]));
        }
        for (char *line = done.out, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
            assert_true(end - line <= 80);
        }
        run_free(&done);
    }
    struct run done = run("--version");
    assert_int_equal(done.status, 0);
    assert_int_equal(strncmp(done.out, "actuary ", 8), 0);
    run_free(&done);
}

static void test_lists(void **state)
{
    (void)state;
    static const char *const kinds[] = {"models", "frameworks", "hardware", "scenarios", "fields"};
    static const char *const known[] = {"llama2-70b", "megatron", "a800-80gb-sxm", "chapter-7",
                                        "parallel.tensor"};

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        char line[64];
        size_t rows = 0;
        bool found = false;
        snprintf(line, sizeof line, "list %s", kinds[i]);
        struct run text = run(line);
        assert_int_equal(text.status, 0);
        for (const char *at = text.out; (at = strchr(at, '\n')) != NULL; at++) {
            assert_true(at == text.out || at[-1] != ' ');
            rows++;
        }
        run_free(&text);
        snprintf(line, sizeof line, "list %s --format json", kinds[i]);
        json_t *list = json_of(run(line), 0);
        assert_int_equal(json_array_size(list) + 1, rows);
        for (size_t j = 0; j < json_array_size(list); j++) {
            const json_t *object = json_array_get(list, j);
            const json_t *name = json_object_get(object, i == 4 ? "key" : "id");
            assert_true(json_is_string(name));
            found = found || strcmp(json_string_value(name), known[i]) == 0;
        }
        assert_true(found);
        json_decref(list);
    }
}

static void test_show(void **state)
{
    (void)state;
    struct run scenario = run("show chapter-7");
    struct run validated = run("show megatron"), untested = run("show composer");

    assert_int_equal(scenario.status, 0);
    assert_non_null(strstr(validated.out, "\nframework:\n"));
    assert_null(strstr(validated.out, "Not validated"));
    assert_int_equal(strncmp(untested.out, "# Not validated", 15), 0);
    /* What is shown can be planned with. */
    struct run shown = run_input("plan - --format json", scenario.out);
    struct run direct = run("plan chapter-7 --format json");
    assert_int_equal(shown.status, 0);
    assert_string_equal(shown.out, direct.out);
    run_free(&scenario);
    run_free(&validated);
    run_free(&untested);
    run_free(&shown);
    run_free(&direct);
}

static void add_preset(const char *kind, const char *name, const char *text)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/config/actuary/presets/%s", run_folder, kind);
    scratch_folders(path);
    snprintf(path, sizeof path, "%s/config/actuary/presets/%s/%s.yaml", run_folder, kind, name);
    scratch_write(path, text, strlen(text));
}

static void test_own_presets(void **state)
{
    (void)state;
    add_preset("models", "mine",
               "title: My model\nmodel:\n  layers: 2\n  hidden: 256\n  heads: 4\n");
    add_preset("hardware", "mine",
               "title: My card\nhardware:\n  memory: 8GiB\n  peak_bf16: 1TFLOPS\n");
    assert_refused(run("show mine"), 2, "say models/mine or hardware/mine");
    struct run shown = run("show hardware/mine");
    assert_int_equal(shown.status, 0);
    assert_non_null(strstr(shown.out, "My card"));
    run_free(&shown);
    struct run listed = run("list models");
    assert_int_equal(listed.status, 0);
    assert_non_null(strstr(listed.out, "My model"));
    run_free(&listed);
    /* A broken one is named with its place, and there is no half list. */
    add_preset("models", "broken", "title: Broken\nmodel:\n  layers: many\n");
    assert_refused(run("list models"), 3, "broken.yaml:3:11: model.layers: ");
    assert_refused(run("list models --format json"), 3, "model.layers: ");
    listed = run("list hardware");
    assert_int_equal(listed.status, 0);
    run_free(&listed);
}

/* The planning chapter's GPUs, and what a wrong question is told. */
static void test_need(void **state)
{
    (void)state;
    const char *line = "need chapter-7 --days 90 --spare 5% --round power2 --format json";
    json_t *value = json_of(run(line), 0);
    assert_near(number_at(value, "deadline.gpus_by_compute"), 866, 0);
    assert_near(number_at(value, "deadline.replicas"), 55, 0);
    assert_near(number_at(value, "deadline.gpus_with_spare"), 924, 0);
    assert_near(number_at(value, "deadline.chosen.gpus"), 1024, 0);
    assert_near(number_at(value, "deadline.chosen.calendar_days"), 76.08, 0.005);
    json_decref(value);
    /* The scenario's own deadline and budget; 12 weeks; several scenarios. */
    value = json_of(run("need example chapter-7 --format json --set training.deadline_days=12w "
                        "--set cost.budget=1M"),
                    1); /* on the GPUs for the deadline both cost more */
    assert_int_equal(json_array_size(value), 2);
    assert_near(number_at(value, "0.deadline.days"), 84, 0);
    assert_near(number_at(value, "1.budget"), 1e6, 0);
    json_decref(value);

    struct run late = run("plan chapter-7 --set training.deadline_days=30");
    assert_int_equal(late.status, 1);
    assert_int_equal(strncmp(late.out, "FITS, LATE", 10), 0);
    run_free(&late);
    json_decref(json_of(run("plan chapter-7 --set training.deadline_days=90 --format json"), 0));

    /* What has no room beside two goes below, whole; what is printed alike is not marked. */
    struct run beside = run("compare example llama3-8b-h100 chapter-7");
    assert_non_null(strstr(beside.out, "a800-80gb-sxm"));
    assert_non_null(strstr(beside.out, "activation formula"));
    for (char *row = strtok(beside.out, "\n"); row != NULL; row = strtok(NULL, "\n"))
        assert_true((row[0] != '*' && strncmp(row, "  ", 2) != 0) || row[2] == ' ' ||
                    strstr(row, "..") == NULL);
    run_free(&beside);
    struct run asked = run("plan example --set parallel.gpus=100");
    assert_int_equal(asked.status, 1);
    assert_non_null(strstr(asked.err, "parallel.gpus: 100 asked, 96 used: a multiple of 8"));
    run_free(&asked);
    asked = run("plan chapter-7 --set parallel.gpus=512");
    assert_int_equal(asked.err_size, 0);
    run_free(&asked);

    assert_refused(run("need"), 2, "which scenario?");
    assert_refused(run("need chapter-7 --days"), 2, "--days needs a value");
    assert_refused(run("need chapter-7 --days 0"), 2, "--days 0: give 0.001d to");
    assert_refused(run("need chapter-7 --days soon"), 2, "--days: ");
    assert_refused(run("need chapter-7 --spare 5"), 2, "--spare: ");
    assert_refused(run("need chapter-7 --spare 200%"), 2, "--spare");
    assert_refused(run("need chapter-7 --round up"), 2, "replica, node or power2");
    assert_refused(run("need chapter-7 --budget=-1"), 2, "--budget -1: give 0 to");
    assert_refused(run("need chapter-7 --day 90"), 2, "did you mean --days?");
    assert_refused(run("plan chapter-7 --days 90"), 2, "unknown option --days");
    assert_refused(run("need nowhere.yaml"), 3, "nowhere.yaml");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_full_card_fits),
        cmocka_unit_test(test_chapter_7),
        cmocka_unit_test(test_chapter_7_static_memory),
        cmocka_unit_test(test_megatron_from_standard_input),
        cmocka_unit_test(test_status_and_verdict),
        cmocka_unit_test(test_set),
        cmocka_unit_test(test_several_scenarios),
        cmocka_unit_test(test_wrong_usage),
        cmocka_unit_test(test_many_scenarios),
        cmocka_unit_test(test_compare_status),
        cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_where_results_go),
        cmocka_unit_test(test_help),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_show),
        cmocka_unit_test(test_need),
        cmocka_unit_test(test_own_presets),
    };
    return cmocka_run_group_tests_name("cli", tests, set_up, tear_down);
}
