/* WHAT IT TAKES on the screen. */
#include "ui/figure.h"
#include "ui/takes.h"

#include <actuary/field.h>
#include <actuary/units.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Columns of the two tables, where figures end. */
enum { NAME = 26, NOW = 36, MEMORY = 35, MORE_MEMORY = 43, DAYS = 52, MORE_DAYS = 62, COST = 74 };
enum { FIGURE = 64 };

struct area {
    struct act_canvas *canvas;
    struct act_rect rect;
    int row;
};

static const char *count_text(double count, char out[FIGURE])
{
    act_number_format(count, 0, true, out, FIGURE);
    return out;
}

static const char *quantity_text(double value, enum act_unit unit, char out[FIGURE])
{
    act_quantity_format(value, unit, ACT_STYLE_SHORT, out, FIGURE);
    return out;
}

/* "✓ fits", "! tight", "✗ does not fit" */
static const char *verdict(enum act_fit fit, int errors, enum act_look *ret_look)
{
    if (fit == ACT_DOES_NOT_FIT || errors > 0) {
        *ret_look = ACT_LOOK_BAD;
        return errors > 0 && fit != ACT_DOES_NOT_FIT ? "✗ breaks rules" : "✗ does not fit";
    }
    *ret_look = fit == ACT_TIGHT ? ACT_LOOK_WARN : ACT_LOOK_GOOD;
    return fit == ACT_TIGHT ? "! tight" : "✓ fits";
}

static void put(const struct area *area, int column, enum act_look look, const char *text)
{
    act_draw_cut(area->canvas, area->rect, area->row, column, area->rect.columns - column - 1, look,
                 text);
}

static void put_right(const struct area *area, int end, enum act_look look, const char *text)
{
    if (end < area->rect.columns)
        act_draw_right(area->canvas, area->rect, area->row, end, look, text);
}

static bool has_cost(const struct area *area)
{
    return area->rect.columns > COST + 18;
}

static bool has_more_days(const struct area *area)
{
    return area->rect.columns > MORE_DAYS + 17;
}

static bool has_days(const struct area *area)
{
    return area->rect.columns > DAYS + 4;
}

/* Where the verdicts stand: behind the last column that there is room for. */
static int verdict_column(const struct area *area)
{
    return (has_cost(area)        ? COST
            : has_more_days(area) ? MORE_DAYS
            : has_days(area)      ? DAYS
                                  : MEMORY) +
           2;
}

/* In words, or its sign alone. */
static void put_verdict(const struct area *area, enum act_look look, const char *judged)
{
    char sign[8];
    int length = has_more_days(area) ? (int)strlen(judged) : (int)strcspn(judged, " ");

    snprintf(sign, sizeof sign, "%.*s", length, judged);
    put(area, verdict_column(area), look, has_more_days(area) ? judged : sign);
}

/* The row under the cursor, and the real cursor on it. */
static void mark_row(const struct area *area)
{
    struct act_rect row = {area->rect.row + area->row, area->rect.column, 1, area->rect.columns};

    act_draw_text(area->canvas, area->rect, area->row, 0, ACT_LOOK_VALUE, "▸");
    act_draw_look(area->canvas, act_rect_clip(area->rect, row), ACT_LOOK_FOCUS);
    area->canvas->cursor_row = area->rect.row + area->row;
    area->canvas->cursor_column = area->rect.column;
}

