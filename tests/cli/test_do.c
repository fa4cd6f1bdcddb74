/* --do without a screen, and the config file as scripts meet it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../unit/scratch.h"
#include "run.h"

#include <jansson.h>
#include <stdbool.h>

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

/* Words of a command line, blanks and all. */
#define RUN(...) run_words((const char *const[]){__VA_ARGS__, NULL}, NULL, RUN_CAPTURE)

static void assert_refused(struct run run, int status, const char *words)
{
    if (run.status != status || !strstr(run.err, words))
        fail_msg("status %d instead of %d, \"%s\" lacks \"%s\"", run.status, status, run.err,
                 words);
    assert_int_equal(run.out_size, 0);
    assert_ptr_equal(strchr(run.err, '\n'), run.err + run.err_size - 1);
    run_free(&run);
}

/* The lines give what the same keys in a file or --set give. */
static void lines_are_settings(void **state)
{
    (void)state;
    struct run done = RUN("example", "--do", "tp 8; dp 8; recompute full", "--do", "gb 512");
    struct run same = run("plan example --set parallel.tensor=8 --set parallel.data=8 --set "
                          "parallel.recompute=full --set training.global_batch=512");
    assert_int_equal(done.status, same.status);
    assert_string_equal(done.out, same.out);
    assert_int_equal(done.err_size, 0);
    run_free(&done);
    run_free(&same);
}

static void statuses_are_those_of_plan(void **state)
{
    (void)state;
    struct run fits = RUN("--do", "tp 8"), unfit = RUN("--do", "tp 8; undo");
    assert_int_equal(fits.status, 0);
    assert_int_equal(unfit.status, 1);
    run_free(&fits);
    run_free(&unfit);
    struct run repaired = RUN("--do", "repair"), held = RUN("--do", "hold; tp 8");
    assert_int_equal(repaired.status, 0);
    assert_non_null(strstr(held.out, "128 GPUs")); /* data is held, GPUs follow */
    run_free(&repaired);
    run_free(&held);
    struct run json = RUN("example", "chapter-7", "--do", "tp 8", "--format", "json");
    json_t *plans = json_loads(json.out, 0, NULL);
    assert_int_equal(json_array_size(plans), 2);
    assert_true(json_is_true(json_object_get(json_array_get(plans, 0), "fits")));
    json_decref(plans);
    run_free(&json);
}

static void what_is_wrong_ends_it(void **state)
{
    (void)state;
    assert_refused(RUN("--do", "tensr 8"), 2, "actuary --do: tensr: no such name; did you mean");
    assert_refused(RUN("--do", "tp 3x"), 2, "actuary --do: parallel.tensor: 3x");
    assert_refused(RUN("--do", "lora 3"), 2, "lora may be");
    assert_refused(RUN("--do", "name \"Run 2; tp 8; save"), 2,
                   "actuary --do: a quote is not closed");
    assert_refused(RUN("--do", "undo"), 2, "actuary --do: undo: nothing to undo\n");
    assert_refused(RUN("--do", "tp 8; undo; undo"), 2, "undo: nothing to undo\n");
    assert_refused(RUN("--do", "half tp; half tp; half tp; gb 64"), 2,
                   "actuary --do: half: tensor TP: cannot be halved\n");
    assert_refused(RUN("--do", "next_tab"), 2, "next_tab: there is nothing to do\n");
    assert_refused(RUN("--do", "repair; repair; repair; repair; repair; repair"), 2,
                   "repair: no check has a repair\n");
    assert_refused(RUN("--do", "quit"), 2, "quit needs the screen");
    assert_refused(RUN("--do", "help"), 2, "help needs the screen");
    assert_refused(RUN("--do", "save"), 2, "has no file yet");
    assert_refused(RUN("--do", "open nosuch.yaml"), 3, "nosuch.yaml");
    assert_refused(RUN("nosuch.yaml", "--do", "tp 8"), 3, "nosuch.yaml");
    assert_refused(RUN("--do", "save /nonexistent/a.yaml"), 4, "/nonexistent/a.yaml");
    assert_refused(RUN("example", "--format", "json"), 2, "add --do LINE");
    assert_refused(RUN("example", "-o", "x"), 2, "add --do LINE");
    assert_refused(RUN("plan", "example", "--do", "tp 8"), 2, "unknown option --do");
    assert_refused(RUN("example", "--do"), 2, "--do needs a value");
}

/* What stands behind a wrong command is left, what stands before it has been done. */
static void lines_are_saved(void **state)
{
    (void)state;
    char path[700], line[800];
    snprintf(path, sizeof path, "%s", scratch_path(run_folder, "saved.yaml"));
    snprintf(line, sizeof line, "tp 8; save %s; nonsense; tp 2; save", path);
    assert_refused(RUN("example", "--do", line), 2, "nonsense");
    char *text = scratch_read(path);
    assert_non_null(text);
    assert_non_null(strstr(text, "tensor: 8"));
    free(text);
    struct run again = RUN(path, "--do", "recompute full; save", "-o", "/dev/null");
    run_free(&again);
    struct run done = RUN(path, "--do", "pp 4; save", "--format", "json");
    assert_int_equal(done.err_size, 0);
    text = scratch_read(path);
    assert_non_null(strstr(text, "pipeline: 4"));
    free(text);
    run_free(&done);
    /* A file that is there and was not read is not written over. */
    snprintf(line, sizeof line, "save %s", path);
    assert_refused(RUN("example", "--do", line), 4, "not saved");
}

