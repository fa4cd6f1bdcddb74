/* Life of a terminal under test: starting, sending, waiting, ending. */
#include "harness_internal.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LIMIT_MS = 10000 };

#if defined __SANITIZE_ADDRESS__
#define SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

static struct tui *terminals;
static char **kept;
static size_t kept_count;

double tui_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

double tui_patience(void)
{
    const char *given = getenv("ACTUARY_TEST_PATIENCE");
    long factor = given ? strtol(given, NULL, 10) : 0;
    return (factor > 0 ? (double)factor : 1) * (SANITIZED ? 5 : 1);
}

static double deadline(int limit_ms)
{
    return tui_now() + limit_ms * tui_patience();
}

const char *tui_keep(char *text)
{
    char **more = realloc(kept, (kept_count + 1) * sizeof *kept);
    if (!more || !text)
        abort();
    kept = more;
    kept[kept_count++] = text;
    return text;
}

/* ---- Output --------------------------------------------------------------------------------- */

static void keep_raw(struct tui *t, const char *bytes, size_t size)
{
    if (t->raw_size + size > TUI_RAW_MAX) {
        size_t drop = t->raw_size / 2 > size ? t->raw_size / 2 : t->raw_size;
        memmove(t->raw, t->raw + drop, t->raw_size - drop);
        t->raw_size -= drop;
    }
    memcpy(t->raw + t->raw_size, bytes, size);
    t->raw_size += size;
}

/* libvterm 0.1.4 takes a row for full when a repetition ends one column before its end, and wraps
 * what comes next; a step back and forth after each repetition makes it look again. */
static void emulate(struct tui *t, const char *bytes, size_t size)
{
    while (size > 0) {
        size_t taken = tui_scan_bytes(&t->scan, bytes, size);
        (void)vterm_input_write(t->vterm, bytes, taken);
        if (t->scan.repeated)
            (void)vterm_input_write(t->vterm, "\b\033[C", 4);
        bytes += taken;
        size -= taken;
    }
}

/* Takes all output that is there. */
static void take_output(struct tui *t)
{
    char bytes[65536];
    ssize_t size;
    while (t->child.master >= 0 && (size = read(t->child.master, bytes, sizeof bytes)) > 0) {
        emulate(t, bytes, (size_t)size);
        keep_raw(t, bytes, (size_t)size);
        t->bytes += (size_t)size;
    }
}

/* Waits for output or news until `until`; false when the time is over. */
static bool pump(struct tui *t, double until)
{
    double left = until - tui_now();
    if (left < 0)
        return false;
    struct pollfd fds[2] = {{.fd = t->child.master, .events = POLLIN},
                            {.fd = t->child.events, .events = POLLIN}};
    int ready = poll(fds, 2, (int)left + 1);
    if (ready < 0 && errno != EINTR)
        tui_fail(t, "poll: %s", strerror(errno));
    take_output(t);
    tui_child_update(&t->child);
    return true;
}

/* What a program wrote just before it ended or stopped may still be on its way through the
 * kernel: a string of our own, written behind it, tells when all has come. */
static void drain(struct tui *t)
{
    if (t->child.master < 0)
        return;
    char echo[TUI_OSC_MAX];
    int size = snprintf(echo, sizeof echo, "\033]7771;%lu\a", ++t->echoes);
    if (write(t->child.slave, echo, (size_t)size) != size)
        tui_fail(t, "cannot write to the terminal: %s", strerror(errno));
    double until = deadline(LIMIT_MS);
    while (t->scan.echo < t->echoes)
        if (!pump(t, until))
            tui_fail(t, "the terminal's output does not end");
}

/* ---- Life --------------------------------------------------------------------------------------
 */

static void answer(const char *bytes, size_t size, void *user)
{
    struct tui *t = user;
    while (size > 0 && t->child.master >= 0) {
        ssize_t done = write(t->child.master, bytes, size);
        if (done > 0) {
            bytes += done;
            size -= (size_t)done;
            t->sent += (unsigned long)done;
            continue;
        }
        struct pollfd fd = {.fd = t->child.master, .events = POLLOUT};
        if (done == 0 || (errno != EAGAIN && errno != EINTR) || poll(&fd, 1, LIMIT_MS) <= 0)
            return;
    }
}

static int set_property(VTermProp property, VTermValue *value, void *user)
{
    struct tui *t = user;
    if (property == VTERM_PROP_ALTSCREEN)
        t->alternate = value->boolean;
    return 1;
}

static const VTermScreenCallbacks screen_callbacks = {.settermprop = set_property};

