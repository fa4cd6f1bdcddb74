#include "ui/view.h"

void act_view_draw(struct act_view *view)
{
    if (view->mode == ACT_MODE_HELP) {
        act_help_draw(view);
        return;
    }
    if (view->mode == ACT_MODE_GRAPH) {
        act_graph_draw(view);
        return;
    }
    if (view->mode == ACT_MODE_EXPLAIN) {
        act_explain_draw(&view->explain, &view->canvas, act_desk_tab(&view->desk));
        return;
    }
    if (view->mode == ACT_MODE_TAKES) {
        act_takes_draw(&view->takes, &view->canvas, &view->desk);
        return;
    }
    if (view->compare.on)
        act_compare_draw(view);
    else
        act_dashboard_draw(view);
    if (view->mode == ACT_MODE_LIST)
        act_list_draw(&view->list, &view->canvas, &view->desk);
}
