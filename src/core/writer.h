/* Text into a buffer of the caller, and text from users made fit for a message.
 * Inside the core only; no allocation, no locale. */
#ifndef ACTUARY_CORE_WRITER_H
#define ACTUARY_CORE_WRITER_H

#include <stdbool.h>
#include <stddef.h>

/* Collects text as snprintf does: always terminated, cut when there is no room, `length` being
 * what the whole would have needed. */
struct act_writer {
    char *out;
    size_t size;
    size_t length;
};

void act_writer_init(struct act_writer *writer, char *out, size_t size);
void act_writer_put(struct act_writer *writer, const char *text);
void act_writer_put_char(struct act_writer *writer, char c);

/* Valid UTF-8 without control characters, line separators or bidirectional overrides, which
 * could make a terminal or a report show something else than what the text says. */
bool act_text_printable(const char *text);

enum { ACT_EXCERPT = 48 };

/* A user's text as a message may quote it: printable ASCII, other bytes as '?', cut with "...";
 * `out` has ACT_EXCERPT bytes. Returns `out`. */
const char *act_text_excerpt(const char *text, char *out);

#endif
