#include "io/report.h"

#include "io/presets.h"

#include <actuary/conclusion.h>
#include <stdio.h>
#include <string.h>

void act_report_title(const struct act_case *cases, int count, char *out, size_t size)
{
    if (count > 1)
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

void act_report_conclusion(const struct act_case *item, char *out, size_t size)
{
    struct act_preset_info model, hardware;
    struct act_conclusion_names names = {
        .model = title_of(ACT_MODELS, item->resolved.model.preset, &model),
        .hardware = title_of(ACT_HARDWARE, item->resolved.hardware.preset, &hardware),
    };
    char first[ACT_CONCLUSION_MAX], second[ACT_CONCLUSION_MAX];

    act_conclusion(&item->resolved, item->result, &names, first, sizeof first);
    act_conclusion_assumptions(&item->resolved, item->result, second, sizeof second);
    snprintf(out, size, "%s %s", first, second);
}