static void remember(char *to, size_t size, const struct tui_setup *setup, const char *name,
                     const char *pinned)
{
    (void)snprintf(to, size, "%s", pinned);
    size_t length = strlen(name);
    for (const char *const *e = setup->environment; e && *e; e++)
        if (strncmp(*e, name, length) == 0 && (*e)[length] == '=')
            (void)snprintf(to, size, "%s", *e + length + 1);
}

struct tui *tui_open(const struct tui_setup *setup)
{
    struct tui_setup complete = *setup;
    if (!complete.program)
        complete.program = getenv("ACTUARY_PROGRAM");
    if (!complete.program || access(complete.program, X_OK))
        fail_msg("no program to test: set ACTUARY_PROGRAM to its path (now %s)",
                 complete.program ? complete.program : "unset");
    struct tui *t = calloc(1, sizeof *t);
    if (!t || !(t->raw = malloc(TUI_RAW_MAX)))
        abort();
    t->next = terminals;
    terminals = t;
    t->rows = setup->rows;
    t->cols = setup->cols;
    t->scan.mode_set[TUI_CURSOR_MODE] = true;
    remember(t->term, sizeof t->term, setup, "TERM", "xterm-256color");
    remember(t->locale, sizeof t->locale, setup, "LC_ALL", "C.UTF-8");
    t->vterm = vterm_new(setup->rows, setup->cols);
    if (!t->vterm)
        abort();
    vterm_set_utf8(t->vterm, 1);
    t->screen = vterm_obtain_screen(t->vterm);
    vterm_screen_enable_altscreen(t->screen, 1);
    vterm_screen_set_callbacks(t->screen, &screen_callbacks, t);
    vterm_screen_reset(t->screen, 1);
    vterm_output_set_callback(t->vterm, answer, t);
    if (tui_child_start(&t->child, &complete, tui_folder()))
        tui_fail(t, "cannot start %s: %s", complete.program, strerror(errno));
    return t;
}

struct tui *tui_start(int rows, int cols, const char *const *arguments,
                      const char *const *environment)
{
    struct tui *t = tui_open(&(struct tui_setup){
        .rows = rows, .cols = cols, .arguments = arguments, .environment = environment});
    tui_wait_frame(t, 1);
    return t;
}

int tui_teardown(void **state)
{
    (void)state;
    while (terminals) {
        struct tui *t = terminals;
        terminals = t->next;
        tui_child_close(&t->child);
        vterm_free(t->vterm);
        free(t->raw);
        free(t);
    }
    while (kept_count > 0)
        free(kept[--kept_count]);
    free(kept);
    kept = NULL;
    bool reported = tui_folder_sanitizer_report();
    tui_folder_remove();
    return reported ? -1 : 0;
}

enum tui_state tui_state(struct tui *t)
{
    tui_child_update(&t->child);
    return t->child.state;
}

int tui_pid(const struct tui *t)
{
    return (int)t->child.pid;
}

/* ---- Sending
 * -------------------------------------------------------------------------------------- */

/* A program that is busy writing reads nothing: its output is taken while the bytes go out. */
void tui_send(struct tui *t, const void *bytes, size_t size)
{
    const char *from = bytes;
    double until = deadline(LIMIT_MS);
    while (size > 0) {
        ssize_t done = write(t->child.master, from, size);
        if (done > 0) {
            from += done;
            size -= (size_t)done;
            t->sent += (unsigned long)done;
            continue;
        }
        if (done < 0 && errno != EAGAIN && errno != EINTR)
            tui_fail(t, "cannot send: %s", strerror(errno));
        struct pollfd fd = {.fd = t->child.master, .events = POLLIN | POLLOUT};
        (void)poll(&fd, 1, 100);
        take_output(t);
        tui_child_update(&t->child);
        if (t->child.state == TUI_ENDED)
            return;
        if (tui_now() > until)
            tui_fail(t, "the program reads nothing: %zu bytes wait", size);
    }
}

