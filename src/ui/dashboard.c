#include "session/action.h"
#include "session/pin.h"
#include "ui/bars.h"
#include "ui/figure.h"
#include "ui/modes.h"
#include "ui/results.h"
#include "ui/versus.h"
#include "ui/view.h"
#include <actuary/calibrate.h>
#include <actuary/field.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NEAR_MAX = 5 };

static void draw_tabs(struct act_view *view, struct act_rect rect)
{
    struct act_canvas *canvas = &view->canvas;
    const struct act_desk *desk = &view->desk;
    char right[96] = "";
    const struct act_tab *tab = desk->tab[desk->current];
    if (rect.rows <= 0)
        return;
    char undo[24] = "";
    if (tab->history.done > 0)
        snprintf(undo, sizeof undo, "undo %d", tab->history.done);
    /* Every word has a place of its own, so that none moves when another comes or goes. */
    snprintf(right, sizeof right, "%s   %-8s   %s   ? help", undo,
             act_tab_modified(tab) ? "modified" : "", desk->hold_data ? "hold data" : "hold GPUs");
    int end = rect.columns - 1;
    int room = end;
    if (act_text_columns(canvas, right) + 30 < rect.columns)
        room = act_draw_right(canvas, rect, 0, end, ACT_LOOK_DIM, right) - 2;
    int column = act_draw_text(canvas, rect, 0, 1, ACT_LOOK_HEADING, "actuary") + 2;
    /* The current tab always shows; others while there is room. */
    int first = desk->current;
    int used = 0;
    while (first > 0 && used < room - 40) {
        used += 8 + act_text_columns(canvas, desk->tab[first - 1]->plan.scenario.name);
        if (used < room - 40)
            first--;
    }
    int hidden = desk->count, last = room; /* what has no room is counted at the end */
    room -= desk->count > 1 ? 5 : 0;
    for (int i = first; i < desk->count && column < room - 4; i++) {
        const struct act_tab *other = desk->tab[i];
        bool current = i == desk->current;
        char text[160];
        snprintf(text, sizeof text, " %d %s%s%s ", i + 1, other->plan.scenario.name,
                 act_tab_modified(other) ? " ●" : "", other == desk->pinned ? " PIN" : "");
        int start = column;
        column = act_draw_cut(canvas, rect, 0, column, room - column,
                              current ? ACT_LOOK_TAB : ACT_LOOK_DIM, text);
        act_canvas_hit(canvas, rect.row, rect.column + start, column - start, ACT_HIT_TAB, i);
        column++;
        hidden--;
    }
    if (hidden > 0)
        act_draw_format(canvas, rect, 0, last - 4, ACT_LOOK_DIM, "+%d›", hidden);
}

/* One figure of the strip: a value with its words, a dim line below, and the difference from the
 * baseline in the last line. It takes at least `least` columns, so that the figures after it keep
 * their place while values change. Returns the column of the next one, or -1 when this one had no
 * room. */
static int strip_figure(struct act_canvas *canvas, struct act_rect rect, int column, int least,
                        const char *before, const char *value, const char *after, const char *below,
                        enum act_look below_look, enum act_figure_id id,
                        const struct act_versus *versus)
{
    char whole[256], difference[96] = "";
    enum act_look look = ACT_LOOK_DIM;
    int last = 0; /* row of the difference */
    if (versus->on && rect.rows > 1) {
        struct act_delta delta;
        act_delta_of(id, &versus->base, &versus->side, true, &delta);
        look = delta.look;
        snprintf(difference, sizeof difference, "%s%s%s%s%s", delta.text, *delta.mark ? " " : "",
                 delta.mark, least >= 30 && *delta.word ? " " : "", least >= 30 ? delta.word : "");
        last = rect.rows - 1;
    }
    snprintf(whole, sizeof whole, "%s%s%s", before, value, after);
    int width = act_text_columns(canvas, whole);
    bool captions = rect.rows > 1 && last != 1;
    int width_below = captions ? act_text_columns(canvas, below) : 0;
    int width_difference = act_text_columns(canvas, difference);
    width_below = width_difference > width_below ? width_difference : width_below;
    int widest = width > width_below ? width : width_below;
    widest = widest > least ? widest : least;
    if (column + width > rect.columns - 1)
        return -1;
    if (last > 0)
        act_draw_text(canvas, rect, last, column, look, difference);
    int at = act_draw_text(canvas, rect, 0, column, ACT_LOOK_DIM, before);
    at = act_draw_text(canvas, rect, 0, at, ACT_LOOK_VALUE, value);
    act_draw_text(canvas, rect, 0, at, ACT_LOOK_DIM, after);
    if (captions && column + width_below <= rect.columns)
        act_draw_text(canvas, rect, 1, column, below_look, below);
    return column + widest + 3;
}

