#include "core/writer.h"

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

/* Decodes one UTF-8 sequence (RFC 3629: no overlong forms, no surrogates) and returns its
 * length, or 0 when it is not valid. */
static size_t decode(const unsigned char *at, uint32_t *ret_point)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length;
    uint32_t point;

    if (at[0] < 0x80) {
        *ret_point = at[0];
        return 1;
    }
    if (at[0] >= 0xc2 && at[0] < 0xe0) {
        length = 2;
        point = at[0] & 0x1fu;
    } else if (at[0] >= 0xe0 && at[0] < 0xf0) {
        length = 3;
        point = at[0] & 0x0fu;
    } else if (at[0] >= 0xf0 && at[0] < 0xf5) {
        length = 4;
        point = at[0] & 0x07u;
    } else {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xc0u) != 0x80u) /* also stops at the terminator */
            return 0;
        point = point << 6 | (at[i] & 0x3fu);
    }
    if (point < smallest[length] || point > 0x10ffff || (point >= 0xd800 && point < 0xe000))
        return 0;
    *ret_point = point;
    return length;
}

static bool point_is_printable(uint32_t point)
{
    if (point < 0x20 || (point >= 0x7f && point < 0xa0))
        return false;
    if (point == 0x2028 || point == 0x2029) /* line and paragraph separator */
        return false;
    if ((point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069))
        return false; /* bidirectional embeddings, overrides and isolates */
    return point != 0xfeff;
}

bool act_text_printable(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;

    while (*at != '\0') {
        uint32_t point;
        size_t length = decode(at, &point);

        if (length == 0 || !point_is_printable(point))
            return false;
        at += length;
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
