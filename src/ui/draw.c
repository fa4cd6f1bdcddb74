#include "ui/draw.h"
#include "core/utf8.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

bool act_canvas_resize(struct act_canvas *canvas, int rows, int columns)
{
    rows = rows < 1 ? 1 : rows > ACT_ROWS_MAX ? ACT_ROWS_MAX : rows;
    columns = columns < 1 ? 1 : columns > ACT_COLUMNS_MAX ? ACT_COLUMNS_MAX : columns;
    if (rows != canvas->rows || columns != canvas->columns || canvas->cell == NULL) {
        size_t size = (size_t)rows * (size_t)columns * sizeof(struct act_cell);
        struct act_cell *cell = realloc(canvas->cell, size);
        if (cell == NULL)
            return false;
        canvas->cell = cell;
        canvas->rows = rows;
        canvas->columns = columns;
    }
    act_draw_fill(canvas, act_canvas_rect(canvas), ' ', ACT_LOOK_TEXT);
    canvas->cursor_row = canvas->cursor_column = 0;
    canvas->cursor_shown = false;
    canvas->hits = 0;
    return true;
}

void act_canvas_free(struct act_canvas *canvas)
{
    free(canvas->cell);
    *canvas = (struct act_canvas){0};
}

struct act_rect act_canvas_rect(const struct act_canvas *canvas)
{
    return (struct act_rect){0, 0, canvas->rows, canvas->columns};
}

/* Box drawing, which a screen reader would read out sign by sign. */
static bool is_line(uint32_t sign)
{
    return sign >= 0x2500 && sign < 0x2580;
}

void act_draw_fill(struct act_canvas *canvas, struct act_rect rect, uint32_t sign,
                   enum act_look look)
{
    rect = act_rect_clip(act_canvas_rect(canvas), rect);
    sign = canvas->plain && is_line(sign) ? ' ' : sign;
    for (int row = rect.row; row < rect.row + rect.rows; row++) {
        struct act_cell *cell = canvas->cell + (size_t)row * (size_t)canvas->columns;
        for (int column = rect.column; column < rect.column + rect.columns; column++)
            cell[column] = (struct act_cell){sign, (uint8_t)look};
    }
}

void act_canvas_hit(struct act_canvas *canvas, int row, int column, int columns,
                    enum act_hit_kind kind, int value)
{
    if (canvas->hits < ACT_HITS_MAX)
        canvas->hit[canvas->hits++] = (struct act_hit){row, column, columns, kind, value};
}

struct act_hit act_canvas_hit_at(const struct act_canvas *canvas, int row, int column)
{
    for (int i = canvas->hits - 1; i >= 0; i--) {
        const struct act_hit *hit = &canvas->hit[i];
        if (hit->row == row && column >= hit->column && column - hit->column < hit->columns)
            return *hit;
    }
    return (struct act_hit){.kind = ACT_HIT_NOTHING};
}

void act_draw_look(struct act_canvas *canvas, struct act_rect rect, enum act_look look)
{
    rect = act_rect_clip(act_canvas_rect(canvas), rect);
    for (int row = rect.row; row < rect.row + rect.rows; row++) {
        struct act_cell *cell = canvas->cell + (size_t)row * (size_t)canvas->columns;
        for (int column = rect.column; column < rect.column + rect.columns; column++)
            cell[column].look = (uint8_t)look;
    }
}

/* Next code point of UTF-8; a broken byte counts as U+FFFD. */
static uint32_t next_sign(const unsigned char **at)
{
    uint32_t sign;
    if (**at < 0x80) /* most are */
        return *(*at)++;
    size_t length = act_utf8_decode((const char *)*at, strnlen((const char *)*at, 4), &sign);
    *at += length > 0 ? length : 1;
    return length > 0 ? sign : 0xfffd;
}

/* What stands for one of our signs on a terminal without UTF-8. */
static uint32_t ascii_of(uint32_t sign)
{
    switch (sign) {
    case 0x2500: /* ─ */
        return '-';
    case 0x2502: /* │ */
        return '|';
    case 0x252c: /* ┬ */
    case 0x2534: /* ┴ */
        return '+';
    case 0x00b7: /* · */
        return '.';
    case 0x00d7: /* × */
        return 'x';
    case 0x2717: /* ✗ */
        return 'X';
    case 0x2212: /* − */
    case 0x2013: /* – */
        return '-';
    case 0x25b8: /* ▸ */
    case 0x203a: /* › */
    case 0x2192: /* → */
        return '>';
    case 0x2190: /* ← */
    case 0x2039: /* ‹ */
        return '<';
    case 0x25be: /* ▾ */
        return 'v';
    case 0x2191: /* ↑ */
    case 0x25b2: /* ▲ */
        return '^';
    case 0x2193: /* ↓ */
    case 0x25bc: /* ▼ */
        return 'v';
    case 0x25cf: /* ● */
        return '*';
    case 0x2713: /* ✓ */
        return '+';
    case 0x2026: /* … */
        return '~';
    case 0x00b1: /* ± */
        return '~';
    default:
        return sign < 0x7f ? sign : '?';
    }
}

