#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run.h"

#include "../unit/scratch.h"

#include <errno.h>
#include <poll.h>
#include <sys/wait.h>

enum { WORDS_MAX = 64, OUTPUT_MAX = 8 << 20 };

char run_folder[512];
static const char *locale = "C";

void run_start(void)
{
    scratch_make(run_folder);
}

void run_stop(void)
{
    scratch_remove(run_folder);
}

void run_locale(const char *name)
{
    locale = name;
}

/* In the child: nothing of the caller's environment but what is said here. */
static void start(char **words, int input, int output, int errors)
{
    char home[600], config[600], data[600], locale_path[600], lc[64], sanitizer[1200];
    const char *options = getenv("ASAN_OPTIONS");
    char *environment[] = {
        home, config, data, locale_path, lc, sanitizer, "PATH=/usr/bin:/bin", "TERM=xterm-256color",
        NULL};

    snprintf(home, sizeof home, "HOME=%s", run_folder);
    snprintf(config, sizeof config, "XDG_CONFIG_HOME=%s/config", run_folder);
    snprintf(data, sizeof data, "XDG_DATA_HOME=%s/data", run_folder);
    snprintf(locale_path, sizeof locale_path, "LOCPATH=%s/locales", run_folder);
    snprintf(lc, sizeof lc, "LC_ALL=%s", locale);
    snprintf(sanitizer, sizeof sanitizer, "ASAN_OPTIONS=%.1000s", options ? options : "");
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    execve(words[0], words, environment);
    _exit(127);
}

/* Reads both ends until they close, so that neither blocks the program. */
static void drain(int output, int errors, struct run *ret)
{
    struct pollfd ends[2] = {{.fd = output, .events = POLLIN}, {.fd = errors, .events = POLLIN}};
    char *texts[2] = {calloc(1, OUTPUT_MAX), calloc(1, OUTPUT_MAX)};
    size_t sizes[2] = {0, 0};

    assert_non_null(texts[0]);
    assert_non_null(texts[1]);
    while (ends[0].fd >= 0 || ends[1].fd >= 0) {
        assert_true(poll(ends, 2, 60000) > 0);
        for (int i = 0; i < 2; i++) {
            if (ends[i].fd < 0 || ends[i].revents == 0) {
                continue;
            }
            ssize_t got = read(ends[i].fd, texts[i] + sizes[i], OUTPUT_MAX - 1 - sizes[i]);
            if (got <= 0) {
                close(ends[i].fd);
                ends[i].fd = -1;
            } else {
                sizes[i] += (size_t)got;
            }
        }
    }
    ret->out = texts[0];
    ret->err = texts[1];
    ret->out_size = sizes[0];
    ret->err_size = sizes[1];
}

static int input_file(const char *input)
{
    const char *path = scratch_path(run_folder, "input");

    scratch_write(path, input ? input : "", input ? strlen(input) : 0);
    return open(path, O_RDONLY | O_CLOEXEC);
}

struct run run_words(const char *const *words, const char *input, enum run_output output)
{
    const char *program = getenv("ACTUARY_PROGRAM");
    char *all[WORDS_MAX + 2] = {(char *)(uintptr_t)program};
    int out[2], err[2], status = 0;
    struct run result = {0};

    if (!program) {
        fail_msg("no program to test: set ACTUARY_PROGRAM to its path");
        return result;
    }
    for (int i = 0; words[i]; i++) {
        assert_true(i < WORDS_MAX);
        all[i + 1] = (char *)(uintptr_t)words[i];
    }
    int in = input_file(input);
    assert_true(in >= 0);
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    assert_int_equal(pipe2(err, O_CLOEXEC), 0);
    int target = output == RUN_FULL_DISK ? open("/dev/full", O_WRONLY | O_CLOEXEC) : out[1];
    assert_true(target >= 0);
    if (output == RUN_CLOSED_PIPE) {
        close(out[0]);
        out[0] = -1;
    }
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        start(all, in, target, err[1]);
    }
    close(in);
    close(out[1]);
    close(err[1]);
    if (target != out[1]) {
        close(target);
    }
    drain(out[0], err[0], &result);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

struct run run_input(const char *line, const char *input)
{
    const char *words[WORDS_MAX + 1];
    char copy[1024];
    int count = 0;

    snprintf(copy, sizeof copy, "%s", line);
    for (char *rest = copy, *word; (word = strsep(&rest, " ")) != NULL;) {
        if (word[0]) {
            assert_true(count < WORDS_MAX);
            words[count++] = word;
        }
    }
    words[count] = NULL;
    return run_words(words, input, RUN_CAPTURE);
}

struct run run(const char *line)
{
    return run_input(line, NULL);
}

void run_free(struct run *run)
{
    free(run->out);
    free(run->err);
    *run = (struct run){0};
}
