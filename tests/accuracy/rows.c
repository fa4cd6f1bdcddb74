#include "rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "fsdp_settings.h"
#include "megatron_settings.h"

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

static const struct {
    const char *name, *file;
    int rows;
} studies[ROW_STUDIES] = {{"memory-megatron", "memory-megatron.jsonl", ROWS_MEGATRON},
                          {"memory-fsdp-lora", "memory-fsdp-lora.jsonl", ROWS_FSDP}};

const char *row_study_name(enum row_study study)
{
    return studies[study].name;
}

static void estimate(const struct act_plan *plan, struct act_memory *ret)
{
    struct act_parameters parameters;
    struct act_layout layout;

    act_model_count(plan, &parameters);
    act_layout_of(plan, &layout);
    act_memory_of(plan, &parameters, &layout, ret);
}

static double figure_of(const struct act_stage *stage, const char *counter)
{
    return (counter[0] == 'd'   ? stage->device
            : counter[0] == 'r' ? stage->reserved
                                : stage->allocated) /
           gib;
}

static void compare_phase(const json_t *line, const struct act_stage *stage, struct row *row)
{
    const char *phase = json_string_value(json_object_get(line, "phase"));

    if (strcmp(act_phase_name(stage->phase), phase) != 0)
        snprintf(row->wrong, sizeof row->wrong, "phase %s, predicted %s",
                 act_phase_name(stage->phase), phase);
}

/* The row's own stage. Release tests look at the last rank only; all other rows at the worst. */
static void estimate_megatron(const json_t *line, struct row *row)
{
    static struct act_memory memory;
    int index = (int)json_integer_value(json_object_get(line, "stage"));
    struct act_plan plan;

    plan_of_megatron_settings(json_object_get(line, "settings"), &plan);
    estimate(&plan, &memory);
    assert_in_range(index, 0, memory.stages - 1);
    row->figure = figure_of(&memory.stage[index], row->counter);
    compare_phase(line, &memory.stage[index], row);
    if ((memory.stages == 1 || index != memory.stages - 1) && memory.worst != index)
        snprintf(row->wrong, sizeof row->wrong, "worst stage %d, predicted %d", memory.worst,
                 index);
}

static double estimate_first_stage(const json_t *settings, const char *counter, int64_t layers,
                                   struct act_memory *memory)
{
    struct act_plan plan;

    plan_of_fsdp_settings(settings, counter, layers, &plan);
    estimate(&plan, memory);
    return figure_of(&memory->stage[0], counter);
}

static void estimate_fsdp(const json_t *line, struct row *row)
{
    static struct act_memory memory;
    const json_t *settings = json_object_get(line, "settings");
    const json_t *layers = json_object_get(settings, "layers");
    double share = layers ? json_number_value(layers) : 1, up = ceil(share);

    /* A mean over stages that hold a layer more or less lies between the two, in proportion. */
    row->figure = estimate_first_stage(settings, row->counter, (int64_t)up, &memory);
    if (share < up) {
        double fewer = estimate_first_stage(settings, row->counter, (int64_t)share, &memory);
        row->figure += (fewer - row->figure) * (up - share);
    }
    /* Reserved counts the gradients in every phase, and so may peak in another. */
    bool both_ends = layers && !json_object_get(settings, "last");
    if (row->counter[0] != 'r' && !both_ends)
        compare_phase(line, &memory.stage[0], row);
}

static void read_row(const json_t *line, enum row_study study, struct row *row)
{
    memset(row, 0, sizeof *row);
    row->study = study;
    snprintf(row->id, sizeof row->id, "%s", json_string_value(json_object_get(line, "id")));
    snprintf(row->counter, sizeof row->counter, "%s",
             json_string_value(json_object_get(line, "counter")));
    row->measured = json_number_value(json_object_get(line, "measured"));
    row->predicted = json_number_value(json_object_get(line, "predicted"));
    assert_true(row->measured > 0 && row->predicted > 0);
    if (study == ROW_MEGATRON)
        estimate_megatron(line, row);
    else
        estimate_fsdp(line, row);
}

static void read_study(enum row_study study, struct row *rows)
{
    const char *root = getenv("ACTUARY_SOURCE_ROOT");
    char path[4096];
    int count = 0;

    snprintf(path, sizeof path, "%s/tests/data/%s", root ? root : SOURCE_ROOT, studies[study].file);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (;;) {
        json_error_t problem;
        json_t *line = json_loadf(file, JSON_DISABLE_EOF_CHECK, &problem);

        if (!line)
            break;
        assert_true(count < studies[study].rows);
        read_row(line, study, &rows[count++]);
        json_decref(line);
    }
    fclose(file);
    assert_int_equal(count, studies[study].rows);
}

void rows_load(struct row ret[ROWS_ALL])
{
    read_study(ROW_MEGATRON, ret);
    read_study(ROW_FSDP, ret + ROWS_MEGATRON);
}

double row_error(const struct row *row)
{
    return 100 * (row->figure / row->measured - 1);
}

double row_distance(const struct row *row)
{
    return 100 * (row->figure / row->predicted - 1);
}
