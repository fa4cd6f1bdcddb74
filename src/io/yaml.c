#include "io/yaml.h"

#include "core/utf8.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* Nodes and texts come from two blocks whose sizes are known beforehand: a node needs an event,
 * and no scalar is longer than 3/2 of its source (an escape like \L turns two bytes into three). */
struct act_yaml {
    struct act_node *root;
    struct act_node *nodes;
    size_t node_count, node_room;
    char *texts;
    size_t text_size, text_room;
};

struct reader {
    yaml_parser_t parser;
    yaml_event_t event;
    bool has_event;
    int events, depth;
    char path[128]; /* keys that lead to the value at hand, "parallel.tensor" */
    struct act_yaml *yaml;
    struct act_problems *problems;
    const char *text; /* all of it */
    size_t size;
    size_t sign, byte; /* the same place, counted in characters as marks are, and in bytes */
};

void act_yaml_free(struct act_yaml *yaml)
{
    if (!yaml)
        return;
    free(yaml->nodes);
    free(yaml->texts);
    free(yaml);
}

const struct act_node *act_yaml_root(const struct act_yaml *yaml)
{
    return yaml->root;
}

const struct act_node *act_node_find(const struct act_node *map, const char *key)
{
    for (const struct act_node *node = map->first; node; node = node->next)
        if (node->key && strcmp(node->key, key) == 0)
            return node;
    return NULL;
}

size_t act_node_end(const struct act_node *node, const char *text)
{
    while (node->kind != ACT_NODE_SCALAR && !node->flow && node->first) {
        node = node->first;
        while (node->next)
            node = node->next;
    }
    size_t end = node->end;
    if (node->mark == '|' || node->mark == '>')
        while (end > node->start && strchr(" \t\r\n", text[end - 1]))
            end--;
    return end;
}

bool act_node_is_null(const struct act_node *node)
{
    static const char *const names[] = {"", "~", "null", "Null", "NULL"};
    if (node->kind != ACT_NODE_SCALAR || !node->plain)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(node->text, names[i]) == 0)
            return true;
    return false;
}

/* Every byte must belong to a character that YAML allows; says where one does not. */
static bool check_characters(const char *text, size_t size, struct act_problems *problems)
{
    int line = 1, column = 1;
    for (size_t i = 0; i < size;) {
        uint32_t code;
        size_t step = act_utf8_decode(text + i, size - i, &code);
        if (step == 0) {
            act_problems_add(problems, line, column, "",
                             "byte 0x%02x is not UTF-8; save the file as UTF-8 text",
                             (unsigned)(unsigned char)text[i]);
            return false;
        }
        bool control = (code < 0x20 && code != '\t' && code != '\n' && code != '\r') ||
                       (code >= 0x7F && code < 0xA0 && code != 0x85) || code == 0xFEFF ||
                       code == 0xFFFE || code == 0xFFFF;
        if (control) {
            act_problems_add(problems, line, column, "",
                             "the control character U+%04X cannot stand in a text file; remove it "
                             "(or is this no text file?)",
                             (unsigned)code);
            return false;
        }
        i += step;
        column++;
        if (code == '\n' || (code == '\r' && (i == size || text[i] != '\n'))) {
            line++;
            column = 1;
        }
    }
    return true;
}

static int line_of(yaml_mark_t mark)
{
    return (int)mark.line + 1;
}

static int column_of(yaml_mark_t mark)
{
    return (int)mark.column + 1;
}

/* libyaml counts characters: from the last place asked for, forth or back, since marks come nearly
 * in order. */
static size_t byte_of(struct reader *reader, yaml_mark_t mark)
{
    const char *text = reader->text;
    while (reader->sign < mark.index && reader->byte < reader->size) {
        do
            reader->byte++;
        while (reader->byte < reader->size && ((unsigned char)text[reader->byte] & 0xC0) == 0x80);
        reader->sign++;
    }
    while (reader->sign > mark.index) {
        do
            reader->byte--;
        while (((unsigned char)text[reader->byte] & 0xC0) == 0x80);
        reader->sign--;
    }
    return reader->byte;
}

