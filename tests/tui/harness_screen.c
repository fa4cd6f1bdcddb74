/* What the emulator shows: cells, rows, cursor, modes, and how a failing test prints it. */
#include "harness_internal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROW_BYTES = 16384, NO_CHARACTER = -1 };

int tui_rows(const struct tui *t)
{
    return t->rows;
}

int tui_cols(const struct tui *t)
{
    return t->cols;
}

static size_t put_utf8(char *out, uint32_t c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xc0 | (c >> 6));
        out[1] = (char)(0x80 | (c & 0x3f));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xe0 | (c >> 12));
        out[1] = (char)(0x80 | ((c >> 6) & 0x3f));
        out[2] = (char)(0x80 | (c & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | ((c >> 18) & 0x07));
    out[1] = (char)(0x80 | ((c >> 12) & 0x3f));
    out[2] = (char)(0x80 | ((c >> 6) & 0x3f));
    out[3] = (char)(0x80 | (c & 0x3f));
    return 4;
}

static int colour(const VTermColor *c)
{
    if (VTERM_COLOR_IS_DEFAULT_FG(c) || VTERM_COLOR_IS_DEFAULT_BG(c))
        return -1;
    if (VTERM_COLOR_IS_INDEXED(c))
        return c->indexed.idx;
    return 0x1000000 | c->rgb.red << 16 | c->rgb.green << 8 | c->rgb.blue;
}

struct tui_cell tui_cell(struct tui *t, int row, int col)
{
    struct tui_cell cell = {.foreground = -1, .background = -1};
    VTermScreenCell from;
    if (!vterm_screen_get_cell(t->screen, (VTermPos){.row = row, .col = col}, &from))
        return cell;
    size_t size = 0;
    if (from.chars[0] == 0)
        cell.text[size++] = ' ';
    else if (from.chars[0] != (uint32_t)NO_CHARACTER) /* else right half of a wide character */
        for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && from.chars[i]; i++)
            size += put_utf8(cell.text + size, from.chars[i]);
    cell.text[size] = '\0';
    cell.bold = from.attrs.bold;
    cell.underline = from.attrs.underline != 0;
    cell.reverse = from.attrs.reverse;
    cell.foreground = colour(&from.fg);
    cell.background = colour(&from.bg);
    return cell;
}

const char *tui_row(struct tui *t, int row)
{
    static char rows[8][ROW_BYTES];
    static unsigned turn;
    char *text = rows[turn++ % 8];
    size_t size = 0;
    for (int col = 0; col < t->cols && size + 32 < ROW_BYTES; col++) {
        struct tui_cell cell = tui_cell(t, row, col);
        size_t length = strlen(cell.text);
        memcpy(text + size, cell.text, length);
        size += length;
    }
    while (size > 0 && text[size - 1] == ' ')
        size--;
    text[size] = '\0';
    return text;
}

void tui_cursor(struct tui *t, int *ret_row, int *ret_col)
{
    VTermPos position;
    vterm_state_get_cursorpos(vterm_obtain_state(t->vterm), &position);
    *ret_row = position.row;
    *ret_col = position.col;
}

bool tui_cursor_visible(const struct tui *t)
{
    return t->scan.mode_set[TUI_CURSOR_MODE];
}

bool tui_alternate_screen(const struct tui *t)
{
    return t->alternate;
}

int tui_find_row(struct tui *t, int from, const char *text)
{
    for (int row = from; row < t->rows; row++)
        if (strstr(tui_row(t, row), text))
            return row;
    return -1;
}

bool tui_shows(struct tui *t, const char *text)
{
    return tui_find_row(t, 0, text) >= 0;
}

void tui_expect(struct tui *t, const char *text)
{
    if (!tui_shows(t, text))
        tui_fail(t, "not on the screen: \"%s\"", text);
}

void tui_expect_not(struct tui *t, const char *text)
{
    if (tui_shows(t, text))
        tui_fail(t, "should not be on the screen: \"%s\"", text);
}

void tui_expect_row(struct tui *t, int row, const char *text)
{
    if (!strstr(tui_row(t, row), text))
        tui_fail(t, "not in row %d: \"%s\"", row, text);
}

bool tui_coloured(struct tui *t)
{
    for (int row = 0; row < t->rows; row++)
        for (int col = 0; col < t->cols; col++) {
            struct tui_cell cell = tui_cell(t, row, col);
            if (cell.foreground != -1 || cell.background != -1)
                return true;
        }
    return false;
}

/* ---- The byte stream --------------------------------------------------------------------------
 */

size_t tui_bytes(const struct tui *t)
{
    return t->bytes - (t->scan.own_bytes - t->own_bytes_before);
}

