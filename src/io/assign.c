#include "io/assign.h"

#include "io/buffer.h"
#include "io/nearest.h"
#include "io/refused.h"
#include <stdio.h>
#include <string.h>

/* Values are shown shortened. */
enum { SHOWN = 48 };

int act_assign_text(struct act_plan *plan, enum act_field_id id, const char *text, unsigned flags,
                    char *why, size_t why_size)
{
    /* A run with a policy, a reference and perhaps a reward or value model holds several models:
     * the figures of one would be wrong by a factor, so none are given (decisions 6). */
    static const char *const several[] = {"dpo", "ipo", "kto", "ppo", "grpo", "rloo", "rl", "rlhf"};
    if (id == ACT_F_training_method)
        for (size_t i = 0; i < sizeof several / sizeof *several; i++)
            if (strcmp(text, several[i]) == 0) {
                snprintf(why, why_size,
                         "%s is not planned here: such a run holds several models at once, and "
                         "the figures of one would mislead; plan full, lora, qlora or freeze",
                         text);
                return -1;
            }
    if (act_field(id)->kind == ACT_KIND_TEXT && strchr(text, '\n')) {
        snprintf(why, why_size,
                 "the text has several lines; write it on one, or in a block that "
                 "folds them (>-)");
        return -1;
    }
    return act_field_set_text(plan, id, text, flags, why, why_size);
}

const char *act_assign_scalar(const struct act_node *node, const char *key,
                              struct act_problems *problems)
{
    if (node->kind != ACT_NODE_SCALAR) {
        act_problems_add(problems, node->line, node->column, key,
                         "takes one value, not a %s; write %s: VALUE",
                         node->kind == ACT_NODE_LIST ? "list" : "group of keys", key);
        return NULL;
    }
    if (act_node_is_null(node)) {
        act_problems_add(problems, node->line, node->column, key,
                         "has no value; give one or leave the key out");
        return NULL;
    }
    return node->text;
}

static bool is_number_kind(enum act_kind kind)
{
    return kind == ACT_KIND_INT || kind == ACT_KIND_REAL || kind == ACT_KIND_BOOL;
}

/* Numbers stand bare, so that "80" of a careless quote is not taken for 80; quotes are accepted
 * where a suffix or unit may follow, as JSON needs them there (decisions 6). */
static bool quotes_accepted(const struct act_field *field, const char *text)
{
    if ((field->flags & ACT_FIELD_AUTO) && strcmp(text, "auto") == 0)
        return true;
    if (field->kind == ACT_KIND_BOOL)
        return false;
    return !is_number_kind(field->kind) || field->unit != ACT_UNIT_NONE;
}

static void assign_scalar(struct act_plan *plan, const struct act_field *field,
                          const struct act_node *node, struct act_problems *problems)
{
    const char *text = act_assign_scalar(node, field->key, problems);
    if (!text)
        return;
    char shown[SHOWN], why[256];
    act_printable(text, strlen(text), shown, sizeof shown);
    if (!node->plain && !quotes_accepted(field, text)) {
        act_problems_add(problems, node->line, node->column, field->key,
                         "\"%s\" is a quoted text; write it without quotes", shown);
        return;
    }
    if (field->kind == ACT_KIND_LIST && strcmp(text, "auto") != 0) {
        act_problems_add(problems, node->line, node->column, field->key,
                         "\"%s\" is not a list; write [20, 20] or auto", shown);
        return;
    }
    if (act_assign_text(plan, field->id, text, 0, why, sizeof why) < 0)
        act_problems_add(problems, node->line, node->column, field->key, "%s", why);
}

/* Items of a list as the text "[a, b]" that fields read. */
static void assign_list(struct act_plan *plan, const struct act_field *field,
                        const struct act_node *node, struct act_problems *problems)
{
    if (field->kind != ACT_KIND_LIST && field->kind != ACT_KIND_SET) {
        act_assign_scalar(node, field->key, problems);
        return;
    }
    bool list = field->kind == ACT_KIND_LIST;
    if (node->count == 0 && list) {
        act_problems_add(problems, node->line, node->column, field->key,
                         "an empty list; write auto or leave the key out");
        return;
    }
    struct act_buffer text;
    act_buffer_init(&text, 16384);
    const struct act_node *wrong = NULL;
    act_buffer_puts(&text, "[");
    for (const struct act_node *item = node->first; item && !wrong; item = item->next) {
        if (item->kind != ACT_NODE_SCALAR || act_node_is_null(item) || strchr(item->text, ',') ||
            (list && !item->plain))
            wrong = item;
        else
            act_buffer_printf(&text, "%s%s", item == node->first ? "" : ", ", item->text);
    }
    act_buffer_puts(&text, "]");
    char why[256];
    if (wrong)
        act_problems_add(problems, wrong->line, wrong->column, field->key,
                         "an item of the list is not a %s", list ? "plain number" : "name");
    else if (text.failed)
        act_problems_add(problems, node->line, node->column, field->key, "the list is too long");
    else if (act_assign_text(plan, field->id, text.text, 0, why, sizeof why) < 0)
        act_problems_add(problems, node->line, node->column, field->key, "%s", why);
    act_buffer_free(&text);
}

