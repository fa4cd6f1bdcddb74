/* What-if and the checks. */
#include "ui/results.h"
#include "ui/bars.h"
#include "ui/figure.h"
#include <actuary/field.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { INDENT = ACT_RESULTS_INDENT };

static void signed_figures(const struct act_summary *now, const struct act_summary *then,
                           const char *currency, char *days, char *cost, size_t size)
{
    act_figure_signed_days(then->days - now->days, days, size);
    if (now->priced && then->priced)
        act_figure_signed_money(then->cost - now->cost, currency, cost, size);
    else
        snprintf(cost, size, "–");
}

/* Estimated layouts closer than this are a tie: no colour says that one is better. */
static const double tie = 0.05, rounding = 5e-4;

static double tie_of(const struct act_plan *plan, enum act_field_id field)
{
    enum act_group group = act_field(field)->group;
    bool layout = group == ACT_GROUP_parallel || group == ACT_GROUP_framework;

    return layout && plan->hardware.mfu == ACT_AUTO ? tie : rounding;
}

static enum act_look gain_look(double difference, double scale, double least)
{
    if (fabs(difference) < least * fabs(scale))
        return ACT_LOOK_TEXT;
    return difference < 0 ? ACT_LOOK_GOOD : ACT_LOOK_BAD;
}

/* Where the columns of the what-if table end. */
struct columns {
    int memory, days, cost;
    double tie; /* share of a figure up to which a difference is none */
};

/* The figures of one row: the present ones, or how they would differ. */
static void draw_figures(struct act_canvas *canvas, struct act_rect rect, int row,
                         const struct columns *end, const struct act_choice *choice,
                         const struct act_summary *now, const char *currency)
{
    const struct act_summary *summary = &choice->summary;
    char memory[48], days[64], cost[80];
    double by_days = summary->days - now->days;
    double by_cost = summary->priced && now->priced ? summary->cost - now->cost : 0;
    enum act_look memory_look = act_fit_look(summary->peak, summary->usable);
    enum act_look days_look = gain_look(by_days, now->days, end->tie);
    enum act_look cost_look = gain_look(by_cost, now->cost, end->tie);
    act_figure_gib(summary->peak, memory, sizeof memory);
    if (choice->now) {
        act_figure_days(summary->days, days, sizeof days);
        if (summary->priced)
            act_figure_money(summary->cost, currency, cost, sizeof cost);
        else
            snprintf(cost, sizeof cost, "–");
        memory_look = days_look = cost_look = ACT_LOOK_VALUE;
    } else {
        signed_figures(now, summary, currency, days, cost, sizeof cost);
    }
    act_draw_right(canvas, rect, row, end->memory, memory_look, memory);
    act_draw_right(canvas, rect, row, end->days, days_look, days);
    act_draw_right(canvas, rect, row, end->cost, cost_look, cost);
}

/* What it comes to in a word; its sign alone where there is no room. */
static void draw_word(struct act_canvas *canvas, struct act_rect rect, int row, int column,
                      const struct act_choice *choice, const struct act_summary *now)
{
    enum { WORDS = 14 }; /* "✗ does not fit" */
    const struct act_summary *summary = &choice->summary;
    const char *word = "";
    enum act_look look = ACT_LOOK_GOOD;
    char sign[8];
    if (summary->fit == ACT_DOES_NOT_FIT) {
        word = "✗ does not fit";
        look = ACT_LOOK_BAD;
    } else if (summary->note[0] != '\0') {
        word = summary->note;
        look = ACT_LOOK_WARN;
    } else if (summary->fit == ACT_TIGHT) {
        word = "! tight";
        look = ACT_LOOK_WARN;
    } else if (!choice->now && now->fit == ACT_DOES_NOT_FIT) {
        word = "✓ fits";
    }
    int room = rect.columns - column;
    if (room >= WORDS) {
        act_draw_cut(canvas, rect, row, column, room, look, word);
        return;
    }
    snprintf(sign, sizeof sign, "%.*s", (int)strcspn(word, " "), word);
    act_draw_text(canvas, rect, row, column, look, word == summary->note ? "!" : sign);
}

void act_results_what_if(struct act_canvas *canvas, struct act_rect rect,
                         const struct act_plan *plan, enum act_field_id field,
                         const struct act_choice *near, int count)
{
    const struct act_choice *now = NULL;
    for (int i = 0; i < count; i++) {
        if (near[i].now)
            now = &near[i];
    }
    if (rect.rows < 2 || now == NULL)
        return;
    bool wide = rect.columns >= 58;
    int spare = rect.columns - 70 > 12 ? 12 : rect.columns - 70 > 0 ? rect.columns - 70 : 0;
    struct columns end = {.memory = INDENT + (wide ? 20 : 15) + spare, .tie = tie_of(plan, field)};
    end.days = end.memory + (wide ? 9 : 8);
    end.cost = end.days + (wide ? 13 : 11);
    int column = act_draw_text(canvas, rect, 0, 0, ACT_LOOK_HEADING, "WHAT IF") + 2;
    act_draw_cut(canvas, rect, 0, column, end.memory - 7 - column, ACT_LOOK_VALUE,
                 act_field(field)->label);
    act_draw_right(canvas, rect, 0, end.memory, ACT_LOOK_DIM, "memory");
    act_draw_right(canvas, rect, 0, end.days, ACT_LOOK_DIM, "days");
    act_draw_right(canvas, rect, 0, end.cost, ACT_LOOK_DIM, "cost");
    for (int i = 0; i < count && i + 1 < rect.rows; i++) {
        const struct act_choice *choice = &near[i];
        int row = i + 1;
        if (choice->now)
            act_draw_text(canvas, rect, row, INDENT - 2, ACT_LOOK_VALUE, "▸");
        act_draw_cut(canvas, rect, row, INDENT, end.memory - 8 - INDENT,
                     choice->now ? ACT_LOOK_VALUE : ACT_LOOK_TEXT, choice->text);
        if (choice->refused) {
            act_draw_cut(canvas, rect, row, end.memory - 6, rect.columns - end.memory + 6,
                         ACT_LOOK_DIM, choice->note);
            continue;
        }
        draw_figures(canvas, rect, row, &end, choice, &now->summary, plan->cost.currency);
        draw_word(canvas, rect, row, end.cost + 2, choice, &now->summary);
    }
}

