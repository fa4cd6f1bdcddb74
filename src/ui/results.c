#include "ui/results.h"
#include "ui/bars.h"
#include "ui/figure.h"
#include <actuary/field.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LABEL = 10, FIGURES = 15, INDENT = 10 };

static const double gib = 1073741824.0;

static bool same_stage(const struct act_stage *a, const struct act_stage *b)
{
    return a->layers == b->layers && fabs(a->device - b->device) < 0.05 * gib;
}

void act_stage_rows_of(const struct act_memory *memory, struct act_stage_rows *ret)
{
    ret->count = 0;
    for (int i = 0; i < memory->stages; i++) {
        bool joins = i > 0 && i != memory->worst && i - 1 != memory->worst &&
                     same_stage(&memory->stage[i - 1], &memory->stage[i]);
        if (joins) {
            ret->row[ret->count - 1].last = i;
        } else {
            ret->row[ret->count].first = ret->row[ret->count].last = i;
            ret->count++;
        }
    }
}

static enum act_look fit_look(double device, double usable)
{
    switch (act_memory_fit_of(device, usable)) {
    case ACT_FITS:
        return ACT_LOOK_GOOD;
    case ACT_TIGHT:
        return ACT_LOOK_WARN;
    default:
        return ACT_LOOK_BAD;
    }
}

/* Ticks at round GiB, and the capacity at its line. */
static void draw_scale(struct act_canvas *canvas, struct act_rect rect, int row, int width,
                       double full, double capacity)
{
    static const double steps[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000};
    size_t pick = 0;
    while (pick + 1 < sizeof steps / sizeof steps[0] && full / gib / steps[pick] * 9 > width)
        pick++;
    char text[48];
    act_figure_gib(capacity, text, sizeof text);
    size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, "▾");
    int line = act_bar_column(capacity, full, width - 1);
    int start = line + 1 - act_text_columns(canvas, text);
    for (double tick = 0; tick * gib < full; tick += steps[pick]) {
        char label[32];
        int column = act_bar_column(tick * gib, full, width);
        snprintf(label, sizeof label, "%.0f", tick);
        int end = column + act_text_columns(canvas, label);
        if ((end < start || column > line + 1) && end <= width)
            act_draw_text(canvas, rect, row, LABEL + column, ACT_LOOK_DIM, label);
    }
    if (start >= 0)
        act_draw_text(canvas, rect, row, LABEL + start, ACT_LOOK_WARN, text);
}

/* Letters that stand for something visible, named; from the margin and in short words when the
 * line is narrow. */
static void draw_legend(struct act_canvas *canvas, struct act_rect rect, int row,
                        const struct act_memory *memory)
{
    char text[16][24];
    enum act_look look[16];
    int count = 0;
    for (int form = 0; form < ACT_LEGEND_FORMS; form++) {
        int width = 0;
        count = 0;
        for (int i = 0; count < 16; i++) {
            char letter;
            const char *word;
            if (!act_bar_legend(i, form, &letter, &look[count], &word))
                break;
            double most = 0;
            for (int stage = 0; stage < memory->stages; stage++) {
                struct act_bar bar;
                act_bar_of_stage(&memory->stage[stage], &bar);
                most = fmax(most, bar.segment[i].amount);
            }
            if (most < 0.004 * memory->peak)
                continue;
            snprintf(text[count], sizeof text[count], "%c %s", letter, word);
            width += 1 + act_text_columns(canvas, text[count++]);
        }
        if (LABEL + width - 1 <= rect.columns || form == ACT_LEGEND_FORMS - 1 ||
            (form == ACT_LEGEND_FORMS - 2 && width <= rect.columns)) {
            int column = LABEL + width - 1 <= rect.columns ? LABEL : 1;
            for (int i = 0; i < count; i++) {
                struct act_rect letter = {rect.row + row, rect.column + column, 1, 1};
                act_draw_text(canvas, act_rect_clip(rect, letter), 0, 0, look[i], text[i]);
                column = act_draw_cut(canvas, rect, row, column + 1, rect.columns - column - 1,
                                      ACT_LOOK_DIM, text[i] + 1) +
                         1;
            }
            return;
        }
    }
}

