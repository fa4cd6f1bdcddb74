#include "io/patch.h"

#include "io/patch_text.h"
#include "io/scenario.h"
#include "io/written.h"
#include <actuary/field.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Where a field stands in a tree. */
struct place {
    const struct act_node *group; /* NULL: the root, or the group is missing */
    const struct act_node *node;  /* NULL when it does not stand there */
};

static bool is_preset(const struct act_field *field)
{
    return act_group_preset(field->group) == (int)field->id;
}

static struct place find(const struct act_node *root, const struct act_field *field)
{
    struct place place = {0};
    if (field->group == ACT_GROUP_scenario) {
        place.node = act_node_find(root, field->member);
        return place;
    }
    place.group = act_node_find(root, act_group_name(field->group));
    if (place.group && place.group->kind == ACT_NODE_MAP)
        place.node = act_node_find(place.group, field->member);
    else if (place.group && is_preset(field))
        place.node = place.group;
    return place;
}

/* The nearest field before it in the table that stands in the same map. */
static const struct act_node *find_before(const struct act_node *map, const struct act_field *field)
{
    for (int i = (int)field->id - 1; i >= 0; i--) {
        const struct act_field *other = act_field((enum act_field_id)i);
        const struct act_node *node =
            other->group == field->group ? act_node_find(map, other->member) : NULL;
        if (node)
            return node;
    }
    return field->group == ACT_GROUP_scenario ? act_node_find(map, "schema") : NULL;
}

enum step { STEP_IMPOSSIBLE, STEP_DONE, STEP_AGAIN /* something was made ready for it */ };

static enum step done(bool fine)
{
    return fine ? STEP_DONE : STEP_IMPOSSIBLE;
}

static enum step replace(struct act_patch_text *text, const struct act_node *node,
                         const struct act_plan *plan, const struct act_field *field)
{
    enum act_written_style style = text->json           ? ACT_WRITTEN_JSON
                                   : node->mark == '\'' ? ACT_WRITTEN_SINGLE
                                   : node->mark == '"'  ? ACT_WRITTEN_DOUBLE
                                                        : ACT_WRITTEN_PLAIN;
    struct act_buffer value;
    act_buffer_init(&value, ACT_YAML_SIZE_MAX);
    act_written_value(&value, plan, field->id, style);
    bool fine = !value.failed && value.size > 0;
    if (!fine)
        fine = false;
    else if (node->kind == ACT_NODE_LIST)
        fine = act_patch_replace_list(text, node, value.text);
    else if (node->mark == '|' || node->mark == '>')
        fine = act_patch_replace_block(
            text, node,
            field->kind == ACT_KIND_TEXT ? act_field_string(plan, field->id) : value.text,
            value.text);
    else
        fine = act_patch_splice(text, node->start, node->end, value.text);
    act_buffer_free(&value);
    return done(fine);
}

static enum step insert(struct act_patch_text *text, const struct act_node *root,
                        const struct act_plan *plan, const struct act_field *field)
{
    struct place place = find(root, field);
    bool top = field->group == ACT_GROUP_scenario;
    if (place.group && place.group->kind != ACT_NODE_MAP)
        return act_patch_open_group(text, root, place.group) ? STEP_AGAIN : STEP_IMPOSSIBLE;
    struct act_buffer value;
    act_buffer_init(&value, ACT_YAML_SIZE_MAX);
    act_written_value(&value, plan, field->id, text->json ? ACT_WRITTEN_JSON : ACT_WRITTEN_PLAIN);
    const struct act_node *map = top ? root : place.group;
    bool fine = !value.failed && value.size > 0;
    if (fine && map)
        fine = act_patch_insert(text, map, find_before(map, field), field->member, value.text, top);
    else if (fine)
        fine = act_patch_insert_group(text, root, act_group_name(field->group),
                                      is_preset(field) ? NULL : field->member, value.text);
    act_buffer_free(&value);
    return done(fine);
}

enum change { CHANGE_NOTHING, CHANGE_REPLACE, CHANGE_INSERT, CHANGE_REMOVE };

/* What becomes of a field. A preset of which the text is silent stays unsaid while it is the
 * default one. */
static enum change change_of(const struct act_plan *was, const struct act_plan *plan,
                             const struct act_field *field, bool stands)
{
    bool saved = act_written_is_saved(plan, field->id);
    bool equal = act_field_equal(was, plan, field->id);
    if (stands)
        return !saved ? CHANGE_REMOVE : equal ? CHANGE_NOTHING : CHANGE_REPLACE;
    return saved && !(is_preset(field) && equal) ? CHANGE_INSERT : CHANGE_NOTHING;
}

