#include "io/scenario.h"

#include "io/assign.h"
#include "io/file.h"
#include "io/measured.h"
#include "io/presets.h"
#include "io/refused.h"
#include "io/yaml.h"
#include <actuary/field.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The preset that a group's node names; NULL when it names none. */
static const struct act_node *preset_node(const struct act_node *group)
{
    if (!group || (group->kind == ACT_NODE_SCALAR && act_node_is_null(group)))
        return NULL;
    if (group->kind == ACT_NODE_MAP)
        return act_node_find(group, "preset");
    return group->kind == ACT_NODE_SCALAR ? group : NULL;
}

/* The first problem of a preset, at the place where the scenario names it. */
static void report_preset(const struct act_node *node, const char *key,
                          const struct act_problems *inside, struct act_problems *problems)
{
    char text[256];
    if (inside->count > 0)
        act_problem_text(inside, 0, text, sizeof text);
    else
        snprintf(text, sizeof text, "it cannot be read");
    act_problems_add(problems, node ? node->line : 0, node ? node->column : 0, key,
                     "the preset is broken: %s", text);
}

static void explain_no_preset(enum act_preset_kind kind, const char *name, char *out, size_t size)
{
    char shown[64];
    act_printable(name, strlen(name), shown, sizeof shown);
    const char *why = kind == ACT_MODELS ? act_refused(name) : NULL;
    const char *near = act_preset_nearest(kind, name);
    const char *kind_name = act_preset_kind_name(kind);
    if (why)
        snprintf(out, size, "%s: %s", shown, why);
    else if (near)
        snprintf(out, size, "there is no preset \"%s\"; did you mean %s? (actuary list %s)", shown,
                 near, kind_name);
    else
        snprintf(out, size, "there is no preset \"%s\"; \"actuary list %s\" shows those there are",
                 shown, kind_name);
}

/* Fills a group in from the preset its node names, or from the default one. */
static void fill_group(struct act_plan *plan, enum act_group group, const struct act_node *node,
                       struct act_problems *problems)
{
    enum act_field_id id = (enum act_field_id)act_group_preset(group);
    enum act_preset_kind kind = (enum act_preset_kind)act_preset_kind_of_group(group);
    const char *key = node && node->key && strcmp(node->key, "preset") != 0 ? act_group_name(group)
                                                                            : act_field(id)->key;
    const char *name = act_field_string(plan, id);
    if (node) {
        const char *given = act_assign_scalar(node, key, problems);
        if (given && act_preset_find(kind, given) >= 0) {
            name = given;
        } else if (given) {
            char why[256];
            explain_no_preset(kind, given, why, sizeof why);
            act_problems_add(problems, node->line, node->column, key, "%s", why);
        }
    }
    struct act_problems inside;
    act_problems_init(&inside, "");
    if (act_preset_apply(plan, kind, name, false, &inside) < 0)
        report_preset(node, key, &inside, problems);
    /* Always given, so that a file goes on to mean the same when defaults change. */
    act_plan_set_given(plan, id, true);
}

static bool is_preset_group(enum act_group group)
{
    return act_group_preset(group) >= 0;
}

/* What presets tell about themselves; not part of a plan, but accepted in every scenario so that a
 * preset's text is one. */
static bool is_about(const char *key)
{
    return strcmp(key, "title") == 0 || strcmp(key, "source") == 0 || strcmp(key, "date") == 0 ||
           strcmp(key, "confidence") == 0;
}

static void read_member(struct act_plan *plan, const struct act_node *node,
                        struct act_problems *problems)
{
    if (strcmp(node->key, "schema") == 0)
        return;
    if (is_about(node->key)) {
        act_assign_scalar(node, node->key, problems);
        return;
    }
    for (int i = ACT_GROUP_scenario + 1; i < ACT_GROUP_COUNT; i++) {
        enum act_group group = (enum act_group)i;
        if (strcmp(node->key, act_group_name(group)) != 0)
            continue;
        if (!is_preset_group(group) || preset_node(node) != node)
            act_assign_group(plan, group, node, ACT_ASSIGN_SCENARIO, problems);
        return;
    }
    const struct act_field *field = act_field_find(node->key);
    if (field && field->group == ACT_GROUP_scenario)
        act_assign_field(plan, field->id, node, problems);
    else
        act_assign_unknown(node, NULL, problems);
}

