#include "io/presets.h"

#include "io/assign.h"
#include "io/file.h"
#include "io/nearest.h"
#include "io/preset_store.h"
#include "io/yaml.h"
#include <actuary/field.h>
#include <stdio.h>
#include <string.h>

static const enum act_group groups[ACT_PRESET_KINDS] = {
    [ACT_MODELS] = ACT_GROUP_model,
    [ACT_FRAMEWORKS] = ACT_GROUP_framework,
    [ACT_HARDWARE] = ACT_GROUP_hardware,
    [ACT_SCENARIOS] = ACT_GROUP_COUNT, /* all of them */
};

int act_preset_kind_of_group(enum act_group group)
{
    for (int kind = 0; kind < ACT_SCENARIOS; kind++)
        if (groups[kind] == group)
            return kind;
    return -1;
}

/* The tree of a preset. NULL with a problem when there is none. */
static struct act_yaml *read_tree(enum act_preset_kind kind, const char *name,
                                  const struct act_preset_file **ret_file,
                                  struct act_problems *problems)
{
    const struct act_preset_file *file = act_preset_file(kind, act_preset_find(kind, name));
    if (!file) {
        act_problems_init(problems, name);
        act_problems_add(problems, 0, 0, "", "there is no such preset; see actuary list %s",
                         act_preset_kind_name(kind));
        return NULL;
    }
    act_problems_init(problems, file->path ? file->path : file->name);
    char why[160];
    size_t size;
    const char *text = act_preset_file_text(kind, name, &size, why, sizeof why);
    if (!text) {
        act_problems_add(problems, 0, 0, "", "%s", why);
        return NULL;
    }
    *ret_file = file;
    return act_yaml_parse(text, size, "preset", problems);
}

static bool check_map(const struct act_node *root, struct act_problems *problems)
{
    if (root->kind != ACT_NODE_MAP) {
        act_problems_add(problems, root->line, root->column, "",
                         "a preset is made of lines \"key: value\"");
        return false;
    }
    return act_assign_schema(root, problems);
}

/* Copies the text of a head key made printable; a scenario's may be missing. */
static void copy_head(const struct act_node *root, const char *key, char *out, size_t size)
{
    const struct act_node *node = act_node_find(root, key);
    if (node && node->kind == ACT_NODE_SCALAR && !act_node_is_null(node))
        act_printable(node->text, strlen(node->text), out, size);
}

int act_preset_describe(enum act_preset_kind kind, const char *name, struct act_preset_info *ret,
                        struct act_problems *problems)
{
    const struct act_preset_file *file = NULL;
    struct act_yaml *yaml = read_tree(kind, name, &file, problems);
    if (!yaml)
        return -1;
    const struct act_node *root = act_yaml_root(yaml);
    if (check_map(root, problems) && problems->count == 0) {
        struct act_preset_info info = {.user = file->path != NULL};
        snprintf(info.title, sizeof info.title, "%s", file->name);
        if (file->path)
            snprintf(info.path, sizeof info.path, "%s", file->path);
        if (kind == ACT_SCENARIOS) {
            copy_head(root, "name", info.title, sizeof info.title);
            copy_head(root, "notes", info.note, sizeof info.note);
        }
        copy_head(root, "title", info.title, sizeof info.title);
        copy_head(root, "source", info.source, sizeof info.source);
        copy_head(root, "date", info.date, sizeof info.date);
        copy_head(root, "confidence", info.confidence, sizeof info.confidence);
        copy_head(root, "note", info.note, sizeof info.note);
        *ret = info;
    }
    act_yaml_free(yaml);
    return problems->count == 0 ? 0 : -1;
}

static bool is_head(const char *key)
{
    static const char *const keys[] = {"schema", "title",     "source",  "date",   "confidence",
                                       "note",   "published", "counted", "trained"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

/* The group's values into a plan that stands at its defaults. */
static void read_group(struct act_plan *plan, const struct act_node *root, enum act_group group,
                       struct act_problems *problems)
{
    const char *name = act_group_name(group);
    if (!check_map(root, problems))
        return;
    bool found = false;
    for (const struct act_node *node = root->first; node; node = node->next) {
        if (strcmp(node->key, name) == 0) {
            found = true;
            act_assign_group(plan, group, node, ACT_ASSIGN_PRESET, problems);
        } else if (is_head(node->key)) {
            act_assign_scalar(node, node->key, problems);
        } else {
            act_problems_add(problems, node->key_line, node->key_column, node->key,
                             "unknown key; a preset of this folder has title, source, date, "
                             "confidence, note and %s",
                             name);
        }
    }
    if (!found)
        act_problems_add(problems, root->line, root->column, name,
                         "is missing; its values stand below this key");
}

/* Takes over the covered fields that the user did not give, or all of them. */
static void fill_in(struct act_plan *plan, const struct act_plan *preset, enum act_group group,
                    bool overrule)
{
    for (int i = 0; i < ACT_FIELD_COUNT; i++) {
        const struct act_field *field = act_field((enum act_field_id)i);
        if (field->group != group || !(field->flags & ACT_FIELD_PRESET))
            continue;
        if (!overrule && act_plan_given(plan, field->id))
            continue;
        act_field_copy(plan, preset, field->id);
        act_plan_set_given(plan, field->id, false);
    }
}

/* The preset's values in a plan that stands at its defaults otherwise; NULL with problems. */
static const struct act_preset_file *read_preset(enum act_preset_kind kind, const char *name,
                                                 struct act_plan *ret_plan,
                                                 struct act_problems *problems)
{
    int index = act_preset_find(kind, name);
    const struct act_preset_file *file = act_preset_file(kind, index);
    if (file && file->plan) {
        *ret_plan = *file->plan;
        return file;
    }
    struct act_yaml *yaml = read_tree(kind, name, &file, problems);
    if (!yaml)
        return NULL;
    act_plan_init(ret_plan);
    read_group(ret_plan, act_yaml_root(yaml), groups[kind], problems);
    act_yaml_free(yaml);
    if (problems->count > 0)
        return NULL;
    act_preset_file_keep(kind, index, ret_plan);
    return file;
}

int act_preset_apply(struct act_plan *plan, enum act_preset_kind kind, const char *name,
                     bool overrule, struct act_problems *problems)
{
    struct act_plan preset, next = *plan;
    const struct act_preset_file *file = read_preset(kind, name, &preset, problems);
    if (!file)
        return -1;
    enum act_field_id id = (enum act_field_id)act_group_preset(groups[kind]);
    bool given = act_plan_given(plan, id) || overrule;
    char why[160];
    if (act_field_set_text(&next, id, file->name, 0, why, sizeof why) < 0) {
        act_problems_add(problems, 0, 0, "", "%s", why);
        return -1;
    }
    act_plan_set_given(&next, id, given);
    fill_in(&next, &preset, groups[kind], overrule);
    *plan = next;
    return 0;
}

void act_preset_default_plan(struct act_plan *ret_plan)
{
    act_plan_init(ret_plan);
    for (int kind = 0; kind < ACT_SCENARIOS; kind++) {
        enum act_field_id id = (enum act_field_id)act_group_preset(groups[kind]);
        struct act_problems problems;
        act_problems_init(&problems, "");
        /* A user's broken preset of that name leaves the table's defaults, which are good. */
        act_preset_apply(ret_plan, (enum act_preset_kind)kind, act_field_string(ret_plan, id),
                         false, &problems);
        act_plan_set_given(ret_plan, id, true);
    }
}