static enum step change(struct act_patch_text *text, enum change what, const struct act_plan *plan,
                        const struct act_field *field)
{
    struct act_problems problems;
    act_problems_init(&problems, "");
    struct act_yaml *yaml =
        act_yaml_parse(text->buffer.text, text->buffer.size, "scenario", &problems);
    if (!yaml)
        return STEP_IMPOSSIBLE;
    const struct act_node *root = act_yaml_root(yaml);
    enum step step = STEP_IMPOSSIBLE;
    if (root->kind == ACT_NODE_MAP && problems.count == 0) {
        struct place place = find(root, field);
        if (what == CHANGE_INSERT)
            step = insert(text, root, plan, field);
        else if (place.node && what == CHANGE_REPLACE)
            step = replace(text, place.node, plan, field);
        else if (place.node)
            step = done(act_patch_remove(text, root, place.group, place.node));
    }
    act_yaml_free(yaml);
    return step;
}

/* What becomes of every field, from the text as it is. False when it is no scenario. */
static bool compare(const struct act_patch_text *text, const struct act_plan *plan,
                    enum change ret[ACT_FIELD_COUNT])
{
    struct act_problems problems;
    struct act_plan was;
    act_problems_init(&problems, "");
    if (act_scenario_parse(text->buffer.text, text->buffer.size, &was, &problems) != 0)
        return false;
    struct act_yaml *yaml =
        act_yaml_parse(text->buffer.text, text->buffer.size, "scenario", &problems);
    if (!yaml)
        return false;
    for (int i = 0; i < ACT_FIELD_COUNT; i++) {
        const struct act_field *field = act_field((enum act_field_id)i);
        ret[i] = change_of(&was, plan, field, find(act_yaml_root(yaml), field).node != NULL);
    }
    act_yaml_free(yaml);
    return true;
}

/* One kind of change, group by group in the order of a file. */
static bool change_all(struct act_patch_text *text, enum change what, const enum change *changes,
                       const struct act_plan *plan)
{
    for (int at = -1; at < ACT_WRITTEN_GROUPS; at++) {
        enum act_group group = at < 0 ? ACT_GROUP_scenario : act_written_group(at);
        for (int i = 0; i < ACT_FIELD_COUNT; i++) {
            const struct act_field *field = act_field((enum act_field_id)i);
            if (field->group != group || changes[i] != what)
                continue;
            enum step step = change(text, what, plan, field);
            if (step == STEP_AGAIN)
                step = change(text, what, plan, field);
            if (step != STEP_DONE)
                return false;
        }
    }
    return true;
}

static bool is_json(const struct act_buffer *text)
{
    json_t *json = json_loadb(text->text, text->size, JSON_REJECT_DUPLICATES, NULL);
    json_decref(json);
    return json != NULL;
}

static bool says(const struct act_patch_text *text, const struct act_plan *plan)
{
    struct act_problems problems;
    struct act_plan read;
    act_problems_init(&problems, "");
    return act_scenario_parse(text->buffer.text, text->buffer.size, &read, &problems) == 0 &&
           act_plan_equal(&read, plan) && (!text->json || is_json(&text->buffer));
}

int act_patch(const char *text, size_t size, const struct act_plan *plan, struct act_buffer *out)
{
    enum change changes[ACT_FIELD_COUNT];
    struct act_patch_text work = {0};
    act_buffer_init(&work.buffer, ACT_YAML_SIZE_MAX);
    act_buffer_add(&work.buffer, text, size);
    bool fine = !work.buffer.failed && work.buffer.size > 0;
    if (fine) {
        size_t line = strcspn(work.buffer.text, "\r\n");
        work.newline = line == size                                       ? "\n"
                       : strncmp(work.buffer.text + line, "\r\n", 2) == 0 ? "\r\n"
                       : work.buffer.text[line] == '\r'                   ? "\r"
                                                                          : "\n";
        work.json = is_json(&work.buffer);
    }
    /* New keys before old ones go: a group is never empty in between, and the keys that new ones
     * stand behind are still there. */
    fine = fine && compare(&work, plan, changes) &&
           change_all(&work, CHANGE_REPLACE, changes, plan) &&
           change_all(&work, CHANGE_INSERT, changes, plan) &&
           change_all(&work, CHANGE_REMOVE, changes, plan) && says(&work, plan);
    if (fine)
        act_buffer_add(out, work.buffer.text, work.buffer.size);
    act_buffer_free(&work.buffer);
    return fine && !out->failed ? 0 : -1;
}
