/* Errors of measured runs as a committed table, and what is printed about them. A table is text,
 * a row a line: id, counter, measured, predicted (both GiB), error in percent of the measurement,
 * and for large errors what may be the reason. */
#ifndef ACTUARY_TESTS_ERROR_TABLE_H
#define ACTUARY_TESTS_ERROR_TABLE_H

enum { ERROR_ROWS_MAX = 1024, ERROR_SOURCE = 32, ERROR_REASON_MAX = 200 };

struct error_row {
    char id[40], source[ERROR_SOURCE], counter[12];
    double measured, predicted, error;
    char reason[ERROR_REASON_MAX];
};

struct error_table {
    int count;
    struct error_row row[ERROR_ROWS_MAX];
};

/* Percent: signed median, median of the absolute, 90th percentile and largest of the absolute. */
struct error_summary {
    int count;
    double median, absolute, p90, worst;
};

/* Summarises the rows of a table for which `wanted` holds (all when it is NULL). */
struct error_summary error_summarise(const struct error_table *table,
                                     int (*wanted)(const struct error_row *, const void *),
                                     const void *context);
int error_of_source(const struct error_row *row, const void *source);

/* The id before its number. */
void error_source_of(const char *id, char ret[ERROR_SOURCE]);

const struct error_row *error_find(const struct error_table *table, const char *id);

/* File below the source root. Reading fails the test on a broken line. */
void error_table_read(const char *path, struct error_table *ret);
void error_table_write(const char *path, const char *head, const struct error_table *table);

#endif
