/* What must hold for every text whatever: it is refused with problems that can be printed and a
 * plan left alone, or it is a plan that writes, reads back equal and writes the same again. */
#ifndef ACTUARY_TESTS_ROUNDTRIP_H
#define ACTUARY_TESTS_ROUNDTRIP_H

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
    if (*ret_read)
        return problems.count > 0 ? "is read with problems" : roundtrip_plan(&plan);
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