static int plans_in(struct run run)
{
    json_t *plans = json_loads(run.out, 0, NULL);
    int count = json_is_array(plans) ? (int)json_array_size(plans) : plans != NULL;
    assert_int_equal(run.err_size, 0);
    json_decref(plans);
    run_free(&run);
    return count;
}

/* A session is opened as in the planner; what reads scenarios alone says what to name instead. */
static void sessions_are_opened(void **state)
{
    (void)state;
    static const char text[] = "kind: session\nopen: [example, chapter-7]\n";
    static const char broken[] = "kind: session\nopen: [example, none.yaml]\n";
    static const char *const verbs[] = {"plan", "compare"};
    char path[700], line[800];
    snprintf(path, sizeof path, "%s", scratch_path(run_folder, "session.yaml"));
    scratch_write(path, text, sizeof text - 1);
    assert_int_equal(plans_in(RUN(path, "--do", "tp 8", "--format", "json")), 2);
    struct run first = RUN(path, "--do", "tp 8"),
               same = RUN("example", "chapter-7", "--do", "tp 8");
    assert_string_equal(first.out, same.out);
    assert_int_equal(first.status, same.status);
    run_free(&first);
    run_free(&same);
    snprintf(line, sizeof line, "open %s; tp 8", path);
    assert_int_equal(plans_in(RUN("chapter-7", "--do", line, "--format", "json")), 3);
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        assert_refused(RUN(verbs[i], path, "example"), 3,
                       "session.yaml:1:7: kind: this is a session, not a scenario; name the "
                       "scenarios it lists, or open it in the planner");
    scratch_write(path, broken, sizeof broken - 1);
    assert_refused(RUN(path, "--do", "tp 8"), 3, "session.yaml:2:17: open: ");
    assert_refused(RUN("--do", line), 3, "session.yaml:2:17: open: ");
}

static void config(const char *text)
{
    scratch_folders(scratch_path(run_folder, "config"));
    scratch_folders(scratch_path(run_folder, "config/actuary"));
    scratch_write(scratch_path(run_folder, "config/actuary/config.yaml"), text, strlen(text));
}

static bool shows(const char *line, const char *words)
{
    struct run done = run(line);
    bool found = strstr(done.out, words) != NULL;
    if (done.err_size > 0)
        fail_msg("%s: %s", line, done.err);
    run_free(&done);
    return found;
}

static void sizes_in_gb(void **state)
{
    (void)state;
    static const char *const lines[] = {"plan example", "explain example",
                                        "explain example activations dense.whole", "list hardware",
                                        "example --do=tp=8"};
    struct run before = run("plan example --format json");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        config("units: GiB\n");
        assert_true(shows(lines[i], "GiB"));
        config("units: GB\n");
        struct run done = run(lines[i]);
        bool chapter = strncmp(lines[i], "explain", 7) == 0; /* whose lines give both */
        if (!strstr(done.out, "GB") || (!chapter && strstr(done.out, "GiB")))
            fail_msg("%s:\n%s", lines[i], done.out);
        run_free(&done);
    }
    assert_true(shows("plan example", "94.6 of 85.0 GB"));
    assert_true(shows("plan example --no-config", "88.1 of 79.1 GiB"));
    /* Programs read the same from everyone. */
    struct run after = run("plan example --format json");
    assert_string_equal(before.out, after.out);
    run_free(&before);
    run_free(&after);
    before = run("example --do=units --format json");
    after = run("plan example --format json");
    assert_string_equal(before.out, after.out);
    run_free(&before);
    run_free(&after);
    config("# nothing\n");
}

static void a_wrong_config_ends_it(void **state)
{
    (void)state;
    config("units: GB\nunit: GB\n");
    static const char *const lines[] = {"plan example", "explain example", "list models",
                                        "example --do=undo"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        assert_refused(run(lines[i]), 3, "config.yaml:2:1: unit: unknown key; did you mean units?");
    struct run fine = run("plan chapter-7 --no-config"), help = run("--help");
    assert_int_equal(fine.status, 0);
    assert_int_equal(help.status, 0);
    run_free(&fine);
    run_free(&help);
    assert_refused(run("plan example --config nosuch.yaml"), 3, "nosuch.yaml: ");
    assert_refused(run("--theme drak"), 2, "there is no theme \"drak\"");
    config("# nothing\n");
}

static void a_currency_of_ones_own(void **state)
{
    (void)state;
    char path[700], line[800];
    snprintf(path, sizeof path, "%s", scratch_path(run_folder, "none.yaml"));
    scratch_write(path, "name: none\n", 11);
    config("currency: EUR\n");
    snprintf(line, sizeof line, "plan %s", path);
    assert_true(shows(line, "no price in EUR is known"));
    assert_true(shows("plan example", "USD")); /* gives a price, in USD */
    config("# nothing\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_settings),     cmocka_unit_test(statuses_are_those_of_plan),
        cmocka_unit_test(what_is_wrong_ends_it),  cmocka_unit_test(lines_are_saved),
        cmocka_unit_test(sessions_are_opened),    cmocka_unit_test(sizes_in_gb),
        cmocka_unit_test(a_wrong_config_ends_it), cmocka_unit_test(a_currency_of_ones_own),
    };
    return cmocka_run_group_tests_name("do", tests, set_up, tear_down);
}
