#include "ui/pane.h"
#include "core/letters.h"
#include "ui/figure.h"
#include <actuary/calibrate.h>
#include <actuary/diff.h>
#include <stdio.h>
#include <string.h>

enum act_field_id act_pane_heading_field(const struct act_plan *plan, enum act_group group)
{
    switch (group) {
    case ACT_GROUP_model:
        return ACT_F_model_preset;
    case ACT_GROUP_training:
        return ACT_F_training_method;
    case ACT_GROUP_framework:
        return ACT_F_framework_preset;
    case ACT_GROUP_parallel:
        return ACT_F_parallel_gpus;
    case ACT_GROUP_hardware:
        return ACT_F_hardware_preset;
    case ACT_GROUP_calibration:
        return act_calibrated(plan, ACT_PIN_TIME) || !act_calibrated(plan, ACT_PIN_MEMORY)
                   ? ACT_F_calibration_time_factor
                   : ACT_F_calibration_memory_factor;
    case ACT_GROUP_cost:
        return plan->cost.basis == ACT_OWN ? ACT_F_cost_server_price
                                           : ACT_F_cost_price_per_gpu_hour;
    default:
        return ACT_F_scenario_name;
    }
}

bool act_pane_is_main(const struct act_plan *plan, const struct act_field *row)
{
    if ((row->flags & ACT_FIELD_MAIN) == 0)
        return act_plan_given(plan, row->id) && (row->flags & ACT_FIELD_BACK) == 0;
    return !(row->group == ACT_GROUP_model && act_field_number(plan, row->id) == 0 &&
             strcmp(row->initial, "0") == 0);
}

static int group_rows(const struct act_plan *plan, enum act_group group, bool all,
                      struct act_row *ret)
{
    int count = 0;
    enum act_field_id heading = act_pane_heading_field(plan, group);
    ret[count++] = (struct act_row){heading, group, true, false};
    for (int id = 0; id < ACT_FIELD_COUNT; id++) {
        const struct act_field *row = act_field((enum act_field_id)id);
        if (row->group != group || row->id == heading || !act_field_applies(plan, row->id))
            continue;
        if (all || act_pane_is_main(plan, row))
            ret[count++] = (struct act_row){row->id, group, false, false};
    }
    return count;
}

/* Does a word of the text begin with the part? */
static bool begins_word(const char *text, const char *part)
{
    for (const char *at = text; *at != '\0'; at++) {
        bool start = at == text || at[-1] == ' ' || at[-1] == '.' || at[-1] == '_';
        if (start && act_begins_letters(at, part, strlen(part)))
            return true;
    }
    return false;
}

bool act_pane_matches(const struct act_field *field, const char *filter)
{
    size_t length = strlen(filter);
    return act_contains_letters(field->label, filter, length) ||
           act_contains_letters(field->key, filter, length);
}

/* Fields of whose label a word begins with the filter come first. */
static void matching_rows(const struct act_plan *plan, const char *filter, struct act_rows *ret)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int id = 0; id < ACT_FIELD_COUNT; id++) {
            const struct act_field *row = act_field((enum act_field_id)id);
            bool first = begins_word(row->label, filter);
            if (!act_field_applies(plan, row->id) || first != (pass == 0))
                continue;
            if (first || act_pane_matches(row, filter))
                ret->row[ret->count++] = (struct act_row){row->id, row->group, false, false};
        }
    }
}

void act_pane_rows(const struct act_plan *plan, bool all, const char *filter,
                   enum act_field_id focus, int room, struct act_rows *ret)
{
    static const enum act_group opening[] = {
        ACT_GROUP_parallel,  ACT_GROUP_training, ACT_GROUP_hardware,   ACT_GROUP_model,
        ACT_GROUP_framework, ACT_GROUP_cost,     ACT_GROUP_calibration};
    ret->count = 0;
    if (filter[0] != '\0') {
        matching_rows(plan, filter, ret);
        return;
    }
    struct act_row part[ACT_GROUP_COUNT][ACT_FIELD_COUNT];
    int size[ACT_GROUP_COUNT] = {0};
    bool open[ACT_GROUP_COUNT] = {false};
    int first = all ? 0 : ACT_GROUP_model;
    int used = 0;
    enum act_group here = act_field(focus)->group;
    for (int group = first; group < ACT_GROUP_COUNT; group++) {
        if (group == ACT_GROUP_calibration && !all && here != ACT_GROUP_calibration &&
            !act_calibrated(plan, ACT_PIN_TIME) && !act_calibrated(plan, ACT_PIN_MEMORY))
            continue; /* most scenarios have no use for it */
        size[group] = group_rows(plan, (enum act_group)group, all, part[group]);
        used++; /* its heading */
        if (all)
            open[group] = true;
    }
    if (!all && (int)here >= first) {
        open[here] = true;
        used += size[here] - 1;
    }
    for (size_t i = 0; !all && i < sizeof opening / sizeof opening[0]; i++) {
        if (!open[opening[i]] && size[opening[i]] > 0 && used + size[opening[i]] - 1 <= room) {
            open[opening[i]] = true;
            used += size[opening[i]] - 1;
        }
    }
    for (int group = first; group < ACT_GROUP_COUNT; group++) {
        int show = size[group] == 0 ? 0 : open[group] ? size[group] : 1;
        part[group][0].closed = !open[group] && size[group] > 1;
        memcpy(ret->row + ret->count, part[group], (size_t)show * sizeof(struct act_row));
        ret->count += show;
    }
}

