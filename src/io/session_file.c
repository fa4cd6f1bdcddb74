#include "io/session_file.h"

#include "core/utf8.h"
#include "io/assign.h"
#include "io/yaml.h"
#include <actuary/units.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_session(const struct act_node *root)
{
    const struct act_node *kind = root->kind == ACT_NODE_MAP ? act_node_find(root, "kind") : NULL;
    return kind && kind->kind == ACT_NODE_SCALAR && strcmp(kind->text, "session") == 0;
}

static void read_open(const struct act_node *node, struct act_session_file *session,
                      struct act_problems *problems)
{
    if (node->kind != ACT_NODE_LIST || node->count == 0) {
        act_problems_add(problems, node->line, node->column, "open",
                         "must be a list of scenario files, [a.yaml, b.yaml]");
        return;
    }
    if (node->count > ACT_SESSION_OPEN_MAX) {
        act_problems_add(problems, node->line, node->column, "open",
                         "%d scenarios are more than %d, the most that can be open", node->count,
                         ACT_SESSION_OPEN_MAX);
        return;
    }
    for (const struct act_node *item = node->first; item; item = item->next) {
        const char *path = act_assign_scalar(item, "open", problems);
        if (!path)
            continue;
        if (*path == '\0' || strlen(path) >= ACT_SESSION_PATH_MAX) {
            act_problems_add(problems, item->line, item->column, "open",
                             *path == '\0' ? "a scenario's file has no name"
                                           : "the path is longer than %d bytes",
                             ACT_SESSION_PATH_MAX - 1);
            continue;
        }
        snprintf(session->open[session->count].path, ACT_SESSION_PATH_MAX, "%s", path);
        session->open[session->count].line = item->line;
        session->open[session->count++].column = item->column;
    }
}

static void read_pinned(const struct act_node *node, int count, struct act_session_file *session,
                        struct act_problems *problems)
{
    char why[256];
    double value;
    const char *text = act_assign_scalar(node, "pinned", problems);
    if (!text)
        return;
    if (act_quantity_parse(text, ACT_UNIT_NONE, ACT_PARSE_INTEGER, &value, why, sizeof why) < 0) {
        act_problems_add(problems, node->line, node->column, "pinned", "%s", why);
    } else if (value < 1 || value > count) {
        char shown[64];
        act_printable(text, strlen(text), shown, sizeof shown);
        act_problems_add(problems, node->line, node->column, "pinned",
                         "%s is none of the scenarios of open, which count from 1 to %d", shown,
                         count);
    } else {
        session->pinned = (int)value - 1;
    }
}

static void read_root(const struct act_node *root, struct act_session_file *session,
                      struct act_problems *problems)
{
    const struct act_node *open = act_node_find(root, "open");
    const struct act_node *pinned = act_node_find(root, "pinned");
    if (!act_assign_schema(root, problems))
        return;
    for (const struct act_node *node = root->first; node; node = node->next) {
        char shown[64];
        if (strcmp(node->key, "schema") == 0 || strcmp(node->key, "kind") == 0 || node == open ||
            node == pinned)
            continue;
        act_printable(node->key, strlen(node->key), shown, sizeof shown);
        act_problems_add(problems, node->key_line, node->key_column, shown,
                         "unknown key; a session has schema, kind, open and pinned");
    }
    if (!open)
        act_problems_add(problems, root->line, root->column, "open",
                         "is missing; name the scenario files, open: [a.yaml, b.yaml]");
    else
        read_open(open, session, problems);
    if (pinned && open)
        read_pinned(pinned, open->kind == ACT_NODE_LIST ? open->count : 0, session, problems);
}

enum act_session_read act_session_parse(const char *text, size_t size, struct act_session_file *ret,
                                        struct act_problems *problems)
{
    struct act_problems found = *problems;
    struct act_yaml *yaml = act_yaml_parse(text, size, "session", &found);
    if (!yaml)
        return ACT_SESSION_OTHER; /* what is wrong with it is told by who takes it for a scenario */
    if (!is_session(act_yaml_root(yaml))) {
        act_yaml_free(yaml);
        return ACT_SESSION_OTHER;
    }
    enum act_session_read result = ACT_SESSION_BROKEN;
    struct act_session_file *session = calloc(1, sizeof *session);
    if (session) {
        session->pinned = -1;
        read_root(act_yaml_root(yaml), session, &found);
        if (found.count == problems->count && !found.more)
            result = ACT_SESSION_OK;
    } else {
        act_problems_add(&found, 0, 0, "", "out of memory");
    }
    if (result == ACT_SESSION_OK)
        *ret = *session;
    else
        *problems = found;
    free(session);
    act_yaml_free(yaml);
    return result;
}

/* Letters that stand for themselves wherever YAML has them. */
static bool is_plain(const char *path)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t size = strlen(path);
    return strchr(letters, path[0]) != NULL && strchr(path, '.') != NULL &&
           strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/+-") ==
               size;
}

static bool write_path(struct act_buffer *out, const char *path)
{
    size_t size = strlen(path);
    if (is_plain(path)) {
        act_buffer_puts(out, path);
        return true;
    }
    act_buffer_puts(out, "\"");
    for (size_t i = 0; i < size;) {
        uint32_t code;
        size_t step = act_utf8_decode(path + i, size - i, &code);
        if (step == 0 || !act_utf8_printable(code))
            return false;
        if (code == '"' || code == '\\')
            act_buffer_puts(out, "\\");
        act_buffer_add(out, path + i, step);
        i += step;
    }
    act_buffer_puts(out, "\"");
    return true;
}

int act_session_write(const struct act_session_file *session, struct act_buffer *out, char *why,
                      size_t why_size)
{
    act_buffer_printf(out, "schema: %d\nkind: session\nopen:\n", ACT_SCHEMA);
    for (int i = 0; i < session->count; i++) {
        act_buffer_puts(out, "  - ");
        if (!write_path(out, session->open[i].path)) {
            char shown[200];
            act_printable(session->open[i].path, strlen(session->open[i].path), shown,
                          sizeof shown);
            snprintf(why, why_size, "the name %s is no plain text; rename the file", shown);
            return -1;
        }
        act_buffer_puts(out, "\n");
    }
    if (session->pinned >= 0)
        act_buffer_printf(out, "pinned: %d\n", session->pinned + 1);
    if (!out->failed)
        return 0;
    snprintf(why, why_size, "out of memory");
    return -1;
}