static void read_root(struct act_plan *plan, const struct act_node *root,
                      struct act_problems *problems)
{
    if (root->kind != ACT_NODE_MAP) {
        act_problems_add(problems, root->line, root->column, "",
                         "a scenario is made of lines \"key: value\"; write at least "
                         "\"model: NAME\"");
        return;
    }
    if (!act_assign_schema(root, problems))
        return; /* its other keys may mean something else */
    const struct act_node *kind = act_node_find(root, "kind");
    if (kind && kind->kind == ACT_NODE_SCALAR && strcmp(kind->text, "session") == 0) {
        act_problems_add(
            problems, kind->line, kind->column, "kind",
            "this is a session, not a scenario; name the scenarios it lists, or open it in "
            "the planner");
        return;
    }
    for (int i = 0; i < ACT_GROUP_COUNT; i++) {
        enum act_group group = (enum act_group)i;
        if (is_preset_group(group))
            fill_group(plan, group, preset_node(act_node_find(root, act_group_name(group))),
                       problems);
    }
    for (const struct act_node *node = root->first; node; node = node->next)
        read_member(plan, node, problems);
}

int act_scenario_parse(const char *text, size_t size, struct act_plan *ret_plan,
                       struct act_problems *problems)
{
    int before = problems->count;
    struct act_yaml *yaml = act_yaml_parse(text, size, "scenario", problems);
    if (!yaml)
        return -1;
    struct act_plan plan;
    act_plan_init(&plan);
    read_root(&plan, act_yaml_root(yaml), problems);
    act_yaml_free(yaml);
    if (problems->count != before || problems->more)
        return -1;
    *ret_plan = plan;
    return 0;
}

/* A run measured on the file's own layout; a figure that cannot be is wrong as a value is. */
static int complete(struct act_plan *plan, struct act_problems *problems)
{
    char why[256];
    if (act_measured_complete(plan, why, sizeof why) == 0)
        return 0;
    act_problems_add(problems, 0, 0, "calibration", "%s", why);
    return -1;
}

/* Keeps errno of a file that cannot be read; 0 otherwise. */
static int load(const char *path, struct act_plan *ret_plan, struct act_stamp *ret_stamp,
                struct act_buffer *ret_text, struct act_problems *problems)
{
    char why[160];
    struct act_buffer text;
    struct act_stamp stamp;
    act_problems_init(problems, strcmp(path, "-") == 0 ? "standard input" : path);
    act_buffer_init(&text, ACT_YAML_SIZE_MAX);
    struct act_plan plan;
    int result = act_file_read(path, &text, &stamp, why, sizeof why);
    int error = result < 0 ? errno : 0;
    if (result < 0)
        act_problems_add(problems, 0, 0, "", "%s", why);
    else
        result = act_scenario_parse(text.text ? text.text : "", text.size, &plan, problems);
    if (result == 0 && ret_text)
        act_buffer_add(ret_text, text.text, text.size);
    act_buffer_free(&text);
    if (result == 0)
        result = complete(&plan, problems);
    if (result == 0)
        *ret_plan = plan;
    if (result == 0 && ret_stamp)
        *ret_stamp = stamp;
    errno = error;
    return result;
}

int act_scenario_load(const char *path, struct act_plan *ret_plan, struct act_stamp *ret_stamp,
                      struct act_problems *problems)
{
    return load(path, ret_plan, ret_stamp, NULL, problems);
}

static int open_preset(const char *name, struct act_plan *ret_plan, struct act_stamp *ret_stamp,
                       struct act_problems *problems)
{
    struct act_preset_info info;
    act_problems_init(problems, name);
    if (act_preset_describe(ACT_SCENARIOS, name, &info, problems) < 0)
        return -1;
    size_t size;
    const char *text = act_preset_text(ACT_SCENARIOS, name, &size);
    act_problems_init(problems, info.user ? info.path : name);
    if (!text) {
        act_problems_add(problems, 0, 0, "", "cannot be read");
        return -1;
    }
    struct act_plan plan;
    if (act_scenario_parse(text, size, &plan, problems) < 0 || complete(&plan, problems) < 0)
        return -1;
    *ret_plan = plan;
    if (ret_stamp)
        *ret_stamp = (struct act_stamp){0};
    return 0;
}

