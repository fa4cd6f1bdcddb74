/* A table on its way into a report: cells row by row, the first row being the headings. */
#ifndef ACTUARY_IO_GRID_H
#define ACTUARY_IO_GRID_H

#include "io/buffer.h"
#include <stdbool.h>
#include <stddef.h>

enum act_cell_look {
    ACT_CELL_PLAIN,
    ACT_CELL_LABEL,  /* what its row is about */
    ACT_CELL_STRONG, /* differs, or is the one that counts */
    ACT_CELL_GOOD,
    ACT_CELL_CAREFUL,
    ACT_CELL_BAD,
};

enum { ACT_GRID_COLUMNS = 40 };

struct act_grid {
    int columns;
    bool right[ACT_GRID_COLUMNS]; /* aligned to the right */
    struct act_buffer cells;
    size_t count;
};

void act_grid_init(struct act_grid *grid);
void act_grid_free(struct act_grid *grid);
/* One more column; all columns before the first cell. */
void act_grid_column(struct act_grid *grid, const char *heading, bool right);
void act_grid_cell(struct act_grid *grid, enum act_cell_look look, const char *text);
__attribute__((format(printf, 3, 4))) void
act_grid_printf(struct act_grid *grid, enum act_cell_look look, const char *format, ...);
/* Rows below the headings. */
size_t act_grid_rows(const struct act_grid *grid);

/* The cell after *at, which begins as NULL; NULL past the last. The headings come first. */
const char *act_grid_next(const struct act_grid *grid, const char **at,
                          enum act_cell_look *ret_look);

#endif
