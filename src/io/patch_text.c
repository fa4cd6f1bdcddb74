#include "io/patch_text.h"

#include <stdio.h>
#include <string.h>

enum { INDENT_MAX = 64, STEP = 2 };

static const char *bytes_of(const struct act_patch_text *text)
{
    return text->buffer.text;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_break(char c)
{
    return c == '\n' || c == '\r';
}

/* ---- Places ------------------------------------------------------------------------------------
 */

static size_t line_start(const struct act_patch_text *text, size_t at)
{
    const char *bytes = bytes_of(text);
    while (at > 0 && !is_break(bytes[at - 1]))
        at--;
    if (at == 0 && text->buffer.size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0)
        at = 3;
    return at;
}

/* The line's break, or the end of the text. */
static size_t line_end(const struct act_patch_text *text, size_t at)
{
    while (at < text->buffer.size && !is_break(bytes_of(text)[at]))
        at++;
    return at;
}

static size_t behind_break(const struct act_patch_text *text, size_t at)
{
    const char *bytes = bytes_of(text);
    if (at + 1 < text->buffer.size && bytes[at] == '\r' && bytes[at + 1] == '\n')
        return at + 2;
    return at < text->buffer.size ? at + 1 : at;
}

static size_t before_break(const struct act_patch_text *text, size_t at)
{
    const char *bytes = bytes_of(text);
    if (at >= 2 && bytes[at - 2] == '\r' && bytes[at - 1] == '\n')
        return at - 2;
    return at > 0 && is_break(bytes[at - 1]) ? at - 1 : at;
}

static size_t skip_blanks(const struct act_patch_text *text, size_t at)
{
    while (at < text->buffer.size && is_blank(bytes_of(text)[at]))
        at++;
    return at;
}

static bool only_spaces(const struct act_patch_text *text, size_t from, size_t to)
{
    for (; from < to; from++)
        if (bytes_of(text)[from] != ' ')
            return false;
    return true;
}

/* Nothing but blanks, and perhaps a comment, up to the end of the line. */
static bool ends_line(const struct act_patch_text *text, size_t at)
{
    size_t next = skip_blanks(text, at);
    if (next == text->buffer.size || is_break(bytes_of(text)[next]))
        return true;
    return bytes_of(text)[next] == '#' && next > at;
}

/* Between values: a '#' there begins a comment when it does not touch what is before. */
static bool has_comment(const struct act_patch_text *text, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        char before = i > 0 ? bytes_of(text)[i - 1] : '\n';
        if (bytes_of(text)[i] == '#' && (is_blank(before) || is_break(before)))
            return true;
    }
    return false;
}

/* A line of its own for a comment, in the lines after the first. */
static bool has_comment_line(const struct act_patch_text *text, size_t from, size_t to)
{
    for (size_t at = behind_break(text, line_end(text, from)); at < to;
         at = behind_break(text, line_end(text, at)))
        if (bytes_of(text)[skip_blanks(text, at)] == '#')
            return true;
    return false;
}

static size_t end_of(const struct act_patch_text *text, const struct act_node *node)
{
    return act_node_end(node, bytes_of(text));
}

/* Does the key begin its line? */
static bool begins_line(const struct act_patch_text *text, const struct act_node *node)
{
    return only_spaces(text, line_start(text, node->key_start), node->key_start);
}

static int indent_of(const struct act_patch_text *text, const struct act_node *node)
{
    return (int)(node->key_start - line_start(text, node->key_start));
}

/* Behind the ':' that follows a key on its line; 0 when there is none. */
static size_t behind_colon(const struct act_patch_text *text, const struct act_node *node)
{
    size_t at = skip_blanks(text, node->key_end);
    return at < text->buffer.size && bytes_of(text)[at] == ':' ? at + 1 : 0;
}

/* ---- Changes -----------------------------------------------------------------------------------
 */

bool act_patch_splice(struct act_patch_text *text, size_t start, size_t end, const char *put)
{
    struct act_buffer next;
    act_buffer_init(&next, text->buffer.limit);
    act_buffer_add(&next, bytes_of(text), start);
    act_buffer_puts(&next, put);
    act_buffer_add(&next, bytes_of(text) + end, text->buffer.size - end);
    bool fine = !next.failed && next.size > 0;
    if (!fine) {
        act_buffer_free(&next);
        return false;
    }
    act_buffer_free(&text->buffer);
    text->buffer = next;
    return true;
}

