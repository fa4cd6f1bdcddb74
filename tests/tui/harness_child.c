/* The pseudo-terminal and the program in it.
 *
 * Between the test and the program stands a keeper that leads the terminal's session, as a shell
 * does: a program whose group has no parent in its own session cannot be stopped by SIGTSTP, and
 * a session whose leader ends loses its terminal before its settings can be looked at. */
#include "harness_internal.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ENVIRONMENT_MAX = 64, ARGUMENTS_MAX = 64, EVENTS_FD = 3 };

extern char **environ;

struct environment {
    char *entries[ENVIRONMENT_MAX + 1];
    size_t count;
};

static void unset(struct environment *e, const char *name, size_t length)
{
    for (size_t i = 0; i < e->count; i++) {
        if (strncmp(e->entries[i], name, length) != 0 || e->entries[i][length] != '=')
            continue;
        free(e->entries[i]);
        e->entries[i] = e->entries[--e->count];
        e->entries[e->count] = NULL;
        return;
    }
}

/* "NAME=value" sets, "NAME" removes. */
static void apply(struct environment *e, const char *entry)
{
    const char *equals = strchr(entry, '=');
    unset(e, entry, equals ? (size_t)(equals - entry) : strlen(entry));
    if (!equals)
        return;
    if (e->count == ENVIRONMENT_MAX)
        abort();
    e->entries[e->count] = strdup(entry);
    if (!e->entries[e->count])
        abort();
    e->entries[++e->count] = NULL;
}

static void apply_path(struct environment *e, const char *name, const char *folder,
                       const char *part)
{
    char entry[PATH_MAX];
    (void)snprintf(entry, sizeof entry, "%s=%s/%s", name, folder, part);
    apply(e, entry);
}

/* Options given from outside (detect_leaks=0, say) stay; the log goes to the test's folder, as on
 * the terminal it would be drawn over. */
static void apply_sanitizer(struct environment *e, const char *name, const char *folder)
{
    char entry[PATH_MAX];
    const char *given = getenv(name);
    (void)snprintf(entry, sizeof entry, "%s=%s%slog_path=%s/log/%s", name, given ? given : "",
                   given && *given ? ":" : "", folder, name);
    apply(e, entry);
}

static void build_environment(struct environment *e, const char *folder, const char *const *changes)
{
    static const char *const passed[] = {"PATH", "LD_LIBRARY_PATH", "GCOV_PREFIX"};
    static const char *const fixed[] = {"TZ=UTC", "LC_ALL=C.UTF-8", "TERM=xterm-256color",
                                        "ACTUARY_FRAME_MARKER=1"};
    *e = (struct environment){.count = 0};
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) {
        char entry[PATH_MAX];
        const char *value = getenv(passed[i]);
        if (!value)
            continue;
        (void)snprintf(entry, sizeof entry, "%s=%s", passed[i], value);
        apply(e, entry);
    }
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        apply(e, fixed[i]);
    apply_path(e, "HOME", folder, "home");
    apply_path(e, "XDG_CONFIG_HOME", folder, "config");
    apply_path(e, "XDG_DATA_HOME", folder, "data");
    apply_path(e, "XDG_STATE_HOME", folder, "state");
    apply_path(e, "XDG_CACHE_HOME", folder, "cache");
    apply_path(e, "XDG_RUNTIME_DIR", folder, "runtime");
    apply_path(e, "XDG_DATA_DIRS", folder, "empty");
    apply_path(e, "XDG_CONFIG_DIRS", folder, "empty");
    apply_sanitizer(e, "ASAN_OPTIONS", folder);
    apply_sanitizer(e, "UBSAN_OPTIONS", folder);
    for (; changes && *changes; changes++)
        apply(e, *changes);
}

/* ---- In the program's process, before it is the program ------------------------------------- */

static void redirect(int target, const char *path, int flags)
{
    if (!path)
        return;
    int fd = open(path, flags | O_NOCTTY, 0600);
    if (fd < 0 || dup2(fd, target) < 0)
        _exit(126);
    if (fd > 2)
        (void)close(fd);
}

