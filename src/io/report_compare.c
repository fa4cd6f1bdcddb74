/* Several scenarios side by side, as tables of a report. */
#include "io/report_facts.h"

static void put_headings(const struct act_case *cases, int count, const char *first, bool right,
                         struct act_grid *ret)
{
    act_grid_init(ret);
    act_grid_column(ret, first, false);
    for (int i = 0; i < count; i++)
        act_grid_column(ret, cases[i].plan->scenario.name, right);
}

static void put_verdicts(const struct act_case *cases, int count, struct act_grid *ret)
{
    act_grid_cell(ret, ACT_CELL_LABEL, "verdict");
    for (int i = 0; i < count; i++) {
        bool tight = cases[i].result->fit == ACT_TIGHT;
        enum act_cell_look look = !act_case_sound(&cases[i]) ? ACT_CELL_BAD
                                  : tight                    ? ACT_CELL_CAREFUL
                                                             : ACT_CELL_GOOD;
        act_grid_cell(ret, look, act_case_verdict(&cases[i]));
    }
}

void act_facts_results(const struct act_case *cases, int count, struct act_grid *ret)
{
    static const enum act_cell_look looks[] = {[ACT_VERDICT_NONE] = ACT_CELL_PLAIN,
                                               [ACT_VERDICT_BETTER] = ACT_CELL_GOOD,
                                               [ACT_VERDICT_WORSE] = ACT_CELL_BAD};

    put_headings(cases, count, "result", true, ret);
    put_verdicts(cases, count, ret);
    for (int i = 0; act_metric_at(i); i++) {
        if (!act_compare_metric_row(cases, count, i, false))
            continue;
        act_grid_cell(ret, ACT_CELL_LABEL, act_metric_at(i)->label);
        for (int j = 0; j < count; j++) {
            struct act_compared cell;
            act_compare_metric(cases, j, i, &cell);
            if (cell.change[0])
                act_grid_printf(ret, looks[cell.verdict], "%s (%s%s%s)", cell.text, cell.change,
                                cell.verdict != ACT_VERDICT_NONE ? ", " : "",
                                act_verdict_name(cell.verdict));
            else
                act_grid_cell(ret, ACT_CELL_PLAIN, cell.text);
        }
    }
}

void act_facts_fields(const struct act_case *cases, int count, bool only, struct act_grid *ret)
{
    put_headings(cases, count, "field", false, ret);
    for (int i = 0; i < ACT_FIELD_COUNT; i++) {
        enum act_field_id id = (enum act_field_id)i;
        bool differs = act_compare_field_difference(cases, count, id) != ACT_SAME;
        if (!act_compare_field_row(cases, count, id, false) || (only && !differs))
            continue;
        act_grid_printf(ret, ACT_CELL_LABEL, "%s", act_field(id)->label);
        for (int j = 0; j < count; j++) {
            struct act_compared cell;
            act_compare_field(cases, j, id, &cell);
            act_grid_cell(ret, cell.differs ? ACT_CELL_STRONG : ACT_CELL_PLAIN, cell.text);
        }
    }
}