static void draw_verdict(struct act_view *view, struct act_rect rect,
                         const struct act_versus *versus)
{
    const struct act_plan *plan = versus->side.plan;
    const struct act_result *result = versus->side.result;
    struct act_canvas *canvas = &view->canvas;
    const struct act_memory *memory = &result->memory;
    const struct act_tab *tab = act_desk_tab(&view->desk);
    struct act_fit_verdict verdict = act_fit_verdict_of(result);
    char value[64], after[96], below[96], figure[64];
    bool wide = rect.columns >= 110;
    int column = 17; /* after the longest verdict */
    act_draw_text(canvas, rect, 0, 1, verdict.box, verdict.word);
    act_versus_label(canvas, rect, rect.rows - 1, column - 3, &view->desk);

    act_figure_gib(memory->peak, value, sizeof value);
    act_figure_gib(memory->usable, figure, sizeof figure);
    if (wide)
        snprintf(after, sizeof after, " of %s %s  stage %d · %s", figure, act_figure_unit(),
                 memory->worst, act_phase_name(memory->stage[memory->worst].phase));
    else
        snprintf(after, sizeof after, " of %s %s", figure, act_figure_unit());
    act_figure_gib(fabs(memory->headroom), figure, sizeof figure);
    snprintf(below, sizeof below, memory->headroom < 0 ? "%s %s too much" : "%s %s to spare",
             figure, act_figure_unit());
    bool broken = result->fit != ACT_DOES_NOT_FIT && result->errors > 0;
    column = strip_figure(canvas, rect, column, wide ? 35 : 16, "", value, after, below,
                          broken ? verdict.text : act_fit_look(memory->peak, memory->usable),
                          ACT_FIGURE_MEMORY, versus);

    act_figure_days(result->time.calendar_days, value, sizeof value);
    snprintf(below, sizeof below, "goodput %.0f %%", 100 * plan->cost.goodput);
    if (result->late) {
        act_figure_days(plan->training.deadline_days, figure, sizeof figure);
        snprintf(below, sizeof below, "of %s allowed", figure);
    }
    if (column > 0)
        column = strip_figure(canvas, rect, column, 12, "", value, " days", below,
                              result->late ? ACT_LOOK_WARN : ACT_LOOK_DIM, ACT_FIGURE_DAYS, versus);

    if (column > 0 && result->cost.known) {
        /* What an hour of one's own GPUs comes to can be compared with a rent. */
        bool owned = plan->cost.basis == ACT_OWN;
        act_figure_money(result->cost.total, plan->cost.currency, value, sizeof value);
        act_figure_money(owned ? result->cost.total / result->cost.gpu_hours : result->cost.price,
                         plan->cost.currency, figure, sizeof figure);
        snprintf(below, sizeof below, "%s/GPU-h", figure);
        column = strip_figure(canvas, rect, column, wide ? 13 : 11, "", value, "", below,
                              ACT_LOOK_DIM, ACT_FIGURE_COST, versus);
    } else if (column > 0 && wide) {
        column = strip_figure(canvas, rect, column, 13, "", "–", " cost", "no price", ACT_LOOK_DIM,
                              ACT_FIGURE_COST, versus);
    }
    double gpus = result->layout.gpus;
    act_number_format(gpus, 0, true, value, sizeof value);
    act_number_format(result->layout.nodes, 0, true, figure, sizeof figure);
    snprintf(below, sizeof below, "%s node%s", figure, result->layout.nodes == 1 ? "" : "s");
    enum act_look look = ACT_LOOK_DIM;
    if (tab->held > gpus) {
        act_number_format(tab->held, 0, true, figure, sizeof figure);
        snprintf(below, sizeof below, "of %s used", figure);
        look = ACT_LOOK_WARN;
    }
    if (column > 0)
        column = strip_figure(canvas, rect, column, 10, "", value, gpus == 1 ? " GPU" : " GPUs",
                              below, look, ACT_FIGURE_GPUS, versus);
    bool timed = result->time.step_seconds > 0;
    snprintf(value, sizeof value, timed ? "%.0f %%" : "–", 100 * result->time.mfu);
    if (!timed)
        snprintf(below, sizeof below, "no time");
    else if (result->time.estimated)
        snprintf(below, sizeof below, "%s ±%.0f %%",
                 act_calibrated(plan, ACT_PIN_TIME) ? "calib." : "est.",
                 100 * result->time.error_bar);
    else
        snprintf(below, sizeof below, "%s",
                 act_plan_given(plan, ACT_F_hardware_mfu) ? "given" : "default");
    if (column > 0)
        strip_figure(canvas, rect, column, 0, "MFU ", value, "", below, ACT_LOOK_DIM,
                     ACT_FIGURE_MFU, versus);
}

