/* Where a report's figures come from: presets, every assumption, formulas. */
#include "io/report_facts.h"

#include "io/presets.h"

#include <actuary/explain.h>
#include <stdio.h>
#include <stdlib.h>

static void put_preset(const struct act_case *item, enum act_group group, struct act_grid *ret)
{
    int kind = act_preset_kind_of_group(group), id = act_group_preset(group);
    struct act_problems problems;
    struct act_preset_info info;
    const char *name = act_field_string(&item->resolved, (enum act_field_id)id);

    act_problems_init(&problems, "");
    if (act_preset_describe((enum act_preset_kind)kind, name, &info, &problems) < 0)
        return;
    act_grid_printf(ret, ACT_CELL_LABEL, "%s %s", act_group_name(group), name);
    act_grid_cell(ret, ACT_CELL_PLAIN, info.title);
    act_grid_printf(ret, ACT_CELL_PLAIN, "%s%s%s", info.source, info.note[0] ? ". Note: " : "",
                    info.note);
    act_grid_cell(ret, ACT_CELL_PLAIN, info.date);
    act_grid_cell(ret, ACT_CELL_PLAIN, info.confidence);
}

void act_facts_presets(const struct act_case *item, struct act_grid *ret)
{
    static const enum act_group groups[] = {ACT_GROUP_model, ACT_GROUP_framework,
                                            ACT_GROUP_hardware};

    act_grid_init(ret);
    act_grid_column(ret, "preset", false);
    act_grid_column(ret, "what", false);
    act_grid_column(ret, "source", false);
    act_grid_column(ret, "date", false);
    act_grid_column(ret, "confidence", false);
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        put_preset(item, groups[i], ret);
}

static bool is_auto(const struct act_plan *plan, const struct act_field *field)
{
    bool number = field->kind != ACT_KIND_TEXT && field->kind != ACT_KIND_LIST;
    return number && (field->flags & ACT_FIELD_AUTO) && act_field_number(plan, field->id) < 0;
}

/* Who chose the value, and what it rests on. */
static void put_origin(const struct act_case *item, const struct act_field *field,
                       struct act_grid *ret)
{
    int preset = act_group_preset(field->group);
    bool filled = (field->flags & ACT_FIELD_PRESET) && preset >= 0;

    if (is_auto(item->plan, field)) {
        act_grid_cell(ret, ACT_CELL_PLAIN, is_auto(&item->resolved, field) ? "default" : "derived");
        act_grid_cell(ret, ACT_CELL_PLAIN, field->source);
    } else if (act_plan_given(item->plan, field->id)) {
        act_grid_cell(ret, ACT_CELL_STRONG, "given");
        act_grid_cell(ret, ACT_CELL_PLAIN, "the scenario");
    } else if (filled) {
        act_grid_cell(ret, ACT_CELL_PLAIN, "preset");
        act_grid_printf(ret, ACT_CELL_PLAIN, "%s %s", act_group_name(field->group),
                        act_field_string(&item->resolved, (enum act_field_id)preset));
    } else {
        act_grid_cell(ret, ACT_CELL_PLAIN, "default");
        act_grid_cell(ret, ACT_CELL_PLAIN, field->source);
    }
}

/* What presets fill in for the back room is theirs: their own row names its source. */
static bool listed(const struct act_case *item, const struct act_field *field)
{
    bool given = act_plan_given(item->plan, field->id);

    if (field->group == ACT_GROUP_scenario || field->kind == ACT_KIND_GPUS ||
        act_group_preset(field->group) == (int)field->id)
        return false;
    return act_field_applies(&item->resolved, field->id) &&
           (given || !(field->flags & ACT_FIELD_BACK));
}

void act_facts_assumptions(const struct act_case *item, struct act_grid *ret)
{
    enum act_group group = ACT_GROUP_scenario;

    act_grid_init(ret);
    act_grid_column(ret, "group", false);
    act_grid_column(ret, "assumption", false);
    act_grid_column(ret, "value", false);
    act_grid_column(ret, "chosen by", false);
    act_grid_column(ret, "source", false);
    for (int id = 0; id < ACT_FIELD_COUNT; id++) {
        const struct act_field *field = act_field((enum act_field_id)id);
        char value[320];
        if (!listed(item, field))
            continue;
        act_field_text(&item->resolved, field->id, ACT_STYLE_SHORT, value, sizeof value);
        act_grid_cell(ret, ACT_CELL_LABEL,
                      field->group != group ? act_group_name(field->group) : "");
        group = field->group;
        act_grid_cell(ret, ACT_CELL_PLAIN, field->label);
        act_grid_cell(ret, ACT_CELL_PLAIN, value);
        put_origin(item, field, ret);
    }
}

void act_facts_formulas(const struct act_case *item, struct act_grid *ret)
{
    const struct act_memory *memory = &item->result->memory;
    struct act_figure figures[ACT_FIGURES_MAX];
    struct act_explanation text;
    struct act_sheets sheets;
    char value[64];

    act_grid_init(ret);
    act_grid_column(ret, "figure", false);
    act_grid_column(ret, "value", true);
    act_grid_column(ret, "formula, and the same with the numbers put in", false);
    act_grid_column(ret, "source", false);
    act_sheets_of(item->plan, memory->worst, &sheets);
    int count = act_sheets_figures(&sheets, memory->stage[memory->worst].phase, figures);
    for (int i = 0; i < count; i++) {
        act_explain(&sheets, figures[i].term, ACT_NOTATION_UTF8, &text);
        if (text.given)
            continue;
        act_term_format(text.value, text.unit, value, sizeof value);
        act_grid_cell(ret, ACT_CELL_LABEL, figures[i].name);
        act_grid_cell(ret, ACT_CELL_PLAIN, value);
        act_grid_printf(ret, ACT_CELL_PLAIN, "%s = %s", text.formula, text.numbers);
        act_grid_cell(ret, ACT_CELL_PLAIN, text.source);
    }
}
