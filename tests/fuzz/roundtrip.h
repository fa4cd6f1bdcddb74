/* What must hold for every text whatever: it is refused with problems that can be printed and a
 * plan left alone, or it is a plan that writes, reads back equal and writes the same again, and
 * whose text can be patched. */
#ifndef ACTUARY_TESTS_ROUNDTRIP_H
#define ACTUARY_TESTS_ROUNDTRIP_H

#include "io/patch.h"
#include "io/presets.h"
#include "io/scenario.h"
#include "io/yaml.h"
#include <string.h>

enum { ROUNDTRIP_ROOM = 1 << 20 };

static inline bool roundtrip_is_clean(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7F)
            return false;
    return true;
}

/* Patching a scenario's text: with nothing to change it gives the same bytes; with a field changed,
 * taken away or added it gives that plan, or nothing. */
static inline const char *roundtrip_patch(const char *text, size_t size,
                                          const struct act_plan *plan)
{
    static const enum act_field_id fields[] = {ACT_F_scenario_notes, ACT_F_parallel_tensor,
                                               ACT_F_model_layers, ACT_F_parallel_layers_per_stage};
    static const char *const values[] = {"a new # note", "8", "40", "[41, 39]"};
    const char *wrong = NULL;
    struct act_buffer same;
    act_buffer_init(&same, ACT_YAML_SIZE_MAX);
    if (act_patch(text, size, plan, &same) != 0 || same.size != size ||
        memcmp(same.text, text, size) != 0)
        wrong = "is patched though nothing changed";
    act_buffer_free(&same);
    for (int i = 0; i < 8 && !wrong; i++) {
        struct act_plan next = *plan, read;
        struct act_buffer patched;
        struct act_problems problems;
        char why[256];
        act_problems_init(&problems, "patched");
        act_buffer_init(&patched, ACT_YAML_SIZE_MAX);
        if (i < 4)
            act_field_set_text(&next, fields[i], values[i], 0, why, sizeof why);
        else
            act_field_reset(&next, fields[i - 4]);
        if (act_patch(text, size, &next, &patched) != 0)
            wrong = patched.size > 0 ? "is patched in half" : NULL;
        else if (act_scenario_parse(patched.text, patched.size, &read, &problems) != 0 ||
                 !act_plan_equal(&read, &next))
            wrong = "is patched to another plan";
        act_buffer_free(&patched);
    }
    return wrong;
}

/* NULL when the plan survives, else what went wrong. */
static inline const char *roundtrip_plan(const struct act_plan *plan)
{
    struct act_plan again;
    struct act_problems problems;
    struct act_buffer first, second;
    const char *wrong = NULL;
    act_problems_init(&problems, "written");
    act_buffer_init(&first, ROUNDTRIP_ROOM);
    act_buffer_init(&second, ROUNDTRIP_ROOM);
    if (act_scenario_write(plan, &first) < 0)
        wrong = "cannot be written";
    else if (first.size > ACT_YAML_SIZE_MAX)
        wrong = "is written larger than is read";
    else if (act_scenario_parse(first.text, first.size, &again, &problems) < 0)
        wrong = "what was written is refused";
    else if (!act_plan_equal(plan, &again))
        wrong = "what was written reads back as another plan";
    else if (act_scenario_write(&again, &second) < 0 || first.size != second.size ||
             memcmp(first.text, second.text, first.size) != 0)
        wrong = "is written differently the second time";
    act_buffer_free(&first);
    act_buffer_free(&second);
    return wrong;
}

/* The same for a text; *ret_read tells whether it was a scenario. */
static inline const char *roundtrip_text(const char *text, size_t size, bool *ret_read)
{
    static struct act_plan before;
    static bool ready;
    if (!ready)
        act_preset_default_plan(&before);
    ready = true;
    struct act_plan plan = before;
    struct act_problems problems;
    act_problems_init(&problems, "text");
    *ret_read = act_scenario_parse(text, size, &plan, &problems) == 0;
    if (*ret_read) {
        const char *wrong = problems.count > 0 ? "is read with problems" : roundtrip_plan(&plan);
        return wrong ? wrong : roundtrip_patch(text, size, &plan);
    }
    if (problems.count == 0)
        return "is refused without a problem";
    if (problems.count > ACT_PROBLEMS_MAX)
        return "has too many problems";
    if (!act_plan_equal(&plan, &before))
        return "is refused and changes the plan";
    for (int i = 0; i < problems.count; i++) {
        char line[1024];
        act_problem_text(&problems, i, line, sizeof line);
        if (!roundtrip_is_clean(line) || !problems.problem[i].text[0])
            return "has a problem that cannot be printed";
    }
    return NULL;
}

#endif
