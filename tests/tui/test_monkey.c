/* Random keys, pastes, sizes and signals: the planner stays alive and gives the terminal back.
 *
 * Seeded: ACTUARY_SEED repeats a run, ACTUARY_MONKEY_SECONDS sets its length (60).
 * What it types holds no '/' or '~' outside a filter, so that no file outside the test's folder
 * can come to be named. */
#include "planner.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { LOG_MAX = 40, LOG_TEXT = 96 };

struct monkey {
    uint64_t seed, state;
    struct tui *t;
    bool mouse; /* asked for, or may have been */
    unsigned long steps, restarts;
    char log[LOG_MAX][LOG_TEXT]; /* the last steps, printed on failure */
};

static unsigned pick(struct monkey *m, unsigned below)
{
    m->state ^= m->state << 13;
    m->state ^= m->state >> 7;
    m->state ^= m->state << 17;
    return (unsigned)(m->state >> 32) % below;
}

static void note(struct monkey *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void note(struct monkey *m, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(m->log[m->steps % LOG_MAX], LOG_TEXT, format, arguments);
    va_end(arguments);
}

static void print_log(const struct monkey *m)
{
    unsigned long from = m->steps >= LOG_MAX ? m->steps - LOG_MAX + 1 : 0;
    (void)fprintf(stderr, "seed %llu (ACTUARY_SEED), step %lu, started %lu times; last steps:\n",
                  (unsigned long long)m->seed, m->steps, m->restarts);
    for (unsigned long i = from; i <= m->steps; i++)
        (void)fprintf(stderr, "  %lu %s\n", i, m->log[i % LOG_MAX]);
}

static void start(struct monkey *m)
{
    static const char *const environments[] = {"LC_ALL=C.UTF-8", "LC_ALL=C", "NO_COLOR=1",
                                               "TERM=linux", "TERM=vt100"};
    const char *environment[] = {
        environments[pick(m, 3) ? 0 : pick(m, sizeof environments / sizeof *environments)], NULL};
    static const char *const options[][2] = {{"--mouse", NULL},    {"--plain", NULL},
                                             {"--ascii", NULL},    {"--plain", "--mouse"},
                                             {"--theme", "light"}, {"--theme", "high-contrast"}};
    const char *const *chosen = options[pick(m, sizeof options / sizeof *options)];
    bool option = pick(m, 2) == 0;
    const char *arguments[] = {"monkey.yaml", option ? chosen[0] : NULL, option ? chosen[1] : NULL,
                               NULL};
    m->mouse = option && (chosen == options[0] || chosen == options[3]);
    /* A file of its own, so that s has somewhere to go. */
    tui_write_file("monkey.yaml", "schema: 1\nname: monkey\nparallel: {tensor: 4, data: 16}\n");
    m->t = tui_start(1 + (int)pick(m, 60), 1 + (int)pick(m, 160), arguments, environment);
    m->restarts++;
}

/* An end is right only if it was asked for: status 0, terminal given back. */
static void expect_proper_end(struct monkey *m)
{
    int status = tui_wait_end(m->t, 5000);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        print_log(m);
        tui_fail(m->t, "ended with wait status %#x", (unsigned)status);
    }
    tui_expect_given_back(m->t);
    if (!m->mouse)
        tui_expect_no_mouse(m->t);
}

static void type(struct monkey *m, const char *keys)
{
    char shown[LOG_TEXT] = "";
    for (size_t i = 0; keys[i] && i < 20; i++)
        (void)snprintf(shown + strlen(shown), sizeof shown - strlen(shown),
                       keys[i] >= ' ' && keys[i] < 127 ? "%c" : "\\%03o", (unsigned char)keys[i]);
    note(m, "keys %s", shown);
    if (strpbrk(keys, ":\020") && strncmp(keys, "\033[<", 3) != 0)
        m->mouse = true; /* switched on by name in the palette, maybe */
    if (tui_keys_or_end(m->t, keys) == TUI_ENDED) {
        expect_proper_end(m);
        (void)tui_teardown(NULL);
        start(m);
    }
}

