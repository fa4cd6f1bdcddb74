/* The mouse: what was drawn under the pointer says what a press means. */
#include "ui/figure.h"
#include "ui/modes.h"
#include <stdio.h>
#include <string.h>

static void wheel_key(struct act_view *view, int key, int times)
{
    for (int i = 0; i < times; i++)
        act_view_key(view, key);
}

static void wheel(struct act_view *view, struct act_hit hit, bool up)
{
    enum { ROWS = 3 };
    int key = up ? ACT_KEY_UP : ACT_KEY_DOWN;
    switch (view->mode) {
    case ACT_MODE_MAIN:
        if (hit.kind != ACT_HIT_FIELD)
            return;
        view->desk.said = ACT_SAY_NOTHING;
        act_desk_tab(&view->desk)->focus = (enum act_field_id)hit.value;
        act_mode_run(view, up ? ACT_DO_step_up : ACT_DO_step_down);
        break;
    case ACT_MODE_LIST:
        act_list_move(&view->list, up ? -1 : 1);
        break;
    case ACT_MODE_PALETTE: /* up at the top would bring back older lines */
        if (!up || view->palette.cursor > 0)
            wheel_key(view, up ? ACT_KEY_BACK_TAB : ACT_KEY_TAB, 1);
        break;
    case ACT_MODE_HELP:
    case ACT_MODE_EXPLAIN:
    case ACT_MODE_TAKES:
        wheel_key(view, key, ROWS);
        break;
    case ACT_MODE_GRAPH:
    case ACT_MODE_PRESENT:
        wheel_key(view, up ? ACT_KEY_LEFT : ACT_KEY_RIGHT, 1);
        break;
    default:
        break; /* something is being typed or asked */
    }
}

/* A press on a field focuses it; on the focused one it edits. What is being typed is kept if it is
 * valid, as when Enter is pressed. */
static void press_field(struct act_view *view, enum act_field_id field)
{
    struct act_tab *tab = act_desk_tab(&view->desk);
    if (view->mode == ACT_MODE_EDIT) {
        if (field == tab->focus)
            return;
        act_view_key(view, ACT_KEY_ENTER);
    } else if (view->mode == ACT_MODE_FILTER) {
        act_view_key(view, ACT_KEY_ENTER);
    }
    if (view->mode != ACT_MODE_MAIN)
        return;
    view->desk.said = ACT_SAY_NOTHING;
    if (field == tab->focus)
        act_mode_open_field(view);
    else
        tab->focus = field;
}

static void press_entry(struct act_view *view, int index)
{
    if (view->mode == ACT_MODE_LIST && index < view->list.count) {
        view->list.cursor = index;
        act_view_key(view, ACT_KEY_ENTER);
    } else if (view->mode == ACT_MODE_PALETTE && index < view->palette.palette.shown) {
        view->palette.cursor = index;
        view->palette.chosen = true;
        act_view_key(view, ACT_KEY_ENTER);
    }
}

/* What a letter of the bars amounts to: pressed, or while the pointer is drawn along the legend. */
static void tell_letter(struct act_view *view, char letter)
{
    const struct act_memory *memory = &act_desk_tab(&view->desk)->result.memory;
    const struct act_stage *stage = &memory->stage[memory->worst];
    char part[48], whole[48], names[64] = "";
    double sum = 0;
    if (view->mode != ACT_MODE_MAIN || view->compare.on)
        return;
    for (int i = 0; i < ACT_COMPONENT_COUNT; i++) {
        if (act_component_letter((enum act_component)i) != letter)
            continue;
        size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", length > 0 ? " and " : "",
                 act_component_label((enum act_component)i));
        sum += stage->component[i];
    }
    act_figure_gib(sum, part, sizeof part);
    act_figure_gib(stage->device, whole, sizeof whole);
    act_desk_say(&view->desk, ACT_SAY_NOTE,
                 "%c %s: %s of %s %s on stage %d, %.0f %%; i explains it", letter, names, part,
                 whole, act_figure_unit(), memory->worst,
                 stage->device > 0 ? 100 * sum / stage->device : 0);
}

void act_view_mouse(struct act_view *view, enum act_button button, int row, int column)
{
    struct act_hit hit = act_canvas_hit_at(&view->canvas, row, column);
    if (hit.kind == ACT_HIT_LEGEND && button <= ACT_BUTTON_DRAG) {
        tell_letter(view, (char)hit.value);
        return;
    }
    if (button == ACT_BUTTON_DRAG)
        return;
    if (button != ACT_BUTTON_LEFT) {
        wheel(view, hit, button == ACT_BUTTON_WHEEL_UP);
        return;
    }
    switch (hit.kind) {
    case ACT_HIT_FIELD:
        press_field(view, (enum act_field_id)hit.value);
        break;
    case ACT_HIT_ENTRY:
        press_entry(view, hit.value);
        break;
    case ACT_HIT_TAB:
        if (view->mode == ACT_MODE_MAIN && hit.value < view->desk.count) {
            view->desk.current = hit.value;
            view->scroll = 0;
        }
        break;
    case ACT_HIT_KEY:
        act_view_key(view, hit.value);
        break;
    default:
        break;
    }
}
