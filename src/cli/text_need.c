#include "cli/text_need.h"

#include "cli/table.h"
#include "cli/text_parts.h"
#include "cli/wrap.h"
#include "io/problem.h"

#include <actuary/field.h>

#include <stdarg.h>

enum { INDENT = 11, CHANGES_MAX = 14 };

struct report {
    const struct act_plan *plan;
    const struct act_answers *answers;
    bool color;
    struct act_buffer *out;
};

static void put_heading(const struct report *report, const char *text)
{
    const char *on = report->color ? "\033[1m" : "", *off = report->color ? "\033[0m" : "";

    act_buffer_printf(report->out, "%s%s%s%*s", on, text, off, INDENT - (int)strlen(text), "");
}

/* One step of the reasoning, wrapped behind the margin. */
__attribute__((format(printf, 3, 4))) static void put_step(const struct report *report, bool first,
                                                           const char *format, ...)
{
    char text[400];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    act_buffer_printf(report->out, "%*s", first ? 0 : INDENT, "");
    act_wrap(report->out, INDENT, text);
}

/* "1 GPU", "1,024 GPUs" */
static struct text counted(double count, const char *what)
{
    struct text text;
    snprintf(text.text, sizeof text.text, "%.40s %s%s", number(count, 0).text, what,
             count > 1 ? "s" : "");
    return text;
}

/* "1 day", "0.5 days" */
static struct text day_text(double count)
{
    struct text text;
    snprintf(text.text, sizeof text.text, "%.40s day%s", quantity(count, ACT_UNIT_NONE).text,
             count == 1 ? "" : "s");
    return text;
}

static struct text share(double part)
{
    struct text text;
    act_quantity_format(part, ACT_UNIT_SHARE, ACT_STYLE_SHORT, text.text, sizeof text.text);
    return text;
}

static struct text tflops(double speed)
{
    return number(speed / 1e12, speed < 1e15 ? 1 : 0);
}

static const char *verdict(enum act_fit fit, int errors)
{
    return fit == ACT_DOES_NOT_FIT ? "does not fit"
           : errors > 0            ? "breaks rules"
           : fit == ACT_TIGHT      ? "tight"
                                   : "fits";
}

/* FLOPs, compute, GPUs. */
static void put_compute(const struct report *report)
{
    const struct act_gpu_need *need = &report->answers->gpus;
    double gpu = need->peak * need->mfu;

    put_step(report, false, "%s FLOPs in %s days are %s TFLOP/s", exponential(need->flops).text,
             quantity(report->answers->deadline.days, ACT_UNIT_NONE).text,
             tflops(need->speed).text);
    if (!need->found) {
        put_step(report, false,
                 "no number of replicas of %s GPUs makes it: the global batch is used up, or "
                 "failures and communication eat up what is added",
                 number(need->replica, 0).text);
        return;
    }
    put_step(report, false, "one GPU does %s TFLOP/s: %s TFLOP/s at an MFU of %s %s; %s by compute",
             tflops(gpu).text, tflops(need->peak).text, share(need->mfu).text,
             need->estimated ? "estimated on the replicas below" : "given",
             counted(need->by_compute, "GPU").text);
    if (need->goodput < 1)
        put_step(
            report, false, "of calendar time %s trains (goodput): %s", share(need->goodput).text,
            counted(fmax(ceil(need->speed / gpu / need->goodput - 1e-9), need->by_compute), "GPU")
                .text);
}

/* Replicas, spare, the round number. */
static void put_counts(const struct report *report)
{
    static const char *const rounds[] = {[ACT_ROUND_REPLICA] = "whole replicas",
                                         [ACT_ROUND_NODE] = "whole nodes",
                                         [ACT_ROUND_POWER2] = "a power of two"};
    const struct act_deadline *deadline = &report->answers->deadline;
    const struct act_gpu_need *need = &report->answers->gpus;
    struct act_plan resolved;

    act_plan_resolve(report->plan, &resolved);
    bool experts = need->replica > (double)(resolved.parallel.tensor * resolved.parallel.context *
                                            resolved.parallel.pipeline);
    put_step(report, false, "%s of %s (%s): %s, %s days%s", counted(need->replicas, "replica").text,
             counted(need->replica, "GPU").text,
             experts ? "TP x CP x PP, and DP for EP" : "TP x CP x PP",
             counted(need->gpus, "GPU").text, days(need->days).text,
             need->estimated && need->replicas > 1 ? "; fewer that divide the batch are late" : "");
    if (need->near_batch > 0)
        put_step(report, false, "a global batch of %s would do with %s: %s",
                 number(need->near_batch, 0).text, counted(need->near_replicas, "replica").text,
                 counted(need->near_gpus, "GPU").text);
    if (need->fit_replicas > 0)
        put_step(report, false, "memory fits from %s on, which share the states: %s",
                 counted(need->fit_replicas, "replica").text, counted(need->fit_gpus, "GPU").text);
    if (deadline->spare > 0)
        put_step(report, false, "with %s spare: %s", share(deadline->spare).text,
                 counted(need->with_spare, "GPU").text);
    put_step(report, false, "up to %s: %s on %s", rounds[deadline->round],
             counted(need->chosen, "GPU").text,
             counted(ceil(need->chosen / (double)resolved.hardware.gpus_per_node), "node").text);
}

