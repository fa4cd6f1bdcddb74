#include "io/measured.h"

#include "io/log.h"
#include "io/problem.h"
#include <actuary/calibrate.h>
#include <actuary/field.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { DATE = 11 };

static void date_of(time_t when, char out[DATE])
{
    struct tm day;

    out[0] = '\0';
    if (localtime_r(&when, &day) == NULL || day.tm_year < 70 || day.tm_year >= 8100)
        return;
    char text[40];
    snprintf(text, sizeof text, "%04d-%02d-%02d", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
    memcpy(out, text, DATE - 1);
    out[DATE - 1] = '\0';
}

static bool is_auto(const struct act_plan *plan, enum act_field_id field)
{
    return act_field_number(plan, field) == ACT_AUTO;
}

/* A factor set by hand: it stays, the run it came from is forgotten. */
static void take_factor(struct act_plan *plan, enum act_field_id field, unsigned pin)
{
    double factor = act_field_number(plan, field);

    act_pin_forget(plan, pin);
    if (factor != ACT_AUTO)
        act_field_set_number(plan, field, factor);
}

unsigned act_measured_changed(struct act_plan *plan, enum act_field_id field)
{
    static const enum act_field_id rivals[] = {ACT_F_training_measured_step_seconds,
                                               ACT_F_training_measured_tokens_per_second_per_gpu};
    unsigned pins = act_pin_of_field(field);

    if (field == ACT_F_calibration_time_factor)
        take_factor(plan, field, ACT_PIN_TIME);
    if (field == ACT_F_calibration_memory_factor)
        take_factor(plan, field, ACT_PIN_MEMORY);
    if (field == ACT_F_calibration_counter)
        return is_auto(plan, ACT_F_training_measured_peak) ? 0 : pins;
    if (pins == 0)
        return 0;
    if (is_auto(plan, field)) {
        act_pin_forget(plan, pins);
        return 0;
    }
    if (field == rivals[0])
        act_field_reset(plan, rivals[1]);
    if (field == rivals[1])
        act_field_reset(plan, rivals[0]);
    return pins;
}

int act_measured_pin(struct act_plan *plan, unsigned pins, char *why, size_t why_size)
{
    char today[DATE];

    if (pins == 0)
        return 0;
    date_of(time(NULL), today);
    return act_pin(plan, pins, today, "", why, why_size);
}

int act_measured_complete(struct act_plan *plan, char *why, size_t why_size)
{
    unsigned pins = act_pin_missing(plan);
    bool named = plan->calibration.from[0] != '\0';
    struct act_calibration_fields was = plan->calibration;

    if (pins == 0)
        return 0;
    if (act_pin(plan, pins, "", "", why, why_size) != 0)
        return -1;
    if (named) {
        memcpy(plan->calibration.from, was.from, sizeof was.from);
        memcpy(plan->calibration.memory_from, was.memory_from, sizeof was.memory_from);
        act_plan_set_given(plan, ACT_F_calibration_memory_from, was.memory_from[0] != '\0');
    }
    return 0;
}

/* The name without its folders, printable. */
static void name_of(const char *path, char *out, size_t size)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;

    if (strcmp(path, "-") == 0)
        name = "standard input";
    act_printable(name, strlen(name), out, size);
}

static int set_figure(struct act_plan *plan, enum act_field_id id, double value, char *why,
                      size_t why_size)
{
    const struct act_field *row = act_field(id);
    char range[96];

    if (value >= row->min && value <= row->max) {
        act_field_set_number(plan, id, value);
        return 0;
    }
    act_field_range(id, range, sizeof range);
    snprintf(why, why_size, "its %s is out of range; %s", row->label, range);
    return -1;
}

/* The log's figures as those of the plan. Returns what is to be pinned, 0 with a sentence. */
static unsigned take(struct act_plan *plan, const struct act_log *log, char *why, size_t why_size)
{
    struct act_plan resolved;
    unsigned pins = 0;
    bool timed = log->step_seconds > 0 || log->tokens_per_second > 0 || log->samples_per_second > 0;

    act_plan_resolve(plan, &resolved);
    if (log->global_batch > 0 && log->global_batch != (double)resolved.training.global_batch) {
        snprintf(why, why_size,
                 "its global batch is %.0f, the plan's %lld: set training.global_batch, or give "
                 "the log of such a run",
                 log->global_batch, (long long)resolved.training.global_batch);
        return 0;
    }
    if (timed && resolved.framework.family != ACT_TEXTBOOK) {
        double step = log->step_seconds > 0
                          ? log->step_seconds
                          : (double)resolved.training.global_batch / log->samples_per_second;
        bool rate = log->tokens_per_second > 0;
        act_pin_forget(plan, ACT_PIN_TIME);
        if (set_figure(plan,
                       rate ? ACT_F_training_measured_tokens_per_second_per_gpu
                            : ACT_F_training_measured_step_seconds,
                       rate ? log->tokens_per_second : step, why, why_size) != 0)
            return 0;
        pins |= ACT_PIN_TIME;
    }
    if (log->allocated > 0 || log->reserved > 0) {
        bool allocated = log->allocated > 0; /* says most of what the run needs */
        act_pin_forget(plan, ACT_PIN_MEMORY);
        act_field_set_number(plan, ACT_F_calibration_counter,
                             allocated ? ACT_COUNTER_ALLOCATED : ACT_COUNTER_RESERVED);
        if (set_figure(plan, ACT_F_training_measured_peak,
                       allocated ? log->allocated : log->reserved, why, why_size) != 0)
            return 0;
        pins |= ACT_PIN_MEMORY;
    }
    if (pins == 0)
        snprintf(why, why_size,
                 "the textbook has no step to correct, and it has no peak memory; "
                 "choose a framework");
    return pins;
}

int act_measured_log(struct act_plan *plan, const char *path, char *ret_said, size_t said_size,
                     char *why, size_t why_size)
{
    struct act_log log;
    struct act_plan changed = *plan;
    char name[41], shown[96], reason[400];

    name_of(path, name, sizeof name);
    act_printable(path, strlen(path), shown, sizeof shown);
    if (act_log_read(path, &log, reason, sizeof reason) != 0) {
        snprintf(why, why_size, "%s: %s", shown, reason);
        return -1;
    }
    unsigned pins = take(&changed, &log, reason, sizeof reason);
    if (pins == 0 || act_pin(&changed, pins, log.date, name, reason, sizeof reason) != 0) {
        snprintf(why, why_size, "%s: %s", shown, reason);
        return -1;
    }
    *plan = changed;
    if (ret_said != NULL && log.steps > 0)
        snprintf(ret_said, said_size, "%d step%s of %s", log.steps, log.steps == 1 ? "" : "s",
                 log.writer);
    else if (ret_said != NULL)
        snprintf(ret_said, said_size, "the peak of %s", log.writer);
    return 0;
}