/* Keys of the modes that are left again at once; the main screen's come from the actions. */
const char *act_view_mode_keys(const struct act_view *view)
{
    switch (view->mode) {
    case ACT_MODE_EDIT:
        return "Enter keep   Esc as before   Up Down keep and move";
    case ACT_MODE_FILTER:
        return "Enter keep the filter   Esc all fields   Up Down move";
    case ACT_MODE_PATH:
        return "Enter save   Esc leave it";
    case ACT_MODE_MEASURE:
        return "Enter pin   Esc leave it   " ACT_PIN_FORMS;
    case ACT_MODE_REPORT:
        return "Enter write: .html, .md or .csv   Esc leave it";
    case ACT_MODE_LIST:
        return "type to filter   Up Down PgUp PgDn move   Enter take   Esc leave";
    case ACT_MODE_PALETTE:
        return "Enter run   Up Down choose; Up: lines before   Esc leave";
    case ACT_MODE_ASK:
        return act_view_answers(view);
    default:
        return NULL;
    }
}

/* Keys that each begin a part of the line can be pressed. */
static void draw_mode_keys(struct act_canvas *canvas, struct act_rect rect, const char *text)
{
    act_draw_cut(canvas, rect, 0, 1, rect.columns - 2, ACT_LOOK_DIM, text);
    for (const char *at = text; *at != '\0';) {
        const char *end = strstr(at, "   ");
        size_t length = end != NULL ? (size_t)(end - at) : strlen(at);
        int key = act_key_named(at, strcspn(at, " "));
        if (key != ACT_KEY_NONE) /* the texts are ASCII: a byte is a column */
            act_canvas_hit(canvas, rect.row, rect.column + 1 + (int)(at - text), (int)length,
                           ACT_HIT_KEY, key);
        at += length;
        at += strspn(at, " ");
    }
}

/* Keys joined on the line: each of all but the last has its own sign, the last the word too. */
static void press_keys(struct act_canvas *canvas, struct act_rect rect, int column, int width,
                       const int *key, int count)
{
    for (int i = 0; i < count; i++) {
        int columns = i + 1 < count ? 2 : width - 2 * i;
        act_canvas_hit(canvas, rect.row, rect.column + column + 2 * i, columns, ACT_HIT_KEY,
                       key[i]);
    }
}