static const char *describe(struct tui *t, char *text, size_t size)
{
    int status = t->child.status;
    if (t->child.state == TUI_RUNNING)
        (void)snprintf(text, size, "it is running");
    else if (t->child.state == TUI_STOPPED)
        (void)snprintf(text, size, "it is stopped");
    else if (WIFSIGNALED(status))
        (void)snprintf(text, size, "it was ended by signal %d (%s)", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
    else
        (void)snprintf(text, size, "it ended with status %d", WEXITSTATUS(status));
    return text;
}

/* Reads until the marker has caught up with what was sent, or the program runs no more. */
static void catch_up(struct tui *t)
{
    double until = deadline(LIMIT_MS);
    char why[128];
    while (t->scan.bytes_read < t->sent && t->child.state == TUI_RUNNING)
        if (!pump(t, until))
            tui_fail(t, "no frame shows the %lu bytes sent (last marker: %lu); %s", t->sent,
                     t->scan.bytes_read, describe(t, why, sizeof why));
    if (t->scan.bytes_read > t->sent)
        tui_fail(t, "the marker counts %lu bytes, sent were %lu", t->scan.bytes_read, t->sent);
    if (t->child.state != TUI_RUNNING)
        drain(t);
}

void tui_settle(struct tui *t)
{
    char why[128];
    catch_up(t);
    if (t->scan.bytes_read < t->sent)
        tui_fail(t, "the program answers no more: %s", describe(t, why, sizeof why));
}

void tui_keys(struct tui *t, const char *keys)
{
    tui_send(t, keys, strlen(keys));
    tui_settle(t);
}

enum tui_state tui_keys_or_end(struct tui *t, const char *keys)
{
    tui_send(t, keys, strlen(keys));
    catch_up(t);
    return t->child.state;
}

void tui_paste(struct tui *t, const char *text)
{
    tui_send(t, "\033[200~", 6);
    tui_send(t, text, strlen(text));
    tui_keys(t, "\033[201~");
}

void tui_set_size(struct tui *t, int rows, int cols)
{
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
    take_output(t);
    vterm_set_size(t->vterm, rows, cols);
    t->rows = rows;
    t->cols = cols;
    if (ioctl(t->child.master, TIOCSWINSZ, &size))
        tui_fail(t, "cannot set the size: %s", strerror(errno));
}

void tui_resize(struct tui *t, int rows, int cols)
{
    if (rows == t->rows && cols == t->cols)
        return; /* the kernel sends no signal */
    unsigned long frame = t->scan.frame;
    tui_set_size(t, rows, cols);
    tui_wait_frame(t, frame + 1);
}

void tui_signal(struct tui *t, int number)
{
    if (kill(t->child.pid, number) && errno != ESRCH) /* it may have ended on its own */
        tui_fail(t, "cannot send signal %d: %s", number, strerror(errno));
    if (number == SIGCONT && t->child.state == TUI_STOPPED)
        t->child.state = TUI_RUNNING; /* the keeper's news may come after the first frame */
}

void tui_hangup(struct tui *t)
{
    take_output(t);
    (void)close(t->child.master);
    (void)close(t->child.slave);
    t->child.master = t->child.slave = -1;
}

void tui_scribble(struct tui *t, const char *text)
{
    if (write(t->child.slave, text, strlen(text)) != (ssize_t)strlen(text))
        tui_fail(t, "cannot write to the terminal: %s", strerror(errno));
    drain(t);
}

/* ---- Waiting
 * ----------------------------------------------------------------------------------------- */

unsigned long tui_frame(const struct tui *t)
{
    return t->scan.frame;
}

void tui_wait_frame(struct tui *t, unsigned long frame)
{
    double until = deadline(LIMIT_MS);
    char why[128];
    while (t->scan.frame < frame) {
        if (t->child.state == TUI_ENDED) {
            drain(t);
            tui_fail(t, "the program draws no more: %s", describe(t, why, sizeof why));
        }
        if (!pump(t, until))
            tui_fail(t, "frame %lu does not come (last: %lu); %s", frame, t->scan.frame,
                     describe(t, why, sizeof why));
    }
}

bool tui_wait_until(struct tui *t, bool (*holds)(struct tui *t, const void *context),
                    const void *context, int limit_ms)
{
    double until = deadline(limit_ms);
    while (!holds(t, context))
        if (!pump(t, until))
            return holds(t, context);
    return true;
}

void tui_wait_stopped(struct tui *t)
{
    double until = deadline(LIMIT_MS);
    char why[128];
    while (t->child.state == TUI_RUNNING)
        if (!pump(t, until))
            tui_fail(t, "the program does not stop");
    drain(t);
    if (t->child.state != TUI_STOPPED)
        tui_fail(t, "the program did not stop: %s", describe(t, why, sizeof why));
}

int tui_wait_end(struct tui *t, int limit_ms)
{
    double until = deadline(limit_ms);
    char why[128];
    while (t->child.state != TUI_ENDED)
        if (!pump(t, until))
            tui_fail(t, "the program does not end within %d ms; %s", limit_ms,
                     describe(t, why, sizeof why));
    drain(t);
    return t->child.status;
}

void tui_expect_silence(struct tui *t, int duration_ms)
{
    take_output(t);
    size_t before = t->bytes;
    double until = tui_now() + duration_ms;
    while (pump(t, until))
        if (t->bytes != before)
            tui_fail(t, "%zu bytes came where silence was expected", t->bytes - before);
}
