#include "ui/edit.h"
#include "session/action.h"
#include <stdio.h>
#include <string.h>

void act_edit_start(struct act_edit *edit, const char *text, size_t limit)
{
    *edit = (struct act_edit){.limit = limit < ACT_EDIT_MAX - 1 ? limit : ACT_EDIT_MAX - 1};
    snprintf(edit->text, edit->limit + 1, "%s", text);
    edit->size = edit->cursor = strlen(edit->text);
}

static bool is_middle(const struct act_edit *edit, size_t at)
{
    return at < edit->size && ((unsigned char)edit->text[at] & 0xc0) == 0x80;
}

static size_t before(const struct act_edit *edit, size_t at)
{
    if (at > 0)
        at--;
    while (at > 0 && is_middle(edit, at))
        at--;
    return at;
}

static size_t after(const struct act_edit *edit, size_t at)
{
    if (at < edit->size)
        at++;
    while (is_middle(edit, at))
        at++;
    return at;
}

static void cut(struct act_edit *edit, size_t from, size_t to)
{
    memmove(edit->text + from, edit->text + to, edit->size - to + 1);
    edit->size -= to - from;
    edit->cursor = from;
}

static void insert(struct act_edit *edit, const char *bytes, size_t size)
{
    if (edit->size + size > edit->limit)
        return;
    memmove(edit->text + edit->cursor + size, edit->text + edit->cursor,
            edit->size - edit->cursor + 1);
    memcpy(edit->text + edit->cursor, bytes, size);
    edit->size += size;
    edit->cursor += size;
}

static size_t encode(int sign, char *out)
{
    unsigned value = (unsigned)sign;
    if (value < 0x80) {
        out[0] = (char)value;
        return 1;
    }
    if (value < 0x800) {
        out[0] = (char)(0xc0 | value >> 6);
        out[1] = (char)(0x80 | (value & 0x3f));
        return 2;
    }
    if (value < 0x10000) {
        out[0] = (char)(0xe0 | value >> 12);
        out[1] = (char)(0x80 | (value >> 6 & 0x3f));
        out[2] = (char)(0x80 | (value & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | value >> 18);
    out[1] = (char)(0x80 | (value >> 12 & 0x3f));
    out[2] = (char)(0x80 | (value >> 6 & 0x3f));
    out[3] = (char)(0x80 | (value & 0x3f));
    return 4;
}

static size_t word_before(const struct act_edit *edit)
{
    size_t at = edit->cursor;
    while (at > 0 && edit->text[at - 1] == ' ')
        at--;
    while (at > 0 && edit->text[at - 1] != ' ')
        at--;
    return at;
}

bool act_edit_key(struct act_edit *edit, int key)
{
    enum { CTRL_A = 1, CTRL_E = 5, CTRL_U = 21, CTRL_W = 23 };
    bool fresh = edit->fresh;
    edit->fresh = false;
    switch (key) {
    case ACT_KEY_LEFT:
        edit->cursor = before(edit, edit->cursor);
        return true;
    case ACT_KEY_RIGHT:
        edit->cursor = after(edit, edit->cursor);
        return true;
    case ACT_KEY_HOME:
    case CTRL_A:
        edit->cursor = 0;
        return true;
    case ACT_KEY_END:
    case CTRL_E:
        edit->cursor = edit->size;
        return true;
    case ACT_KEY_BACKSPACE:
        cut(edit, before(edit, edit->cursor), edit->cursor);
        return true;
    case ACT_KEY_DELETE: {
        size_t at = edit->cursor;
        cut(edit, at, after(edit, at));
        return true;
    }
    case CTRL_U:
        cut(edit, 0, edit->cursor);
        return true;
    case CTRL_W:
        cut(edit, word_before(edit), edit->cursor);
        return true;
    default:
        break;
    }
    if (key < ' ' || key == 127 || key >= ACT_KEY_NONE)
        return false;
    if (fresh)
        cut(edit, 0, edit->size);
    char bytes[4];
    insert(edit, bytes, encode(key, bytes));
    return true;
}

void act_edit_paste(struct act_edit *edit, const char *text, size_t size)
{
    if (edit->fresh)
        cut(edit, 0, edit->size);
    edit->fresh = false;
    for (size_t i = 0; i < size; i++) {
        char byte = text[i];
        if (byte == '\n' || byte == '\r' || byte == '\t')
            byte = ' ';
        if ((unsigned char)byte >= ' ' && byte != 127)
            insert(edit, &byte, 1);
    }
}

void act_edit_draw(const struct act_edit *edit, struct act_canvas *canvas, struct act_rect rect,
                   int row, int column, int width)
{
    char head[ACT_EDIT_MAX];
    size_t start = 0;
    if (width < 2)
        width = 2;
    for (;;) { /* scroll right until the cursor is inside */
        snprintf(head, sizeof head, "%.*s", (int)(edit->cursor - start), edit->text + start);
        if (act_text_columns(canvas, head) < width || start >= edit->cursor)
            break;
        start = after(edit, start);
    }
    struct act_rect field = {rect.row + row, rect.column + column, 1, width};
    field = act_rect_clip(rect, field);
    act_draw_fill(canvas, field, ' ', ACT_LOOK_EDIT);
    act_draw_text(canvas, field, 0, 0, ACT_LOOK_EDIT, edit->text + start);
    canvas->cursor_row = rect.row + row;
    canvas->cursor_column = rect.column + column + act_text_columns(canvas, head);
    canvas->cursor_shown = true;
}
