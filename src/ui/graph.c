/* Memory over one step of a stage: time runs down, every row a moment of the step. The row of the
 * peak is the stage's bar of the dashboard, with slack and context; the others hold tensors only.
 */
#include "session/action.h"
#include "ui/bars.h"
#include "ui/figure.h"
#include "ui/results.h"
#include "ui/scale.h"
#include "ui/view.h"
#include <actuary/estimators.h>
#include <actuary/timeline.h>
#include <actuary/units.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SPAN = 14, MOMENT = 10, ALIVE = 7, FIGURE = 7 };

/* How the rows are divided at this width. */
struct columns {
    int moment, alive, bar, width; /* where they begin; alive is 0 when it has no room */
};

static struct columns columns_of(int columns)
{
    struct columns ret = {.moment = columns >= 64 ? SPAN : 1};
    ret.alive = columns >= 90 ? ret.moment + MOMENT : 0;
    ret.bar = ret.moment + MOMENT + (ret.alive > 0 ? ALIVE : 0);
    ret.width = columns - ret.bar - FIGURE - 1;
    return ret;
}

/* Leaves out points until `room` are left: always the one that differs least from both of its
 * neighbours, never an end or the peak. Returns how many `ret_shown` holds. */
static int thin_out(const struct act_timeline *timeline, int room, int ret_shown[ACT_POINTS_MAX])
{
    int count = timeline->count;
    for (int i = 0; i < count; i++)
        ret_shown[i] = i;
    while (count > room && count > 3) {
        int least = -1;
        double difference = 0;
        for (int i = 1; i < count - 1; i++) {
            const struct act_point *point = &timeline->point[ret_shown[i]];
            double before = timeline->point[ret_shown[i - 1]].allocated;
            double after = timeline->point[ret_shown[i + 1]].allocated;
            double most = fmax(fabs(point->allocated - before), fabs(point->allocated - after));
            if (ret_shown[i] != timeline->peak && (least < 0 || most < difference)) {
                least = i;
                difference = most;
            }
        }
        if (least < 0)
            break;
        count--;
        memmove(ret_shown + least, ret_shown + least + 1,
                sizeof *ret_shown * (size_t)(count - least));
    }
    return count;
}

static void draw_point(struct act_canvas *canvas, struct act_rect rect, int row,
                       const struct columns *columns, const struct act_memory *memory, int stage,
                       const struct act_timeline *timeline, int index)
{
    const struct act_point *point = &timeline->point[index];
    bool peak = index == timeline->peak;
    enum act_look look = peak ? ACT_LOOK_VALUE : ACT_LOOK_TEXT;
    struct act_stage drawn = memory->stage[stage];
    struct act_bar bar;
    char text[48];

    if (peak)
        act_draw_text(canvas, rect, row, columns->moment - 1, ACT_LOOK_VALUE, "▸");
    act_draw_text(canvas, rect, row, columns->moment, look, act_moment_name(point->moment));
    if (columns->alive > 0 && point->alive > 0) {
        bool whole = fabs(point->alive - round(point->alive)) < 0.005 || point->alive >= 1000;
        bool tenth = fabs(point->alive * 10 - round(point->alive * 10)) < 0.05;
        act_number_format(point->alive, whole ? 0 : tenth ? 1 : 2, true, text, sizeof text);
        act_draw_right(canvas, rect, row, columns->alive + ALIVE - 2, peak ? look : ACT_LOOK_DIM,
                       text);
    }
    if (!peak) {
        memcpy(drawn.component, point->component, sizeof point->component);
        drawn.component[ACT_FRAGMENTATION] = drawn.component[ACT_CONTEXT] = 0;
    }
    act_bar_of_stage(&drawn, &bar);
    bar.capacity = memory->usable;
    bar.full = act_bar_full(memory->usable, memory->peak);
    act_bar_draw(canvas, rect, row, columns->bar, columns->width, &bar);
    act_figure_gib(point->allocated, text, sizeof text);
    act_draw_right(canvas, rect, row, columns->bar + columns->width + FIGURE, look, text);
}