static void draw_head(const struct area *area, const struct act_tab *tab)
{
    const struct act_memory *memory = &tab->result.memory;
    bool broken = tab->result.errors > (tab->result.fit == ACT_DOES_NOT_FIT);
    char peak[FIGURE], usable[FIGURE], text[192];
    enum act_look look;
    const char *judged = verdict(tab->result.fit, broken, &look);
    int column = act_draw_text(area->canvas, area->rect, 0, 1, ACT_LOOK_HEADING, "WHAT IT TAKES");

    act_figure_gib(memory->peak, peak, sizeof peak);
    act_figure_gib(memory->usable, usable, sizeof usable);
    snprintf(text, sizeof text, "%s  %s of %s GiB", judged, peak, usable);
    int end = area->rect.columns - 1;
    int start = end - act_text_columns(area->canvas, text);
    if (start < column + 2)
        return;
    act_draw_right(area->canvas, area->rect, 0, end, look, text);
    if (start - column > 12)
        act_draw_cut(area->canvas, area->rect, 0, column + 3, start - column - 5, ACT_LOOK_DIM,
                     tab->plan.scenario.name);
}

/* The deadline that is asked about, or what is being typed in its place. */
static void draw_question(const struct area *area, const struct act_takes_view *view)
{
    static const char *const rounds[] = {[ACT_ROUND_REPLICA] = "whole replicas",
                                         [ACT_ROUND_NODE] = "whole nodes",
                                         [ACT_ROUND_POWER2] = "a power of two"};
    const struct act_deadline *deadline = &view->takes.deadline;
    char days[FIGURE], spare[FIGURE];
    int column =
        act_draw_text(area->canvas, area->rect, area->row, 1, ACT_LOOK_HEADING, "DEADLINE") + 2;

    if (view->typing) {
        act_draw_text(area->canvas, area->rect, area->row, column, ACT_LOOK_DIM, "[");
        act_edit_draw(&view->edit, area->canvas, area->rect, area->row, column + 1, 12);
        column =
            act_draw_text(area->canvas, area->rect, area->row, column + 13, ACT_LOOK_DIM, "] days");
        put(area, column + 2, ACT_LOOK_BAD, view->problem);
        return;
    }
    column = act_draw_format(area->canvas, area->rect, area->row, column, ACT_LOOK_VALUE, "%s days",
                             quantity_text(deadline->days, ACT_UNIT_NONE, days));
    column = act_draw_format(area->canvas, area->rect, area->row, column + 3, ACT_LOOK_TEXT,
                             "spare %s", quantity_text(deadline->spare, ACT_UNIT_SHARE, spare));
    act_draw_format(area->canvas, area->rect, area->row, column + 3, ACT_LOOK_TEXT, "up to %s",
                    rounds[deadline->round]);
}

/* One step towards the count: words, a figure, and what it comes to. */
__attribute__((format(printf, 4, 5))) static void
draw_step(struct area *area, const char *figure, const char *behind, const char *format, ...)
{
    char text[160];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put(area, 3, ACT_LOOK_TEXT, text);
    put_right(area, 62, ACT_LOOK_VALUE, figure);
    put(area, 63, ACT_LOOK_DIM, behind);
    area->row++;
}

static void draw_steps(struct area *area, const struct act_answers *answers)
{
    const struct act_gpu_need *need = &answers->gpus;
    char a[FIGURE], b[FIGURE], c[FIGURE], days[FIGURE + 8];
    double gpu = need->peak * need->mfu;

    quantity_text(answers->deadline.days, ACT_UNIT_NONE, c);
    quantity_text(need->flops / (answers->deadline.days * 86400), ACT_UNIT_FLOPS, a);
    draw_step(area, a, "", "the run's FLOPs in %s days", c);
    if (!need->found) {
        draw_step(area, "none", "", "replicas of %s GPUs that make it",
                  count_text(need->replica, a));
        return;
    }
    quantity_text(need->peak, ACT_UNIT_FLOPS, a);
    act_number_format(100 * need->mfu, need->estimated ? 0 : 1, false, b, sizeof b);
    quantity_text(gpu, ACT_UNIT_FLOPS, c);
    draw_step(area, c, "", "one GPU: %s, MFU %s %% %s", a, b,
              need->estimated ? "estimated" : "given");
    draw_step(area, count_text(need->by_compute, a), "GPUs", "by compute");
    if (need->goodput < 1) {
        act_number_format(100 * need->goodput, 0, false, b, sizeof b);
        draw_step(area, count_text(ceil(need->speed / gpu / need->goodput - 1e-9), a), "GPUs",
                  "%s %% of calendar time trains", b);
    }
    act_figure_days(need->days, c, sizeof c);
    snprintf(days, sizeof days, "GPUs  %.40s days", c);
    draw_step(area, count_text(need->gpus, a), days, "in %s replica%s of %s",
              count_text(need->replicas, b), need->replicas > 1 ? "s" : "",
              count_text(need->replica, c));
    if (need->fit_replicas > 0)
        draw_step(area, count_text(need->fit_gpus, a), "GPUs", "memory fits in %s replicas",
                  count_text(need->fit_replicas, b));
    if (answers->deadline.spare > 0)
        draw_step(area, count_text(need->with_spare, a), "GPUs", "with spare");
}