/* "filter: text · Esc shows all fields": a list that is cut short says so. */
static int draw_filter(struct act_view *view, struct act_rect rect)
{
    static const char what[] = "shows all fields";
    struct act_canvas *canvas = &view->canvas;
    int column = act_draw_text(canvas, rect, 0, 1, ACT_LOOK_DIM, "filter: ");
    column = act_draw_cut(canvas, rect, 0, column, rect.columns / 4, ACT_LOOK_VALUE, view->filter);
    column = act_draw_text(canvas, rect, 0, column, ACT_LOOK_DIM, " · ");
    int key = ACT_KEY_ESC;
    press_keys(canvas, rect, column, 4 + (int)strlen(what), &key, 1);
    column = act_draw_text(canvas, rect, 0, column, ACT_LOOK_KEY, "Esc");
    return act_draw_text(canvas, rect, 0, column + 1, ACT_LOOK_DIM, what) + 3;
}

/* The key line: from the table of actions, as many as fit. */
void act_foot_keys(struct act_view *view, struct act_rect rect, enum act_place place)
{
    struct act_canvas *canvas = &view->canvas;
    const char *other = act_view_mode_keys(view);
    if (rect.rows <= 0)
        return;
    if (other != NULL) {
        draw_mode_keys(canvas, rect, other);
        return;
    }
    char keys[64] = "";
    int column = 1, pressed[4], joined = 0;
    const struct act_action *quit = act_action(ACT_DO_quit);
    int reserve = 2 + 2 + (int)strlen(quit->hint);
    if (view->mode == ACT_MODE_MAIN && place != ACT_PLACE_COLUMNS && view->filter[0] != '\0')
        column = draw_filter(view, rect);
    /* What a place has of its own comes first, and nothing on a key that it took. */
    int own = ACT_DO_leave_columns, first = place == ACT_PLACE_COLUMNS ? own : 0;
    for (int i = first; i < (first > 0 ? first + ACT_ACTION_COUNT : own); i++) {
        const struct act_action *action = act_action((enum act_action_id)(i % ACT_ACTION_COUNT));
        char key[16];
        if (action->hint[0] == '\0' ||
            (first > 0 && act_action_in_columns(act_action_key(action, 0)) != action))
            continue;
        if (joined < (int)(sizeof pressed / sizeof *pressed))
            pressed[joined++] = act_action_key(action, 0);
        act_action_key_name(action, key, sizeof key);
        size_t length = strlen(keys);
        snprintf(keys + length, sizeof keys - length, "%s%s", length > 0 ? " " : "", key);
        if (strcmp(action->hint, "&") == 0)
            continue;
        int width = act_text_columns(canvas, keys) + 1 + act_text_columns(canvas, action->hint);
        bool last = action->id == ACT_DO_quit;
        if (column + width + (last ? 0 : reserve) <= rect.columns) {
            press_keys(canvas, rect, column, width, pressed, joined);
            column = act_draw_text(canvas, rect, 0, column, ACT_LOOK_KEY, keys);
            column = act_draw_text(canvas, rect, 0, column + 1, ACT_LOOK_DIM, action->hint) + 2;
        }
        keys[0] = '\0';
        joined = 0;
    }
}

const char *act_view_prompt(const struct act_view *view)
{
    switch (view->mode) {
    case ACT_MODE_PATH:
        return view->saves_session ? "save session as" : "save as";
    case ACT_MODE_EDIT: /* of a field it stands in its pane */
        if (view->edit_field != ACT_F_scenario_name)
            return NULL;
        return view->edit_problem[0] != '\0' ? view->edit_problem : "name";
    case ACT_MODE_MEASURE:
        return "measured run";
    case ACT_MODE_REPORT:
        return view->desk.count > 1 ? "report on all tabs" : "report";
    case ACT_MODE_FILTER:
        return "find field";
    default:
        return NULL;
    }
}

