/* Whole screens as text: captured, compared row by row, kept as golden files. */
#include "harness_internal.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STYLES_MAX = 61, LINE_MAX_BYTES = 16384 };

/* A growing text. */
struct text {
    char *bytes;
    size_t size, capacity;
};

static void add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *text, const char *format, ...)
{
    for (;;) {
        va_list arguments;
        va_start(arguments, format);
        size_t left = text->capacity - text->size;
        int length = vsnprintf(text->bytes + text->size, left, format, arguments);
        va_end(arguments);
        if (length < 0)
            abort();
        if ((size_t)length < left) {
            text->size += (size_t)length;
            return;
        }
        text->capacity = text->capacity * 2 + (size_t)length + 1;
        text->bytes = realloc(text->bytes, text->capacity);
        if (!text->bytes)
            abort();
    }
}

/* ---- Attributes as letters, given out in order of appearance ----------------------------------
 */

struct styles {
    struct tui_cell seen[STYLES_MAX];
    int count;
};

static bool plain(const struct tui_cell *cell)
{
    return !cell->bold && !cell->underline && !cell->reverse && cell->foreground == -1 &&
           cell->background == -1;
}

static bool same_style(const struct tui_cell *a, const struct tui_cell *b)
{
    return a->bold == b->bold && a->underline == b->underline && a->reverse == b->reverse &&
           a->foreground == b->foreground && a->background == b->background;
}

static char style_letter(struct styles *styles, const struct tui_cell *cell)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ012345678";
    if (plain(cell))
        return '.';
    for (int i = 0; i < styles->count; i++)
        if (same_style(&styles->seen[i], cell))
            return letters[i];
    if (styles->count == STYLES_MAX)
        return '9';
    styles->seen[styles->count] = *cell;
    return letters[styles->count++];
}

static void add_colour(struct text *text, const char *name, int colour)
{
    if (colour >= 0x1000000)
        add(text, " %s #%06x", name, (unsigned)colour & 0xffffff);
    else if (colour >= 0)
        add(text, " %s %d", name, colour);
}

static void add_legend(struct text *text, const struct styles *styles)
{
    struct styles order = {.count = 0};
    for (int i = 0; i < styles->count; i++) {
        const struct tui_cell *cell = &styles->seen[i];
        add(text, "%c =%s%s%s", style_letter(&order, cell), cell->bold ? " bold" : "",
            cell->underline ? " underline" : "", cell->reverse ? " reverse" : "");
        add_colour(text, "foreground", cell->foreground);
        add_colour(text, "background", cell->background);
        add(text, "\n");
    }
}

const char *tui_capture(struct tui *t)
{
    struct text text = {.bytes = calloc(1, 8192), .capacity = 8192};
    struct styles styles = {.count = 0};
    int cursor_row, cursor_col;
    if (!text.bytes)
        abort();
    tui_cursor(t, &cursor_row, &cursor_col);
    add(&text, "size %d %d\nterm %s\nlocale %s\ncolours %s\n-- text\n", t->rows, t->cols, t->term,
        t->locale, tui_coloured(t) ? "yes" : "no");
    for (int row = 0; row < t->rows; row++)
        add(&text, "|%s\n", tui_row(t, row));
    add(&text, "-- attributes\n");
    for (int row = 0; row < t->rows; row++) {
        add(&text, "|");
        for (int col = 0; col < t->cols; col++) {
            struct tui_cell cell = tui_cell(t, row, col);
            add(&text, "%c", style_letter(&styles, &cell));
        }
        add(&text, "\n");
    }
    add(&text, "-- legend\n");
    add_legend(&text, &styles);
    add(&text, "-- cursor\n%d %d %s\n", cursor_row, cursor_col,
        tui_cursor_visible(t) ? "visible" : "hidden");
    return tui_keep(text.bytes);
}

/* ---- Comparing ---------------------------------------------------------------------------------
 */

/* Copies the line at *from into `line` and moves *from behind it; false at the end. */
static bool next_line(const char **from, char *line, size_t size)
{
    if (!**from)
        return false;
    size_t length = strcspn(*from, "\n");
    (void)snprintf(line, size, "%.*s", (int)length, *from);
    *from += length + ((*from)[length] == '\n');
    return true;
}