void tui_reset_bytes(struct tui *t)
{
    t->bytes = 0;
    t->own_bytes_before = t->scan.own_bytes;
    t->raw_size = 0;
}

const char *tui_raw(const struct tui *t, size_t *ret_size)
{
    *ret_size = t->raw_size;
    return t->raw;
}

bool tui_mode_seen(const struct tui *t, int mode)
{
    return t->scan.mode_seen[mode];
}

bool tui_mode_set(const struct tui *t, int mode)
{
    return t->scan.mode_set[mode];
}

void tui_expect_no_mouse(struct tui *t)
{
    static const int modes[] = {9, 1000, 1001, 1002, 1003, 1005, 1006, 1015, 1016};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (tui_mode_seen(t, modes[i]))
            tui_fail(t, "mouse mode %d was switched on", modes[i]);
}

/* ---- The end -----------------------------------------------------------------------------------
 */

bool tui_termios_restored(const struct tui *t)
{
    const struct termios *before = &t->child.before;
    struct termios now;
    if (tcgetattr(t->child.slave, &now))
        return false;
    return now.c_iflag == before->c_iflag && now.c_oflag == before->c_oflag &&
           now.c_cflag == before->c_cflag && now.c_lflag == before->c_lflag &&
           memcmp(now.c_cc, before->c_cc, sizeof now.c_cc) == 0;
}

void tui_cook(struct tui *t)
{
    if (tcsetattr(t->child.slave, TCSANOW, &t->child.before))
        tui_fail(t, "the line cannot be set");
}

void tui_expect_given_back(struct tui *t)
{
    /* Application cursor keys, mouse, focus, alternate screen, paste, synchronized output. */
    static const int off[] = {1, 9, 47, 1000, 1002, 1003, 1004, 1006, 1015, 1047, 1049, 2004, 2026};
    struct termios now;
    if (tcgetattr(t->child.slave, &now))
        tui_fail(t, "the terminal is gone");
    if (!tui_termios_restored(t))
        tui_fail(t,
                 "line settings differ: local %#x was %#x, input %#x was %#x, output %#x was %#x",
                 now.c_lflag, t->child.before.c_lflag, now.c_iflag, t->child.before.c_iflag,
                 now.c_oflag, t->child.before.c_oflag);
    if (t->alternate)
        tui_fail(t, "the alternate screen was not left");
    if (!tui_cursor_visible(t))
        tui_fail(t, "the cursor is still hidden");
    for (size_t i = 0; i < sizeof off / sizeof *off; i++)
        if (tui_mode_set(t, off[i]))
            tui_fail(t, "mode %d is still set", off[i]);
    static const VTermAttr flags[] = {VTERM_ATTR_BOLD, VTERM_ATTR_UNDERLINE, VTERM_ATTR_REVERSE};
    VTermState *state = vterm_obtain_state(t->vterm);
    VTermValue value;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (vterm_state_get_penattr(state, flags[i], &value) && value.number)
            tui_fail(t, "an attribute is still on");
    if ((vterm_state_get_penattr(state, VTERM_ATTR_FOREGROUND, &value) &&
         colour(&value.color) != -1) ||
        (vterm_state_get_penattr(state, VTERM_ATTR_BACKGROUND, &value) &&
         colour(&value.color) != -1))
        tui_fail(t, "a colour is still on");
}

static void print_raw_tail(struct tui *t)
{
    size_t from = t->raw_size > 400 ? t->raw_size - 400 : 0;
    (void)fprintf(stderr, "last bytes: ");
    for (size_t i = from; i < t->raw_size; i++) {
        unsigned char c = (unsigned char)t->raw[i];
        if (c >= 0x20 && c < 0x7f && c != '\\')
            (void)fputc(c, stderr);
        else
            (void)fprintf(stderr, "\\%03o", c);
    }
    (void)fputc('\n', stderr);
}

void tui_dump(struct tui *t)
{
    int row, col;
    tui_cursor(t, &row, &col);
    (void)fprintf(stderr,
                  "screen %dx%d, TERM=%s, cursor %d,%d %s, %s screen, frame %lu, read %lu of %lu "
                  "bytes\n",
                  t->rows, t->cols, t->term, row, col, tui_cursor_visible(t) ? "visible" : "hidden",
                  t->alternate ? "alternate" : "primary", t->scan.frame, t->scan.bytes_read,
                  t->sent);
    for (int r = 0; r < t->rows; r++) {
        const char *text = tui_row(t, r);
        if (*text)
            (void)fprintf(stderr, "%3d|%s\n", r, text);
    }
    print_raw_tail(t);
}

void tui_fail(struct tui *t, const char *format, ...)
{
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    (void)fprintf(stderr, "---- %s\n", message);
    tui_dump(t);
    fail_msg("%s", message);
    abort();
}
