/* A terminal for tests: a program runs under a pseudo-terminal, its output goes into libvterm,
 * and tests read the cells.
 *
 * Nothing here sleeps. With ACTUARY_FRAME_MARKER=1 the program ends every frame with the string
 *   ESC ] 7770 ; N ; F BEL
 * where N is the number of bytes it has read from the terminal so far and F counts its frames.
 * After sending bytes the harness reads until N has caught up with all that was sent (replies of
 * the emulator included); after a resize or a signal it reads until F has grown. As the marker
 * travels in the output itself, the frame before it is then complete in the emulator.
 *
 * Every wait has a time limit. When it runs out, when the program ends unasked, or when an
 * expectation fails, the screen is printed and the cmocka test fails. */
#ifndef ACTUARY_TESTS_TUI_HARNESS_H
#define ACTUARY_TESTS_TUI_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the five above first. */
#include <cmocka.h>

/* Keys as xterm sends them in keypad mode. */
#define TUI_UP        "\033OA"
#define TUI_DOWN      "\033OB"
#define TUI_RIGHT     "\033OC"
#define TUI_LEFT      "\033OD"
#define TUI_HOME      "\033OH"
#define TUI_END       "\033OF"
#define TUI_PAGE_UP   "\033[5~"
#define TUI_PAGE_DOWN "\033[6~"
#define TUI_DELETE    "\033[3~"
#define TUI_BACK_TAB  "\033[Z"
#define TUI_F1        "\033OP"
#define TUI_F5        "\033[15~"
#define TUI_TAB       "\t"
#define TUI_ENTER     "\r"
#define TUI_ESCAPE    "\033"
#define TUI_BACKSPACE "\177"
#define TUI_CTRL(c)   ((char[]){(char)((c)&0x1f), '\0'})

struct tui;

struct tui_setup {
    const char *program; /* NULL: the path in the environment variable ACTUARY_PROGRAM */
    int rows, cols;
    const char *const *arguments; /* after the program's name, NULL-terminated; or NULL */
    const char *const
        *environment; /* "NAME=value" sets, "NAME" removes; NULL-terminated; or NULL */
    /* Files in place of the terminal, relative to the work folder; NULL is the terminal. */
    const char *input, *output, *error;
    bool unprivileged; /* file permissions hold even when the tests run as root */
};

enum tui_state { TUI_RUNNING, TUI_STOPPED, TUI_ENDED };

struct tui_cell {
    char text[32]; /* UTF-8; "" right of a wide character */
    bool bold, underline, reverse;
    int foreground, background; /* -1 default, 0..255 palette, 0x1000000 + RGB */
};

/* ---- Life ---------------------------------------------------------------------------------- */

/* Starts ACTUARY_PROGRAM and waits for its first frame. */
struct tui *tui_start(int rows, int cols, const char *const *arguments,
                      const char *const *environment);

/* Starts a program; waits for nothing. */
struct tui *tui_open(const struct tui_setup *setup);

/* cmocka teardown of every test: ends what still runs, checks the sanitizers' logs (an entry fails
 * the test) and removes the test's folder. */
int tui_teardown(void **state);
#define tui_test(function) cmocka_unit_test_teardown(function, tui_teardown)

/* ---- The test's folder: HOME and XDG folders lie in it; the program starts in its work/ --------
 */

/* Path of a file in the work folder; the text is overwritten by the eighth next call. */
const char *tui_path(const char *name);
void tui_write_file(const char *name, const char *text);
/* Contents of a file, to be freed by the caller; NULL when there is none. */
char *tui_read_file(const char *name);

/* ---- Sending --------------------------------------------------------------------------------- */

/* Sends the keys and waits for the frame that shows them. */
void tui_keys(struct tui *t, const char *keys);
/* The same for a program that these keys may end or stop; returns the state it is in then. */
enum tui_state tui_keys_or_end(struct tui *t, const char *keys);
/* Sends bytes only. */
void tui_send(struct tui *t, const void *bytes, size_t size);
/* Waits for the frame that shows all that was sent. */
void tui_settle(struct tui *t);
/* Bracketed paste, then waits for the frame. */
void tui_paste(struct tui *t, const char *text);
/* Changes the window's size (the kernel sends SIGWINCH) and waits for the next frame. */
void tui_resize(struct tui *t, int rows, int cols);
/* Changes the window's size only. */
void tui_set_size(struct tui *t, int rows, int cols);
void tui_signal(struct tui *t, int number);
/* Closes the terminal under the program. */
void tui_hangup(struct tui *t);
/* Writes to the terminal as another process would. */
void tui_scribble(struct tui *t, const char *text);