/* Prints both lines and, below, a mark under every column that differs. */
static void print_difference(const char *section, int row, const char *expected, const char *actual)
{
    (void)fprintf(stderr, "%s %d\n  expected %s\n  actual   %s\n  differs  ", section, row,
                  expected, actual);
    const char *a = expected, *b = actual;
    while (*a || *b) {
        /* One column is one character here, not one byte. */
        size_t length_a = *a ? 1 : 0, length_b = *b ? 1 : 0;
        while (length_a && (a[length_a] & 0xc0) == 0x80)
            length_a++;
        while (length_b && (b[length_b] & 0xc0) == 0x80)
            length_b++;
        bool same = length_a == length_b && memcmp(a, b, length_a) == 0;
        (void)fputc(same ? ' ' : '^', stderr);
        a += length_a;
        b += length_b;
    }
    (void)fputc('\n', stderr);
}

static int print_differences(const char *expected, const char *actual)
{
    char line_a[LINE_MAX_BYTES], line_b[LINE_MAX_BYTES], section[64] = "header";
    int row = 0, different = 0;
    for (;;) {
        line_a[0] = line_b[0] = '\0';
        bool more_a = next_line(&expected, line_a, sizeof line_a);
        bool more_b = next_line(&actual, line_b, sizeof line_b);
        if (!more_a && !more_b)
            return different;
        if (strcmp(line_a, line_b) != 0) {
            print_difference(section, row, line_a, line_b);
            different++;
        }
        row++;
        if (strncmp(line_a, "-- ", 3) == 0) {
            (void)snprintf(section, sizeof section, "%.60s", line_a + 3);
            row = 0;
        }
    }
}

void tui_expect_same(struct tui *t, const char *expected, const char *actual, const char *what)
{
    if (strcmp(expected, actual) == 0)
        return;
    (void)fprintf(stderr, "---- %s: the frames differ\n", what);
    int different = print_differences(expected, actual);
    tui_fail(t, "%s: %d lines of the frames differ", what, different);
}

/* ---- Golden files
 * -------------------------------------------------------------------------------- */

static const char *source_root(void)
{
    const char *given = getenv("ACTUARY_SOURCE_ROOT");
#ifdef SOURCE_ROOT
    return given ? given : SOURCE_ROOT;
#else
    return given ? given : ".";
#endif
}

static void write_frame(struct tui *t, const char *path, const char *frame)
{
    FILE *file = fopen(path, "w");
    if (!file || fputs(frame, file) == EOF || fclose(file) == EOF)
        tui_fail(t, "cannot write %s: %s", path, strerror(errno));
}

static char *read_frame(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    char *frame = malloc(TUI_RAW_MAX);
    if (!frame)
        abort();
    size_t size = fread(frame, 1, TUI_RAW_MAX - 1, file);
    frame[size] = '\0';
    (void)fclose(file);
    return frame;
}

void tui_expect_golden(struct tui *t, const char *name)
{
    char path[PATH_MAX], beside[PATH_MAX];
    const char *actual = tui_capture(t), *update = getenv("UPDATE_GOLDEN");
    (void)snprintf(path, sizeof path, "%s/tests/tui/golden/%s.frame", source_root(), name);
    if (update && strcmp(update, "1") == 0) {
        write_frame(t, path, actual);
        return;
    }
    char *frame = read_frame(path);
    if (!frame)
        tui_fail(t, "no golden frame %s; UPDATE_GOLDEN=1 writes it", path);
    const char *expected = tui_keep(frame);
    if (strcmp(expected, actual) == 0)
        return;
    /* The build folder is where tests run; the source folder stays as it is. */
    (void)snprintf(beside, sizeof beside, "%s.actual.frame", name);
    write_frame(t, beside, actual);
    (void)fprintf(stderr, "---- %s: written to %s in the current folder\n", path, beside);
    tui_expect_same(t, expected, actual, name);
}
