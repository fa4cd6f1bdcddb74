/* UTF-8, one code point at a time. */
#ifndef ACTUARY_CORE_UTF8_H
#define ACTUARY_CORE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decodes the code point at `text` of `size` > 0 bytes into *ret_code and returns its length,
 * or 0 when the bytes are not well-formed UTF-8 (overlong, surrogate, cut off, too large). */
size_t act_utf8_decode(const char *text, size_t size, uint32_t *ret_code);

/* May the code point stand in a text as it is, and be sent to a terminal? False for control
 * characters, line and paragraph separators, direction overrides, the byte order mark and
 * non-characters. */
bool act_utf8_printable(uint32_t code);

#endif
