#include "io/report_facts.h"

#include <actuary/units.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct figure {
    char text[64];
};

static struct figure number(double value, int decimals)
{
    struct figure figure;
    act_number_format(value, decimals, true, figure.text, sizeof figure.text);
    return figure;
}

static struct figure metric(enum act_metric_unit unit, double value)
{
    struct figure figure;
    act_metric_text(unit, value, figure.text, sizeof figure.text);
    return figure;
}

static struct figure gib(double bytes)
{
    return number(bytes / 1073741824.0, 1);
}

static struct figure percent(double share)
{
    struct figure figure;
    snprintf(figure.text, sizeof figure.text, "%.32s %%", number(100 * share, 0).text);
    return figure;
}

static enum act_cell_look look_of(enum act_fit fit)
{
    return fit == ACT_FITS ? ACT_CELL_GOOD : fit == ACT_TIGHT ? ACT_CELL_CAREFUL : ACT_CELL_BAD;
}

static void put_layout(const struct act_case *item, struct act_grid *ret)
{
    const struct act_parallel_fields *parallel = &item->resolved.parallel;
    char context[40] = "", expert[40] = "";

    if (parallel->context > 1)
        snprintf(context, sizeof context, " x CP %lld", (long long)parallel->context);
    if (item->resolved.model.experts > 0)
        snprintf(expert, sizeof expert, ", EP %lld", (long long)parallel->expert);
    act_grid_cell(ret, ACT_CELL_LABEL, "GPUs");
    act_grid_cell(ret, ACT_CELL_STRONG, number(item->result->layout.gpus, 0).text);
    act_grid_printf(ret, ACT_CELL_PLAIN, "TP %lld x PP %lld%s x DP %lld%s; %s node%s",
                    (long long)parallel->tensor, (long long)parallel->pipeline, context,
                    (long long)parallel->data, expert,
                    number(ceil(item->result->layout.nodes), 0).text,
                    item->result->layout.nodes > 1 ? "s" : "");
}

static void put_money(const struct act_case *item, struct act_grid *ret)
{
    const struct act_cost *cost = &item->result->cost;
    const char *currency = item->resolved.cost.currency;

    act_grid_cell(ret, ACT_CELL_LABEL, "cost");
    if (cost->known)
        act_grid_printf(ret, ACT_CELL_STRONG, "%s %s", metric(ACT_METRIC_MONEY, cost->total).text,
                        currency);
    else
        act_grid_cell(ret, ACT_CELL_STRONG, "not known");
    if (item->resolved.cost.basis == ACT_RENT && !isnan(cost->rent))
        act_grid_printf(ret, ACT_CELL_PLAIN, "%s GPU-hours at %s%s%s",
                        number(cost->gpu_hours, 0).text, number(cost->price, 2).text,
                        item->resolved.cost.price_date[0] ? ", " : "",
                        item->resolved.cost.price_date);
    else
        act_grid_printf(ret, ACT_CELL_PLAIN, "%s GPU-hours%s", number(cost->gpu_hours, 0).text,
                        item->resolved.cost.basis == ACT_OWN ? ", own servers" : "");
}

static void put_speed(const struct act_case *item, struct act_grid *ret)
{
    const struct act_time *time = &item->result->time;
    bool given = act_plan_given(&item->resolved, ACT_F_hardware_mfu);
    const char *source = time->estimated ? "estimated" : given ? "given" : "the default";
    char error[80] = "";

    if (time->error_bar > 0)
        snprintf(error, sizeof error, "\xC2\xB1%s; ", percent(time->error_bar).text);
    act_grid_cell(ret, ACT_CELL_LABEL, "MFU");
    act_grid_cell(ret, ACT_CELL_STRONG, percent(time->mfu).text);
    act_grid_printf(ret, ACT_CELL_PLAIN, "%s, %s; HFU %s", source, act_mfu_band(time->mfu),
                    percent(time->hfu).text);
    act_grid_cell(ret, ACT_CELL_LABEL, "step");
    act_grid_cell(ret, ACT_CELL_STRONG, metric(ACT_METRIC_SECONDS, time->step_seconds).text);
    act_grid_printf(ret, ACT_CELL_PLAIN, "%s%s steps", error, number(ceil(time->steps), 0).text);
    act_grid_cell(ret, ACT_CELL_LABEL, "tokens a second");
    act_grid_cell(ret, ACT_CELL_STRONG, number(time->tokens_per_second, 0).text);
    act_grid_printf(ret, ACT_CELL_PLAIN, "%s a GPU; %s TFLOP/s a GPU",
                    number(time->tokens_per_second_per_gpu, 0).text,
                    number(time->tflops_per_gpu, 1).text);
}

