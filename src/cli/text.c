#include "cli/text.h"

#include "cli/text_cost.h"
#include "cli/text_memory.h"
#include "cli/text_parts.h"
#include "cli/wrap.h"
#include "io/problem.h"

#include <actuary/calibrate.h>
#include <actuary/field.h>
#include <actuary/units.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { INDENT = 11 };

enum color { COLOR_GOOD, COLOR_CAREFUL, COLOR_BAD, COLOR_HEADING };

struct report {
    const struct act_plan *plan;
    const struct act_result *result;
    struct act_buffer *out;
    bool color;
};

/* The field's value as its pane shows it. */
static struct text field(const struct report *report, enum act_field_id id)
{
    struct text text;
    act_field_text(report->plan, id, ACT_STYLE_SHORT, text.text, sizeof text.text);
    return text;
}

/* "64 GPUs" */
static struct text gpus(const struct report *report)
{
    double count = report->result->layout.gpus;
    struct text text = number(count, 0);
    size_t length = strlen(text.text);

    snprintf(text.text + length, sizeof text.text - length, count > 1 ? " GPUs" : " GPU");
    return text;
}

/* "76.1 days", "9.2 hours": never nothing of a large unit. */
static struct text span(double days, const char *kind)
{
    static const struct {
        double least, per_day;
        const char *name;
    } units[] = {{1, 1, "days"},
                 {1 / 24.0, 24, "hours"},
                 {1 / 1440.0, 1440, "minutes"},
                 {0, 86400, "seconds"}};
    struct text text;
    int at = 0;

    if (!(days > 0)) {
        return (struct text){"no time"};
    }
    while (days < units[at].least) {
        at++;
    }
    double value = days * units[at].per_day;
    int decimals = value < 10 ? (at > 0 ? 1 : 2) : value < 100 && at == 0 ? 1 : 0;
    snprintf(text.text, sizeof text.text, "%.32s %.16s%s", number(value, decimals).text, kind,
             units[at].name);
    return text;
}

/* "1 step", "2 steps" */
static struct text counted(double count, const char *one, const char *many)
{
    struct text text;
    snprintf(text.text, sizeof text.text, "%.40s %.20s", number(count, 0).text,
             count > 1 || count <= 0 ? many : one);
    return text;
}

static void put_colored(const struct report *report, enum color color, const char *text)
{
    static const char *const codes[] = {
        [COLOR_GOOD] = "32", [COLOR_CAREFUL] = "33", [COLOR_BAD] = "31", [COLOR_HEADING] = "1"};

    if (report->color) {
        act_buffer_printf(report->out, "\033[%sm%s\033[0m", codes[color], text);
    } else {
        act_buffer_puts(report->out, text);
    }
}

/* A heading in the left margin; what follows on the line starts behind it. */
static void put_heading(const struct report *report, const char *text)
{
    put_colored(report, COLOR_HEADING, text);
    act_buffer_printf(report->out, "%*s", INDENT - (int)strlen(text), "");
}

static void put_verdict(const struct report *report)
{
    static const char *const verdicts[] = {
        [ACT_FITS] = "FITS", [ACT_TIGHT] = "TIGHT", [ACT_DOES_NOT_FIT] = "DOES NOT FIT"};
    static const enum color colors[] = {
        [ACT_FITS] = COLOR_GOOD, [ACT_TIGHT] = COLOR_CAREFUL, [ACT_DOES_NOT_FIT] = COLOR_BAD};
    const struct act_memory *memory = &report->result->memory;
    const struct act_cost *cost = &report->result->cost;
    char name[96];

    bool broken = report->result->fit != ACT_DOES_NOT_FIT && report->result->errors > 0;
    put_colored(report, broken ? COLOR_CAREFUL : colors[report->result->fit],
                broken ? "BREAKS RULES" : verdicts[report->result->fit]);
    act_buffer_printf(report->out, "  %s of %s GiB  %s", gib(memory->peak).text,
                      gib(memory->usable).text, span(report->result->time.calendar_days, "").text);
    if (cost->known) {
        act_buffer_printf(report->out, "  %s %s", quantity(cost->total, ACT_UNIT_MONEY).text,
                          report->plan->cost.currency);
    }
    act_buffer_printf(report->out, "  %s", gpus(report).text);
    if (report->result->errors > 0) {
        act_buffer_printf(report->out, "  %d %s", report->result->errors,
                          report->result->errors == 1 ? "error" : "errors");
    }
    act_printable(report->plan->scenario.name, strlen(report->plan->scenario.name), name,
                  sizeof name);
    act_buffer_printf(report->out, "\n%s\n\n", name);
}

