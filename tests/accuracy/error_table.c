#include "error_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef SOURCE_ROOT
#define SOURCE_ROOT "."
#endif

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

struct error_summary error_summarise(const struct error_table *table,
                                     int (*wanted)(const struct error_row *, const void *),
                                     const void *context)
{
    static double signed_errors[ERROR_ROWS_MAX], absolute[ERROR_ROWS_MAX];
    struct error_summary ret = {0};

    for (int i = 0; i < table->count; i++) {
        if (wanted && !wanted(&table->row[i], context))
            continue;
        signed_errors[ret.count] = table->row[i].error;
        absolute[ret.count++] = fabs(table->row[i].error);
    }
    if (ret.count == 0)
        return ret;
    ret.median = median_of(signed_errors, ret.count);
    ret.absolute = median_of(absolute, ret.count);
    ret.p90 = absolute[ret.count * 9 / 10];
    ret.worst = absolute[ret.count - 1];
    return ret;
}

int error_of_source(const struct error_row *row, const void *source)
{
    return strcmp(row->source, source) == 0;
}

void error_source_of(const char *id, char ret[ERROR_SOURCE])
{
    const char *dash = strrchr(id, '-');
    size_t length = dash ? (size_t)(dash - id) : strlen(id);

    assert_true(length < ERROR_SOURCE);
    memcpy(ret, id, length);
    ret[length] = '\0';
}

const struct error_row *error_find(const struct error_table *table, const char *id)
{
    for (int i = 0; i < table->count; i++)
        if (strcmp(table->row[i].id, id) == 0)
            return &table->row[i];
    return NULL;
}

static FILE *open_below_root(const char *path, const char *mode)
{
    const char *root = getenv("ACTUARY_SOURCE_ROOT");
    char whole[4096];

    snprintf(whole, sizeof whole, "%s/%s", root ? root : SOURCE_ROOT, path);
    return fopen(whole, mode);
}

static void read_line(char *line, struct error_row *row)
{
    int used = 0;

    line[strcspn(line, "\n")] = '\0';
    if (sscanf(line, "%39s %11s %lf %lf %lf %n", row->id, row->counter, &row->measured,
               &row->predicted, &row->error, &used) != 5 ||
        strlen(line + used) >= sizeof row->reason)
        fail_msg("broken line: %s", line);
    snprintf(row->reason, sizeof row->reason, "%s", line + used);
    error_source_of(row->id, row->source);
}

void error_table_read(const char *path, struct error_table *ret)
{
    FILE *file = open_below_root(path, "r");
    char line[512];

    ret->count = 0;
    if (!file)
        fail_msg("no %s", path);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#' || line[0] == '\n')
            continue;
        assert_true(ret->count < ERROR_ROWS_MAX);
        read_line(line, &ret->row[ret->count++]);
    }
    fclose(file);
}

void error_table_write(const char *path, const char *head, const struct error_table *table)
{
    FILE *file = open_below_root(path, "w");

    assert_non_null(file);
    fputs(head, file);
    for (int i = 0; i < table->count; i++) {
        const struct error_row *row = &table->row[i];
        fprintf(file, "%s %s %.4f %.4f %+.2f%s%s\n", row->id, row->counter, row->measured,
                row->predicted, row->error, row->reason[0] ? " " : "", row->reason);
    }
    assert_int_equal(fclose(file), 0);
}