/* The answer, to be made with Enter. */
static void draw_gpus(struct area *area, const struct act_takes_view *view,
                      const struct act_plan *plan)
{
    const struct act_gpu_need *need = &view->takes.answers.gpus;
    char a[FIGURE], b[FIGURE], text[200];
    enum act_look look;

    if (!need->found) {
        put(area, 2, ACT_LOOK_BAD, "no number of GPUs makes this deadline");
    } else {
        const struct act_result *result = &need->result;
        const char *judged =
            verdict(result->fit, result->errors - (result->fit == ACT_DOES_NOT_FIT), &look);
        int length = snprintf(text, sizeof text, "%.40s GPUs  DP %.40s",
                              count_text(need->chosen, a), count_text(need->data, b));
        if (need->idle > 0)
            length += snprintf(text + length, sizeof text - (size_t)length, ", %.20s left over",
                               count_text(need->idle, a));
        if (need->global_batch > 0)
            snprintf(text + length, sizeof text - (size_t)length, ", global batch %.20s",
                     count_text(need->global_batch, a));
        put(area, 2, ACT_LOOK_VALUE, text);
        act_figure_days(result->time.calendar_days, a, sizeof a);
        snprintf(text, sizeof text, "%.40s days", a);
        if (has_days(area))
            put_right(area, has_more_days(area) ? MORE_DAYS : DAYS, ACT_LOOK_VALUE, text);
        act_figure_money(result->cost.total, plan->cost.currency, a, sizeof a);
        if (has_cost(area))
            put_right(area, COST, ACT_LOOK_VALUE, result->cost.known ? a : "");
        put_verdict(area, look, judged);
    }
    if (view->cursor == 0 && !view->typing)
        mark_row(area);
    area->row++;
}

static const char *extent_text(const struct act_plan *plan, const struct act_largest *largest,
                               enum act_limit limit, char out[FIGURE])
{
    static const char *const words[] = {[ACT_EXTENT_FREE] = "·",
                                        [ACT_EXTENT_NONE] = "none",
                                        [ACT_EXTENT_FOUND] = "",
                                        [ACT_EXTENT_ALL] = "any"};
    const struct act_largest_value *value = &largest->by[limit];
    struct act_plan other = *plan;

    snprintf(out, FIGURE, "%s", words[value->extent]);
    if (value->extent == ACT_EXTENT_FOUND) {
        act_field_set_number(&other, largest->field, value->value);
        act_field_text(&other, largest->field, ACT_STYLE_SHORT, out, FIGURE);
    }
    return out;
}