int act_pane_find(const struct act_rows *rows, enum act_field_id field)
{
    int heading = -1;
    for (int i = 0; i < rows->count; i++) {
        if (rows->row[i].field == field)
            return i;
        if (rows->row[i].heading && rows->row[i].group == act_field(field)->group)
            heading = i;
    }
    return heading;
}

bool act_pane_value(const struct act_plan *plan, const struct act_plan *resolved,
                    enum act_field_id field, char *out, size_t size)
{
    const struct act_field *row = act_field(field);
    if (row->kind == ACT_KIND_LIST || row->kind == ACT_KIND_TEXT) {
        act_field_text(plan, field, act_figure_style(), out, size);
        return row->kind == ACT_KIND_LIST && strcmp(out, "auto") == 0;
    }
    bool derived = (row->flags & ACT_FIELD_AUTO) != 0 && act_field_number(plan, field) == ACT_AUTO;
    if (derived && act_field_number(resolved, field) == ACT_AUTO)
        snprintf(out, size, "auto");
    else
        act_field_text(resolved, field, act_figure_style(), out, size);
    return derived;
}

/* What stands dim at the right of a heading. */
static void heading_note(const struct act_pane *pane, enum act_group group, char *out, size_t size)
{
    const struct act_plan *plan = pane->resolved;
    char a[40], b[40];
    out[0] = '\0';
    switch (group) {
    case ACT_GROUP_model:
        act_quantity_format(pane->result->parameters.total, ACT_UNIT_COUNT, act_figure_style(), out,
                            size);
        break;
    case ACT_GROUP_training:
        act_field_text(plan, ACT_F_training_precision, act_figure_style(), a, sizeof a);
        act_field_text(plan, ACT_F_training_optimizer, act_figure_style(), b, sizeof b);
        snprintf(out, size, "%s · %s", a, b);
        break;
    case ACT_GROUP_framework:
        act_field_text(plan, ACT_F_framework_kernels, act_figure_style(), a, sizeof a);
        if (act_field_applies(plan, ACT_F_framework_kernels))
            snprintf(out, size, "%s kernels", a);
        break;
    case ACT_GROUP_calibration:
        act_number_format(plan->calibration.memory_factor, 2, true, a, sizeof a);
        if (act_calibrated(plan, ACT_PIN_TIME) && act_calibrated(plan, ACT_PIN_MEMORY))
            snprintf(out, size, "memory ×%s", a);
        break;
    case ACT_GROUP_parallel:
        if (plan->parallel.context > 1)
            snprintf(out, size, "%lld × %lld × %lld × %lld", (long long)plan->parallel.tensor,
                     (long long)plan->parallel.context, (long long)plan->parallel.pipeline,
                     (long long)plan->parallel.data);
        else
            snprintf(out, size, "%lld × %lld × %lld", (long long)plan->parallel.tensor,
                     (long long)plan->parallel.pipeline, (long long)plan->parallel.data);
        break;
    case ACT_GROUP_hardware:
        act_quantity_format(pane->result->time.peak, ACT_UNIT_FLOPS, act_figure_style(), out, size);
        break;
    case ACT_GROUP_cost:
        /* A preset's date is of its rent, not of a server that is bought. */
        snprintf(out, size, "%s",
                 plan->cost.basis == ACT_OWN ? pane->plan->cost.price_date : plan->cost.price_date);
        break;
    default:
        break;
    }
}