/* `before`, a line break and an indent (`indent` < 0: neither), then the item, then `behind`. */
static bool put_item(struct act_patch_text *text, size_t at, const char *before, int indent,
                     const char *item, const char *behind)
{
    struct act_buffer put;
    act_buffer_init(&put, text->buffer.limit);
    act_buffer_puts(&put, before);
    if (indent >= 0)
        act_buffer_printf(&put, "%s%*s", text->newline, indent, "");
    act_buffer_puts(&put, item);
    act_buffer_puts(&put, behind);
    bool fine = !put.failed && put.size > 0 && act_patch_splice(text, at, at, put.text);
    act_buffer_free(&put);
    return fine;
}

/* No blank behind the colons and commas of a map in brackets? */
static bool is_tight(const struct act_patch_text *text, const struct act_node *map)
{
    const struct act_node *first = map->first;
    return text->json && first && bytes_of(text)[first->key_end] == ':' &&
           first->start == first->key_end + 1;
}

static bool insert_flow(struct act_patch_text *text, const struct act_node *map,
                        const struct act_node *after, const char *item)
{
    const char *comma = is_tight(text, map) ? "," : ", ";
    const struct act_node *first = map->first;
    if (!first)
        return put_item(text, map->start + 1, "", -1, item, "");
    if (!after && begins_line(text, first)) {
        struct act_buffer behind;
        act_buffer_init(&behind, INDENT_MAX + 4);
        act_buffer_printf(&behind, ",%s%*s", text->newline, indent_of(text, first), "");
        bool fine = !behind.failed && put_item(text, first->key_start, "", -1, item, behind.text);
        act_buffer_free(&behind);
        return fine;
    }
    if (!after)
        return put_item(text, first->key_start, "", -1, item, comma);
    size_t end = end_of(text, after);
    if (!begins_line(text, after))
        return put_item(text, end, comma, -1, item, "");
    /* A line each: a comment behind the line stays with it. */
    int indent = indent_of(text, after);
    size_t next = skip_blanks(text, end);
    bool followed = next < text->buffer.size && bytes_of(text)[next] == ',';
    if (followed && ends_line(text, next + 1))
        return put_item(text, line_end(text, next), "", indent, item, ",");
    if (!after->next && ends_line(text, end))
        return put_item(text, line_end(text, end), "", indent, item, "") &&
               act_patch_splice(text, end, end, ",");
    return put_item(text, end, ",", indent, item, "");
}

static bool insert_behind(struct act_patch_text *text, const struct act_node *after, int indent,
                          const char *item)
{
    size_t end = end_of(text, after);
    return ends_line(text, end) && put_item(text, line_end(text, end), "", indent, item, "");
}

/* Before the first key of the root; behind it when a comment above belongs to it. */
static bool insert_first(struct act_patch_text *text, const struct act_node *first, int indent,
                         const char *item)
{
    size_t at = line_start(text, first->key_start);
    size_t above = line_start(text, before_break(text, at));
    if (above < at && bytes_of(text)[skip_blanks(text, above)] == '#')
        return insert_behind(text, first, indent, item);
    struct act_buffer line;
    act_buffer_init(&line, text->buffer.limit);
    act_buffer_printf(&line, "%*s%s%s", indent, "", item, text->newline);
    bool fine = !line.failed && act_patch_splice(text, at, at, line.text);
    act_buffer_free(&line);
    return fine;
}

static bool insert_block(struct act_patch_text *text, const struct act_node *map,
                         const struct act_node *after, const char *item, bool root)
{
    const struct act_node *first = map->first;
    if (!first || !begins_line(text, first))
        return false;
    int indent = indent_of(text, first);
    if (after)
        return insert_behind(text, after, indent, item);
    if (root)
        return insert_first(text, first, indent, item);
    size_t colon = behind_colon(text, map);
    return colon > 0 && ends_line(text, colon) && line_end(text, colon) < first->key_start &&
           put_item(text, line_end(text, colon), "", indent, item, "");
}

/* "key: value", as the map at hand has them. */
static void make_item(struct act_buffer *item, const struct act_patch_text *text, bool tight,
                      const char *key, const char *value)
{
    const char *quote = text->json ? "\"" : "";
    act_buffer_printf(item, "%s%s%s:%s", quote, key, quote, tight ? "" : " ");
    act_buffer_puts(item, value);
}

