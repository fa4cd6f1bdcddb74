/* Output byte for byte, and the same under every locale. UPDATE_GOLDEN=1 writes the files anew:
 * look at the difference before it is kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../unit/scratch.h"
#include "run.h"

#include <stdbool.h>
#include <sys/wait.h>

static const char *const locales[] = {"C", "C.UTF-8", "de_DE.UTF-8"};

static const struct {
    const char *file; /* NULL: only the locales are compared */
    const char *line;
    int status;
} cases[] = {
    {"help.txt", "--help", 0},
    {"help-plan.txt", "plan --help", 0},
    {"help-compare.txt", "compare --help", 0},
    {"help-list.txt", "list --help", 0},
    {"help-show.txt", "show --help", 0},
    {"example.txt", "plan example", 1},
    {"example.json", "plan example --format json", 1},
    {"chapter-7.txt", "plan chapter-7", 0},
    {"chapter-7.json", "plan chapter-7 --format json", 0},
    {"llama3-8b-h100.txt", "plan llama3-8b-h100", 0},
    {"llama3-8b-h100.json", "plan llama3-8b-h100 --format json", 0},
    {"qwen2.5-7b-lora-4090.txt", "plan qwen2.5-7b-lora-4090", 0},
    {"qwen2.5-7b-lora-4090.json", "plan qwen2.5-7b-lora-4090 --format json", 0},
    {"deepseek-v3-h800.txt", "plan deepseek-v3-h800", 0},
    {"deepseek-v3-h800.json", "plan deepseek-v3-h800 --format json", 0},
    {"help-explain.txt", "explain --help", 0},
    {"explain-example.txt", "explain example", 1},
    {"explain-example.json", "explain example --format json --stage 1 allocated activations", 1},
    {"explain-parts.txt",
     "explain example allocated activations weights dense.whole --set parallel.zero=1 --set "
     "training.hidden_dropout=0.1",
     1},
    {"explain-typed.txt",
     "explain example reserved context head slack --stage 1 --set hardware.fragmentation=1.2 "
     "--set hardware.context_memory=5GiB",
     1},
    {"explain-moe.txt", "explain deepseek-v3-h800 --stage 3 activations moe.whole optimizer", 0},
    {"explain-lora.txt", "explain qwen2.5-7b-lora-4090 weights activations reserved", 0},
    {"explain-chapter-7.txt", "explain chapter-7", 0},
    {"broken-rules.txt",
     "plan example --set parallel.tensor=3 --set parallel.pipeline=6 --set parallel.interleave=2 "
     "--set training.global_batch=100 --set training.deadline_days=30 --set parallel.zero=3",
     1},
    {"owned.txt",
     "plan chapter-7 --set cost.basis=own --set cost.currency=RMB --set cost.server_price=1.5M "
     "--set cost.electricity_price=0.6 --set cost.staff_per_year=20M --set cost.goodput=auto "
     "--set cost.failures_per_1000_gpu_days=3 --set cost.checkpoint_bandwidth=10GB/s "
     "--set cost.price_per_gpu_hour=10 --set cost.budget=10M",
     0},
    {"owned.json",
     "plan chapter-7 --format json --set cost.basis=own --set cost.currency=RMB "
     "--set cost.server_price=1.5M --set cost.electricity_price=0.6 --set cost.staff_per_year=20M "
     "--set cost.goodput=auto --set cost.failures_per_1000_gpu_days=3",
     0},
    {"calibrated.txt",
     "plan example --set parallel.tensor=8 --set parallel.pipeline=1 --set parallel.data=8 "
     "--measured-log -",
     0},
    {"calibrated.json",
     "plan example --format json --set parallel.tensor=8 --set parallel.pipeline=1 "
     "--set parallel.data=8 --measured-log -",
     0},
    {"explain-calibrated.txt",
     "explain example activations weights allocated reserved device "
     "--set calibration.memory_factor=1.05",
     1},
    {"example.csv", "plan example --format csv", 1},
    {"example.md", "plan example --format markdown", 1},
    {"example.html", "plan example --format html", 1},
    {"three.csv", "plan example deepseek-v3-h800 qwen2.5-7b-lora-4090 --format csv", 1},
    {"three.md", "plan example deepseek-v3-h800 qwen2.5-7b-lora-4090 --format markdown", 1},
    {"three.html", "plan example deepseek-v3-h800 qwen2.5-7b-lora-4090 --format html", 1},
    {"compare.txt", "compare example deepseek-v3-h800 chapter-7 qwen2.5-7b-lora-4090", 1},
    {"compare-differences.txt",
     "compare chapter-7 llama3-8b-h100 --differences --set training.tokens=1T", 0},
    {"compare.json", "compare example chapter-7 --format json", 1},
    {"compare.csv", "compare example chapter-7 --format csv", 1},
    {"compare.md", "compare example chapter-7 --format markdown", 1},
    {"compare.html", "compare example chapter-7 --format html", 1},
    {"help-need.txt", "need --help", 0},
    {"need-chapter-7.txt", "need chapter-7 --days 90 --spare 5% --round power2", 0},
    {"need-chapter-7.json",
     "need chapter-7 --days 90 --spare 5% --round power2 --format json --budget 5M", 0},
    {"need-910b.txt",
     "need chapter-7 --days 90 --spare 5% --round replica --set hardware=ascend-910b", 0},
    {"need-example.txt", "need example", 1},
    {"need-example.json", "need example --days 90 --format json", 0},
    {"need-moe.txt", "need deepseek-v3-h800 --days 60 --budget 5M --set hardware.mfu=auto", 0},
    {"need-late.txt", "need example --days 1", 1},
    {"list-frameworks.txt", "list frameworks", 0},
    {"list-scenarios.txt", "list scenarios", 0},
    {"show-textbook.yaml", "show textbook", 0},
    {NULL, "list models", 0},
    {NULL, "list hardware --format json", 0},
    {NULL, "list fields --format json", 0},
};

