/* A jansson tree as text. */
#ifndef ACTUARY_IO_JSON_WRITE_H
#define ACTUARY_IO_JSON_WRITE_H

#include "io/buffer.h"
#include <jansson.h>

/* Appends the value, indented by two blanks, with a final newline; members stand in the order in
 * which they were set. Numbers are the shortest that read back the same, under every locale: what
 * jansson's own dump cannot do, since it has one precision for all. Returns 0 or -1. */
int act_json_write(const json_t *value, struct act_buffer *out);

#endif