static void random_text(struct monkey *m, char *text, size_t size)
{
    static const char letters[] = "0123456789.abcdefghijklmnopqrstuvwxyz -+*%_KMGTi,:;()[]{}<>=!";
    size_t length = pick(m, (unsigned)size);
    for (size_t i = 0; i < length; i++)
        text[i] = letters[pick(m, sizeof letters - 1)];
    text[length] = '\0';
}

static void press_key(struct monkey *m)
{
    static const char *const keys[] = {
        TUI_UP,        TUI_DOWN,    TUI_LEFT,      TUI_RIGHT,  TUI_HOME,
        TUI_END,       TUI_PAGE_UP, TUI_PAGE_DOWN, TUI_TAB,    TUI_TAB,
        TUI_BACK_TAB,  TUI_ENTER,   TUI_ENTER,     TUI_ESCAPE, TUI_ESCAPE,
        " ",           "+",         "-",           "=",        "{",
        "}",           "u",         "U",           "\022",     "x",
        "H",           "a",         "o",           "?",        TUI_F1,
        "g",           "G",         "h",           "j",        "k",
        "l",           "n",         "N",           "d",        "[",
        "]",           "\014",      "\003",        "q",        "y",
        "0",           "1",         "2",           "8",        "9",
        TUI_BACKSPACE, TUI_DELETE,  "\025",        "\027",     "\001",
        "\005",        "\0331",     "\0339",       "\033x",    "\033[<0;3;3M",
        "\033[1;5A",   "\033O",     "\033[",       "\xc3",     "\xe5\xae\xbd",
        "p",           "c",         "f",           "w",        "W",
        "i",           ":",         "t",           "y",        "r",
        "s",           "P",         "P",           TUI_F5,     "e"};
    type(m, keys[pick(m, sizeof keys / sizeof *keys)]);
}

/* What is done with scenarios as a whole, often enough that it meets itself. */
static void use_tabs(struct monkey *m)
{
    static const char *const keys[] = {"n", "n", "d", "u", "p", "c",       "c",      "=", "Y",
                                       "A", "<", ">", "r", "T", TUI_RIGHT, TUI_LEFT, "a"};
    type(m, keys[pick(m, sizeof keys / sizeof *keys)]);
}

static void type_burst(struct monkey *m)
{
    char text[64];
    random_text(m, text, sizeof text);
    if (*text)
        type(m, text);
}

static void edit_field(struct monkey *m)
{
    char text[24];
    type(m, TUI_ENTER);
    random_text(m, text, sizeof text);
    if (*text)
        type(m, text);
    type(m, pick(m, 2) ? TUI_ENTER : TUI_ESCAPE);
}

/* Out of any text field first: the sign must start a filter, never be part of a file's name. */
static void filter(struct monkey *m)
{
    char text[8];
    type(m, TUI_ESCAPE);
    type(m, TUI_ESCAPE);
    type(m, TUI_ESCAPE);
    type(m, "/");
    random_text(m, text, sizeof text);
    if (*text)
        type(m, text);
    type(m, pick(m, 2) ? TUI_ENTER : TUI_ESCAPE);
}

static void save(struct monkey *m)
{
    type(m, pick(m, 2) ? "s" : "S");
    if (pick(m, 2))
        type(m, pick(m, 2) ? TUI_ENTER : "y");
    type(m, TUI_ESCAPE);
}

static void paste(struct monkey *m)
{
    char text[9000];
    random_text(m, text, pick(m, 8) ? 64 : sizeof text);
    note(m, "paste of %zu bytes", strlen(text));
    tui_send(m->t, "\033[200~", 6);
    tui_send(m->t, text, strlen(text));
    type(m, "\033[201~");
}

static void resize(struct monkey *m)
{
    int rows, cols, many = pick(m, 4) ? 1 : 5;
    for (int i = 0; i < many; i++) {
        bool small = pick(m, 3) > 0;
        rows = 1 + (int)pick(m, small ? 45 : 200);
        cols = 1 + (int)pick(m, small ? 140 : 500);
        note(m, "%d sizes, the last %dx%d", many, rows, cols);
        tui_set_size(m->t, rows, cols);
    }
    type(m, TUI_CTRL('l'));
}