static void draw_span(struct act_canvas *canvas, struct act_rect rect, int row,
                      const struct act_timeline *timeline, enum act_span span)
{
    int column = act_draw_text(canvas, rect, row, 1, ACT_LOOK_DIM, act_span_name(span));
    if (span == ACT_SPAN_STEADY && timeline->rounds > 1) {
        char text[32];
        act_figure_count(timeline->rounds, text, sizeof text);
        act_draw_format(canvas, rect, row, column + 1, ACT_LOOK_DIM, "×%s", text);
    }
}

static void draw_heading(struct act_canvas *canvas, struct act_rect rect,
                         const struct act_memory *memory, int stage)
{
    static const enum act_look looks[] = {ACT_LOOK_GOOD, ACT_LOOK_WARN, ACT_LOOK_BAD};
    double device = memory->stage[stage].device;
    char figure[48], usable[48], text[128];
    bool wide = rect.columns >= 64;
    int column =
        act_draw_text(canvas, rect, 0, 1, ACT_LOOK_HEADING, wide ? "MEMORY OVER ONE STEP" : "STEP");
    column = act_draw_format(canvas, rect, 0, column + 2, ACT_LOOK_VALUE, "stage %d", stage);
    if (memory->stages > 1 && rect.columns >= 50)
        column = act_draw_format(canvas, rect, 0, column + 1, ACT_LOOK_DIM, "of %d%s",
                                 memory->stages, stage == memory->worst ? ", the fullest" : "");
    act_figure_gib(device, figure, sizeof figure);
    act_figure_gib(memory->usable, usable, sizeof usable);
    snprintf(text, sizeof text, wide ? "peak %s of %s %s" : "%s/%s %s", figure, usable,
             act_figure_unit());
    if (column + 2 + act_text_columns(canvas, text) < rect.columns)
        act_draw_right(canvas, rect, 0, rect.columns - 1,
                       looks[act_memory_fit_of(device, memory->usable)], text);
}

static void draw_foot(struct act_canvas *canvas, struct act_rect rect, int stages)
{
    int column = 1;
    if (stages > 1) {
        column = act_draw_text(canvas, rect, 0, column, ACT_LOOK_KEY, "← →");
        column = act_draw_text(canvas, rect, 0, column + 1, ACT_LOOK_DIM, "stage") + 2;
    }
    act_canvas_hit(canvas, rect.row, column, 9, ACT_HIT_KEY, ACT_KEY_ESC);
    column = act_draw_text(canvas, rect, 0, column, ACT_LOOK_KEY, "Esc");
    column = act_draw_text(canvas, rect, 0, column + 1, ACT_LOOK_DIM, "leave") + 3;
    const char *how = "time runs down; alive: micro batches; the peak has slack and context too";
    if (column + act_text_columns(canvas, how) < rect.columns)
        act_draw_right(canvas, rect, 0, rect.columns - 1, ACT_LOOK_DIM, how);
}

/* The moments, with scale and legend around them while there is room. Returns the rows used. */
static int draw_moments(struct act_canvas *canvas, struct act_rect rect,
                        const struct act_memory *memory, int stage,
                        const struct act_timeline *timeline)
{
    struct columns columns = columns_of(rect.columns);
    int shown[ACT_POINTS_MAX], row = 0;
    bool framed = rect.rows >= 6;
    if (columns.width < 4)
        return 0;
    if (framed) {
        act_scale_draw(canvas, rect, row, columns.bar, columns.width,
                       act_bar_full(memory->usable, memory->peak), memory->usable);
        if (columns.alive > 0)
            act_draw_right(canvas, rect, row, columns.alive + ALIVE - 2, ACT_LOOK_DIM, "alive");
        act_draw_right(canvas, rect, row, columns.bar + columns.width + FIGURE, ACT_LOOK_DIM,
                       act_figure_unit());
        row++;
    }
    int count = thin_out(timeline, rect.rows - (framed ? 2 : 0), shown);
    for (int i = 0; i < count; i++, row++) {
        enum act_span span = timeline->point[shown[i]].span;
        if (columns.moment >= SPAN && (i == 0 || timeline->point[shown[i - 1]].span != span))
            draw_span(canvas, rect, row, timeline, span);
        draw_point(canvas, rect, row, &columns, memory, stage, timeline, shown[i]);
    }
    if (framed)
        act_legend_draw(canvas, rect, row++, columns.bar, memory);
    return row;
}

