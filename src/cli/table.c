#include "cli/table.h"

#include "cli/output.h"

#include <string.h>

void act_table_init(struct act_table *table, const char *alignment)
{
    *table = (struct act_table){.columns = (int)strlen(alignment)};
    for (int i = 0; i < table->columns; i++) {
        table->right[i] = alignment[i] == 'r';
    }
    act_buffer_init(&table->cells, ACT_OUTPUT_MAX);
}

void act_table_free(struct act_table *table)
{
    act_buffer_free(&table->cells);
}

void act_table_cell(struct act_table *table, const char *text)
{
    act_buffer_add(&table->cells, text, strlen(text) + 1);
    table->count++;
}

/* A longer cell pushes its own row aside instead of widening every other. */
enum { WIDEST = 36 };

/* Columns a text takes on a terminal, as far as counting code points goes. */
static int width_of(const char *text)
{
    int width = 0;

    for (; *text; text++) {
        width += ((unsigned char)*text & 0xC0) != 0x80;
    }
    return width;
}

static void pad(struct act_buffer *out, int spaces)
{
    act_buffer_printf(out, "%*s", spaces, "");
}

static void print_row(const struct act_table *table, const char *const *cells, const int *widths,
                      struct act_buffer *out)
{
    int owed = 0; /* spaces before the next text: none are left at the end */

    for (int i = 0; i < table->columns; i++) {
        int missing = widths[i] - width_of(cells[i]);
        int space = missing > 0 ? missing : 0;
        owed += table->right[i] ? space : 0;
        if (cells[i][0]) {
            pad(out, owed);
            act_buffer_puts(out, cells[i]);
            owed = 0;
        }
        owed += (table->right[i] ? 0 : space) + 2;
    }
    act_buffer_puts(out, "\n");
}

void act_table_print(const struct act_table *table, struct act_buffer *out)
{
    const char *cells[ACT_TABLE_COLUMNS];
    int widths[ACT_TABLE_COLUMNS] = {0};
    const char *text = table->cells.text;

    if (table->cells.failed) {
        out->failed = true;
        return;
    }
    for (size_t i = 0; i < table->count; i++, text += strlen(text) + 1) {
        int *width = &widths[i % (size_t)table->columns];
        int wanted = width_of(text);
        *width = wanted > *width && wanted <= WIDEST ? wanted : *width;
    }
    text = table->cells.text;
    for (size_t i = 0; i < table->count; i++, text += strlen(text) + 1) {
        int column = (int)(i % (size_t)table->columns);
        cells[column] = text;
        if (column == table->columns - 1) {
            print_row(table, cells, widths, out);
        }
    }
}