static void put_model(const struct report *report)
{
    const struct act_parameters *parameters = &report->result->parameters;

    put_heading(report, "MODEL");
    act_buffer_printf(report->out, "%s, %s parameters", field(report, ACT_F_model_preset).text,
                      number(parameters->total, 0).text);
    if (parameters->active < parameters->total) {
        act_buffer_printf(report->out, ", %s active",
                          quantity(parameters->active, ACT_UNIT_COUNT).text);
    }
    act_buffer_printf(report->out, "\n%*slayers %s, hidden %s, heads %s", INDENT, "",
                      field(report, ACT_F_model_layers).text,
                      field(report, ACT_F_model_hidden).text,
                      field(report, ACT_F_model_heads).text);
    if (report->plan->model.experts > 0) {
        act_buffer_printf(report->out, ", experts %s of %s",
                          field(report, ACT_F_model_experts_per_token).text,
                          field(report, ACT_F_model_experts).text);
    }
    act_buffer_puts(report->out, "\n");
}

static void put_training(const struct report *report)
{
    put_heading(report, "TRAINING");
    act_buffer_printf(
        report->out, "%s, %s tokens, sequence %s, %s, %s\n",
        field(report, ACT_F_training_method).text, field(report, ACT_F_training_tokens).text,
        field(report, ACT_F_training_sequence).text, field(report, ACT_F_training_precision).text,
        field(report, ACT_F_training_optimizer).text);
    act_buffer_printf(
        report->out, "%*smicro batch %s, global batch %s: %s\n", INDENT, "",
        field(report, ACT_F_training_micro_batch).text,
        field(report, ACT_F_training_global_batch).text,
        counted(report->result->layout.micro_batches, "micro batch", "micro batches").text);
}

static void put_layout(const struct report *report)
{
    const struct act_parallel_fields *parallel = &report->plan->parallel;
    bool layered = report->plan->framework.family != ACT_TEXTBOOK;

    put_heading(report, "LAYOUT");
    act_buffer_printf(report->out, "TP %lld x PP %lld x CP %lld x DP %lld = %s on %s %s\n",
                      (long long)parallel->tensor, (long long)parallel->pipeline,
                      (long long)parallel->context, (long long)parallel->data, gpus(report).text,
                      number(ceil(report->result->layout.nodes), 0).text,
                      report->result->layout.nodes > 1 ? "nodes" : "node");
    act_buffer_printf(report->out, "%*sZeRO %lld, recompute %s", INDENT, "",
                      (long long)parallel->zero, field(report, ACT_F_parallel_recompute).text);
    if (layered && parallel->tensor > 1) {
        act_buffer_printf(report->out, ", SP %s", parallel->sequence_parallel > 0 ? "on" : "off");
    }
    if (layered && parallel->pipeline > 1) {
        act_buffer_printf(report->out, ", interleave %lld, %s", (long long)parallel->interleave,
                          field(report, ACT_F_parallel_schedule).text);
    }
    if (report->plan->model.experts > 0) {
        act_buffer_printf(report->out, ", EP %lld", (long long)parallel->expert);
    }
    act_buffer_puts(report->out, "\n");
    put_heading(report, "ON");
    act_buffer_printf(report->out, "%s, %s, framework %s\n",
                      field(report, ACT_F_hardware_preset).text,
                      quantity(report->result->time.peak, ACT_UNIT_FLOPS).text,
                      field(report, ACT_F_framework_preset).text);
}

/* "64 %": estimates have no tenths. */
static struct text share(double part)
{
    struct text text;
    snprintf(text.text, sizeof text.text, "%.16s %%", number(100 * part, 0).text);
    return text;
}

static struct text utilisation(const struct act_time *time, double part)
{
    return time->estimated ? share(part) : quantity(part, ACT_UNIT_SHARE);
}

/* "step 140.7 s +-12 %, 476,838 steps, MFU 64 % estimated (excellent), HFU 64 %, GPU bound" */
static void put_step(const struct report *report)
{
    const struct act_time *time = &report->result->time;
    char text[384], error[64] = "";
    bool calibrated = time->estimated && act_calibrated(report->plan, ACT_PIN_TIME);

    if (time->error_bar > 0)
        snprintf(error, sizeof error, " +-%.24s%s", share(time->error_bar).text,
                 calibrated ? " calibrated" : "");
    snprintf(text, sizeof text, "step %s s%s, %s, MFU %s %s (%s), HFU %s%s%s",
             number(time->step_seconds, time->step_seconds < 10 ? 2 : 1).text, error,
             counted(ceil(time->steps), "step", "steps").text, utilisation(time, time->mfu).text,
             time->estimated ? "estimated" : "given", act_mfu_band(time->mfu),
             utilisation(time, time->hfu).text, time->error_bar > 0 ? ", " : "",
             time->error_bar > 0 ? act_binding_text(time->binding) : "");
    act_buffer_printf(report->out, "%*s", INDENT, "");
    act_wrap(report->out, INDENT, text);
}

/* Where the step's seconds go, but for what is less than half a percent. */
static void put_breakdown(const struct report *report)
{
    const struct act_time *time = &report->result->time;
    char text[256] = "";
    size_t length = 0;

    for (int i = 0; i < ACT_TIME_PARTS && length < sizeof text; i++) {
        double part = time->part[i] / time->step_seconds;
        double launch = i == ACT_TIME_COMPUTE ? time->step.launch / time->step_seconds : 0;
        if (part >= 0.005)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%s %s",
                                       length > 0 ? ", " : "",
                                       act_time_part_name((enum act_time_part)i), share(part).text);
        if (launch > 0.01 && length < sizeof text)
            length += (size_t)snprintf(text + length, sizeof text - length,
                                       " (%s waiting for launches)", share(launch).text);
    }
    act_buffer_printf(report->out, "%*s", INDENT, "");
    act_wrap(report->out, INDENT, text);
}

