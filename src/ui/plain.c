/* The home screen for screen readers and Braille lines: no frames, no bars, no reverse blocks,
 * lines in the order they are read, and the real cursor on the focused field. */
#include "ui/delta.h"
#include "ui/figure.h"
#include "ui/modes.h"
#include "ui/page.h"
#include "ui/results.h"
#include "ui/view.h"
#include <actuary/field.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NEAR_MAX = 3 };

static const char *fit_word(enum act_fit fit)
{
    return fit == ACT_FITS ? "fits" : fit == ACT_TIGHT ? "tight" : "does not fit";
}

static void say(struct act_page *page, enum act_look look, const char *text)
{
    act_page_paragraph(page, 0, look, text);
}

static void verdict_words(const struct act_tab *tab, char *out, size_t size)
{
    const struct act_result *result = &tab->result;
    const struct act_memory *memory = &result->memory;
    char peak[48], usable[48], room[48];
    enum act_outcome outcome = act_outcome_of(result);
    act_figure_gib(memory->peak, peak, sizeof peak);
    act_figure_gib(memory->usable, usable, sizeof usable);
    act_figure_gib(fabs(memory->headroom), room, sizeof room);
    snprintf(out, size, "%s: %s of %s %s, %s %s %s, stage %d in %s",
             outcome == ACT_OUTCOME_BREAKS_RULES  ? "BREAKS RULES"
             : outcome == ACT_OUTCOME_LATE        ? "fits, LATE"
             : outcome == ACT_OUTCOME_OVER_BUDGET ? "fits, OVER BUDGET"
                                                  : fit_word(result->fit),
             peak, usable, act_figure_unit(), room, act_figure_unit(),
             memory->headroom < 0 ? "too much" : "to spare", memory->worst,
             act_phase_name(memory->stage[memory->worst].phase));
}

static void say_figures(struct act_page *page, const struct act_tab *tab)
{
    const struct act_result *result = &tab->result;
    char text[400], days[48], cost[64] = "no price known", gpus[48], step[48], mfu[64];
    act_figure_days(result->time.calendar_days, days, sizeof days);
    act_number_format(result->layout.gpus, 0, true, gpus, sizeof gpus);
    act_figure_seconds(result->time.step_seconds, step, sizeof step);
    if (result->cost.known)
        act_figure_money(result->cost.total, tab->plan.cost.currency, cost, sizeof cost);
    if (result->time.estimated)
        snprintf(mfu, sizeof mfu, "estimated, plus or minus %.0f percent",
                 100 * result->time.error_bar);
    else
        snprintf(mfu, sizeof mfu, "given");
    snprintf(text, sizeof text, "%s days, %s, %s GPUs, step %s, MFU %.0f percent %s", days, cost,
             gpus, step, 100 * result->time.mfu, mfu);
    say(page, ACT_LOOK_TEXT, text);
}

/* "stage 0: 66.8 of 80.0 GiB, 84 percent, fits" */
static void say_stages(struct act_page *page, const struct act_memory *memory)
{
    struct act_stage_rows rows;
    char name[48], device[48], usable[48], text[300];
    act_stage_rows_of(memory, &rows);
    act_figure_gib(memory->usable, usable, sizeof usable);
    for (int i = 0; i < rows.count; i++) {
        const struct act_stage *stage = &memory->stage[rows.row[i].first];
        if (rows.row[i].first == rows.row[i].last)
            snprintf(name, sizeof name, "stage %d", rows.row[i].first);
        else
            snprintf(name, sizeof name, "stages %d to %d", rows.row[i].first, rows.row[i].last);
        act_figure_gib(stage->device, device, sizeof device);
        snprintf(text, sizeof text, "%s: %s of %s %s, %.0f percent, %s", name, device, usable,
                 act_figure_unit(),
                 memory->usable > 0 ? fmin(100 * stage->device / memory->usable, 1e9) : 0,
                 fit_word(act_memory_fit_of(stage->device, memory->usable)));
        say(page, ACT_LOOK_TEXT, text);
    }
    size_t length = (size_t)snprintf(text, sizeof text, "stage %d holds, in %s:", memory->worst,
                                     act_figure_unit());
    for (int i = 0; i < ACT_COMPONENT_COUNT && length < sizeof text; i++) {
        double bytes = memory->stage[memory->worst].component[i];
        if (bytes <= 0)
            continue;
        act_figure_gib(bytes, device, sizeof device);
        length += (size_t)snprintf(text + length, sizeof text - length, " %s %s;",
                                   act_component_label((enum act_component)i), device);
    }
    if (length > 0 && length < sizeof text && text[length - 1] == ';')
        text[length - 1] = '\0';
    say(page, ACT_LOOK_TEXT, text);
}