void act_graph_draw(struct act_view *view)
{
    struct act_canvas *canvas = &view->canvas;
    const struct act_tab *tab = act_desk_tab(&view->desk);
    const struct act_memory *memory = &tab->result.memory;
    struct act_rect all = act_canvas_rect(canvas);
    struct act_plan resolved;
    struct act_timeline timeline;
    int stage = view->graph_stage;

    act_plan_resolve(&tab->plan, &resolved);
    act_timeline_of(&resolved, &tab->result.layout, &memory->stage[stage], &timeline);
    canvas->cursor_row = 0;
    canvas->cursor_column = all.columns > 1 ? 1 : 0;
    draw_heading(canvas, all, memory, stage);
    struct act_rect foot = {all.rows - 1, 0, all.rows > 2 ? 1 : 0, all.columns};
    draw_foot(canvas, foot, memory->stages);

    /* The contents of the peak and the other tools each have a blank row above. */
    int contents = all.rows >= 20 ? 5 : 0;
    struct act_tool tools[ACT_TOOLS_MAX];
    int count = 0;
    if (all.rows >= 30 && all.columns >= 100)
        count =
            act_tools_of(&resolved, &tab->result.parameters, &tab->result.layout, memory, tools);
    int below = contents > 0 ? contents + 1 + (count > 0 ? count + 3 : 0) : 0;
    struct act_rect moments = {1, 0, all.rows - 2 - below, all.columns};
    int used = draw_moments(canvas, moments, memory, stage, &timeline);
    struct act_rect rest = {1 + used + 1, 1, contents > 0 ? contents - 1 : 0, all.columns - 2};
    act_results_stage(canvas, rest, memory, stage, "PEAK");
    rest.row += contents;
    rest.rows = count + 2;
    if (count > 0)
        act_results_tools(canvas, rest, &memory->stage[0], tools, count);
}

void act_plain_graph_draw(struct act_view *view)
{
    struct act_canvas *canvas = &view->canvas;
    const struct act_tab *tab = act_desk_tab(&view->desk);
    const struct act_memory *memory = &tab->result.memory;
    struct act_rect all = act_canvas_rect(canvas);
    struct act_plan resolved;
    struct act_timeline timeline;
    char figure[48], usable[48], text[200];
    int shown[ACT_POINTS_MAX], stage = view->graph_stage;

    act_plan_resolve(&tab->plan, &resolved);
    act_timeline_of(&resolved, &tab->result.layout, &memory->stage[stage], &timeline);
    act_figure_gib(memory->stage[stage].device, figure, sizeof figure);
    act_figure_gib(memory->usable, usable, sizeof usable);
    snprintf(text, sizeof text, "memory over one step, stage %d of %d: peak %s of %s %s", stage,
             memory->stages, figure, usable, act_figure_unit());
    act_draw_cut(canvas, all, 0, 0, all.columns, ACT_LOOK_HEADING, text);
    int count = thin_out(&timeline, all.rows - 2, shown);
    for (int i = 0; i < count && i + 2 < all.rows; i++) {
        const struct act_point *point = &timeline.point[shown[i]];
        bool peak = shown[i] == timeline.peak;
        act_figure_gib(point->allocated, figure, sizeof figure);
        snprintf(text, sizeof text, "%s, %s: %s %s%s", act_span_name(point->span),
                 act_moment_name(point->moment), figure, act_figure_unit(),
                 peak ? ", the peak" : "");
        act_draw_cut(canvas, all, 1 + i, 0, all.columns, ACT_LOOK_TEXT, text);
        if (peak)
            canvas->cursor_row = 1 + i;
    }
    canvas->cursor_column = 0;
    if (all.rows > 2)
        act_draw_cut(canvas, all, all.rows - 1, 0, all.columns, ACT_LOOK_DIM,
                     "Left and Right choose the stage, Esc leaves");
}