static void draw_prompt(struct act_view *view, struct act_rect rect, const char *label)
{
    int column = act_draw_text(&view->canvas, rect, 0, 1, ACT_LOOK_VALUE, label) + 1;
    act_edit_draw(&view->edit, &view->canvas, rect, 0, column, rect.columns - column - 1);
}

bool act_view_hint(const struct act_view *view, char *out, size_t size, enum act_look *ret_look)
{
    const struct act_desk *desk = &view->desk;
    *ret_look = ACT_LOOK_BAD;
    if (view->mode == ACT_MODE_EDIT && view->edit_problem[0] != '\0') {
        snprintf(out, size, "%s (results are of the last valid value)", view->edit_problem);
        return true;
    }
    if (desk->said != ACT_SAY_NOTHING) {
        *ret_look = desk->said == ACT_SAY_ERROR ? ACT_LOOK_BAD : ACT_LOOK_VALUE;
        snprintf(out, size, "%s", desk->message);
        return true;
    }
    const char *help = act_field(desk->tab[desk->current]->focus)->help;
    const char *stop = strstr(help, ". ");
    snprintf(out, size, "%.*s", stop != NULL ? (int)(stop - help) + 1 : (int)strlen(help), help);
    *ret_look = ACT_LOOK_DIM; /* ? has the rest */
    return false;
}

/* The line about the focused field; a message, a question or a prompt takes its place. */
void act_foot_hint(struct act_view *view, struct act_rect rect, bool key_line)
{
    struct act_canvas *canvas = &view->canvas;
    const struct act_field *field = act_field(act_desk_tab(&view->desk)->focus);
    char text[512];
    enum act_look look;
    int width = rect.columns - 2;
    if (rect.rows <= 0)
        return;
    if (view->mode == ACT_MODE_ASK) {
        int used = 0; /* without a key line the answers come first */
        if (!key_line)
            used =
                act_draw_cut(canvas, rect, 0, 1, width, ACT_LOOK_DIM, act_view_answers(view)) + 1;
        act_view_question(view, text, sizeof text);
        act_draw_cut(canvas, rect, 0, 1 + used, width - used, ACT_LOOK_VALUE, text);
    } else if (act_view_prompt(view) != NULL) {
        draw_prompt(view, rect, act_view_prompt(view));
    } else if (act_view_hint(view, text, sizeof text, &look)) {
        act_draw_cut(canvas, rect, 0, 1, width, look, text);
    } else {
        int column = act_draw_text(canvas, rect, 0, 1, ACT_LOOK_VALUE, field->label);
        column = act_versus_value(canvas, rect, column, &view->desk, field->id);
        column = act_draw_text(canvas, rect, 0, column, ACT_LOOK_DIM, ":");
        act_draw_cut(canvas, rect, 0, column + 1, rect.columns - column - 2, ACT_LOOK_DIM, text);
    }
}

static void draw_rules(struct act_view *view, const struct act_layout_view *layout)
{
    struct act_canvas *canvas = &view->canvas;
    uint32_t flat = canvas->ascii ? '-' : 0x2500, tall = canvas->ascii ? '|' : 0x2502;
    act_draw_fill(canvas, layout->rule_top, flat, ACT_LOOK_RULE);
    act_draw_fill(canvas, layout->rule_bottom, flat, ACT_LOOK_RULE);
    act_draw_fill(canvas, layout->divider, tall, ACT_LOOK_RULE);
    if (layout->divider.columns > 0) {
        struct act_rect joint = {layout->rule_top.row, layout->divider.column, 1, 1};
        if (layout->rule_top.rows > 0)
            act_draw_fill(canvas, joint, canvas->ascii ? '+' : 0x252c, ACT_LOOK_RULE);
        joint.row = layout->rule_bottom.row;
        if (layout->rule_bottom.rows > 0)
            act_draw_fill(canvas, joint, canvas->ascii ? '+' : 0x2534, ACT_LOOK_RULE);
    }
}