/* The heading's value, with what makes it read as one: "64 GPUs", "$ 1.50 / GPU-h". */
static bool heading_value(const struct act_pane *pane, const struct act_row *row, char *out,
                          size_t size)
{
    char text[128];
    bool derived = act_pane_value(pane->plan, pane->resolved, row->field, text, sizeof text);
    if (row->group == ACT_GROUP_parallel) {
        act_number_format(act_plan_gpus(pane->resolved), 0, true, text, sizeof text);
        snprintf(out, size, "%s GPU%s", text, strcmp(text, "1") == 0 ? "" : "s");
        return false;
    }
    if (row->group == ACT_GROUP_calibration) { /* "step ×1.07" */
        act_number_format(act_field_number(pane->resolved, row->field), 2, true, text, sizeof text);
        snprintf(out, size, row->field == ACT_F_calibration_time_factor ? "step ×%s" : "memory ×%s",
                 text);
        return derived;
    }
    if (row->group == ACT_GROUP_cost) {
        bool owned = row->field == ACT_F_cost_server_price;
        double price = owned ? pane->resolved->cost.server_price : pane->result->cost.price;
        if (price >= 0) {
            act_figure_money(price, pane->resolved->cost.currency, text, sizeof text);
            snprintf(out, size, owned ? "%s / server" : "%s / GPU-h", text);
        } else {
            snprintf(out, size, "no price");
        }
        return derived;
    }
    snprintf(out, size, "%s", text);
    return derived;
}

/* Has a value of the pane been set beside its preset? */
static bool overruled(const struct act_plan *plan, enum act_group group)
{
    for (int id = 0; id < ACT_FIELD_COUNT; id++) {
        const struct act_field *row = act_field((enum act_field_id)id);
        if (row->group == group && (row->flags & ACT_FIELD_PRESET) != 0 &&
            act_plan_given(plan, row->id))
            return true;
    }
    return false;
}

static bool differs(const struct act_pane *pane, enum act_field_id field)
{
    const struct act_plan *plans[2] = {pane->baseline, pane->resolved};
    return pane->baseline != NULL && act_diff_field(plans, 2, field) != ACT_SAME;
}

/* Of a folded pane: does anything in it differ? */
static bool group_differs(const struct act_pane *pane, enum act_group group)
{
    for (int id = 0; pane->baseline != NULL && id < ACT_FIELD_COUNT; id++) {
        if (act_field((enum act_field_id)id)->group == group &&
            differs(pane, (enum act_field_id)id))
            return true;
    }
    return false;
}

static void draw_heading(struct act_canvas *canvas, struct act_rect line,
                         const struct act_pane *pane, const struct act_row *row, bool focused)
{
    char value[160], note[128];
    int end = line.columns - 1;
    int column = act_draw_text(canvas, line, 0, 1, focused ? ACT_LOOK_FOCUS : ACT_LOOK_HEADING,
                               act_group_title(row->group));
    int at = line.columns >= 44 ? 14 : column + 1;
    if (differs(pane, row->field) || (row->closed && group_differs(pane, row->group))) {
        at = line.columns >= 44 ? at : at + 1;
        act_draw_text(canvas, line, 0, at - 1, focused ? ACT_LOOK_FOCUS : ACT_LOOK_NOTE, "!");
    }
    if (focused && pane->edit != NULL) {
        act_edit_draw(pane->edit, canvas, line, 0, at, end - at);
        return;
    }
    bool derived = heading_value(pane, row, value, sizeof value);
    if (act_group_preset(row->group) == (int)row->field && overruled(pane->plan, row->group)) {
        size_t length = strlen(value);
        snprintf(value + length, sizeof value - length, " *");
    }
    heading_note(pane, row->group, note, sizeof note);
    if (row->closed) {
        size_t length = strlen(note);
        snprintf(note + length, sizeof note - length, " +");
    }
    int width = act_text_columns(canvas, note);
    enum act_look look = focused ? ACT_LOOK_FOCUS : derived ? ACT_LOOK_DIM : ACT_LOOK_VALUE;
    int stop = act_draw_cut(canvas, line, 0, at, end - at, look, value);
    if (end - width > stop)
        act_draw_right(canvas, line, 0, end, focused ? ACT_LOOK_FOCUS_DIM : ACT_LOOK_DIM, note);
    else if (row->closed)
        act_draw_right(canvas, line, 0, end, focused ? ACT_LOOK_FOCUS_DIM : ACT_LOOK_DIM, "+");
}

