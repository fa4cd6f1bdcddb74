/* Columns of text, each as wide as its widest cell. */
#ifndef ACTUARY_CLI_TABLE_H
#define ACTUARY_CLI_TABLE_H

#include "io/buffer.h"
#include <stdbool.h>
#include <stddef.h>

enum { ACT_TABLE_COLUMNS = 12 };

struct act_table {
    int columns;
    bool right[ACT_TABLE_COLUMNS]; /* aligned to the right */
    struct act_buffer cells;       /* terminated texts, row by row */
    size_t count;
};

/* `alignment` has a letter a column, l or r. */
void act_table_init(struct act_table *table, const char *alignment);
void act_table_free(struct act_table *table);
void act_table_cell(struct act_table *table, const char *text);
/* Appends all rows, columns two spaces apart, no spaces at line ends. */
void act_table_print(const struct act_table *table, struct act_buffer *out);

#endif