bool act_patch_insert(struct act_patch_text *text, const struct act_node *map,
                      const struct act_node *after, const char *key, const char *value, bool root)
{
    struct act_buffer item;
    act_buffer_init(&item, text->buffer.limit);
    make_item(&item, text, is_tight(text, map), key, value);
    bool fine = !item.failed && (map->flow ? insert_flow(text, map, after, item.text)
                                           : insert_block(text, map, after, item.text, root));
    act_buffer_free(&item);
    return fine;
}

/* How much further in the keys of a group stand. */
static int step_of(const struct act_patch_text *text, const struct act_node *root)
{
    for (const struct act_node *node = root->first; node; node = node->next)
        if (node->kind == ACT_NODE_MAP && !node->flow && node->first &&
            begins_line(text, node->first) && indent_of(text, node->first) > indent_of(text, node))
            return indent_of(text, node->first) - indent_of(text, node);
    return STEP;
}

/* Behind the last key, and behind comments that stand further in: those of its group. */
static size_t end_of_root(const struct act_patch_text *text, const struct act_node *last,
                          int indent)
{
    size_t at = line_end(text, end_of(text, last));
    for (;;) {
        size_t next = behind_break(text, at), sign = skip_blanks(text, next);
        if (next == at || sign >= text->buffer.size || bytes_of(text)[sign] != '#' ||
            sign - next <= (size_t)indent)
            return at;
        at = line_end(text, sign);
    }
}

bool act_patch_insert_group(struct act_patch_text *text, const struct act_node *root,
                            const char *group, const char *key, const char *value)
{
    const struct act_node *last = root->first;
    while (last && last->next)
        last = last->next;
    struct act_buffer item, inner;
    act_buffer_init(&item, text->buffer.limit);
    act_buffer_init(&inner, text->buffer.limit);
    bool fine = false;
    if (!key) {
        make_item(&item, text, is_tight(text, root), group, value);
    } else if (root->flow) {
        act_buffer_puts(&inner, "{");
        make_item(&inner, text, is_tight(text, root), key, value);
        act_buffer_puts(&inner, "}");
        if (!inner.failed)
            make_item(&item, text, is_tight(text, root), group, inner.text);
    } else if (last) {
        act_buffer_printf(&item, "%s:%s%*s", group, text->newline,
                          indent_of(text, last) + step_of(text, root), "");
        make_item(&item, text, false, key, value);
    }
    if (item.size > 0 && root->flow) {
        fine = insert_flow(text, root, last, item.text);
    } else if (item.size > 0 && last && begins_line(text, last)) {
        int indent = indent_of(text, last);
        fine = ends_line(text, end_of(text, last)) &&
               put_item(text, end_of_root(text, last, indent), "", indent, item.text, "");
    }
    act_buffer_free(&item);
    act_buffer_free(&inner);
    return fine;
}

bool act_patch_open_group(struct act_patch_text *text, const struct act_node *root,
                          const struct act_node *group)
{
    const char *quote = text->json ? "\"" : "";
    char put[2 * INDENT_MAX];
    size_t colon = behind_colon(text, group);
    if (root->flow) {
        snprintf(put, sizeof put, "{%spreset%s:%s", quote, quote, is_tight(text, root) ? "" : " ");
        return act_patch_splice(text, group->end, group->end, "}") &&
               act_patch_splice(text, group->start, group->start, put);
    }
    if (colon == 0 || !begins_line(text, group))
        return false;
    if (line_end(text, colon) < group->start)
        return act_patch_splice(text, group->start, group->start, "preset: ");
    int indent = indent_of(text, group) + step_of(text, root);
    if (indent >= INDENT_MAX)
        return false;
    snprintf(put, sizeof put, "%s%*spreset:", text->newline, indent, "");
    return act_patch_splice(text, colon, colon, put);
}

/* ---- Removing ----------------------------------------------------------------------------------
 */

/* Whole lines, with their breaks; at an end without a break, with the one before. */
static bool remove_lines(struct act_patch_text *text, size_t from, size_t to)
{
    size_t end = behind_break(text, to);
    if (end == to)
        from = before_break(text, from);
    return act_patch_splice(text, from, end, "");
}

static bool remove_block(struct act_patch_text *text, const struct act_node *member)
{
    size_t end = end_of(text, member);
    if (!begins_line(text, member) || !ends_line(text, end))
        return false;
    return remove_lines(text, line_start(text, member->key_start), line_end(text, end));
}