void act_pane_words(const struct act_pane *pane, const struct act_row *row, char *out, size_t size,
                    size_t *ret_value)
{
    char value[1100], note[160] = "";
    bool derived;
    if (row->heading) {
        derived = heading_value(pane, row, value, sizeof value);
        heading_note(pane, row->group, note, sizeof note);
        snprintf(out, size, "%s: ", act_group_title(row->group));
    } else {
        derived = act_pane_value(pane->plan, pane->resolved, row->field, value, sizeof value);
        snprintf(out, size, "  %s: ", act_field(row->field)->label);
    }
    for (char *dot = note; (dot = strstr(dot, " · ")) != NULL;)
        memmove(memcpy(dot, ", ", 2) + 2, dot + strlen(" · "), strlen(dot + strlen(" · ")) + 1);
    *ret_value = strlen(out);
    snprintf(out + *ret_value, size - *ret_value, "%s%s%s%s%s", value[0] != '\0' ? value : "empty",
             derived ? ", derived" : "", note[0] != '\0' ? ", " : "", note,
             row->closed ? ", folded" : "");
}

/* "1 2 ‹4› 8 16" between the label and the value of the focused row, when there is room. */
static void draw_near(struct act_canvas *canvas, struct act_rect line, const struct act_pane *pane,
                      int from, int to)
{
    char text[256] = "";
    for (int i = 0; i < pane->near_count; i++) {
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, pane->near[i].now ? "%s‹%.20s›" : "%s%.20s",
                 i > 0 ? " " : "", pane->near[i].text);
    }
    int width = act_text_columns(canvas, text);
    if (pane->near_count > 1 && width + 2 <= to - from)
        act_draw_text(canvas, line, 0, to - width, ACT_LOOK_FOCUS_DIM, text);
}

static void draw_field(struct act_canvas *canvas, struct act_rect line, const struct act_pane *pane,
                       const struct act_row *row, bool focused)
{
    const struct act_field *field = act_field(row->field);
    char value[1100];
    int end = line.columns - 1;
    bool derived = act_pane_value(pane->plan, pane->resolved, row->field, value, sizeof value);
    int label = act_text_columns(canvas, field->label);
    if (differs(pane, row->field))
        act_draw_text(canvas, line, 0, 1, focused ? ACT_LOOK_FOCUS : ACT_LOOK_NOTE, "!");
    int stop = act_draw_cut(canvas, line, 0, 3, end - 3, focused ? ACT_LOOK_FOCUS : ACT_LOOK_TEXT,
                            field->label);
    if (focused && pane->edit != NULL) {
        int width = act_text_columns(canvas, pane->edit->text) + 2;
        int room = end - stop - 1;
        width = width < 12 ? 12 : width;
        width = width > room ? room : width;
        if (width < 6)
            width = end - 3 < 6 ? end - 3 : 6; /* the text matters more than the label */
        act_edit_draw(pane->edit, canvas, line, 0, end - width, width);
        return;
    }
    int width = act_text_columns(canvas, value);
    int room = end - (3 + label) - 1;
    if (width > room)
        width = room > 1 ? room : 1;
    int at = end - width;
    if (at <= stop)
        at = stop + 1;
    enum act_look look = focused ? ACT_LOOK_FOCUS : derived ? ACT_LOOK_DIM : ACT_LOOK_VALUE;
    act_draw_cut(canvas, line, 0, at, end - at, look, value);
    if (focused)
        draw_near(canvas, line, pane, stop + 1, at - 2);
}

void act_pane_draw(struct act_canvas *canvas, struct act_rect rect, const struct act_pane *pane)
{
    int focus = act_pane_find(pane->rows, pane->focus);
    for (int i = 0; i < rect.rows && pane->scroll + i < pane->rows->count; i++) {
        const struct act_row *row = &pane->rows->row[pane->scroll + i];
        bool focused = pane->scroll + i == focus;
        struct act_rect line = {rect.row + i, rect.column, 1, rect.columns};
        act_canvas_hit(canvas, line.row, line.column, line.columns, ACT_HIT_FIELD, (int)row->field);
        if (focused) {
            act_draw_fill(canvas, line, ' ', ACT_LOOK_FOCUS);
            act_draw_text(canvas, line, 0, 0, ACT_LOOK_FOCUS, "▸");
        }
        if (row->heading)
            draw_heading(canvas, line, pane, row, focused);
        else
            draw_field(canvas, line, pane, row, focused);
        if (focused && pane->edit == NULL) {
            canvas->cursor_row = line.row;
            canvas->cursor_column = line.column;
        }
    }
    bool above = pane->scroll > 0, below = pane->scroll + rect.rows < pane->rows->count;
    if (above && rect.rows > 0)
        act_draw_right(canvas, (struct act_rect){rect.row, rect.column, 1, rect.columns}, 0,
                       rect.columns, ACT_LOOK_DIM, "↑");
    if (below && rect.rows > 1)
        act_draw_right(canvas,
                       (struct act_rect){rect.row + rect.rows - 1, rect.column, 1, rect.columns}, 0,
                       rect.columns, ACT_LOOK_DIM, "↓");
}
