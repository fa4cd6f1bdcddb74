#include "timing_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "timing_settings.h"

#include <actuary/layout.h>
#include <actuary/model.h>
#include <actuary/timing.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef SOURCE_ROOT
#define SOURCE_ROOT "."
#endif

static const char *const part_names[TIMING_PARTS] = {"layer",  "head", "p2p", "body",
                                                     "bubble", "dp",   "opt"};

const char *timing_part_name(enum timing_part part)
{
    return part_names[part];
}

const char *timing_kind_name(enum timing_kind kind)
{
    static const char *const names[TIMING_KINDS] = {"dense 16 bits", "dense fp8, fp4",
                                                    "MoE 16 bits", "MoE fp8", "LoRA, QLoRA"};
    return names[kind];
}

static double estimate(const struct act_plan *plan, struct act_time *ret)
{
    struct act_parameters parameters;
    struct act_flops flops;
    struct act_layout layout;

    act_model_count(plan, &parameters);
    act_model_flops(plan, &parameters, &flops);
    act_layout_of(plan, &layout);
    act_time_of(plan, &parameters, &flops, &layout, ret);
    assert_true(ret->estimated && ret->step_seconds > 0);
    return ret->step_seconds;
}

/* The most chunks a stage that layers, or layers with embedding and loss as slots, allow. */
static int64_t most_chunks(const struct act_plan *plan)
{
    int64_t layers = plan->model.layers, p = plan->parallel.pipeline;

    for (int64_t slots = layers; slots <= layers + 2; slots++)
        if (slots % p == 0)
            return slots / p;
    return 1;
}

static double estimate_plain(const json_t *line, struct act_plan plan)
{
    const json_t *unpublished = json_object_get(line, "unpublished");
    struct act_time time;

    plan.parallel.recompute = ACT_RECOMPUTE_NONE;
    if (json_array_size(unpublished) > 1)
        plan.parallel.interleave = most_chunks(&plan);
    return estimate(&plan, &time);
}

static enum timing_kind kind_of(const struct act_plan *plan)
{
    bool low = plan->training.precision >= ACT_FP8;

    return plan->training.method != ACT_FULL ? KIND_LORA
           : plan->model.experts > 0         ? (low ? KIND_MOE_LOW : KIND_MOE)
                                             : (low ? KIND_DENSE_LOW : KIND_DENSE);
}

static double number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static void read_row(const json_t *line, struct timing_row *row)
{
    const json_t *settings = json_object_get(line, "settings");
    struct act_plan plan;
    struct act_time time;

    memset(row, 0, sizeof *row);
    plan_of_timing_settings(settings, &plan);
    snprintf(row->id, sizeof row->id, "%s", json_string_value(json_object_get(line, "id")));
    snprintf(row->device, sizeof row->device, "%s",
             json_string_value(json_object_get(settings, "hardware")));
    row->measured = number(line, "measured");
    row->predicted = number(line, "predicted");
    assert_true(row->measured > 0 && row->predicted > 0);
    row->figure = estimate(&plan, &time);
    /* The layout is the row's own: nothing is rounded away. */
    assert_true(act_plan_gpus(&plan) == number(settings, "gpus"));
    assert_true(time.step.micro_batches == number(settings, "m"));

    const double parts[TIMING_PARTS] = {
        [PART_LAYER] = time.step.layer,        [PART_HEAD] = time.step.head,
        [PART_TRANSFER] = time.step.transfer,  [PART_BODY] = time.step.body,
        [PART_BUBBLE] = time.step.bubble,      [PART_DATA] = time.step.data,
        [PART_OPTIMIZER] = time.step.optimizer};
    for (int i = 0; i < TIMING_PARTS; i++) {
        row->part[i] = parts[i];
        row->part_predicted[i] = number(json_object_get(line, "parts"), part_names[i]);
    }
    row->error_bar = time.error_bar;
    row->kind = kind_of(&plan);
    row->tokens =
        (double)plan.training.global_batch * (double)plan.training.sequence / act_plan_gpus(&plan);
    row->unpublished = json_object_get(line, "unpublished") != NULL;
    row->plain = row->unpublished ? estimate_plain(line, plan) : row->figure;
    row->layers = (double)plan.model.layers;
    row->hidden = (double)plan.model.hidden;
    row->vocabulary = (double)plan.model.vocab;
}

static FILE *open_rows(void)
{
    const char *root = getenv("ACTUARY_SOURCE_ROOT");
    char path[4096];

    snprintf(path, sizeof path, "%s/tests/data/timing.jsonl", root ? root : SOURCE_ROOT);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    return file;
}

/* The next line, NULL past the last. */
static json_t *next_row(FILE *file)
{
    json_error_t problem;
    return json_loadf(file, JSON_DISABLE_EOF_CHECK, &problem);
}

void timing_plan_of(const char *id, struct act_plan *ret)
{
    FILE *file = open_rows();
    bool found = false;
    json_t *line;

    while (!found && (line = next_row(file)) != NULL) {
        found = strcmp(json_string_value(json_object_get(line, "id")), id) == 0;
        if (found)
            plan_of_timing_settings(json_object_get(line, "settings"), ret);
        json_decref(line);
    }
    fclose(file);
    if (!found)
        fail_msg("no row %s", id);
}

void timing_rows_load(struct timing_row ret[TIMING_ROWS])
{
    FILE *file = open_rows();
    int count = 0;
    json_t *line;

    while ((line = next_row(file)) != NULL) {
        assert_true(count < TIMING_ROWS);
        read_row(line, &ret[count++]);
        json_decref(line);
    }
    fclose(file);
    assert_int_equal(count, TIMING_ROWS);
}