static void draw_largest(struct area *area, const struct act_answers *answers,
                         const struct act_plan *plan)
{
    char text[FIGURE], head[FIGURE + 8];
    struct act_plan resolved;
    bool budget = !isnan(answers->limits.budget);
    int column[ACT_LIMIT_COUNT] = {NOW + 13, NOW + 26, NOW + 39};

    act_plan_resolve(plan, &resolved);
    put(area, 1, ACT_LOOK_HEADING, "LARGEST");
    put_right(area, NOW, ACT_LOOK_DIM, "now");
    put_right(area, column[ACT_LIMIT_MEMORY], ACT_LOOK_DIM, "by memory");
    snprintf(head, sizeof head, "by %.20s days",
             quantity_text(answers->limits.days, ACT_UNIT_NONE, text));
    put_right(area, column[ACT_LIMIT_DAYS], ACT_LOOK_DIM, head);
    if (budget)
        put_right(area, column[ACT_LIMIT_BUDGET], ACT_LOOK_DIM, "by budget");
    area->row++;
    for (int i = 0; i < ACT_LARGEST_COUNT; i++, area->row++) {
        const struct act_largest *largest = &answers->largest[i];
        put(area, 3, ACT_LOOK_TEXT, act_field(largest->field)->label);
        act_field_text(&resolved, largest->field, ACT_STYLE_SHORT, text, sizeof text);
        put_right(area, NOW, ACT_LOOK_TEXT, text);
        for (int j = 0; j < (budget ? ACT_LIMIT_COUNT : ACT_LIMIT_BUDGET); j++)
            put_right(area, column[j], ACT_LOOK_VALUE,
                      extent_text(plan, largest, (enum act_limit)j, text));
    }
}

static void draw_change(const struct area *area, const struct act_advices *advices,
                        const struct act_advice *advice, const struct act_plan *plan)
{
    const struct act_advice *now = &advices->now;
    bool change = advice->sets > 0;
    char text[FIGURE], name[2 * FIGURE] = "now", sign[FIGURE + 8];
    enum act_look look;
    const char *judged = verdict(advice->fit, advice->errors, &look);

    if (change) {
        act_advice_value(advice, plan, text, sizeof text);
        snprintf(name, sizeof name, "%s %s", act_field(advice->set[0].field)->label, text);
    }
    act_draw_cut(area->canvas, area->rect, area->row, 2, NAME, ACT_LOOK_TEXT, name);
    act_figure_gib(advice->peak, text, sizeof text);
    put_right(area, MEMORY, ACT_LOOK_VALUE, text);
    act_figure_gib(fabs(advice->peak - now->peak), text, sizeof text);
    snprintf(sign, sizeof sign, "%s%s", advice->peak < now->peak ? "−" : "+", text);
    if (change && has_days(area))
        put_right(area, MORE_MEMORY, ACT_LOOK_DIM, strcmp(text, "0.0") == 0 ? "=" : sign);
    act_figure_days(advice->days, text, sizeof text);
    if (has_days(area))
        put_right(area, DAYS, ACT_LOOK_VALUE, text);
    act_figure_signed_days(advice->days - now->days, text, sizeof text);
    if (change && has_more_days(area))
        put_right(area, MORE_DAYS, ACT_LOOK_DIM, text);
    act_figure_money(advice->cost, plan->cost.currency, text, sizeof text);
    if (has_cost(area))
        put_right(area, COST, ACT_LOOK_VALUE, isnan(advice->cost) ? "" : text);
    put_verdict(area, look, judged);
    if (advice->gpus != now->gpus)
        snprintf(sign, sizeof sign, "on %.40s GPUs", count_text(advice->gpus, text));
    else if (advice->sets > 1)
        snprintf(sign, sizeof sign, "DP %.40s", count_text(advice->set[1].value, text));
    else
        sign[0] = '\0';
    if (has_cost(area))
        put(area, verdict_column(area) + 16, ACT_LOOK_DIM, sign);
}

