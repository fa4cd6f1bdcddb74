/* A growing text with a hard limit. A failed append empties the buffer and every later append
 * fails too, so one check at the end is enough. */
#ifndef ACTUARY_IO_BUFFER_H
#define ACTUARY_IO_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

struct act_buffer {
    char *text; /* always terminated when size > 0; NULL when empty */
    size_t size, room, limit;
    bool failed;
};

void act_buffer_init(struct act_buffer *buffer, size_t limit);
void act_buffer_free(struct act_buffer *buffer);
void act_buffer_add(struct act_buffer *buffer, const char *text, size_t size);
void act_buffer_puts(struct act_buffer *buffer, const char *text);
void act_buffer_printf(struct act_buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
