#include "ui/term_signal.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* Those that end a process by default and are neither of a fault nor ignored (PIPE, XFSZ). */
static const int leaving[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT,   SIGUSR1, SIGUSR2,
                              SIGXCPU, SIGPROF, SIGPOLL, SIGVTALRM, SIGALRM};
static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

enum { LEAVING = sizeof leaving / sizeof leaving[0], FAULTS = sizeof faults / sizeof faults[0] };

static struct {
    volatile sig_atomic_t leave, resize, stop, resume, cut;
    int terminal; /* where all that is written goes */
    int real;     /* the terminal, when `terminal` was cut off from it */
    int wake[2];
    struct termios original;
    bool have_original;
    volatile sig_atomic_t mouse;
    struct sigaction former_leave[LEAVING], former_fault[FAULTS], former_other[4];
    unsigned char stack[16384];
} state = {.wake = {-1, -1}, .terminal = STDOUT_FILENO, .real = -1};

static const int others[] = {SIGWINCH, SIGTSTP, SIGCONT, SIGPIPE};

void act_signal_remember_terminal(void)
{
    state.have_original = tcgetattr(STDIN_FILENO, &state.original) == 0;
}

/* Paste off, attributes off, keypad local, cursor on, out of the alternate screen. Fixed text:
 * nothing else is safe to compute in a handler, and terminals without these sequences ignore
 * them. */
static const char restore[] = "\033[?2004l\033[0m\033[?1l\033>\033[?25h\033[?1049l\r\n";
static const char restore_mouse[] = "\033[?1006l\033[?1002l";

static void write_restore(int terminal)
{
    ssize_t sent = 0;
    if (state.mouse)
        sent = write(terminal, restore_mouse, sizeof restore_mouse - 1);
    sent = write(terminal, restore, sizeof restore - 1);
    (void)sent;
}

/* A job in the background that changes the terminal's settings is stopped there and then. */
static bool owns(int terminal)
{
    pid_t group = tcgetpgrp(terminal);
    return group < 0 || group == getpgrp();
}

static void restore_settings(int terminal)
{
    if (state.have_original && owns(terminal))
        tcsetattr(terminal, TCSANOW, &state.original);
}

/* A second after the wish to leave the loop still hangs in a write: nobody reads the terminal.
 * What is written from now on goes nowhere, and the terminal's settings are put back by hand. */
static void cut_off(void)
{
    if (state.cut)
        return;
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere < 0)
        return;
    state.real = dup(state.terminal);
    if (dup2(nowhere, state.terminal) >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0)
        state.cut = 1;
    close(nowhere);
}

static void on_signal(int number)
{
    int kept = errno;
    switch (number) {
    case SIGWINCH:
        state.resize = 1;
        break;
    case SIGTSTP:
        state.stop = 1;
        break;
    case SIGCONT:
        state.resume = 1;
        break;
    case SIGALRM:
        if (state.leave != 0) {
            cut_off();
            break;
        } /* fall through */
    default:
        state.leave = number;
        alarm(1);
        break;
    }
    ssize_t sent = write(state.wake[1], "!", 1);
    (void)sent; /* a full pipe wakes the loop as well */
    errno = kept;
}

static void on_fault(int number)
{
    static const char words[] = "actuary: stopped by a fault; the terminal is restored\n";
    restore_settings(STDIN_FILENO);
    /* What is not read yet would hold us up; and so would writing, were it to wait. */
    int terminal = state.cut ? state.real : state.terminal;
    tcflush(terminal, TCOFLUSH);
    int flags = fcntl(terminal, F_GETFL);
    if (flags >= 0)
        fcntl(terminal, F_SETFL, flags | O_NONBLOCK);
    write_restore(terminal);
    ssize_t sent = write(STDERR_FILENO, words, sizeof words - 1);
    (void)sent;
    if (flags >= 0)
        fcntl(terminal, F_SETFL, flags);
    raise(number); /* SA_RESETHAND: the default action now */
}

static void install(int number, void (*handler)(int), int flags, struct sigaction *former)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, former);
}

void act_signal_mouse(bool on)
{
    state.mouse = on;
}

int act_signal_terminal(void)
{
    return state.terminal;
}

void act_signal_start(void)
{
    int aside = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (aside >= 0)
        state.terminal = aside;
    if (pipe(state.wake) == 0) {
        for (int i = 0; i < 2; i++) {
            fcntl(state.wake[i], F_SETFL, O_NONBLOCK);
            fcntl(state.wake[i], F_SETFD, FD_CLOEXEC);
        }
    }
    stack_t stack = {.ss_sp = state.stack, .ss_size = sizeof state.stack};
    sigaltstack(&stack, NULL);
    for (int i = 0; i < LEAVING; i++)
        install(leaving[i], on_signal, 0, &state.former_leave[i]);
    for (int i = 0; i < FAULTS; i++)
        install(faults[i], on_fault, (int)(SA_RESETHAND | SA_ONSTACK | SA_NODEFER),
                &state.former_fault[i]);
    for (int i = 0; i < 3; i++)
        install(others[i], on_signal, 0, &state.former_other[i]);
    install(SIGPIPE, SIG_IGN, 0, &state.former_other[3]);
}

void act_signal_stop(void)
{
    alarm(0);
    if (state.cut) {
        tcflush(state.real, TCOFLUSH);
        int flags = fcntl(state.real, F_GETFL);
        if (flags >= 0)
            fcntl(state.real, F_SETFL, flags | O_NONBLOCK);
        write_restore(state.real);
        if (flags >= 0)
            fcntl(state.real, F_SETFL, flags);
        restore_settings(state.real);
        close(state.real);
        state.real = -1;
    }
    if (state.terminal > STDOUT_FILENO)
        close(state.terminal);
    state.terminal = STDOUT_FILENO;
    for (int i = 0; i < LEAVING; i++)
        sigaction(leaving[i], &state.former_leave[i], NULL);
    for (int i = 0; i < FAULTS; i++)
        sigaction(faults[i], &state.former_fault[i], NULL);
    for (int i = 0; i < 4; i++)
        sigaction(others[i], &state.former_other[i], NULL);
    for (int i = 0; i < 2; i++) {
        if (state.wake[i] >= 0)
            close(state.wake[i]);
        state.wake[i] = -1;
    }
}

int act_signal_pipe(void)
{
    return state.wake[0];
}

void act_signal_drain(void)
{
    char bytes[64];
    while (read(state.wake[0], bytes, sizeof bytes) > 0)
        continue;
}

int act_signal_leave(void)
{
    return state.leave;
}

bool act_signal_cut(void)
{
    return state.cut != 0;
}

static bool take(volatile sig_atomic_t *flag)
{
    bool set = *flag != 0;
    *flag = 0;
    return set;
}

bool act_signal_take_resize(void)
{
    return take(&state.resize);
}

bool act_signal_take_stop(void)
{
    return take(&state.stop);
}

bool act_signal_take_continue(void)
{
    return take(&state.resume);
}

bool act_signal_foreground(void)
{
    return owns(state.terminal);
}

void act_signal_give_back(void)
{
    write_restore(state.terminal);
}

void act_signal_stop_here(void)
{
    struct sigaction ours;
    install(SIGTSTP, SIG_DFL, 0, &ours);
    raise(SIGTSTP);
    sigaction(SIGTSTP, &ours, NULL);
    while (state.leave == 0 && !act_signal_foreground())
        raise(SIGSTOP);
}