static void broken_syntax(struct reader *reader)
{
    const yaml_parser_t *parser = &reader->parser;
    const char *what = parser->problem ? parser->problem : "out of memory";
    const char *cure = "check indentation, quotes and brackets here and just before";
    if (parser->error == YAML_SCANNER_ERROR && strstr(what, "cannot start any token"))
        cure = "quote the value, and indent with spaces, not tabs";
    else if (strstr(what, "mapping values are not allowed"))
        cure = "put each key on its own line, and quote a value that contains ': '";
    act_problems_add(reader->problems, line_of(parser->problem_mark),
                     column_of(parser->problem_mark), "", "not valid YAML: %s; %s", what, cure);
}

/* The next event, within the limits. */
static bool next_event(struct reader *reader)
{
    if (reader->has_event)
        yaml_event_delete(&reader->event);
    reader->has_event = false;
    if (!yaml_parser_parse(&reader->parser, &reader->event)) {
        broken_syntax(reader);
        return false;
    }
    reader->has_event = true;
    if (++reader->events > ACT_YAML_EVENTS_MAX) {
        act_problems_add(reader->problems, line_of(reader->event.start_mark),
                         column_of(reader->event.start_mark), "",
                         "more than %d values, the most that are read", ACT_YAML_EVENTS_MAX);
        return false;
    }
    return true;
}

static void complain(struct reader *reader, const char *text)
{
    act_problems_add(reader->problems, line_of(reader->event.start_mark),
                     column_of(reader->event.start_mark), reader->path, "%s", text);
}

static void refuse_properties(struct reader *reader, const yaml_char_t *anchor,
                              const yaml_char_t *tag)
{
    if (anchor)
        complain(reader, "anchors (&) are not accepted; write the value out where it is used");
    if (tag)
        complain(reader, "tags (!) are not accepted; write the bare value");
}

static struct act_node *new_node(struct reader *reader, enum act_node_kind kind)
{
    struct act_yaml *yaml = reader->yaml;
    if (yaml->node_count == yaml->node_room) {
        complain(reader, "too many values");
        return NULL;
    }
    struct act_node *node = &yaml->nodes[yaml->node_count++];
    *node = (struct act_node){.kind = kind,
                              .line = line_of(reader->event.start_mark),
                              .column = column_of(reader->event.start_mark),
                              .start = byte_of(reader, reader->event.start_mark),
                              .end = byte_of(reader, reader->event.end_mark)};
    return node;
}

/* What reading one node came to. */
enum outcome { STOP, LEFT_OUT, READ };

/* Keeps the text of the scalar at hand. */
static enum outcome keep_text(struct reader *reader, const char **ret_text)
{
    const char *value = (const char *)reader->event.data.scalar.value;
    size_t length = reader->event.data.scalar.length;
    struct act_yaml *yaml = reader->yaml;
    if (length > ACT_YAML_SCALAR_MAX) {
        act_problems_add(reader->problems, line_of(reader->event.start_mark),
                         column_of(reader->event.start_mark), reader->path,
                         "a text of %zu bytes; at most %d are accepted", length,
                         ACT_YAML_SCALAR_MAX);
        return LEFT_OUT;
    }
    if (memchr(value, '\0', length)) {
        complain(reader, "a NUL character in a text; remove \\0");
        return LEFT_OUT;
    }
    if (length + 1 > yaml->text_room - yaml->text_size) {
        complain(reader, "too much text");
        return STOP;
    }
    char *text = yaml->texts + yaml->text_size;
    memcpy(text, value, length);
    text[length] = '\0';
    yaml->text_size += length + 1;
    *ret_text = text;
    return READ;
}

static enum outcome read_node(struct reader *reader, struct act_node **ret_node);

/* Adds a key to the path and returns the length to cut it back to. */
static size_t enter(struct reader *reader, const char *key)
{
    size_t length = strlen(reader->path);
    if (*key)
        snprintf(reader->path + length, sizeof reader->path - length, "%s%s", length ? "." : "",
                 key);
    return length;
}