/* Columns of a sign: 0 for combining marks (dropped), 1 or 2. Control characters show as '?'. */
static int sign_columns(const struct act_canvas *canvas, uint32_t *sign)
{
    if (*sign < 0x20 || (*sign >= 0x7f && *sign < 0xa0))
        *sign = '?';
    if (canvas->plain) /* also the marks of what is folded */
        *sign = is_line(*sign) ? ' ' : *sign == 0x25b8 ? '+' : *sign == 0x25be ? '-' : *sign;
    if (canvas->ascii) {
        *sign = ascii_of(*sign);
        return 1;
    }
    if (*sign < 0x7f)
        return 1;
    int columns = wcwidth((wchar_t)*sign);
    if (columns < 0) {
        *sign = 0xfffd;
        return 1;
    }
    return columns > 2 ? 2 : columns;
}

int act_text_columns(const struct act_canvas *canvas, const char *text)
{
    int columns = 0;
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0';) {
        uint32_t sign = next_sign(&at);
        columns += sign_columns(canvas, &sign);
    }
    return columns;
}

static void put(struct act_canvas *canvas, struct act_rect clip, int row, int column, uint32_t sign,
                enum act_look look)
{
    if (row < clip.row || row >= clip.row + clip.rows || column < clip.column ||
        column >= clip.column + clip.columns)
        return;
    canvas->cell[(size_t)row * (size_t)canvas->columns + (size_t)column] =
        (struct act_cell){sign, (uint8_t)look};
}

static int draw_until(struct act_canvas *canvas, struct act_rect rect, int row, int column, int end,
                      enum act_look look, const char *text)
{
    struct act_rect clip = act_rect_clip(act_canvas_rect(canvas), rect);
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0';) {
        uint32_t sign = next_sign(&at);
        int columns = sign_columns(canvas, &sign);
        if (column + columns > end)
            break;
        if (columns == 0)
            continue;
        int to = rect.column + column;
        if (columns == 2 && to + 1 >= clip.column + clip.columns) {
            sign = ' '; /* half a wide sign cannot be shown */
            columns = 1;
        }
        put(canvas, clip, rect.row + row, to, sign, look);
        if (columns == 2)
            put(canvas, clip, rect.row + row, to + 1, 0, look);
        column += columns;
    }
    return column;
}

int act_draw_text(struct act_canvas *canvas, struct act_rect rect, int row, int column,
                  enum act_look look, const char *text)
{
    return draw_until(canvas, rect, row, column, ACT_COLUMNS_MAX, look, text);
}

int act_draw_format(struct act_canvas *canvas, struct act_rect rect, int row, int column,
                    enum act_look look, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return act_draw_text(canvas, rect, row, column, look, text);
}

int act_draw_right(struct act_canvas *canvas, struct act_rect rect, int row, int end,
                   enum act_look look, const char *text)
{
    int column = end - act_text_columns(canvas, text);
    act_draw_text(canvas, rect, row, column, look, text);
    return column;
}

int act_draw_cut(struct act_canvas *canvas, struct act_rect rect, int row, int column, int width,
                 enum act_look look, const char *text)
{
    if (width <= 0)
        return column;
    if (act_text_columns(canvas, text) <= width)
        return act_draw_text(canvas, rect, row, column, look, text);
    int end = draw_until(canvas, rect, row, column, column + width - 1, look, text);
    return act_draw_text(canvas, rect, row, end, look, "…");
}

void act_draw_frame(struct act_canvas *canvas, struct act_rect box)
{
    act_draw_fill(canvas, box, ' ', ACT_LOOK_TEXT);
    uint32_t flat = canvas->ascii ? '-' : 0x2500, tall = canvas->ascii ? '|' : 0x2502;
    uint32_t corner[4] = {0x250c, 0x2510, 0x2514, 0x2518};
    struct act_rect part = {box.row, box.column, 1, box.columns};
    act_draw_fill(canvas, part, flat, ACT_LOOK_RULE);
    part.row = box.row + box.rows - 1;
    act_draw_fill(canvas, part, flat, ACT_LOOK_RULE);
    part = (struct act_rect){box.row, box.column, box.rows, 1};
    act_draw_fill(canvas, part, tall, ACT_LOOK_RULE);
    part.column = box.column + box.columns - 1;
    act_draw_fill(canvas, part, tall, ACT_LOOK_RULE);
    for (int i = 0; i < 4; i++) {
        part = (struct act_rect){box.row + (i < 2 ? 0 : box.rows - 1),
                                 box.column + (i % 2 == 0 ? 0 : box.columns - 1), 1, 1};
        act_draw_fill(canvas, part, canvas->ascii ? '+' : corner[i], ACT_LOOK_RULE);
    }
}
