#include "io/report.h"

#include <stdio.h>
#include <string.h>

void act_report_title(const struct act_case *cases, int count, char *out, size_t size)
{
    if (count == 2)
        snprintf(out, size, "%s vs %s", cases[0].plan->scenario.name, cases[1].plan->scenario.name);
    else if (count > 1)
        snprintf(out, size, "%s and %d more", cases[0].plan->scenario.name, count - 1);
    else
        snprintf(out, size, "%s", cases[0].plan->scenario.name);
}

static const char *title_of(enum act_preset_kind kind, const char *name,
                            struct act_preset_info *info)
{
    struct act_problems problems;

    act_problems_init(&problems, "");
    bool known = act_preset_describe(kind, name, info, &problems) == 0 && info->title[0];
    return known ? info->title : NULL;
}

void act_report_titles_of(const struct act_plan *resolved, struct act_report_titles *ret)
{
    ret->names.model = title_of(ACT_MODELS, resolved->model.preset, &ret->model);
    ret->names.hardware = title_of(ACT_HARDWARE, resolved->hardware.preset, &ret->hardware);
}

void act_report_conclusion(const struct act_case *item, char *out, size_t size)
{
    struct act_report_titles titles;
    char first[ACT_CONCLUSION_MAX], second[ACT_CONCLUSION_MAX];

    act_report_titles_of(&item->resolved, &titles);
    act_conclusion(&item->resolved, item->result, &titles.names, first, sizeof first);
    act_conclusion_assumptions(&item->resolved, item->result, second, sizeof second);
    snprintf(out, size, "%s %s", first, second);
}