void act_facts_headline(const struct act_case *item, struct act_grid *ret)
{
    const struct act_memory *memory = &item->result->memory;
    const struct act_time *time = &item->result->time;

    act_grid_init(ret);
    act_grid_column(ret, "figure", false);
    act_grid_column(ret, "value", true);
    act_grid_column(ret, "remark", false);
    act_grid_cell(ret, ACT_CELL_LABEL, "calendar days");
    act_grid_cell(ret, ACT_CELL_STRONG, metric(ACT_METRIC_DAYS, time->calendar_days).text);
    act_grid_printf(ret, ACT_CELL_PLAIN, "%s of computing at goodput %s",
                    metric(ACT_METRIC_DAYS, time->days).text,
                    percent(item->result->cost.goodput_in_use).text);
    put_money(item, ret);
    act_grid_cell(ret, ACT_CELL_LABEL, "fullest GPU");
    act_grid_printf(ret, look_of(item->result->fit), "%s GiB", gib(memory->peak).text);
    act_grid_printf(ret, ACT_CELL_PLAIN, "of %s usable, %s; stage %d in %s",
                    gib(memory->usable).text, percent(memory->peak / memory->usable).text,
                    memory->worst, act_phase_name(memory->stage[memory->worst].phase));
    put_layout(item, ret);
    put_speed(item, ret);
    act_grid_cell(ret, ACT_CELL_LABEL, "parameters");
    act_grid_cell(ret, ACT_CELL_STRONG,
                  metric(ACT_METRIC_COUNT, item->result->parameters.total).text);
    if (item->result->parameters.trainable < item->result->parameters.total)
        act_grid_printf(ret, ACT_CELL_PLAIN, "%s trained",
                        metric(ACT_METRIC_COUNT, item->result->parameters.trainable).text);
    else if (item->result->parameters.active < item->result->parameters.total)
        act_grid_printf(ret, ACT_CELL_PLAIN, "%s a token",
                        metric(ACT_METRIC_COUNT, item->result->parameters.active).text);
    else
        act_grid_printf(ret, ACT_CELL_PLAIN, "%s", number(item->result->parameters.total, 0).text);
}

/* ---- memory ---- */

static bool same_stage(const struct act_stage *a, const struct act_stage *b)
{
    if (a->layers != b->layers || a->phase != b->phase ||
        strcmp(gib(a->device).text, gib(b->device).text) != 0)
        return false;
    for (int i = 0; i < ACT_COMPONENT_COUNT; i++) {
        if (strcmp(gib(a->component[i]).text, gib(b->component[i]).text) != 0)
            return false;
    }
    return true;
}

int act_facts_run(const struct act_memory *memory, int first)
{
    int last = first;

    while (last + 1 < memory->stages && same_stage(&memory->stage[first], &memory->stage[last + 1]))
        last++;
    return last;
}

void act_facts_run_name(int first, int last, char *out, size_t size)
{
    if (last > first)
        snprintf(out, size, "stages %d-%d", first, last);
    else
        snprintf(out, size, "stage %d", first);
}

void act_facts_stages(const struct act_case *item, struct act_grid *ret)
{
    const struct act_memory *memory = &item->result->memory;

    act_grid_init(ret);
    act_grid_column(ret, "GiB a GPU", false);
    act_grid_column(ret, "layers", true);
    for (int i = 0; i < ACT_COMPONENT_COUNT; i++)
        act_grid_column(ret, act_component_label((enum act_component)i), true);
    act_grid_column(ret, "device", true);
    act_grid_column(ret, "peak in", false);
    for (int first = 0; first < memory->stages;) {
        const struct act_stage *stage = &memory->stage[first];
        int last = act_facts_run(memory, first);
        bool worst = memory->worst >= first && memory->worst <= last;
        char name[48];
        act_facts_run_name(first, last, name, sizeof name);
        act_grid_cell(ret, worst ? ACT_CELL_STRONG : ACT_CELL_LABEL, name);
        act_grid_printf(ret, ACT_CELL_PLAIN, "%lld", (long long)stage->layers);
        for (int i = 0; i < ACT_COMPONENT_COUNT; i++)
            act_grid_cell(ret, ACT_CELL_PLAIN, gib(stage->component[i]).text);
        act_grid_cell(ret, look_of(act_memory_fit_of(stage->device, memory->usable)),
                      gib(stage->device).text);
        act_grid_cell(ret, ACT_CELL_PLAIN, act_phase_name(stage->phase));
        first = last + 1;
    }
}

/* ---- time ---- */

void act_facts_step(const struct act_case *item, struct act_grid *ret)
{
    const struct act_time *time = &item->result->time;

    act_grid_init(ret);
    act_grid_column(ret, "part of a step", false);
    act_grid_column(ret, "seconds", true);
    act_grid_column(ret, "share", true);
    if (!(time->step_seconds > 0) || !isfinite(time->step_seconds))
        return;
    for (int i = 0; i < ACT_TIME_PARTS; i++) {
        if (!(time->part[i] > 0))
            continue;
        act_grid_cell(ret, ACT_CELL_LABEL, act_time_part_name((enum act_time_part)i));
        act_grid_cell(ret, ACT_CELL_PLAIN,
                      number(time->part[i], time->step_seconds < 10 ? 3 : 2).text);
        act_grid_printf(ret, ACT_CELL_PLAIN, "%s %%",
                        number(100 * time->part[i] / time->step_seconds, 1).text);
    }
}

void act_facts_checks(const struct act_case *item, struct act_grid *ret)
{
    static const enum act_cell_look looks[] = {
        [ACT_ERROR] = ACT_CELL_BAD, [ACT_WARNING] = ACT_CELL_CAREFUL, [ACT_NOTE] = ACT_CELL_LABEL};
    const struct act_checks *checks = &item->result->checks;

    act_grid_init(ret);
    act_grid_column(ret, "level", false);
    act_grid_column(ret, "what", false);
    act_grid_column(ret, "would mend it", false);
    for (int i = 0; i < checks->count; i++) {
        const struct act_check *check = &checks->check[i];
        char repair[ACT_CHECK_TEXT];
        act_grid_cell(ret, looks[check->level], act_level_name(check->level));
        act_grid_cell(ret, ACT_CELL_PLAIN, check->message);
        act_check_repair_text(check, repair, sizeof repair);
        act_grid_cell(ret, ACT_CELL_PLAIN, repair);
    }
}