/* The rows of the panes, the focus on one of them, and the part of them that shows. */
void act_view_settle_focus(struct act_view *view, int height)
{
    struct act_tab *tab = act_desk_tab(&view->desk);
    act_pane_rows(&tab->plan, view->all_fields, view->filter, tab->focus, height, &view->rows);
    act_mode_settle(view, height);
}

static void draw_fields(struct act_view *view, struct act_rect rect,
                        const struct act_versus *versus, const struct act_choice *near, int count)
{
    struct act_tab *tab = act_desk_tab(&view->desk);
    if (rect.rows <= 0)
        return;
    struct act_pane pane = {
        .plan = &tab->plan,
        .resolved = versus->side.plan,
        .baseline = versus->on ? versus->base.plan : NULL,
        .result = &tab->result,
        .rows = &view->rows,
        .scroll = view->scroll,
        .focus = tab->focus,
        .edit = view->mode == ACT_MODE_EDIT && view->edit_field == tab->focus ? &view->edit : NULL,
        .near = near,
        .near_count = act_field(tab->focus)->kind == ACT_KIND_INT ? count : 0};
    if (view->rows.count == 0)
        act_draw_cut(&view->canvas, rect, 0, 1, rect.columns - 2, ACT_LOOK_DIM,
                     "no field matches; Esc shows all");
    act_pane_draw(&view->canvas, rect, &pane);
}

/* Below the full layout: the verdict in one line, and the focused field in another. */
static void draw_small(struct act_view *view, const struct act_layout_view *layout,
                       const struct act_versus *versus)
{
    const struct act_result *result = versus->side.result;
    struct act_canvas *canvas = &view->canvas;
    const struct act_memory *memory = &result->memory;
    char peak[48], usable[48], days[48];
    struct act_fit_verdict verdict = act_fit_verdict_of(result);
    act_figure_gib(memory->peak, peak, sizeof peak);
    act_figure_gib(memory->usable, usable, sizeof usable);
    act_figure_days(result->time.calendar_days, days, sizeof days);
    enum act_outcome outcome = act_outcome_of(result);
    const char *word = outcome == ACT_OUTCOME_DOES_NOT_FIT   ? "no fit"
                       : outcome == ACT_OUTCOME_BREAKS_RULES ? "rules!"
                                                             : act_outcome_name(outcome);
    if (layout->form == ACT_FORM_LINE) {
        char text[128];
        snprintf(text, sizeof text, "%s %s/%s", word, peak, usable);
        act_draw_text(canvas, layout->verdict, 0, 0, verdict.text, text);
        return;
    }
    int column = act_draw_text(canvas, layout->verdict, 0, 0, verdict.box, verdict.word) + 1;
    char text[160];
    snprintf(text, sizeof text, "%s/%s %s", peak, usable, act_figure_unit());
    column = act_draw_cut(canvas, layout->verdict, 0, column, layout->verdict.columns - column,
                          ACT_LOOK_VALUE, text) +
             2;
    snprintf(text, sizeof text, "%s days", days);
    if (column + act_text_columns(canvas, text) <= layout->verdict.columns)
        act_draw_text(canvas, layout->verdict, 0, column, ACT_LOOK_VALUE, text);
    act_versus_line(canvas, layout->verdict, &view->desk, versus);
    if (layout->form == ACT_FORM_COLUMN) {
        char gpus[48], cost[64] = "";
        act_number_format(result->layout.gpus, 0, true, gpus, sizeof gpus);
        if (result->cost.known)
            act_figure_money(result->cost.total, act_desk_tab(&view->desk)->plan.cost.currency,
                             cost, sizeof cost);
        column = snprintf(text, sizeof text, "%s GPUs  %s  MFU %.0f %%", gpus, cost,
                          100 * result->time.mfu);
        if (result->time.estimated)
            snprintf(text + column, sizeof text - (size_t)column, " ±%.0f %%",
                     100 * result->time.error_bar);
        act_draw_cut(canvas, layout->verdict, 1, 1, layout->verdict.columns - 1, ACT_LOOK_DIM,
                     text);
    }
    if (layout->form == ACT_FORM_SMALL && layout->memory.rows > 0) {
        struct act_bar bar;
        act_bar_of_stage(&memory->stage[memory->worst], &bar);
        bar.capacity = memory->usable;
        bar.full = act_bar_full(memory->usable, memory->peak);
        act_bar_draw(canvas, layout->memory, 0, 0, layout->memory.columns - 1, &bar);
    } else {
        act_results_memory(canvas, layout->memory, result);
    }
}

