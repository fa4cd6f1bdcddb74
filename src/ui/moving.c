/* The focus, from row to row and from pane to pane; and the part of the rows that shows. */
#include "ui/modes.h"

void act_mode_settle(struct act_view *view, int height)
{
    struct act_tab *tab = act_desk_tab(&view->desk);
    view->fields_height = height;
    int focus = act_pane_find(&view->rows, tab->focus);
    if (focus < 0 && view->rows.count > 0)
        focus = 0;
    if (focus >= 0)
        tab->focus = view->rows.row[focus].field;
    /* A step off the edge scrolls by a row; a jump puts the field in the middle. */
    int beyond = focus - (view->scroll + height - 1), before = view->scroll - focus;
    if (beyond > 1 || before > 1)
        view->scroll = focus - height / 2;
    else if (beyond == 1 || before == 1)
        view->scroll += beyond == 1 ? 1 : -1;
    if (view->scroll > view->rows.count - height)
        view->scroll = view->rows.count - height;
    if (view->scroll < 0)
        view->scroll = 0;
}

void act_mode_focus_row(struct act_view *view, int index)
{
    if (view->rows.count == 0)
        return;
    index = index < 0 ? 0 : index >= view->rows.count ? view->rows.count - 1 : index;
    act_desk_tab(&view->desk)->focus = view->rows.row[index].field;
}

void act_mode_move_focus(struct act_view *view, int by)
{
    int at = act_pane_find(&view->rows, act_desk_tab(&view->desk)->focus) + by;
    if (at < 0 && by == -1)
        at = view->rows.count - 1; /* single steps go around */
    if (at >= view->rows.count && by == 1)
        at = 0;
    act_mode_focus_row(view, at);
}

void act_mode_move_pane(struct act_view *view, int direction)
{
    int at = act_pane_find(&view->rows, act_desk_tab(&view->desk)->focus);
    if (at < 0 || view->rows.count == 0)
        return;
    for (int i = 1; i <= view->rows.count; i++) {
        int index = (at + direction * i) % view->rows.count;
        index = index < 0 ? index + view->rows.count : index;
        const struct act_row *row = &view->rows.row[index];
        if (row->heading && (direction > 0 || row->group != view->rows.row[at].group)) {
            act_desk_tab(&view->desk)->focus = row->field;
            return;
        }
    }
    act_mode_move_focus(view, direction * 8); /* a filtered list has no headings */
}