/* ---- Waiting --------------------------------------------------------------------------------- */

/* Waits until the frame counter has reached `frame`. */
void tui_wait_frame(struct tui *t, unsigned long frame);
unsigned long tui_frame(const struct tui *t);
/* Waits until `holds` is true of the screen, at most `limit_ms` (stretched as all limits are);
 * returns whether it became true. */
bool tui_wait_until(struct tui *t, bool (*holds)(struct tui *t, const void *context),
                    const void *context, int limit_ms);
/* Waits until the program has stopped; its output is then complete in the emulator. */
void tui_wait_stopped(struct tui *t);
/* Waits at most `limit_ms` for the end. Returns the status as of waitpid(2). */
int tui_wait_end(struct tui *t, int limit_ms);
/* Fails unless the program is silent for `duration_ms`. */
void tui_expect_silence(struct tui *t, int duration_ms);
enum tui_state tui_state(struct tui *t);
int tui_pid(const struct tui *t);
/* Milliseconds of the monotonic clock. */
double tui_now(void);
/* What limits are multiplied with: 1, more under sanitizers or ACTUARY_TEST_PATIENCE. */
double tui_patience(void);

/* ---- The screen ------------------------------------------------------------------------------ */

int tui_rows(const struct tui *t);
int tui_cols(const struct tui *t);
/* Text of a row without trailing blanks; overwritten by the eighth next call. */
const char *tui_row(struct tui *t, int row);
struct tui_cell tui_cell(struct tui *t, int row, int col);
void tui_cursor(struct tui *t, int *ret_row, int *ret_col);
bool tui_cursor_visible(const struct tui *t);
bool tui_alternate_screen(const struct tui *t);
/* First row from `from` on that contains the text, or -1. */
int tui_find_row(struct tui *t, int from, const char *text);
bool tui_shows(struct tui *t, const char *text);
void tui_expect(struct tui *t, const char *text);
void tui_expect_not(struct tui *t, const char *text);
void tui_expect_row(struct tui *t, int row, const char *text);
/* Does any cell have a colour of its own? */
bool tui_coloured(struct tui *t);

/* The whole screen as text: size, rows, attributes, cursor. Freed by tui_teardown. */
const char *tui_capture(struct tui *t);
/* Fails with the differing rows unless both captures are equal. */
void tui_expect_same(struct tui *t, const char *expected, const char *actual, const char *what);
/* Compares with tests/tui/golden/NAME.frame; UPDATE_GOLDEN=1 writes it instead. */
void tui_expect_golden(struct tui *t, const char *name);

/* ---- The byte stream ------------------------------------------------------------------------- */

/* Bytes written by the program since the start or tui_reset_bytes, frame markers not counted. */
size_t tui_bytes(const struct tui *t);
void tui_reset_bytes(struct tui *t);
/* The last bytes as written, at most some 4 MiB; tui_reset_bytes empties it. */
const char *tui_raw(const struct tui *t, size_t *ret_size);
/* Was this private mode (CSI ? mode h) ever set? Is it set now? */
bool tui_mode_seen(const struct tui *t, int mode);
bool tui_mode_set(const struct tui *t, int mode);
/* Fails if any mouse reporting was ever switched on. */
void tui_expect_no_mouse(struct tui *t);

/* ---- The end --------------------------------------------------------------------------------- */

/* Are the terminal's line settings those from before the program? */
bool tui_termios_restored(const struct tui *t);
/* Sets the line as a shell does that takes the terminal over. */
void tui_cook(struct tui *t);
/* Fails unless line settings, screen, cursor, modes and attributes are as before the program. */
void tui_expect_given_back(struct tui *t);
/* Prints the screen and fails. */
void tui_fail(struct tui *t, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));

#endif
