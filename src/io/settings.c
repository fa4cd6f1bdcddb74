#include "io/settings.h"
#include "core/letters.h"
#include "io/assign.h"
#include "io/file.h"
#include "io/nearest.h"
#include "io/yaml.h"
#include <actuary/field.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_ROOM = 1024, SHOWN = 64, SIZE_MAX_CONFIG = 16 * 1024 };

static const char *const schemes[ACT_SCHEME_COUNT + 1] = {
    "default", "terminal", "light", "dark", "high-contrast", "mono", NULL};

const char *act_scheme_name(int scheme)
{
    return scheme >= 0 && scheme < ACT_SCHEME_COUNT ? schemes[scheme] : NULL;
}

int act_scheme_find(const char *name, enum act_scheme *ret, char *why, size_t why_size)
{
    char shown[SHOWN];
    for (int i = 0; i < ACT_SCHEME_COUNT; i++) {
        if (act_same_letters(name, schemes[i])) {
            *ret = (enum act_scheme)i;
            return 0;
        }
    }
    act_printable(name, strlen(name), shown, sizeof shown);
    snprintf(why, why_size,
             "there is no theme \"%s\"; default, terminal, light, dark, high-contrast or mono",
             shown);
    return -1;
}

/* One setting from its text. 0, or -1 with a sentence. */
typedef int reader(const char *text, void *ret, char *why, size_t why_size);

static int read_flag(const char *text, void *ret, char *why, size_t why_size)
{
    static const char *const words[] = {"off", "on", "no", "yes", "false", "true"};
    char shown[SHOWN];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (act_same_letters(text, words[i])) {
            *(bool *)ret = i % 2 == 1;
            return 0;
        }
    }
    act_printable(text, strlen(text), shown, sizeof shown);
    snprintf(why, why_size, "\"%s\" is neither on nor off", shown);
    return -1;
}

static int read_units(const char *text, void *ret, char *why, size_t why_size)
{
    char shown[SHOWN];
    if (act_same_letters(text, "GiB") || act_same_letters(text, "GB")) {
        *(bool *)ret = act_same_letters(text, "GB");
        return 0;
    }
    act_printable(text, strlen(text), shown, sizeof shown);
    snprintf(why, why_size, "\"%s\" is no unit for memory; GiB or GB", shown);
    return -1;
}

static int read_scheme(const char *text, void *ret, char *why, size_t why_size)
{
    return act_scheme_find(text, ret, why, why_size);
}

static int read_currency(const char *text, void *ret, char *why, size_t why_size)
{
    struct act_plan plan;
    act_plan_init(&plan);
    if (act_field_set_text(&plan, ACT_F_cost_currency, text, 0, why, why_size) != 0)
        return -1;
    if (plan.cost.currency[0] == '\0') {
        snprintf(why, why_size, "needs a currency, such as USD");
        return -1;
    }
    memcpy(ret, plan.cost.currency, sizeof plan.cost.currency);
    return 0;
}

static const struct key {
    const char *name;
    reader *read;
    size_t offset;
} keys[] = {
    {"units", read_units, offsetof(struct act_settings, decimal)},
    {"theme", read_scheme, offsetof(struct act_settings, scheme)},
    {"currency", read_currency, offsetof(struct act_settings, currency)},
    {"mouse", read_flag, offsetof(struct act_settings, mouse)},
    {"ascii", read_flag, offsetof(struct act_settings, ascii)},
    {"plain", read_flag, offsetof(struct act_settings, plain)},
};

enum { KEYS = sizeof keys / sizeof keys[0] };

static void refuse_key(const struct act_node *node, struct act_problems *problems)
{
    const char *names[KEYS + 1] = {NULL};
    for (int i = 0; i < KEYS; i++)
        names[i] = keys[i].name;
    const char *near = act_nearest(names, node->key);
    if (near != NULL)
        act_problems_add(problems, node->key_line, node->key_column, node->key,
                         "unknown key; did you mean %s?", near);
    else
        act_problems_add(problems, node->key_line, node->key_column, node->key,
                         "unknown key; units, theme, currency, mouse, ascii or plain");
}