/* A key of a map: its text and place, or LEFT_OUT when it cannot be one. */
static enum outcome read_key(struct reader *reader, const struct act_node *map,
                             struct act_node *ret_place)
{
    struct act_node *key = NULL;
    bool scalar = reader->event.type == YAML_SCALAR_EVENT;
    if (reader->event.type == YAML_SEQUENCE_START_EVENT ||
        reader->event.type == YAML_MAPPING_START_EVENT)
        complain(reader, "a key must be a plain word, not a list or map; check the brackets");
    enum outcome outcome = read_node(reader, &key);
    if (outcome != READ || !scalar)
        return outcome == STOP ? STOP : LEFT_OUT;
    ret_place->key = key->text;
    ret_place->key_line = key->line;
    ret_place->key_column = key->column;
    ret_place->key_start = key->start;
    ret_place->key_end = key->end;
    const struct act_node *before = act_node_find(map, key->text);
    if (!before)
        return READ;
    size_t length = enter(reader, key->text);
    act_problems_add(reader->problems, key->line, key->column, reader->path,
                     "given twice, first on line %d; keep one", before->key_line);
    reader->path[length] = '\0';
    return LEFT_OUT;
}

/* The members of a list or map, up to its end. */
static enum outcome read_members(struct reader *reader, struct act_node *parent)
{
    bool map = parent->kind == ACT_NODE_MAP;
    yaml_event_type_t end = map ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT;
    struct act_node **link = &parent->first;
    for (;;) {
        if (!next_event(reader))
            return STOP;
        if (reader->event.type == end) {
            parent->end = byte_of(reader, reader->event.end_mark);
            return READ;
        }
        struct act_node place = {0};
        enum outcome outcome = READ;
        if (map) {
            outcome = read_key(reader, parent, &place);
            if (outcome == STOP || !next_event(reader))
                return STOP;
        }
        struct act_node *node = NULL;
        size_t length = enter(reader, place.key ? place.key : "");
        enum outcome value = read_node(reader, &node);
        reader->path[length] = '\0';
        if (value == STOP)
            return STOP;
        if (value == LEFT_OUT || outcome == LEFT_OUT)
            continue;
        if (map && parent->count == ACT_YAML_KEYS_MAX) {
            act_problems_add(reader->problems, place.key_line, place.key_column, "",
                             "more than %d keys in one group", ACT_YAML_KEYS_MAX);
            return STOP;
        }
        node->key = place.key;
        node->key_line = place.key_line;
        node->key_column = place.key_column;
        node->key_start = place.key_start;
        node->key_end = place.key_end;
        parent->count++;
        *link = node;
        link = &node->next;
    }
}

static enum outcome read_collection(struct reader *reader, enum act_node_kind kind, bool flow,
                                    struct act_node **ret_node)
{
    if (reader->depth == ACT_YAML_DEPTH_MAX) {
        act_problems_add(reader->problems, line_of(reader->event.start_mark),
                         column_of(reader->event.start_mark), "",
                         "nested more than %d deep; a scenario needs two levels",
                         ACT_YAML_DEPTH_MAX);
        return STOP;
    }
    struct act_node *node = new_node(reader, kind);
    if (!node)
        return STOP;
    node->flow = flow;
    reader->depth++;
    enum outcome outcome = read_members(reader, node);
    reader->depth--;
    *ret_node = node;
    return outcome;
}

static char mark_of(yaml_scalar_style_t style)
{
    return style == YAML_SINGLE_QUOTED_SCALAR_STYLE   ? '\''
           : style == YAML_DOUBLE_QUOTED_SCALAR_STYLE ? '"'
           : style == YAML_LITERAL_SCALAR_STYLE       ? '|'
           : style == YAML_FOLDED_SCALAR_STYLE        ? '>'
                                                      : '\0';
}