static _Noreturn void become_program(const struct tui_setup *setup, const char *work, char **argv,
                                     char **envp)
{
    (void)setpgid(0, 0);
    (void)tcsetpgrp(0, getpid()); /* SIGTTOU is ignored until here */
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int number = 1; number < NSIG; number++)
        (void)signal(number, SIG_DFL);
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    if (setup->unprivileged) { /* of effect for root only */
        (void)prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0);
        (void)prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH, 0, 0, 0);
    }
    (void)close(EVENTS_FD);
    if (chdir(work))
        _exit(126);
    redirect(0, setup->input, O_RDONLY);
    redirect(1, setup->output, O_WRONLY | O_CREAT | O_TRUNC);
    redirect(2, setup->error, O_WRONLY | O_CREAT | O_TRUNC);
    (void)execve(argv[0], argv, envp);
    (void)dprintf(2, "cannot start %s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

/* ---- In the keeper ----------------------------------------------------------------------------
 */

static _Noreturn void keep(const struct tui_setup *setup, int slave, int events, const char *work,
                           char **argv, char **envp)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)setsid();
    if (ioctl(slave, TIOCSCTTY, 0) < 0 || dup2(events, EVENTS_FD) < 0)
        _exit(125);
    for (int fd = 0; fd < EVENTS_FD; fd++)
        if (dup2(slave, fd) < 0)
            _exit(125);
    (void)close_range(EVENTS_FD + 1, ~0U, 0); /* no copy of the master may outlive a hang-up */
    (void)signal(SIGHUP, SIG_IGN);
    (void)signal(SIGTTOU, SIG_IGN);

    pid_t pid = fork();
    if (pid == 0)
        become_program(setup, work, argv, envp);
    int word = (int)pid;
    if (pid < 0 || write(EVENTS_FD, &word, sizeof word) != sizeof word)
        _exit(125);
    for (;;) {
        pid_t changed = waitpid(pid, &word, WUNTRACED | WCONTINUED);
        if (changed < 0 && errno == EINTR)
            continue;
        if (changed < 0 || write(EVENTS_FD, &word, sizeof word) != sizeof word)
            break;
    }
    for (;;)
        (void)pause(); /* the terminal lives as long as its session's leader */
}

/* ---- In the test
 * --------------------------------------------------------------------------------- */

static int open_terminal(struct tui_child *child, int rows, int cols)
{
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
    if (openpty(&child->master, &child->slave, NULL, NULL, &size) < 0)
        return -1;
    if (fcntl(child->master, F_SETFD, FD_CLOEXEC) < 0 ||
        fcntl(child->slave, F_SETFD, FD_CLOEXEC) < 0 ||
        fcntl(child->master, F_SETFL, O_NONBLOCK) < 0)
        return -1;
    return tcgetattr(child->slave, &child->before);
}

int tui_child_start(struct tui_child *child, const struct tui_setup *setup, const char *folder)
{
    *child = (struct tui_child){.keeper = -1, .pid = -1, .master = -1, .slave = -1, .events = -1};
    char work[PATH_MAX];
    (void)snprintf(work, sizeof work, "%s/work", folder);
    char *argv[ARGUMENTS_MAX + 2] = {(char *)(uintptr_t)setup->program};
    for (size_t i = 0; setup->arguments && setup->arguments[i] && i < ARGUMENTS_MAX; i++)
        argv[i + 1] = (char *)(uintptr_t)setup->arguments[i];

    int events[2];
    if (open_terminal(child, setup->rows, setup->cols) < 0 || pipe2(events, O_CLOEXEC) < 0)
        return -1;
    child->events = events[0];
    struct environment environment;
    build_environment(&environment, folder, setup->environment);
    child->keeper = fork();
    if (child->keeper == 0)
        keep(setup, child->slave, events[1], work, argv, environment.entries);
    for (size_t i = 0; i < environment.count; i++)
        free(environment.entries[i]);
    (void)close(events[1]);
    int pid;
    if (child->keeper < 0 || read(child->events, &pid, sizeof pid) != sizeof pid)
        return -1;
    child->pid = pid;
    return fcntl(child->events, F_SETFL, O_NONBLOCK);
}

void tui_child_update(struct tui_child *child)
{
    int status;
    while (child->state != TUI_ENDED &&
           read(child->events, &status, sizeof status) == sizeof status) {
        if (WIFSTOPPED(status)) {
            child->state = TUI_STOPPED;
        } else if (WIFCONTINUED(status)) {
            child->state = TUI_RUNNING;
        } else {
            child->state = TUI_ENDED;
            child->status = status;
        }
    }
}

void tui_child_close(struct tui_child *child)
{
    if (child->keeper > 0) {
        tui_child_update(child);
        if (child->pid > 0 && child->state != TUI_ENDED)
            (void)kill(child->pid, SIGKILL);
        (void)kill(child->keeper, SIGKILL);
        (void)waitpid(child->keeper, NULL, 0);
    }
    if (child->master >= 0)
        (void)close(child->master);
    if (child->slave >= 0)
        (void)close(child->slave);
    if (child->events >= 0)
        (void)close(child->events);
    child->keeper = child->pid = -1;
    child->master = child->slave = child->events = -1;
}
