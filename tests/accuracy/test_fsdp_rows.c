/* The 203 measured configurations of FSDP, ZeRO, Hugging Face loops, LoRA and QLoRA. Each line of
 * tests/data/memory-fsdp-lora.jsonl holds the settings that reproduce a published run, what the
 * formulas predict for it (GiB) and what was measured. The engine must give the prediction. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "fsdp_settings.h"

#include <actuary/layout.h>
#include <actuary/memory.h>
#include <actuary/model.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef SOURCE_ROOT
#define SOURCE_ROOT "."
#endif

static const double gib = 1073741824.0;

enum { ROWS = 203, SOURCES = 16 };

/* Rows whose prediction was made from other settings than the row's: reasons, and how far apart. */
static const struct {
    const char *id, *reason;
    double low, high;
} others[] = {
    {"litgpt-002", "predicted with Falcon-7B's vocabulary matrix three times", -0.07, -0.055},
    {"litgpt-028", "predicted with an adapter on a gate that phi-2 has not", -0.04, -0.035},
    {"nanotron-heatmap-015", "predicted with embedding and head on one of two stages", -0.05,
     -0.03},
    {"nanotron-heatmap-019", "predicted with embedding and head on one of two stages", -0.05,
     -0.03},
    {"qwen1-finetune-047", "predicted with 6.4 bytes an adapter parameter for 4 + 12/4", 0, 0.006},
};

/* Absolute errors against the measurements, by source. */
static struct {
    char name[32];
    int count;
    double error[ROWS];
} sources[SOURCES];

static double figure_of(const json_t *settings, const char *counter, int64_t first_stage,
                        struct act_memory *memory)
{
    struct act_plan plan;
    struct act_parameters parameters;
    struct act_layout layout;

    plan_of_fsdp_settings(settings, counter, first_stage, &plan);
    act_model_count(&plan, &parameters);
    act_layout_of(&plan, &layout);
    act_memory_of(&plan, &parameters, &layout, memory);
    const struct act_stage *stage = &memory->stage[0];
    return (counter[0] == 'd'   ? stage->device
            : counter[0] == 'r' ? stage->reserved
                                : stage->allocated) /
           gib;
}

static void note_error(const char *id, double error)
{
    size_t length = strlen(id);

    while (length > 0 && id[length - 1] != '-')
        length--;
    for (int i = 0; i < SOURCES; i++) {
        if (sources[i].count > 0 && strncmp(sources[i].name, id, length - 1) != 0)
            continue;
        snprintf(sources[i].name, sizeof sources[i].name, "%.*s", (int)length - 1, id);
        sources[i].error[sources[i].count++] = error;
        return;
    }
    fail_msg("more sources than expected");
}

static void check_prediction(const char *id, double figure, double predicted)
{
    double low = -0.005, high = 0.005;

    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strcmp(others[i].id, id) == 0) {
            low = others[i].low;
            high = others[i].high;
        }
    }
    double off = figure / predicted - 1;
    if (off < low || off > high)
        fail_msg("%s: %.4f GiB, predicted %.4f (%+.2f %%)", id, figure, predicted, 100 * off);
}

/* The committed error of a row, percent of the measurement, and why it is large. */
static struct {
    char id[32];
    double percent;
    bool reason;
} table[ROWS];

static int table_rows;

static void read_table(void)
{
    const char *root = getenv("ACTUARY_SOURCE_ROOT");
    char path[4096], line[512];

    snprintf(path, sizeof path, "%s/tests/accuracy/fsdp-rows.txt", root ? root : SOURCE_ROOT);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        size_t length = strcspn(line, " \n");
        char *end;
        if (line[0] == '#' || length == 0)
            continue;
        assert_true(table_rows < ROWS && length < sizeof table[0].id);
        memcpy(table[table_rows].id, line, length);
        table[table_rows].percent = strtod(line + length, &end);
        table[table_rows].reason = strlen(end + strspn(end, " \n")) > 0;
        table_rows++;
    }
    fclose(file);
    assert_int_equal(table_rows, ROWS);
}

/* No row may get worse than the table says; one beyond 10 % has its reason there. */
static void guard_row(const char *id, double error)
{
    for (int i = 0; i < table_rows; i++) {
        if (strcmp(table[i].id, id) != 0)
            continue;
        if (fabs(100 * error) > fabs(table[i].percent) + 0.1)
            fail_msg("%s: %+.1f %%, the table has %+.1f", id, 100 * error, table[i].percent);
        if (fabs(error) > 0.1 && !table[i].reason)
            fail_msg("%s: %+.1f %% without a reason in the table", id, 100 * error);
        return;
    }
    fail_msg("%s %+.1f is not in the table", id, 100 * error);
}

static double check_row(const json_t *row)
{
    static struct act_memory memory;
    const json_t *settings = json_object_get(row, "settings");
    const char *id = json_string_value(json_object_get(row, "id"));
    const char *counter = json_string_value(json_object_get(row, "counter"));
    const char *phase = json_string_value(json_object_get(row, "phase"));
    double predicted = json_number_value(json_object_get(row, "predicted"));
    double measured = json_number_value(json_object_get(row, "measured"));
    const json_t *layers = json_object_get(settings, "layers");
    double share = layers ? json_number_value(layers) : 1;

    /* A mean over stages that hold a layer more or less lies between the two, in proportion. */
    double figure = figure_of(settings, counter, (int64_t)ceil(share), &memory);
    if (share != floor(share))
        figure += (figure_of(settings, counter, (int64_t)share, &memory) - figure) *
                  (ceil(share) - share);
    check_prediction(id, figure, predicted);
    /* Reserved counts the gradients in every phase, and so may peak in another. */
    bool both_ends = layers && !json_object_get(settings, "last");
    if (counter[0] != 'r' && !both_ends &&
        strcmp(act_phase_name(memory.stage[0].phase), phase) != 0)
        fail_msg("%s: phase %s, predicted %s", id, act_phase_name(memory.stage[0].phase), phase);
    double error = fabs(figure / measured - 1);
    note_error(id, error);
    guard_row(id, figure / measured - 1);
    return error;
}

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

static void test_rows(void **state)
{
    const char *root = getenv("ACTUARY_SOURCE_ROOT");
    char path[4096];
    double error[ROWS];
    int rows = 0;

    (void)state;
    read_table();
    snprintf(path, sizeof path, "%s/tests/data/memory-fsdp-lora.jsonl", root ? root : SOURCE_ROOT);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (;;) {
        json_error_t problem;
        json_t *row = json_loadf(file, JSON_DISABLE_EOF_CHECK, &problem);

        if (!row)
            break;
        assert_true(rows < ROWS);
        error[rows++] = check_row(row);
        json_decref(row);
    }
    fclose(file);
    assert_int_equal(rows, ROWS);

    for (int i = 0; i < SOURCES && sources[i].count > 0; i++) {
        double median = median_of(sources[i].error, sources[i].count);
        print_message("# %-18s %3d rows, median %4.1f %%, worst %4.1f %%\n", sources[i].name,
                      sources[i].count, 100 * median, 100 * sources[i].error[sources[i].count - 1]);
    }
    double median = median_of(error, ROWS);
    print_message("# all %d rows: median %.2f %%, p90 %.1f %%, worst %.1f %%\n", rows, 100 * median,
                  100 * error[ROWS * 9 / 10], 100 * error[ROWS - 1]);
    /* memory-fsdp-lora.md 5: 3.5 % and 13.7 % over all rows. */
    assert_true(median <= 0.036);
    assert_true(error[ROWS * 9 / 10] <= 0.14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