void act_dashboard_draw(struct act_view *view)
{
    struct act_canvas *canvas = &view->canvas;
    struct act_tab *tab = act_desk_tab(&view->desk);
    const struct act_tab *pinned = view->desk.pinned;
    struct act_plan resolved, baseline;
    struct act_versus versus = {.on = pinned != NULL && pinned != tab,
                                .side = {&resolved, &tab->result},
                                .base = {&baseline, pinned != NULL ? &pinned->result : NULL}};
    struct act_stage_rows stages;
    struct act_layout_view layout;
    struct act_choice near[NEAR_MAX];
    char leftover[160];
    act_desk_leftover(tab, leftover, sizeof leftover);
    act_plan_resolve(&tab->plan, &resolved);
    if (versus.on)
        act_plan_resolve(&pinned->plan, &baseline);
    act_stage_rows_of(&tab->result.memory, &stages);
    /* What-if and checks keep their rows while their contents come and go: what stands below them
     * keeps its place. */
    struct act_needs needs = {
        .stages = stages.count,
        .step = tab->result.time.estimated ? 3 : 2,
        .versus = pinned != NULL,
        .what_if = canvas->rows >= 30 ? NEAR_MAX : 3,
        .checks = tab->result.checks.count + (tab->result.errors == 0 ? 1 : 0) +
                  (leftover[0] != '\0' ? 1 : 0),
        .contents = stages.count > 3 && canvas->columns >= 160 ? stages.count : 3};
    needs.checks = needs.checks > 6 ? 6 : needs.checks < 3 ? 3 : needs.checks;
    act_rect_layout(canvas->rows, canvas->columns, &needs, &layout);
    if (layout.form == ACT_FORM_LINE) {
        draw_small(view, &layout, &versus);
        return;
    }
    act_view_settle_focus(view, layout.fields.rows);
    int count = layout.what_if.rows > 0
                    ? act_choices_near(&view->desk, tab->focus, needs.what_if, near)
                    : 0;
    draw_rules(view, &layout);
    draw_fields(view, layout.fields, &versus, near, count);
    act_results_what_if(canvas, layout.what_if, &resolved, tab->focus, near, count);
    if (layout.form != ACT_FORM_FULL) {
        draw_small(view, &layout, &versus);
        act_foot_hint(view, layout.hint, layout.keys.rows > 0);
        act_foot_keys(view, layout.keys, ACT_PLACE_MAIN);
        return;
    }
    draw_tabs(view, layout.tabs);
    draw_verdict(view, layout.verdict, &versus);
    if (view->mode == ACT_MODE_EDIT && view->edit_problem[0] != '\0')
        act_draw_look(canvas, layout.verdict, ACT_LOOK_DIM); /* not of what is typed */
    act_results_memory(canvas, layout.memory, &tab->result);
    act_results_step(canvas, layout.step, &resolved, &tab->result);
    act_results_checks(canvas, layout.checks, &resolved, &tab->result, leftover);
    act_results_contents(canvas, layout.contents, &tab->result);
    act_foot_hint(view, layout.hint, layout.keys.rows > 0);
    act_foot_keys(view, layout.keys, ACT_PLACE_MAIN);
}