static void draw_stage(struct act_canvas *canvas, struct act_rect rect, int row,
                       const struct act_memory *memory, int first, int last, double full, int width)
{
    const struct act_stage *stage = &memory->stage[first];
    bool worst = first == memory->worst;
    char label[32], figure[48];
    struct act_bar bar;
    if (first == last)
        snprintf(label, sizeof label, "stage %d", first);
    else
        snprintf(label, sizeof label, "%d–%d", first, last);
    if (worst)
        act_draw_text(canvas, rect, row, 0, ACT_LOOK_VALUE, "▸");
    act_draw_text(canvas, rect, row, 1, worst ? ACT_LOOK_VALUE : ACT_LOOK_TEXT, label);
    act_bar_of_stage(stage, &bar);
    bar.capacity = memory->usable;
    bar.full = full;
    act_bar_draw(canvas, rect, row, LABEL, width, &bar);
    act_figure_gib(stage->device, figure, sizeof figure);
    act_draw_right(canvas, rect, row, LABEL + width + 8, worst ? ACT_LOOK_VALUE : ACT_LOOK_TEXT,
                   figure);
    double share = memory->usable > 0 ? 100 * stage->device / memory->usable : 0;
    if (share < 9999.5)
        snprintf(figure, sizeof figure, "%.0f %%", share);
    else
        snprintf(figure, sizeof figure, "≫");
    act_draw_right(canvas, rect, row, LABEL + width + FIGURES,
                   fit_look(stage->device, memory->usable), figure);
}

void act_results_memory(struct act_canvas *canvas, struct act_rect rect,
                        const struct act_result *result)
{
    const struct act_memory *memory = &result->memory;
    if (rect.rows <= 0)
        return;
    int width = rect.columns - LABEL - FIGURES - 1;
    if (width < 4)
        return;
    double full = act_bar_full(memory->usable, memory->peak);
    int row = 0;
    int column = act_draw_text(canvas, rect, row, 0, ACT_LOOK_HEADING, "MEMORY PER GPU");
    column = act_draw_text(canvas, rect, row, column + 2, ACT_LOOK_DIM, "GiB");
    if (memory->error > 0)
        act_draw_format(canvas, rect, row, column + 2, ACT_LOOK_DIM, "±%.0f %%",
                        100 * memory->error);
    else
        act_draw_text(canvas, rect, row, column + 2, ACT_LOOK_DIM, "the textbook's arithmetic");
    struct act_stage_rows rows;
    act_stage_rows_of(memory, &rows);
    bool scale = rect.rows >= 4, legend = rect.rows >= (rows.count > 1 ? 5 : 4);
    row++;
    if (scale)
        draw_scale(canvas, rect, row++, width, full, memory->usable);
    int room = rect.rows - row - (legend ? 1 : 0);
    /* Too many for the room: a window that begins with the first and holds the worst. */
    int start = 0;
    if (rows.count > room) {
        int worst = 0;
        while (worst + 1 < rows.count && rows.row[worst].last < memory->worst)
            worst++;
        start = worst < room ? 0 : worst - room + 1;
    }
    for (int i = start; i < rows.count && i < start + room; i++) {
        bool more = i == start + room - 1 && i + 1 < rows.count && room > 1;
        if (more && rows.row[i].first != memory->worst) {
            act_draw_format(canvas, rect, row++, 1, ACT_LOOK_DIM, "… stages %d to %d",
                            rows.row[i].first, memory->stages - 1);
            break;
        }
        draw_stage(canvas, rect, row++, memory, rows.row[i].first, rows.row[i].last, full, width);
    }
    if (legend)
        draw_legend(canvas, rect, row, memory);
}