static void draw_changes(struct area *area, struct act_takes_view *view, int room,
                         const struct act_plan *plan)
{
    const struct act_advices *advices = &view->takes.answers.advices;
    bool helps = advices->now.fit == ACT_DOES_NOT_FIT;

    put(area, 1, ACT_LOOK_HEADING, helps ? "WHAT WOULD FIT" : "FASTER OR SMALLER");
    put_right(area, MEMORY, ACT_LOOK_DIM, "GiB");
    if (has_days(area))
        put_right(area, DAYS, ACT_LOOK_DIM, "days");
    if (has_cost(area) && !isnan(advices->now.cost))
        put_right(area, COST, ACT_LOOK_DIM, "cost");
    if (has_cost(area) && plan->hardware.mfu != ACT_AUTO)
        put(area, verdict_column(area), ACT_LOOK_DIM, "MFU given: layout moves no days");
    area->row++;
    draw_change(area, advices, &advices->now, plan);
    area->row++;
    view->page = room - 2;
    if (view->page < 1)
        return;
    int at = view->cursor - 1;
    if (at < view->top)
        view->top = at < 0 ? 0 : at;
    if (at >= view->top + view->page)
        view->top = at - view->page + 1;
    if (view->top > 0 && advices->count - view->top < view->page)
        view->top = advices->count > view->page ? advices->count - view->page : 0;
    if (advices->count == 0)
        put(area, 2, ACT_LOOK_DIM, "no single change helps");
    for (int i = view->top; i < advices->count && i < view->top + view->page; i++, area->row++) {
        draw_change(area, advices, &advices->item[i], plan);
        if (i == at && !view->typing)
            mark_row(area);
    }
}

static void draw_foot(struct act_canvas *canvas, struct act_rect rect, const struct act_desk *desk)
{
    static const struct {
        const char *keys, *what;
    } hints[] = {{"↑ ↓", "choose"}, {"Enter", "make it"}, {"Esc", "leave"}, {"0–9 + -", "deadline"},
                 {"s", "spare"},    {"r", "rounding"},    {"u", "undo"},    {"^R", "redo"}};
    int column = 1;

    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        int width =
            act_text_columns(canvas, hints[i].keys) + 1 + act_text_columns(canvas, hints[i].what);
        if (column + width >= rect.columns)
            continue;
        column = act_draw_text(canvas, rect, rect.rows - 1, column, ACT_LOOK_KEY, hints[i].keys);
        column =
            act_draw_text(canvas, rect, rect.rows - 1, column + 1, ACT_LOOK_DIM, hints[i].what) + 2;
    }
    if (rect.rows > 3 && desk->said != ACT_SAY_NOTHING)
        act_draw_cut(canvas, rect, rect.rows - 2, 1, rect.columns - 2,
                     desk->said == ACT_SAY_ERROR ? ACT_LOOK_BAD : ACT_LOOK_NOTE, desk->message);
}

void act_takes_draw(struct act_takes_view *view, struct act_canvas *canvas, struct act_desk *desk)
{
    const struct act_tab *tab = act_desk_tab(desk);
    struct act_rect all = act_canvas_rect(canvas);
    enum { STEPS = 7, LARGEST = ACT_LARGEST_COUNT + 1, FOOT = 2, CHANGES = 7 };

    act_takes_update(&view->takes, tab);
    canvas->cursor_row = canvas->cursor_column = 0;
    struct act_rect body = all;
    body.rows -= all.rows > 3 ? FOOT : 0;
    struct area area = {canvas, body, 0};
    bool steps = body.rows >= 4 + STEPS + 1 + LARGEST + 1 + CHANGES;
    bool largest = body.rows >= 4 + LARGEST + 1 + CHANGES - 2;
    int gap = body.rows >= 4 + LARGEST + CHANGES + 2;
    if (all.rows > 1)
        draw_head(&area, tab);
    area.row = all.rows > 1;
    area.row += steps;
    if (body.rows > 4)
        draw_question(&area, view);
    area.row += body.rows > 4;
    if (steps)
        draw_steps(&area, &view->takes.answers);
    draw_gpus(&area, view, &tab->plan);
    if (largest) {
        area.row += gap;
        draw_largest(&area, &view->takes.answers, &tab->plan);
    }
    area.row += gap;
    draw_changes(&area, view, body.rows - area.row, &tab->plan);
    if (all.rows > 3)
        draw_foot(canvas, all, desk);
}
