#include "core/writer.h"
#include "core/utf8.h"

#include <stdint.h>
#include <string.h>

void act_writer_init(struct act_writer *writer, char *out, size_t size)
{
    writer->out = out;
    writer->size = size;
    writer->length = 0;
    if (size > 0)
        out[0] = '\0';
}

void act_writer_put_char(struct act_writer *writer, char c)
{
    if (writer->length + 1 < writer->size) {
        writer->out[writer->length] = c;
        writer->out[writer->length + 1] = '\0';
    }
    writer->length++;
}

void act_writer_put(struct act_writer *writer, const char *text)
{
    for (; *text != '\0'; text++)
        act_writer_put_char(writer, *text);
}

bool act_text_printable(const char *text)
{
    size_t left = strlen(text);

    while (left > 0) {
        uint32_t code;
        size_t length = act_utf8_decode(text, left, &code);

        if (length == 0 || !act_utf8_printable(code))
            return false;
        text += length;
        left -= length;
    }
    return true;
}

const char *act_text_excerpt(const char *text, char *out)
{
    size_t room = ACT_EXCERPT - 1;
    size_t length = strnlen(text, room + 1);
    size_t kept = length > room ? room - 3 : length;

    for (size_t i = 0; i < kept; i++)
        out[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    out[kept] = '\0';
    if (kept < length)
        memcpy(out + kept, "...", 4);
    return out;
}