void act_results_step(struct act_canvas *canvas, struct act_rect rect, const struct act_plan *plan,
                      const struct act_result *result)
{
    const struct act_time *time = &result->time;
    if (rect.rows <= 0)
        return;
    char text[64];
    int column = act_draw_text(canvas, rect, 0, 0, ACT_LOOK_HEADING, "STEP");
    act_figure_seconds(time->step_seconds, text, sizeof text);
    column =
        act_draw_text(canvas, rect, 0, INDENT > column ? INDENT : column + 1, ACT_LOOK_VALUE, text);
    act_figure_count(ceil(time->steps), text, sizeof text);
    column = act_draw_format(canvas, rect, 0, column + 2, ACT_LOOK_DIM, "%s steps", text);
    act_figure_count(time->tokens_per_second_per_gpu, text, sizeof text);
    struct act_rect line = {rect.row, rect.column, 1, rect.columns};
    if (column + 22 < rect.columns)
        column =
            act_draw_format(canvas, line, 0, column + 2, ACT_LOOK_DIM, "%s tokens/s/GPU", text);
    if (column + 18 < rect.columns)
        act_draw_format(canvas, line, 0, column + 2, ACT_LOOK_DIM, "%.0f TFLOP/s/GPU",
                        time->tflops_per_gpu);
    if (rect.rows < 2)
        return;
    char share[64] = "";
    if (time->share_recompute > 0.005)
        snprintf(share, sizeof share, ". %s: HFU %.0f %%",
                 plan->parallel.recompute == ACT_RECOMPUTE_FULL ? "Recompute costs 20–33 %"
                                                                : "With recompute",
                 100 * time->hfu);
    else if (plan->parallel.recompute == ACT_RECOMPUTE_NONE)
        snprintf(share, sizeof share, ". Full recompute adds 20–33 %%");
    const char *given = act_plan_given(plan, ACT_F_hardware_mfu)
                            ? "MFU given: layout moves no days"
                            : "MFU by default: layout moves no days";
    column = act_draw_cut(canvas, rect, 1, INDENT, rect.columns - INDENT, ACT_LOOK_DIM, given);
    if (column + act_text_columns(canvas, share) <= rect.columns)
        act_draw_text(canvas, rect, 1, column, ACT_LOOK_DIM, share);
}

static void signed_figures(const struct act_summary *now, const struct act_summary *then,
                           const char *currency, char *days, char *cost, size_t size)
{
    act_figure_signed_days(then->days - now->days, days, size);
    if (now->priced && then->priced)
        act_figure_signed_money(then->rent - now->rent, currency, cost, size);
    else
        snprintf(cost, size, "–");
}

static enum act_look gain_look(double difference, double scale)
{
    if (fabs(difference) < 5e-4 * fabs(scale))
        return ACT_LOOK_TEXT;
    return difference < 0 ? ACT_LOOK_GOOD : ACT_LOOK_BAD;
}