/* Behind a member between braces, and behind its comma. */
static size_t behind_comma(const struct act_patch_text *text, const struct act_node *member)
{
    size_t end = end_of(text, member), next = skip_blanks(text, end);
    return next < text->buffer.size && bytes_of(text)[next] == ',' ? next + 1 : end;
}

static bool remove_flow(struct act_patch_text *text, const struct act_node *map,
                        const struct act_node *member)
{
    const struct act_node *before = NULL;
    for (const struct act_node *node = map->first; node != member; node = node->next)
        before = node;
    size_t end = end_of(text, member), tail = behind_comma(text, member);
    bool comma = tail > end;
    if (begins_line(text, member) && ends_line(text, tail) && (comma || !member->next)) {
        size_t start = line_start(text, member->key_start), stop = line_end(text, tail);
        if (comma && (member->next || !text->json))
            return remove_lines(text, start, stop);
        size_t at = before ? skip_blanks(text, end_of(text, before)) : 0;
        if (before && bytes_of(text)[at] == ',')
            return remove_lines(text, start, stop) && act_patch_splice(text, at, at + 1, "");
    }
    if (member->next)
        return !has_comment(text, end, member->next->key_start) &&
               act_patch_splice(text, member->key_start, member->next->key_start, "");
    if (!before)
        return false;
    size_t from = end_of(text, before);
    return !has_comment(text, from, member->key_start) && act_patch_splice(text, from, end, "");
}

/* The last key between braces: with the group, unless comments would go that are not its own. */
static bool remove_last_flow(struct act_patch_text *text, const struct act_node *root,
                             const struct act_node *group, const struct act_node *member)
{
    size_t tail = behind_comma(text, member);
    bool line = begins_line(text, member) && ends_line(text, tail);
    size_t stop = line ? line_end(text, tail) : tail;
    if (has_comment(text, group->start, member->key_start) || has_comment(text, stop, group->end))
        return line && remove_lines(text, line_start(text, member->key_start), stop);
    if (root->count == 1)
        return act_patch_splice(text, group->start + 1, group->end - 1, "");
    return root->flow ? remove_flow(text, root, group) : remove_block(text, group);
}

/* The last key of a group in a block. */
static bool remove_last_block(struct act_patch_text *text, const struct act_node *root,
                              const struct act_node *group, const struct act_node *member)
{
    bool comments = has_comment_line(text, line_start(text, group->key_start), end_of(text, group));
    if (!comments && root->count > 1)
        return remove_block(text, group);
    size_t colon = behind_colon(text, group);
    return colon > 0 && ends_line(text, colon) && remove_block(text, member) &&
           act_patch_splice(text, colon, colon, " {}");
}

bool act_patch_remove(struct act_patch_text *text, const struct act_node *root,
                      const struct act_node *group, const struct act_node *member)
{
    const struct act_node *map = group ? group : root;
    if (member->kind != ACT_NODE_SCALAR && has_comment(text, member->key_end, end_of(text, member)))
        return false;
    if (map->count == 1)
        return group && (map->flow ? remove_last_flow(text, root, group, member)
                                   : remove_last_block(text, root, group, member));
    return map->flow ? remove_flow(text, map, member) : remove_block(text, member);
}

/* ---- Values that are no single word --------------------------------------------------------- */

bool act_patch_replace_list(struct act_patch_text *text, const struct act_node *list,
                            const char *value)
{
    size_t end = end_of(text, list);
    size_t start = list->flow ? list->start : behind_colon(text, list);
    if (start == 0 || has_comment(text, start, end))
        return false;
    return act_patch_splice(text, start, end, value) &&
           (list->flow || act_patch_splice(text, start, start, " "));
}

/* May the text be a line of a block? */
static bool is_line(const char *plain)
{
    size_t size = strlen(plain);
    if (size == 0 || plain[0] == ' ' || plain[size - 1] == ' ')
        return false;
    for (size_t i = 0; i < size; i++)
        if (plain[i] < ' ' || plain[i] > '~')
            return false;
    return true;
}

bool act_patch_replace_block(struct act_patch_text *text, const struct act_node *node,
                             const char *plain, const char *value)
{
    size_t end = end_of(text, node), head = line_end(text, node->start);
    size_t content = head;
    while (content < end &&
           (is_blank(bytes_of(text)[content]) || is_break(bytes_of(text)[content])))
        content++;
    if (is_line(plain) && content < end && strpbrk(plain, "\t") == NULL)
        return act_patch_splice(text, content, end, plain);
    return !has_comment(text, node->start, head) && act_patch_splice(text, node->start, end, value);
}
