#include "ui/view.h"
#include "ui/figure.h"

static void draw_mode(struct act_view *view)
{
    if (view->mode == ACT_MODE_HELP) {
        act_help_draw(view);
        return;
    }
    if (view->mode == ACT_MODE_GRAPH) {
        if (view->canvas.plain)
            act_plain_graph_draw(view);
        else
            act_graph_draw(view);
        return;
    }
    if (view->mode == ACT_MODE_EXPLAIN) {
        act_explain_draw(&view->explain, &view->canvas, act_desk_tab(&view->desk));
        return;
    }
    if (view->mode == ACT_MODE_PRESENT || view->mode == ACT_MODE_NOTES) {
        act_present_draw(view);
        return;
    }
    if (view->mode == ACT_MODE_TAKES) {
        act_takes_draw(&view->takes, &view->canvas, &view->desk);
        return;
    }
    if (view->canvas.plain) {
        if (view->mode == ACT_MODE_LIST)
            act_plain_list_draw(view);
        else if (view->mode == ACT_MODE_PALETTE)
            act_plain_palette_draw(view);
        else if (view->compare.on)
            act_plain_columns_draw(view);
        else
            act_plain_draw(view);
        return;
    }
    if (view->compare.on)
        act_compare_draw(view);
    else
        act_dashboard_draw(view);
    if (view->mode == ACT_MODE_LIST)
        act_list_draw(&view->list, &view->canvas, &view->desk);
    if (view->mode == ACT_MODE_PALETTE)
        act_palette_draw(&view->palette, &view->canvas, &view->desk);
}

void act_view_draw(struct act_view *view)
{
    act_figure_use_decimal(view->desk.settings.decimal);
    view->canvas.plain = view->desk.settings.plain;
    draw_mode(view);
    if (view->canvas.plain)
        view->canvas.cursor_shown = true; /* it is what a reader follows */
}