/* The node that starts with the event at hand. */
static enum outcome read_node(struct reader *reader, struct act_node **ret_node)
{
    const yaml_event_t *event = &reader->event;
    switch (event->type) {
    case YAML_SCALAR_EVENT: {
        refuse_properties(reader, event->data.scalar.anchor, event->data.scalar.tag);
        const char *text = NULL;
        enum outcome outcome = keep_text(reader, &text);
        if (outcome != READ)
            return outcome;
        struct act_node *node = new_node(reader, ACT_NODE_SCALAR);
        if (!node)
            return STOP;
        node->text = text;
        node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
        node->mark = mark_of(event->data.scalar.style);
        *ret_node = node;
        return READ;
    }
    case YAML_SEQUENCE_START_EVENT:
        refuse_properties(reader, event->data.sequence_start.anchor,
                          event->data.sequence_start.tag);
        return read_collection(reader, ACT_NODE_LIST,
                               event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE,
                               ret_node);
    case YAML_MAPPING_START_EVENT:
        refuse_properties(reader, event->data.mapping_start.anchor, event->data.mapping_start.tag);
        return read_collection(reader, ACT_NODE_MAP,
                               event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE,
                               ret_node);
    default:
        complain(reader, "aliases (*) are not accepted; write the value out, or quote it");
        return LEFT_OUT;
    }
}

/* Stream start, document start, the root, document end, and nothing after it. */
static bool read_stream(struct reader *reader, const char *what)
{
    if (!next_event(reader) || !next_event(reader))
        return false;
    enum outcome outcome = READ;
    if (reader->event.type == YAML_DOCUMENT_START_EVENT) {
        if (!next_event(reader))
            return false;
        outcome = read_node(reader, &reader->yaml->root);
        if (outcome == STOP || !next_event(reader) || !next_event(reader))
            return false;
        if (reader->event.type != YAML_STREAM_END_EVENT) {
            complain(reader, "a second document; put each in a file of its own");
            return false;
        }
    }
    const struct act_node *root = reader->yaml->root;
    if (outcome == READ && (!root || (act_node_is_null(root) && *root->text == '\0'))) {
        act_problems_add(reader->problems, 0, 0, "", "an empty %s; write at least \"model: NAME\"",
                         what);
        return false;
    }
    return root != NULL;
}

static bool prepare(struct reader *reader, const char *text, size_t size)
{
    struct act_yaml *yaml = reader->yaml;
    yaml->node_room = size + 2 < ACT_YAML_EVENTS_MAX ? size + 2 : ACT_YAML_EVENTS_MAX;
    yaml->text_room = size + size / 2 + yaml->node_room;
    yaml->nodes = malloc(yaml->node_room * sizeof *yaml->nodes);
    yaml->texts = malloc(yaml->text_room);
    if (!yaml->nodes || !yaml->texts || !yaml_parser_initialize(&reader->parser))
        return false;
    yaml_parser_set_encoding(&reader->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader->parser, (const unsigned char *)text, size);
    return true;
}

struct act_yaml *act_yaml_parse(const char *text, size_t size, const char *what,
                                struct act_problems *problems)
{
    const char *all = text;
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        size -= 3;
    }
    if (size > ACT_YAML_SIZE_MAX) {
        act_problems_add(problems, 0, 0, "", "is larger than %d KiB, the most that is read",
                         ACT_YAML_SIZE_MAX / 1024);
        return NULL;
    }
    if (!check_characters(text, size, problems))
        return NULL;
    struct reader reader = {.problems = problems,
                            .yaml = calloc(1, sizeof(struct act_yaml)),
                            .text = all,
                            .size = size + (size_t)(text - all),
                            .byte = (size_t)(text - all)};
    if (!reader.yaml || !prepare(&reader, text, size)) {
        act_problems_add(problems, 0, 0, "", "out of memory");
        act_yaml_free(reader.yaml);
        return NULL;
    }
    bool read = read_stream(&reader, what);
    if (reader.has_event)
        yaml_event_delete(&reader.event);
    yaml_parser_delete(&reader.parser);
    if (!read) {
        act_yaml_free(reader.yaml);
        return NULL;
    }
    return reader.yaml;
}