/* "model" for the name of a model's preset; NULL for what names no part of a scenario. */
static const char *group_of_preset(const char *name)
{
    for (int i = 0; i < ACT_GROUP_COUNT; i++)
        if (is_preset_group((enum act_group)i) &&
            act_preset_find((enum act_preset_kind)act_preset_kind_of_group((enum act_group)i),
                            name) >= 0)
            return act_group_name((enum act_group)i);
    return NULL;
}

int act_scenario_open(const char *path_or_preset, struct act_plan *ret_plan,
                      struct act_stamp *ret_stamp, struct act_problems *problems)
{
    return act_scenario_open_text(path_or_preset, ret_plan, ret_stamp, NULL, problems);
}

int act_scenario_open_text(const char *path_or_preset, struct act_plan *ret_plan,
                           struct act_stamp *ret_stamp, struct act_buffer *text,
                           struct act_problems *problems)
{
    int result = load(path_or_preset, ret_plan, ret_stamp, text, problems);
    if (result == 0 || errno != ENOENT)
        return result;
    if (act_preset_find(ACT_SCENARIOS, path_or_preset) >= 0)
        return open_preset(path_or_preset, ret_plan, ret_stamp, problems);
    if (strchr(path_or_preset, '/'))
        return -1;
    act_problems_init(problems, path_or_preset);
    const char *near = act_preset_nearest(ACT_SCENARIOS, path_or_preset);
    const char *group = group_of_preset(path_or_preset);
    if (group)
        act_problems_add(problems, 0, 0, "",
                         "no scenario but a %s preset; plan it with: actuary plan example --set "
                         "%s=%s",
                         group, group, path_or_preset);
    else if (near)
        act_problems_add(problems, 0, 0, "",
                         "no such file, and no scenario preset; did you mean %s?", near);
    else
        act_problems_add(problems, 0, 0, "",
                         "no such file, and no scenario preset; \"actuary list scenarios\" shows "
                         "those there are");
    return -1;
}

/* "model", "framework" and "hardware" stand for their presets, as in files. */
static const struct act_field *find_field(const char *key)
{
    for (int i = 0; i < ACT_GROUP_COUNT; i++)
        if (is_preset_group((enum act_group)i) &&
            strcmp(key, act_group_name((enum act_group)i)) == 0)
            return act_field((enum act_field_id)act_group_preset((enum act_group)i));
    return act_field_find(key);
}

static int set_preset(struct act_plan *plan, const struct act_field *field, const char *name,
                      char *why, size_t why_size)
{
    enum act_preset_kind kind = (enum act_preset_kind)act_preset_kind_of_group(field->group);
    if (act_preset_find(kind, name) < 0) {
        char reason[256];
        explain_no_preset(kind, name, reason, sizeof reason);
        snprintf(why, why_size, "%s: %s", field->key, reason);
        return -1;
    }
    struct act_problems problems;
    act_problems_init(&problems, "");
    if (act_preset_apply(plan, kind, name, true, &problems) == 0)
        return 0;
    char text[320];
    act_problem_text(&problems, 0, text, sizeof text);
    snprintf(why, why_size, "%s: the preset is broken: %s", field->key, text);
    return -1;
}

int act_scenario_set(struct act_plan *plan, const char *key, const char *value, char *why,
                     size_t why_size)
{
    const struct act_field *field = find_field(key);
    if (!field) {
        act_assign_explain_unknown(key, why, why_size);
        return -1;
    }
    if ((int)field->id == act_group_preset(field->group))
        return set_preset(plan, field, value, why, why_size);
    char reason[256];
    if (act_assign_text(plan, field->id, value, ACT_PARSE_ARITHMETIC, reason, sizeof reason) == 0)
        return 0;
    snprintf(why, why_size, "%s: %s", field->key, reason);
    return -1;
}