static void put_time(const struct report *report)
{
    const struct act_time *time = &report->result->time;
    const struct act_flops *flops = &report->result->flops;

    put_heading(report, "TIME");
    if (!(time->step_seconds > 0)) {
        act_buffer_printf(report->out, "none without a peak and bandwidths; %s FLOPs\n",
                          exponential(flops->total).text);
        return;
    }
    act_buffer_printf(report->out, "%s of computing, %s at goodput %s\n", span(time->days, "").text,
                      span(time->calendar_days, "calendar ").text,
                      field(report, ACT_F_cost_goodput).text);
    put_step(report);
    if (time->estimated)
        put_breakdown(report);
    act_buffer_printf(report->out, "%*s%s tokens/s, %s a GPU, %s TFLOP/s a GPU\n", INDENT, "",
                      number(time->tokens_per_second, 0).text,
                      number(time->tokens_per_second_per_gpu, 0).text,
                      number(time->tflops_per_gpu, 1).text);
    act_buffer_printf(report->out, "%*s%s FLOPs, 6PD %s\n", INDENT, "",
                      exponential(flops->total).text, exponential(flops->six_pd).text);
}

/* "CALIBRATED step x1.07, memory x0.98 (allocated): TP 4 PP 2 DP 8, 2026-11-30, train.log" */
static void put_calibration(const struct report *report)
{
    const struct act_plan *plan = report->plan;
    bool step = act_calibrated(plan, ACT_PIN_TIME), memory = act_calibrated(plan, ACT_PIN_MEMORY);
    const char *run = act_calibrated_from(plan, ACT_PIN_TIME);
    const char *memory_run = act_calibrated_from(plan, ACT_PIN_MEMORY);
    bool together = step && memory && strcmp(run, memory_run) == 0;
    char text[512] = "", shown[160];
    size_t length = 0;

    if (!step && !memory)
        return;
    if (step) {
        act_printable(run, strlen(run), shown, sizeof shown);
        length += (size_t)snprintf(text, sizeof text, "step x%s%s%s%s",
                                   number(plan->calibration.time_factor, 2).text,
                                   together           ? ", "
                                   : shown[0] != '\0' ? ": "
                                                      : "",
                                   together ? "" : shown, memory && !together ? "; " : "");
    }
    if (memory) {
        act_printable(memory_run, strlen(memory_run), shown, sizeof shown);
        snprintf(text + length, sizeof text - length, "memory x%s (%s)%s%s",
                 number(plan->calibration.memory_factor, 2).text,
                 field(report, ACT_F_calibration_counter).text, shown[0] != '\0' ? ": " : "",
                 shown);
    }
    put_heading(report, "CALIBRATED");
    act_wrap(report->out, INDENT, text);
}

static void put_cost(const struct report *report)
{
    put_heading(report, "COST");
    act_text_cost(report->plan, report->result, INDENT, report->out);
    if (act_text_has_needs(report->result)) {
        put_heading(report, "NEEDS");
        act_text_needs(report->plan, report->result, INDENT, report->out);
    }
}

static void put_checks(const struct report *report)
{
    static const enum color colors[] = {
        [ACT_ERROR] = COLOR_BAD, [ACT_WARNING] = COLOR_CAREFUL, [ACT_NOTE] = COLOR_HEADING};
    const struct act_checks *checks = &report->result->checks;
    char text[ACT_CHECK_TEXT * 2];

    act_buffer_puts(report->out, "\n");
    act_check_summary(report->plan, text, sizeof text);
    if (text[0]) {
        put_colored(report, COLOR_GOOD, "ok");
        act_buffer_printf(report->out, "%*s", INDENT - 2, "");
        act_wrap(report->out, INDENT, text);
    }
    for (int i = 0; i < checks->count; i++) {
        const struct act_check *check = &checks->check[i];
        const char *level = act_level_name(check->level);
        put_colored(report, colors[check->level], level);
        act_buffer_printf(report->out, "%*s", INDENT - (int)strlen(level), "");
        char repair[ACT_CHECK_TEXT];
        act_check_repair_text(check, repair, sizeof repair);
        snprintf(text, sizeof text, "%s%s%s", check->message, repair[0] ? " -> " : "", repair);
        act_wrap(report->out, INDENT, text);
    }
}

void act_text_plan(const struct act_plan *plan, const struct act_result *result, bool color,
                   struct act_buffer *out)
{
    const struct report report = {plan, result, out, color};

    put_verdict(&report);
    put_model(&report);
    put_training(&report);
    put_layout(&report);
    put_time(&report);
    put_calibration(&report);
    put_cost(&report);
    act_buffer_puts(out, "\n");
    act_text_memory(&result->memory, out);
    put_checks(&report);
}