/* "x recompute full" at the right end of a check's row. */
static void draw_repair(struct act_canvas *canvas, struct act_rect rect, int row,
                        const struct act_plan *resolved, const struct act_check *check)
{
    struct act_plan plan = *resolved;
    char value[48], text[96];
    enum act_field_id field = check->preset != NULL ? check->field[0] : check->repair[0].field;
    if (check->preset != NULL) {
        snprintf(value, sizeof value, "%s", check->preset);
    } else {
        act_field_set_number(&plan, field, check->repair[0].value);
        act_field_text(&plan, field, act_figure_style(), value, sizeof value);
    }
    snprintf(text, sizeof text, " %s %s", act_field(field)->label, value);
    int end = rect.columns - 1;
    int used = INDENT + 2 + act_text_columns(canvas, check->message) + 2;
    int width = act_text_columns(canvas, text);
    if (used + 1 + width <= end) {
        act_draw_text(canvas, rect, row, end - width, ACT_LOOK_DIM, text);
        end -= width;
    }
    act_draw_text(canvas, rect, row, end - 1, ACT_LOOK_KEY, "x");
}

/* A message that is too long for its row, broken at a blank into two. */
static void draw_rest(struct act_canvas *canvas, struct act_rect rect, int row, int width,
                      const struct act_check *check)
{
    char first[ACT_CHECK_TEXT];
    snprintf(first, sizeof first, "%s", check->message);
    char *cut = first + strlen(first);
    while (cut > first && (*cut != ' ' || act_text_columns(canvas, first) > width)) {
        if (*cut == ' ')
            *cut = '\0';
        cut--;
    }
    size_t kept = strlen(first);
    enum act_look look = check->level == ACT_NOTE      ? ACT_LOOK_DIM
                         : check->level == ACT_WARNING ? ACT_LOOK_WARN
                                                       : ACT_LOOK_BAD;
    struct act_rect line = {rect.row + row, rect.column + INDENT + 2, 1, width};
    act_draw_fill(canvas, act_rect_clip(rect, line), ' ', ACT_LOOK_TEXT);
    act_draw_text(canvas, line, 0, 0, look, first);
    line.row++;
    if (kept < strlen(check->message))
        act_draw_cut(canvas, line, 0, 0, width, look, check->message + kept + 1);
}

void act_results_checks(struct act_canvas *canvas, struct act_rect rect,
                        const struct act_plan *resolved, const struct act_result *result,
                        const char *leftover)
{
    static const struct {
        const char *sign;
        enum act_look look;
    } levels[] = {[ACT_ERROR] = {"✗", ACT_LOOK_BAD},
                  [ACT_WARNING] = {"!", ACT_LOOK_WARN},
                  [ACT_NOTE] = {"i", ACT_LOOK_NOTE}};
    if (rect.rows <= 0)
        return;
    const struct act_checks *checks = &result->checks;
    int row = 0;
    bool offered = false;
    act_draw_text(canvas, rect, 0, 0, ACT_LOOK_HEADING, "CHECKS");
    int text = rect.columns - INDENT - 4;
    if (result->errors == 0) {
        char summary[ACT_CHECK_TEXT];
        act_check_summary(resolved, summary, sizeof summary);
        act_draw_text(canvas, rect, row, INDENT, ACT_LOOK_GOOD, "✓");
        act_draw_cut(canvas, rect, row++, INDENT + 2, text, ACT_LOOK_DIM,
                     summary[0] != '\0' ? summary : "no rule is broken");
    }
    if (leftover[0] != '\0' && row < rect.rows) {
        act_draw_text(canvas, rect, row, INDENT, ACT_LOOK_WARN, "!");
        act_draw_cut(canvas, rect, row++, INDENT + 2, text + 1, ACT_LOOK_WARN, leftover);
    }
    for (int i = 0; i < checks->count && row < rect.rows; i++) {
        const struct act_check *check = &checks->check[i];
        int left = checks->count - i;
        if (row == rect.rows - 1 && left > 1 && row > 0) {
            act_draw_format(canvas, rect, row, INDENT, ACT_LOOK_DIM, "… %d more; ? shows all",
                            left);
            return;
        }
        act_draw_text(canvas, rect, row, INDENT, levels[check->level].look,
                      levels[check->level].sign);
        bool repairs = (check->repairs > 0 || check->preset != NULL) && !offered;
        int spare = rect.rows - row - left; /* rows for a second line of a long message */
        act_draw_cut(canvas, rect, row, INDENT + 2, repairs ? text - 1 : text + 1,
                     check->level == ACT_NOTE ? ACT_LOOK_DIM : levels[check->level].look,
                     check->message);
        if (repairs) {
            draw_repair(canvas, rect, row, resolved, check);
            offered = true;
        } else if (spare > 0 && act_text_columns(canvas, check->message) > text + 1) {
            draw_rest(canvas, rect, row++, text + 1, check);
        }
        row++;
    }
}