static void read_member(const struct act_node *node, struct act_settings *settings,
                        struct act_problems *problems)
{
    char why[256];
    int at = 0;
    if (strcmp(node->key, "schema") == 0)
        return;
    while (at < KEYS && strcmp(node->key, keys[at].name) != 0)
        at++;
    if (at == KEYS) {
        refuse_key(node, problems);
        return;
    }
    const char *text = act_assign_scalar(node, node->key, problems);
    if (text != NULL &&
        keys[at].read(text, (char *)settings + keys[at].offset, why, sizeof why) != 0)
        act_problems_add(problems, node->line, node->column, node->key, "%s", why);
}

int act_settings_parse(const char *text, size_t size, struct act_settings *ret,
                       struct act_problems *problems)
{
    struct act_settings settings = *ret;
    int before = problems->count;
    /* A file of comments alone is a good one to begin with. */
    size_t at = 0;
    while (at < size) {
        size_t length = 0;
        while (at + length < size && text[at + length] != '\n')
            length++;
        size_t blank = 0;
        while (blank < length && (text[at + blank] == ' ' || text[at + blank] == '\r'))
            blank++;
        if (blank < length && text[at + blank] != '#')
            break;
        at += length + 1;
    }
    if (at >= size)
        return 0;
    struct act_yaml *yaml = act_yaml_parse(text, size, "config file", problems);
    if (yaml == NULL)
        return -1;
    const struct act_node *root = act_yaml_root(yaml);
    if (root->kind != ACT_NODE_MAP)
        act_problems_add(problems, root->line, root->column, "",
                         "a config file is made of lines \"key: value\", such as \"units: GB\"");
    else if (act_assign_schema(root, problems))
        for (const struct act_node *node = root->first; node != NULL; node = node->next)
            read_member(node, &settings, problems);
    act_yaml_free(yaml);
    if (problems->count != before || problems->more)
        return -1;
    *ret = settings;
    return 0;
}

/* The user's own file. false when neither variable gives an absolute path. */
static bool own_path(char *out, size_t size)
{
    const char *config = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    int length;
    if (config != NULL && config[0] == '/')
        length = snprintf(out, size, "%s/actuary/config.yaml", config);
    else if (home != NULL && home[0] == '/')
        length = snprintf(out, size, "%s/.config/actuary/config.yaml", home);
    else
        return false;
    return length > 0 && (size_t)length < size;
}

int act_settings_load(const char *path, struct act_settings *ret, struct act_problems *problems)
{
    char own[PATH_ROOM], why[160];
    struct act_buffer text;
    bool asked = path != NULL;
    if (!asked && !own_path(own, sizeof own)) {
        act_problems_init(problems, "");
        return 0;
    }
    path = asked ? path : own;
    act_problems_init(problems, path);
    act_buffer_init(&text, SIZE_MAX_CONFIG);
    int result = act_file_read(path, &text, NULL, why, sizeof why);
    if (result != 0 && !asked && (errno == ENOENT || errno == ENOTDIR))
        result = 0;
    else if (result != 0)
        act_problems_add(problems, 0, 0, "", "%s", why);
    else
        result = act_settings_parse(text.text != NULL ? text.text : "", text.size, ret, problems);
    act_buffer_free(&text);
    return result;
}

/* Does the scenario give an amount of money? What a preset gives is another matter. */
static bool gives_money(const struct act_plan *plan)
{
    for (int id = 0; id < ACT_FIELD_COUNT; id++) {
        const struct act_field *field = act_field((enum act_field_id)id);
        if (field->unit == ACT_UNIT_MONEY && act_plan_given(plan, field->id))
            return true;
    }
    return false;
}

void act_settings_apply(const struct act_settings *settings, struct act_plan *plan)
{
    plan->decimal_sizes = settings->decimal ? 1 : 0;
    if (settings->currency[0] == '\0' || act_plan_given(plan, ACT_F_cost_currency) ||
        gives_money(plan) || strcmp(settings->currency, plan->cost.currency) == 0)
        return;
    memcpy(plan->cost.currency, settings->currency, sizeof plan->cost.currency);
    act_plan_set_given(plan, ACT_F_cost_currency, true);
}