static void say_checks(struct act_page *page, const struct act_tab *tab)
{
    const struct act_checks *checks = &tab->result.checks;
    char text[ACT_CHECK_TEXT + 200], leftover[160];
    bool offered = false;
    act_desk_leftover(tab, leftover, sizeof leftover);
    if (leftover[0] != '\0')
        say(page, ACT_LOOK_WARN, leftover);
    for (int i = 0; i < checks->count; i++) {
        const struct act_check *check = &checks->check[i];
        bool repairs = (check->repairs > 0 || check->preset != NULL) && !offered;
        offered = offered || repairs;
        snprintf(text, sizeof text, "%s: %s%s", act_level_name(check->level), check->message,
                 repairs ? "; x repairs it" : "");
        say(page,
            check->level == ACT_ERROR     ? ACT_LOOK_BAD
            : check->level == ACT_WARNING ? ACT_LOOK_WARN
                                          : ACT_LOOK_TEXT,
            text);
    }
}

/* "if tensor TP is 8: 45.2 GiB, fits, 26.7 days, $ 2.40 M" */
static void say_what_if(struct act_canvas *canvas, struct act_rect rect, const struct act_tab *tab,
                        const struct act_choice *near, int count)
{
    int row = 0;
    for (int i = 0; i < count && row < rect.rows; i++) {
        char text[400], memory[48], days[48], cost[64] = "no price";
        const struct act_summary *summary = &near[i].summary;
        const char *label = act_field(tab->focus)->label;
        if (near[i].now)
            continue;
        act_figure_gib(summary->peak, memory, sizeof memory);
        act_figure_days(summary->days, days, sizeof days);
        if (summary->priced)
            act_figure_money(summary->cost, tab->plan.cost.currency, cost, sizeof cost);
        if (near[i].refused)
            snprintf(text, sizeof text, "if %s is %.60s: %.200s", label, near[i].text,
                     near[i].note);
        else
            snprintf(text, sizeof text, "if %s is %.60s: %s %s, %s, %s days, %s%s%s", label,
                     near[i].text, memory, act_figure_unit(), fit_word(summary->fit), days, cost,
                     summary->note[0] != '\0' ? ", " : "", summary->note);
        act_draw_cut(canvas, rect, row++, 0, rect.columns, ACT_LOOK_TEXT, text);
    }
}

static void draw_fields(struct act_view *view, struct act_rect rect)
{
    struct act_canvas *canvas = &view->canvas;
    const struct act_tab *tab = act_desk_tab(&view->desk);
    struct act_plan resolved;
    act_plan_resolve(&tab->plan, &resolved);
    struct act_pane pane = {.plan = &tab->plan, .resolved = &resolved, .result = &tab->result};
    int focus = act_pane_find(&view->rows, tab->focus);
    if (view->rows.count == 0)
        act_draw_cut(canvas, rect, 0, 0, rect.columns, ACT_LOOK_TEXT,
                     "no field matches; Esc shows all");
    for (int i = 0; i < rect.rows && view->scroll + i < view->rows.count; i++) {
        const struct act_row *row = &view->rows.row[view->scroll + i];
        char text[1300];
        size_t value;
        bool focused = view->scroll + i == focus;
        act_pane_words(&pane, row, text, sizeof text, &value);
        act_canvas_hit(canvas, rect.row + i, rect.column, rect.columns, ACT_HIT_FIELD,
                       (int)row->field);
        if (focused && view->mode == ACT_MODE_EDIT) {
            text[value] = '\0';
            int column = act_draw_cut(canvas, rect, i, 0, rect.columns / 2, ACT_LOOK_TEXT, text);
            act_edit_draw(&view->edit, canvas, rect, i, column, rect.columns - column - 1);
            continue;
        }
        act_draw_cut(canvas, rect, i, 0, rect.columns,
                     focused || row->heading ? ACT_LOOK_VALUE : ACT_LOOK_TEXT, text);
        if (focused) {
            canvas->cursor_row = rect.row + i;
            canvas->cursor_column = rect.column;
        }
    }
}

void act_plain_hint(struct act_view *view, struct act_rect rect)
{
    struct act_canvas *canvas = &view->canvas;
    char text[600], line[700];
    enum act_look look = ACT_LOOK_TEXT;
    const char *prompt = act_view_prompt(view);
    if (prompt != NULL) {
        int column = act_draw_format(canvas, rect, 0, 0, ACT_LOOK_VALUE, "%s: ", prompt);
        act_edit_draw(&view->edit, canvas, rect, 0, column, rect.columns - column - 1);
        return;
    }
    if (view->mode == ACT_MODE_ASK) {
        act_view_question(view, text, sizeof text);
        snprintf(line, sizeof line, "%s: %s", text, act_view_answers(view));
        canvas->cursor_row = rect.row;
        canvas->cursor_column = 0;
        act_draw_cut(canvas, rect, 0, 0, rect.columns, ACT_LOOK_VALUE, line);
        return;
    }
    bool said = act_view_hint(view, text, sizeof text, &look);
    snprintf(line, sizeof line, "%s%s%s",
             said ? "" : act_field(act_desk_tab(&view->desk)->focus)->label, said ? "" : ": ",
             text);
    act_draw_cut(canvas, rect, 0, 0, rect.columns, look, line);
}