static void stop_and_continue(struct monkey *m)
{
    type(m, TUI_CTRL('l')); /* answered: it is not just about to leave */
    bool key = pick(m, 2) == 0;
    note(m, "%s", key ? "Ctrl-Z" : "SIGTSTP");
    if (key)
        tui_send(m->t, TUI_CTRL('z'), 1);
    else
        tui_signal(m->t, SIGTSTP);
    tui_wait_stopped(m->t);
    tui_expect_given_back(m->t);
    unsigned long frame = tui_frame(m->t);
    tui_signal(m->t, SIGCONT);
    tui_wait_frame(m->t, frame + 1);
    tui_settle(m->t);
}

static void winch(struct monkey *m)
{
    type(m, TUI_CTRL('l'));
    note(m, "SIGWINCH");
    tui_signal(m->t, SIGWINCH);
    type(m, TUI_CTRL('l'));
}

/* Anywhere, also outside; also when nobody asked for reports. */
static void mouse(struct monkey *m)
{
    static const int buttons[] = {0, 0, 0, 64, 65, 1, 2, 3, 35, 128};
    char bytes[64];
    (void)snprintf(bytes, sizeof bytes, "\033[<%d;%u;%u%c",
                   buttons[pick(m, sizeof buttons / sizeof *buttons)], pick(m, 170), pick(m, 70),
                   pick(m, 4) ? 'M' : 'm');
    type(m, bytes);
}

/* Out of any text field first, so that the sign begins a command. */
static void command(struct monkey *m)
{
    static const char *const lines[] = {"tp 8",   "pp 4; undo", "half gpus",  "units", "theme",
                                        "lora 3", "recompute",  "h100",       "mb 3",  "zzz",
                                        "tab 1",  "reset",      "hold; tp 2", "redraw"};
    char text[16];
    type(m, TUI_ESCAPE);
    type(m, TUI_ESCAPE);
    type(m, TUI_ESCAPE);
    type(m, ":");
    random_text(m, text, sizeof text);
    type(m, pick(m, 3) || !*text ? lines[pick(m, sizeof lines / sizeof *lines)] : text);
    if (pick(m, 3) == 0)
        type(m, pick(m, 2) ? TUI_DOWN : TUI_UP);
    type(m, pick(m, 3) ? TUI_ENTER : TUI_ESCAPE);
}

static void step(struct monkey *m)
{
    unsigned dice = pick(m, 100);
    if (dice < 10)
        mouse(m);
    else if (dice < 16)
        command(m);
    else if (dice < 50)
        press_key(m);
    else if (dice < 60)
        use_tabs(m);
    else if (dice < 68)
        type_burst(m);
    else if (dice < 78)
        edit_field(m);
    else if (dice < 83)
        filter(m);
    else if (dice < 86)
        save(m);
    else if (dice < 90)
        paste(m);
    else if (dice < 97)
        resize(m);
    else if (dice < 99)
        stop_and_continue(m);
    else
        winch(m);
}

static struct monkey *running;

static void random_life(void **state)
{
    (void)state;
    static struct monkey m;
    const char *seed = getenv("ACTUARY_SEED"), *seconds = getenv("ACTUARY_MONKEY_SECONDS");
    m = (struct monkey){.seed = seed ? strtoull(seed, NULL, 10) : 20261130};
    m.state = m.seed * 0x9e3779b97f4a7c15u + 1;
    running = &m;
    double end = tui_now() + 1e3 * (double)(seconds ? strtol(seconds, NULL, 10) : 60);
    start(&m);
    for (; tui_now() < end; m.steps++)
        step(&m);
    type(&m, TUI_CTRL('l'));
    note(&m, "leave");
    tui_resize(m.t, 24, 80);
    planner_leave(m.t);
    if (!m.mouse)
        tui_expect_no_mouse(m.t);
    running = NULL;
    (void)fprintf(stderr, "# %lu steps, started %lu times, seed %llu\n", m.steps, m.restarts,
                  (unsigned long long)m.seed);
}

static int teardown(void **state)
{
    if (running) /* a failed step did not come back */
        print_log(running);
    return tui_teardown(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(random_life, teardown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