void act_results_what_if(struct act_canvas *canvas, struct act_rect rect,
                         const struct act_plan *plan, enum act_field_id field,
                         const struct act_choice *near, int count)
{
    if (rect.rows < 2 || count == 0)
        return;
    const struct act_choice *now = NULL;
    for (int i = 0; i < count; i++) {
        if (near[i].now)
            now = &near[i];
    }
    if (now == NULL)
        return;
    bool wide = rect.columns >= 58;
    const int words = 14; /* "✗ does not fit" */
    int spare = rect.columns - 70 > 12 ? 12 : rect.columns - 70 > 0 ? rect.columns - 70 : 0;
    int memory_end = INDENT + (wide ? 20 : 15) + spare;
    int days_end = memory_end + (wide ? 9 : 8);
    int cost_end = days_end + (wide ? 13 : 11);
    int column = act_draw_text(canvas, rect, 0, 0, ACT_LOOK_HEADING, "WHAT IF");
    act_draw_cut(canvas, rect, 0, column + 2, memory_end - 7 - column - 2, ACT_LOOK_VALUE,
                 act_field(field)->label);
    act_draw_right(canvas, rect, 0, memory_end, ACT_LOOK_DIM, "memory");
    act_draw_right(canvas, rect, 0, days_end, ACT_LOOK_DIM, "days");
    act_draw_right(canvas, rect, 0, cost_end, ACT_LOOK_DIM, "cost");
    for (int i = 0; i < count && i + 1 < rect.rows; i++) {
        const struct act_choice *choice = &near[i];
        const struct act_summary *summary = &choice->summary;
        char memory[48], days[64], cost[80];
        int row = i + 1;
        enum act_look look = choice->now ? ACT_LOOK_VALUE : ACT_LOOK_TEXT;
        if (choice->now)
            act_draw_text(canvas, rect, row, INDENT - 2, ACT_LOOK_VALUE, "▸");
        act_draw_cut(canvas, rect, row, INDENT, memory_end - 8 - INDENT, look, choice->text);
        if (choice->refused) {
            act_draw_cut(canvas, rect, row, memory_end - 6, rect.columns - memory_end + 6,
                         ACT_LOOK_DIM, choice->note);
            continue;
        }
        act_figure_gib(summary->peak, memory, sizeof memory);
        if (choice->now) {
            act_figure_days(summary->days, days, sizeof days);
            if (summary->priced)
                act_figure_money(summary->rent, plan->cost.currency, cost, sizeof cost);
            else
                snprintf(cost, sizeof cost, "–");
        } else {
            signed_figures(&now->summary, summary, plan->cost.currency, days, cost, sizeof cost);
        }
        double by_days = summary->days - now->summary.days;
        double by_cost =
            summary->priced && now->summary.priced ? summary->rent - now->summary.rent : 0;
        act_draw_right(canvas, rect, row, memory_end,
                       choice->now ? ACT_LOOK_VALUE : fit_look(summary->peak, summary->usable),
                       memory);
        act_draw_right(canvas, rect, row, days_end,
                       choice->now ? ACT_LOOK_VALUE : gain_look(by_days, now->summary.days), days);
        act_draw_right(canvas, rect, row, cost_end,
                       choice->now ? ACT_LOOK_VALUE : gain_look(by_cost, now->summary.rent), cost);
        const char *word = summary->fit == ACT_DOES_NOT_FIT       ? "✗ does not fit"
                           : summary->fit == ACT_TIGHT            ? "! tight"
                           : choice->now                          ? ""
                           : now->summary.fit == ACT_DOES_NOT_FIT ? "✓ fits"
                                                                  : "";
        int room = rect.columns - cost_end - 2;
        look = summary->fit == ACT_DOES_NOT_FIT ? ACT_LOOK_BAD
               : summary->fit == ACT_TIGHT      ? ACT_LOOK_WARN
                                                : ACT_LOOK_GOOD;
        char sign[8];
        if (summary->note[0] != '\0' && summary->fit != ACT_DOES_NOT_FIT) {
            look = ACT_LOOK_WARN;
            word = summary->note;
        }
        snprintf(sign, sizeof sign, "%.*s", (int)strcspn(word, " "), word);
        if (room >= words)
            act_draw_cut(canvas, rect, row, cost_end + 2, room, look, word);
        else if (word != summary->note)
            act_draw_text(canvas, rect, row, cost_end + 2, look, sign);
        else
            act_draw_text(canvas, rect, row, cost_end + 2, look, "!");
    }
}