void act_assign_field(struct act_plan *plan, enum act_field_id id, const struct act_node *node,
                      struct act_problems *problems)
{
    const struct act_field *field = act_field(id);
    if (field->kind == ACT_KIND_GPUS)
        act_problems_add(problems, node->key_line, node->key_column, field->key,
                         "derived: tensor x context x pipeline x data; set parallel.data");
    else if (node->kind == ACT_NODE_LIST)
        assign_list(plan, field, node, problems);
    else
        assign_scalar(plan, field, node, problems);
}

void act_assign_group(struct act_plan *plan, enum act_group group, const struct act_node *node,
                      enum act_assign which, struct act_problems *problems)
{
    const char *name = act_group_name(group);
    if (node->kind != ACT_NODE_MAP) {
        bool null = act_node_is_null(node);
        act_problems_add(problems, node->line, node->column, name, "%s",
                         null ? "has no keys below it; indent its keys or leave it out"
                              : "takes keys below it, as \"key: value\" on indented lines");
        return;
    }
    for (const struct act_node *member = node->first; member; member = member->next) {
        char key[128];
        snprintf(key, sizeof key, "%s.%s", name, member->key);
        const struct act_field *field = act_field_find(key);
        if (!field)
            act_assign_unknown(member, name, problems);
        else if ((int)field->id == act_group_preset(group)) {
            if (which == ACT_ASSIGN_PRESET)
                act_problems_add(problems, member->key_line, member->key_column, key,
                                 "a preset cannot stand on another; give the values themselves");
        } else if (which == ACT_ASSIGN_PRESET && !(field->flags & ACT_FIELD_PRESET))
            act_problems_add(problems, member->key_line, member->key_column, key,
                             "is not a preset's to set; give it in a scenario");
        else
            act_assign_field(plan, field->id, member, problems);
    }
}

/* The nearest key to one that is unknown; NULL when none is near. */
static const char *suggest(const char *group, const char *member)
{
    static const char *const top[] = {"schema",      "name",      "notes",    "model",
                                      "training",    "framework", "parallel", "hardware",
                                      "calibration", "cost",      NULL};
    const char *name = group ? NULL : act_nearest(top, member);
    if (name)
        return name;
    char key[128];
    snprintf(key, sizeof key, "%s%s%s", group ? group : "", group ? "." : "", member);
    const struct act_field *field = act_field_nearest(key);
    return field ? field->key : NULL;
}

void act_assign_unknown(const struct act_node *node, const char *group,
                        struct act_problems *problems)
{
    char path[128];
    snprintf(path, sizeof path, "%s%s%s", group ? group : "", group ? "." : "", node->key);
    /* {tokens: 1,000} is two members to YAML. */
    if (*node->key && strspn(node->key, "0123456789") == strlen(node->key)) {
        act_problems_add(problems, node->key_line, node->key_column, path,
                         "a number is not a key; write numbers without commas, as 1000 or 1_000");
        return;
    }
    const char *why = act_refused(node->key);
    const char *near = suggest(group, node->key);
    if (why)
        act_problems_add(problems, node->key_line, node->key_column, path, "%s", why);
    else if (near)
        act_problems_add(problems, node->key_line, node->key_column, path,
                         "unknown key; did you mean %s?", near);
    else
        act_problems_add(problems, node->key_line, node->key_column, path,
                         "unknown key; \"actuary list fields\" shows those there are");
}

void act_assign_explain_unknown(const char *key, char *out, size_t size)
{
    const char *point = strchr(key, '.');
    const struct act_field *field = point ? act_field_nearest(key) : NULL;
    const char *near = field ? field->key : suggest(NULL, point ? point + 1 : key);
    char shown[SHOWN];
    act_printable(key, strlen(key), shown, sizeof shown);
    if (near)
        snprintf(out, size, "%s: unknown key; did you mean %s?", shown, near);
    else
        snprintf(out, size, "%s: unknown key; \"actuary list fields\" shows those there are",
                 shown);
}

bool act_assign_schema(const struct act_node *root, struct act_problems *problems)
{
    const struct act_node *node = act_node_find(root, "schema");
    if (!node)
        return true;
    const char *text = act_assign_scalar(node, "schema", problems);
    if (!text)
        return false;
    char why[256], shown[SHOWN];
    double value;
    act_printable(text, strlen(text), shown, sizeof shown);
    if (act_quantity_parse(text, ACT_UNIT_NONE, ACT_PARSE_INTEGER, &value, why, sizeof why) < 0 ||
        value < 1)
        act_problems_add(problems, node->line, node->column, "schema", "\"%s\" must be %d", shown,
                         ACT_SCHEMA);
    else if (value > ACT_SCHEMA)
        act_problems_add(problems, node->line, node->column, "schema",
                         "schema %s is newer than this program, which reads %d; update actuary",
                         shown, ACT_SCHEMA);
    else
        return true;
    return false;
}
