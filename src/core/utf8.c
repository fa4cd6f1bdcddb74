#include "core/utf8.h"

size_t act_utf8_decode(const char *text, size_t size, uint32_t *ret_code)
{
    const unsigned char *byte = (const unsigned char *)text;
    if (byte[0] < 0x80) {
        *ret_code = byte[0];
        return 1;
    }
    size_t length = byte[0] >= 0xF0 ? 4 : byte[0] >= 0xE0 ? 3 : 2;
    if (byte[0] < 0xC2 || byte[0] > 0xF4 || length > size)
        return 0;
    uint32_t code = byte[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((byte[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (byte[i] & 0x3Fu);
    }
    bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    if (overlong || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
        return 0;
    *ret_code = code;
    return length;
}

bool act_utf8_printable(uint32_t code)
{
    if (code < 0x20 || (code >= 0x7F && code < 0xA0))
        return false;
    if (code == 0x2028 || code == 0x2029 || (code >= 0x202A && code <= 0x202E) ||
        (code >= 0x2066 && code <= 0x2069))
        return false;
    return code != 0xFEFF && (code & 0xFFFE) != 0xFFFE;
}