enum { CASES = sizeof cases / sizeof cases[0] };

/* Makes de_DE, whose decimal point is a comma. */
static int make_locale(void)
{
    const char *target = scratch_path(run_folder, "locales/de_DE.UTF-8");
    int status = 0;

    scratch_folders(scratch_path(run_folder, "locales"));
    pid_t child = fork();
    if (child == 0) {
        int nothing = open("/dev/null", O_WRONLY);
        dup2(nothing, STDOUT_FILENO);
        dup2(nothing, STDERR_FILENO);
        execlp("localedef", "localedef", "-i", "de_DE", "-f", "UTF-8", target, (char *)NULL);
        _exit(127);
    }
    waitpid(child, &status, 0);
    if (status != 0) {
        fprintf(stderr, "localedef makes no de_DE.UTF-8: the test needs the sources of locales\n");
        return -1;
    }
    return 0;
}

static int set_up(void **state)
{
    (void)state;
    run_start();
    return make_locale();
}

static int tear_down(void **state)
{
    (void)state;
    run_stop();
    return 0;
}

static void golden_path(const char *file, char *out, size_t size)
{
    const char *root = getenv("ACTUARY_SOURCE_ROOT");

    snprintf(out, size, "%s/tests/cli/golden/%s", root ? root : SOURCE_ROOT, file);
}

/* The first line in which two texts differ. */
static void fail_at_difference(const char *file, const char *expected, const char *actual)
{
    int line = 1;

    for (;; line++) {
        size_t a = strcspn(expected, "\n"), b = strcspn(actual, "\n");
        if (a != b || strncmp(expected, actual, a) != 0 || !expected[a] || !actual[b]) {
            fail_msg("%s:%d: expected \"%.*s\", got \"%.*s\"", file, line, (int)a, expected, (int)b,
                     actual);
            return;
        }
        expected += a + 1;
        actual += b + 1;
    }
}

static void compare(const char *file, const char *text, size_t size)
{
    char path[1024];

    golden_path(file, path, sizeof path);
    if (getenv("UPDATE_GOLDEN")) {
        scratch_write(path, text, size);
        return;
    }
    char *expected = scratch_read(path);
    if (!expected) {
        fail_msg("%s is missing; UPDATE_GOLDEN=1 writes it", path);
        return;
    }
    if (strcmp(expected, text) != 0) {
        fail_at_difference(file, expected, text);
    }
    free(expected);
}

/* A measured log is Megatron-LM's, on standard input: its name would be the machine's. */
static struct run run_case(const char *line)
{
    const char *root = getenv("ACTUARY_SOURCE_ROOT");
    char path[1024];

    if (!strstr(line, "--measured-log -"))
        return run(line);
    snprintf(path, sizeof path, "%s/tests/data/logs/megatron.log", root ? root : SOURCE_ROOT);
    char *log = scratch_read(path);
    assert_non_null(log);
    struct run done = run_input(line, log);
    free(log);
    return done;
}

static void test_goldens(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++) {
        run_locale(locales[0]);
        struct run first = run_case(cases[i].line);
        if (first.status != cases[i].status || first.err_size > 0) {
            fail_msg("%s: status %d: %s", cases[i].line, first.status, first.err);
        }
        if (cases[i].file) {
            compare(cases[i].file, first.out, first.out_size);
        }
        for (size_t j = 1; j < sizeof locales / sizeof locales[0]; j++) {
            run_locale(locales[j]);
            struct run other = run_case(cases[i].line);
            if (other.out_size != first.out_size ||
                memcmp(other.out, first.out, first.out_size) != 0) {
                fail_at_difference(locales[j], first.out, other.out);
            }
            run_free(&other);
        }
        run_free(&first);
    }
}

/* Reports are at most 80 columns of printable ASCII. */
static void test_reports_are_plain(void **state)
{
    (void)state;
    run_locale("C.UTF-8");
    for (int i = 0; i < CASES; i++) {
        bool report =
            strncmp(cases[i].line, "plan", 4) == 0 || strncmp(cases[i].line, "compare", 7) == 0 ||
            strncmp(cases[i].line, "need", 4) == 0 || strncmp(cases[i].line, "explain", 7) == 0;
        if (!report || strstr(cases[i].line, "--format")) {
            continue;
        }
        struct run done = run_case(cases[i].line);
        int column = 0;
        for (size_t j = 0; j < done.out_size; j++) {
            char c = done.out[j];
            column = c == '\n' ? 0 : column + 1;
            assert_true(c == '\n' || (c >= ' ' && c <= '~'));
            assert_true(column <= 80);
        }
        run_free(&done);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goldens),
        cmocka_unit_test(test_reports_are_plain),
    };
    return cmocka_run_group_tests_name("golden", tests, set_up, tear_down);
}
