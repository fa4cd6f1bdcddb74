#include "io/buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void act_buffer_init(struct act_buffer *buffer, size_t limit)
{
    *buffer = (struct act_buffer){.limit = limit};
}

void act_buffer_free(struct act_buffer *buffer)
{
    free(buffer->text);
    act_buffer_init(buffer, buffer->limit);
}

static void fail(struct act_buffer *buffer)
{
    act_buffer_free(buffer);
    buffer->failed = true;
}

/* Makes room for `more` bytes and the terminator. */
static bool reserve(struct act_buffer *buffer, size_t more)
{
    if (buffer->failed)
        return false;
    if (more > buffer->limit || buffer->size > buffer->limit - more) {
        fail(buffer);
        return false;
    }
    size_t need = buffer->size + more + 1;
    if (need <= buffer->room)
        return true;
    size_t room = buffer->room ? buffer->room : 256;
    while (room < need)
        room *= 2;
    char *text = realloc(buffer->text, room);
    if (!text) {
        fail(buffer);
        return false;
    }
    buffer->text = text;
    buffer->room = room;
    return true;
}

void act_buffer_add(struct act_buffer *buffer, const char *text, size_t size)
{
    if (size == 0 || !reserve(buffer, size))
        return;
    memcpy(buffer->text + buffer->size, text, size);
    buffer->size += size;
    buffer->text[buffer->size] = '\0';
}

void act_buffer_puts(struct act_buffer *buffer, const char *text)
{
    act_buffer_add(buffer, text, strlen(text));
}

void act_buffer_printf(struct act_buffer *buffer, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0) {
        fail(buffer);
        return;
    }
    if (length == 0 || !reserve(buffer, (size_t)length))
        return;
    va_start(args, format);
    vsnprintf(buffer->text + buffer->size, (size_t)length + 1, format, args);
    va_end(args);
    buffer->size += (size_t)length;
}
