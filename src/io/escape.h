/* Text of users and presets inside other formats: it is shown as it stands and means nothing
 * there. Bytes that are no UTF-8, control characters and direction overrides become U+FFFD. */
#ifndef ACTUARY_IO_ESCAPE_H
#define ACTUARY_IO_ESCAPE_H

#include "io/buffer.h"

/* Content of an element or of a double-quoted attribute, in HTML as in XML. */
void act_escape_html(struct act_buffer *out, const char *text);
/* The same of prose: a number and its unit (act_word_length) stay on one line. */
void act_escape_prose(struct act_buffer *out, const char *text);

/* Inline text of CommonMark and its tables: no emphasis, link, tag, code or cell comes of it. A
 * line break becomes a blank. `begins`: the text begins a block, where it might be taken for a
 * list. */
void act_escape_markdown(struct act_buffer *out, const char *text, bool begins);

/* One field of RFC 4180: quoted where it has to be, or where readers strip blanks. Line breaks
 * stay. */
void act_escape_csv(struct act_buffer *out, const char *text);

#endif
