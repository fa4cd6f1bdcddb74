/* The table of fields, for people and for programs. */
#ifndef ACTUARY_CLI_LIST_FIELDS_H
#define ACTUARY_CLI_LIST_FIELDS_H

#include "io/buffer.h"

void act_list_fields_text(struct act_buffer *out);
void act_list_fields_json(struct act_buffer *out);

#endif
