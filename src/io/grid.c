#include "io/grid.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { GRID_LIMIT = 4 * 1024 * 1024 };

void act_grid_init(struct act_grid *grid)
{
    memset(grid, 0, sizeof *grid);
    act_buffer_init(&grid->cells, GRID_LIMIT);
}

void act_grid_free(struct act_grid *grid)
{
    act_buffer_free(&grid->cells);
}

void act_grid_cell(struct act_grid *grid, enum act_cell_look look, const char *text)
{
    const char mark = (char)('0' + look);

    act_buffer_add(&grid->cells, &mark, 1);
    act_buffer_add(&grid->cells, text, strlen(text) + 1);
    grid->count++;
}

void act_grid_column(struct act_grid *grid, const char *heading, bool right)
{
    if (grid->columns == ACT_GRID_COLUMNS) {
        grid->cells.failed = true;
        return;
    }
    grid->right[grid->columns++] = right;
    act_grid_cell(grid, ACT_CELL_LABEL, heading);
}

void act_grid_printf(struct act_grid *grid, enum act_cell_look look, const char *format, ...)
{
    char text[2048]; /* a formula, or the source and note of a preset */
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    act_grid_cell(grid, look, text);
}

size_t act_grid_rows(const struct act_grid *grid)
{
    return grid->columns > 0 && grid->count > 0 ? grid->count / (size_t)grid->columns - 1 : 0;
}

const char *act_grid_next(const struct act_grid *grid, const char **at,
                          enum act_cell_look *ret_look)
{
    if (grid->cells.failed || grid->cells.size == 0)
        return NULL;
    const char *mark = *at ? *at + strlen(*at) + 1 : grid->cells.text;
    if (mark >= grid->cells.text + grid->cells.size)
        return NULL;
    *ret_look = (enum act_cell_look)(*mark - '0');
    *at = mark + 1;
    return *at;
}