/* What all of the chosen GPUs come to. */
static void put_chosen(const struct report *report)
{
    const struct act_gpu_need *need = &report->answers->gpus;
    const struct act_result *result = &need->result;
    char idle[96] = ", all at work", batch[64] = "", cost[80] = "";

    if (need->idle > 0)
        snprintf(idle, sizeof idle, ", %.24s at work, %.24s spare",
                 number(need->chosen - need->idle, 0).text, number(need->idle, 0).text);
    if (need->global_batch > 0)
        snprintf(batch, sizeof batch, ", global batch %.24s to divide by them",
                 number(need->global_batch, 0).text);
    if (result->cost.known)
        snprintf(cost, sizeof cost, ", %.32s %.7s%s",
                 quantity(result->cost.total, ACT_UNIT_MONEY).text, report->plan->cost.currency,
                 need->idle > 0 ? " with the spare" : "");
    put_heading(report, "GPUS");
    put_step(report, true, "%s: DP %s%s%s; %s days%s; %s, %s of %s %s",
             counted(need->chosen, "GPU").text, number(need->data, 0).text, idle, batch,
             days(result->time.calendar_days).text, cost, verdict(result->fit, result->errors),
             memory_size(report->plan, result->memory.peak).text,
             memory_size(report->plan, result->memory.usable).text, size_name(report->plan));
    for (int i = 0; i < result->checks.count; i++)
        if (result->checks.check[i].level == ACT_ERROR)
            put_step(report, false, "%s", result->checks.check[i].message);
}

static void put_deadline(const struct report *report)
{
    const struct act_answers *answers = report->answers;

    put_heading(report, "DEADLINE");
    if (!answers->asked) {
        put_step(report, true, "none; --days N asks how many GPUs it takes");
        return;
    }
    put_step(report, true, "%s, by the calendar", day_text(answers->deadline.days).text);
    put_compute(report);
    if (!answers->gpus.found)
        return;
    put_counts(report);
    put_chosen(report);
}

static struct text value_text(const struct report *report, enum act_field_id field, double value)
{
    struct act_plan plan = *report->plan;
    struct text text;

    if (act_field(field)->kind == ACT_KIND_REAL)
        return quantity(value, ACT_UNIT_COUNT);
    act_field_set_number(&plan, field, value);
    act_field_text(&plan, field, ACT_STYLE_SHORT, text.text, sizeof text.text);
    return text;
}

static struct text extent_text(const struct report *report, const struct act_largest *largest,
                               enum act_limit limit)
{
    const struct act_largest_value *value = &largest->by[limit];
    struct text text = {"-"};

    if (value->extent == ACT_EXTENT_NONE)
        memcpy(text.text, "none", sizeof "none");
    else if (value->extent == ACT_EXTENT_ALL)
        memcpy(text.text, "any", sizeof "any");
    else if (value->extent == ACT_EXTENT_FOUND)
        text = value_text(report, largest->field, value->value);
    return text;
}

/* Only the limits there are have a column. */
static void put_largest(const struct report *report)
{
    const struct act_limits *limits = &report->answers->limits;
    const bool shown[ACT_LIMIT_COUNT] = {true, !isnan(limits->days), !isnan(limits->budget)};
    struct act_table table;
    char head[ACT_LIMIT_COUNT][64] = {"by memory"};
    char alignment[ACT_LIMIT_COUNT + 3] = "lr";

    for (int j = 0, column = 2; j < ACT_LIMIT_COUNT; j++)
        if (shown[j])
            alignment[column++] = 'r';
    snprintf(head[ACT_LIMIT_DAYS], sizeof *head, "by %.40s", day_text(limits->days).text);
    snprintf(head[ACT_LIMIT_BUDGET], sizeof *head, "by %.32s %.7s",
             quantity(limits->budget, ACT_UNIT_MONEY).text, report->plan->cost.currency);
    act_table_init(&table, alignment);
    act_table_cell(&table, "LARGEST");
    act_table_cell(&table, "now");
    for (int j = 0; j < ACT_LIMIT_COUNT; j++)
        if (shown[j])
            act_table_cell(&table, head[j]);
    for (int i = 0; i < ACT_LARGEST_COUNT; i++) {
        const struct act_largest *largest = &report->answers->largest[i];
        act_table_cell(&table, act_field(largest->field)->label);
        act_table_cell(&table, value_text(report, largest->field, largest->now).text);
        for (int j = 0; j < ACT_LIMIT_COUNT; j++)
            if (shown[j])
                act_table_cell(&table, extent_text(report, largest, (enum act_limit)j).text);
    }
    act_table_print(&table, report->out);
    act_table_free(&table);
    if (shown[ACT_LIMIT_BUDGET] && isnan(report->answers->advices.now.cost))
        act_buffer_puts(report->out, "No price is known to hold against the budget.\n");
}

