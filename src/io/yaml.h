/* YAML text to a small checked tree with places.
 *
 * Built from libyaml's events, never its documents, with hard limits, so that a hostile file ends
 * in milliseconds. Only what a scenario needs exists: maps with scalar keys, lists, scalars.
 * Aliases, anchors, tags, merge keys, second documents, duplicate keys, NUL bytes and other
 * control characters and invalid UTF-8 are problems. */
#ifndef ACTUARY_IO_YAML_H
#define ACTUARY_IO_YAML_H

#include "io/problem.h"
#include <stdbool.h>
#include <stddef.h>

enum {
    ACT_YAML_SIZE_MAX = 256 * 1024,
    ACT_YAML_DEPTH_MAX = 16,
    ACT_YAML_EVENTS_MAX = 20000,
    ACT_YAML_SCALAR_MAX = 4096,
    ACT_YAML_KEYS_MAX = 256, /* of one map */
};

enum act_node_kind { ACT_NODE_SCALAR, ACT_NODE_LIST, ACT_NODE_MAP };

struct act_node {
    enum act_node_kind kind;
    bool plain;       /* a scalar without quotes and not in a block */
    char mark;        /* of a scalar that is not plain: ' or " or the | or > of a block */
    bool flow;        /* a list or map in brackets */
    int line, column; /* 1-based place of the value; columns count characters */
    const char *text; /* of a scalar, terminated, without NUL inside; else NULL */
    const char *key;  /* of a member of a map; else NULL */
    int key_line, key_column;
    /* Bytes of the text that the value and its key take, quotes and brackets included; the end is
     * behind the last. That of a block (text, list or map) may lie anywhere in the blanks and
     * comments after it. */
    size_t start, end, key_start, key_end;
    int count;              /* members of a list or map */
    struct act_node *first; /* member */
    struct act_node *next;  /* in the same list or map */
};

struct act_yaml; /* owns a tree */

/* Reads one document. Problems that concern one node (alias, duplicate key, …) are added and the
 * node left out of the tree, so that more can be found in one go: a tree may only be used for good
 * when no problem was added.
 * Returns NULL (with a problem added) when there is no tree at all: not YAML, a limit, or empty;
 * `what` is what the file should be, for the message about an empty one: "scenario". */
struct act_yaml *act_yaml_parse(const char *text, size_t size, const char *what,
                                struct act_problems *problems);
/* The root; a map, list or scalar. */
const struct act_node *act_yaml_root(const struct act_yaml *yaml);
void act_yaml_free(struct act_yaml *yaml);

/* The member of a map, or NULL. */
const struct act_node *act_node_find(const struct act_node *map, const char *key);
/* Where the text of a value ends: behind its last sign, whatever it is made of. `text` is what the
 * tree was read from. */
size_t act_node_end(const struct act_node *node, const char *text);
/* A plain scalar that YAML reads as no value: nothing, ~, null. */
bool act_node_is_null(const struct act_node *node);

#endif