/* "x recompute full" at the right end of a check's row. */
static void draw_repair(struct act_canvas *canvas, struct act_rect rect, int row,
                        const struct act_plan *resolved, const struct act_check *check)
{
    struct act_plan plan = *resolved;
    char value[48], text[96];
    enum act_field_id field = check->repair[0].field;
    act_field_set_number(&plan, field, check->repair[0].value);
    act_field_text(&plan, field, ACT_STYLE_SHORT, value, sizeof value);
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
        bool repairs = check->repairs > 0 && !offered;
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

/* Every row of stages with its components, for wide screens. */
static void draw_table(struct act_canvas *canvas, struct act_rect rect,
                       const struct act_memory *memory)
{
    enum { FIRST = 28, WIDTH = 8 };
    struct act_stage_rows rows;
    char text[48];
    act_stage_rows_of(memory, &rows);
    act_draw_text(canvas, rect, 0, 0, ACT_LOOK_HEADING, "STAGES");
    act_draw_right(canvas, rect, 0, INDENT + 7, ACT_LOOK_DIM, "layers");
    act_draw_right(canvas, rect, 0, INDENT + 18, ACT_LOOK_DIM, "in flight");
    for (int i = 0; i < ACT_COMPONENT_COUNT; i++) {
        act_draw_right(canvas, rect, 0, FIRST + WIDTH * (i + 1), ACT_LOOK_DIM,
                       act_component_brief((enum act_component)i));
    }
    int end = FIRST + WIDTH * (ACT_COMPONENT_COUNT + 1);
    act_draw_right(canvas, rect, 0, end, ACT_LOOK_DIM, "device");
    for (int i = 0; i < rows.count && i + 1 < rect.rows; i++) {
        int first = rows.row[i].first, last = rows.row[i].last;
        const struct act_stage *stage = &memory->stage[first];
        enum act_look look = first == memory->worst ? ACT_LOOK_VALUE : ACT_LOOK_TEXT;
        if (i + 2 == rect.rows && i + 1 < rows.count) {
            act_draw_format(canvas, rect, i + 1, 1, ACT_LOOK_DIM, "… stages %d to %d", first,
                            memory->stages - 1);
            return;
        }
        snprintf(text, sizeof text, first == last ? "stage %d" : "%d–%d", first, last);
        act_draw_text(canvas, rect, i + 1, 1, look, text);
        snprintf(text, sizeof text, "%lld", (long long)stage->layers);
        act_draw_right(canvas, rect, i + 1, INDENT + 7, look, text);
        act_number_format(stage->in_flight, 1, true, text, sizeof text);
        act_draw_right(canvas, rect, i + 1, INDENT + 18, look, text);
        for (int k = 0; k < ACT_COMPONENT_COUNT; k++) {
            act_figure_gib(stage->component[k], text, sizeof text);
            act_draw_right(canvas, rect, i + 1, FIRST + WIDTH * (k + 1), look, text);
        }
        act_figure_gib(stage->device, text, sizeof text);
        act_draw_right(canvas, rect, i + 1, end, look, text);
        act_draw_cut(canvas, rect, i + 1, end + 2, rect.columns - end - 2, ACT_LOOK_DIM,
                     act_phase_name(stage->phase));
    }
}

void act_results_contents(struct act_canvas *canvas, struct act_rect rect,
                          const struct act_result *result)
{
    const struct act_memory *memory = &result->memory;
    const struct act_stage *stage = &memory->stage[memory->worst];
    if (rect.rows < 2)
        return;
    if (rect.columns >= 116) {
        draw_table(canvas, rect, memory);
        return;
    }
    char a[48], b[48], c[48];
    act_figure_gib(stage->allocated, a, sizeof a);
    act_figure_gib(stage->reserved, b, sizeof b);
    act_figure_gib(stage->device, c, sizeof c);
    int column = act_draw_format(canvas, rect, 0, 0, ACT_LOOK_HEADING, "STAGE %d", memory->worst);
    char line[224];
    snprintf(line, sizeof line, "%s: allocated %s · reserved %s · device %s GiB",
             act_phase_name(stage->phase), a, b, c);
    column = column < INDENT ? INDENT : column + 1;
    act_draw_cut(canvas, rect, 0, column, rect.columns - column, ACT_LOOK_DIM, line);
    int across = rect.columns >= 66 ? 3 : 2;
    int width = (rect.columns - INDENT) / across;
    width = width > 26 ? 26 : width;
    int place = 0;
    for (int i = 0; i < ACT_COMPONENT_COUNT; i++) {
        if (stage->component[i] <= 0)
            continue;
        int row = 1 + place / across, at = INDENT + width * (place % across);
        if (row >= rect.rows)
            break;
        act_figure_gib(stage->component[i], a, sizeof a);
        act_draw_cut(canvas, rect, row, at, width - 8, ACT_LOOK_TEXT,
                     act_component_label((enum act_component)i));
        act_draw_right(canvas, rect, row, at + width - 3, ACT_LOOK_VALUE, a);
        place++;
    }
}