/* "against 1 A800: memory −7.3 GiB better; days +2.1 worse". */
static void say_baseline(struct act_page *page, const struct act_desk *desk)
{
    const struct act_tab *tab = desk->tab[desk->current];
    struct act_plan plan, base_plan;
    char text[500];
    if (desk->pinned == NULL || desk->pinned == tab)
        return;
    act_plan_resolve(&tab->plan, &plan);
    act_plan_resolve(&desk->pinned->plan, &base_plan);
    const struct act_side side = {&plan, &tab->result}, base = {&base_plan, &desk->pinned->result};
    int length =
        snprintf(text, sizeof text, "against %d %.96s:", act_desk_index(desk, desk->pinned) + 1,
                 desk->pinned->plan.scenario.name);
    for (int id = 0; id <= ACT_FIGURE_GPUS; id++) {
        struct act_delta delta;
        act_delta_of((enum act_figure_id)id, &base, &side, false, &delta);
        length += snprintf(text + length, sizeof text - (size_t)length, "%s %s %s%s%s",
                           id > 0 ? ";" : "", act_figure_label((enum act_figure_id)id),
                           strcmp(delta.text, "=") == 0 ? "the same" : delta.text,
                           delta.word[0] != '\0' ? " " : "", delta.word);
        if (length >= (int)sizeof text)
            break;
    }
    say(page, ACT_LOOK_TEXT, text);
}

static void say_title(struct act_page *page, const struct act_desk *desk)
{
    const struct act_tab *tab = desk->tab[desk->current];
    char text[300];
    snprintf(text, sizeof text, "actuary, scenario %d of %d: %s%s, holding %s", desk->current + 1,
             desk->count, tab->plan.scenario.name, act_tab_modified(tab) ? ", modified" : "",
             desk->hold_data ? "data parallel" : "GPUs");
    say(page, ACT_LOOK_HEADING, text);
}

void act_plain_draw(struct act_view *view)
{
    struct act_canvas *canvas = &view->canvas;
    struct act_tab *tab = act_desk_tab(&view->desk);
    struct act_rect all = act_canvas_rect(canvas);
    struct act_choice near[NEAR_MAX];
    char verdict[300];
    verdict_words(tab, verdict, sizeof verdict);
    if (all.rows < 4) {
        act_draw_cut(canvas, all, 0, 0, all.columns, ACT_LOOK_VALUE, verdict);
        return;
    }
    int foot = all.rows >= 12 ? 2 : 1;
    int what_if = all.rows >= 20 ? NEAR_MAX - 1 : 0;
    int most = (all.rows - foot - what_if) / 2; /* the fields have at least half */
    struct act_page page = {.canvas = canvas, .rect = {0, 0, most, all.columns}};
    if (all.rows >= 16)
        say_title(&page, &view->desk);
    say(&page, ACT_LOOK_VALUE, verdict);
    say_figures(&page, tab);
    say_baseline(&page, &view->desk);
    say_stages(&page, &tab->result.memory);
    say_checks(&page, tab);
    if (page.row > most) { /* the last line that shows tells of the rest */
        struct act_rect last = {most - 1, 0, 1, all.columns};
        act_draw_fill(canvas, last, ' ', ACT_LOOK_TEXT);
        if (most > 2)
            act_draw_cut(canvas, last, 0, 0, all.columns, ACT_LOOK_TEXT,
                         all.columns >= 70
                             ? "more does not fit here: ? has all checks, t the step, i the figures"
                             : "more: ? checks, t step, i figures");
        else
            act_draw_cut(canvas, last, 0, 0, all.columns, ACT_LOOK_VALUE, verdict);
    }
    int used = page.row < most ? page.row : most;
    struct act_rect fields = {used, 0, all.rows - foot - what_if - used, all.columns};
    act_view_settle_focus(view, fields.rows);
    draw_fields(view, fields);
    int count = what_if > 0 ? act_choices_near(&view->desk, tab->focus, NEAR_MAX, near) : 0;
    struct act_rect below = {fields.row + fields.rows, 0, what_if, all.columns};
    say_what_if(canvas, below, tab, near, count);
    act_plain_hint(view, (struct act_rect){all.rows - foot, 0, 1, all.columns});
    if (foot > 1)
        act_foot_keys(view, (struct act_rect){all.rows - 1, 0, 1, all.columns}, ACT_PLACE_MAIN);
}