/* "+12.0", "-0.40", "=" */
static struct text difference(double value, double now, int decimals)
{
    struct text text;
    double by = value - now;

    if (fabs(by) < 0.5 * pow(10, -decimals))
        return (struct text){"="};
    snprintf(text.text, sizeof text.text, "%s%.40s", by > 0 ? "+" : "-",
             number(fabs(by), decimals).text);
    return text;
}

/* "tensor TP 8", and the GPUs where they change with it. */
static void put_name(const struct report *report, const struct act_advice *advice,
                     struct act_table *table)
{
    bool more = advice->gpus != report->answers->advices.now.gpus &&
                advice->set[0].field != ACT_F_parallel_gpus;
    char name[128], value[32];

    act_advice_value(advice, report->plan, value, sizeof value);
    int length =
        snprintf(name, sizeof name, "%.26s %s", act_field(advice->set[0].field)->label, value);
    if (more)
        snprintf(name + length, sizeof name - (size_t)length, ", %.24s GPUs",
                 number(advice->gpus, 0).text);
    act_table_cell(table, name);
}

static void put_change(const struct report *report, const struct act_advice *advice,
                       struct act_table *table)
{
    const double unit = size_unit(report->plan);
    const struct act_advice *now = &report->answers->advices.now;
    bool change = advice->sets > 0;
    int decimals = now->days < 10 ? 2 : now->days < 100 ? 1 : 0; /* as days themselves have */

    if (change)
        put_name(report, advice, table);
    else
        act_table_cell(table, "now");
    act_table_cell(table, memory_size(report->plan, advice->peak).text);
    act_table_cell(table, change ? difference(advice->peak / unit, now->peak / unit, 1).text : "");
    act_table_cell(table, days(advice->days).text);
    act_table_cell(table, change ? difference(advice->days, now->days, decimals).text : "");
    act_table_cell(table, isnan(advice->cost) ? "" : quantity(advice->cost, ACT_UNIT_MONEY).text);
    bool in_time = report->answers->asked && advice->days > 0 &&
                   advice->days <= report->answers->deadline.days;
    char judged[48];
    snprintf(judged, sizeof judged, "%s%s", verdict(advice->fit, advice->errors),
             in_time ? ", in time" : "");
    act_table_cell(table, judged);
}

static void put_changes(const struct report *report)
{
    const struct act_advices *advices = &report->answers->advices;
    struct act_table table;
    bool priced = !isnan(advices->now.cost);

    act_buffer_puts(report->out, advices->now.fit == ACT_DOES_NOT_FIT
                                     ? "What would make it fit, one change at a time:\n"
                                     : "What would make it faster or smaller, one change at a "
                                       "time:\n");
    act_table_init(&table, "lrrrrrl");
    act_table_cell(&table, "CHANGE");
    act_table_cell(&table, size_name(report->plan));
    act_table_cell(&table, "");
    act_table_cell(&table, "days");
    act_table_cell(&table, "");
    act_table_cell(&table, priced ? report->plan->cost.currency : "");
    act_table_cell(&table, "");
    put_change(report, &advices->now, &table);
    for (int i = 0; i < advices->count && i < CHANGES_MAX; i++)
        put_change(report, &advices->item[i], &table);
    act_table_print(&table, report->out);
    act_table_free(&table);
    if (advices->count == 0)
        act_buffer_puts(report->out, "no single change helps\n");
    if (report->plan->hardware.mfu != ACT_AUTO)
        act_buffer_puts(report->out, "The MFU is given: layout does not move days; "
                                     "hardware.mfu=auto estimates them.\n");
    else if (advices->count > CHANGES_MAX)
        act_buffer_printf(report->out, "%d more in --format json\n", advices->count - CHANGES_MAX);
}

void act_text_need(const struct act_plan *plan, const struct act_answers *answers, bool color,
                   struct act_buffer *out)
{
    const struct report report = {plan, answers, color, out};
    char name[96];

    act_printable(plan->scenario.name, strlen(plan->scenario.name), name, sizeof name);
    act_buffer_printf(out, "%s\n\n", name);
    put_deadline(&report);
    act_buffer_puts(out, "\n");
    put_largest(&report);
    act_buffer_puts(out, "\n");
    put_changes(&report);
}
