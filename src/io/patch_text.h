/* Surgery on a scenario's text, one key at a time: for patch.c alone. */
#ifndef ACTUARY_IO_PATCH_TEXT_H
#define ACTUARY_IO_PATCH_TEXT_H

#include "io/buffer.h"
#include "io/yaml.h"

/* The text being changed. A tree is read anew after every change, since all places move. */
struct act_patch_text {
    struct act_buffer buffer;
    const char *newline; /* as the text has it */
    bool json;
};

/* Every one returns false when it cannot be done; the text may then be anything. */

/* Puts `put` in place of the bytes from `start` to `end`. */
bool act_patch_splice(struct act_patch_text *text, size_t start, size_t end, const char *put);

/* Inserts a key into a map: behind `after`, or first when that is NULL. `root`: the map is
 * the whole file. `value` is one line. */
bool act_patch_insert(struct act_patch_text *text, const struct act_node *map,
                      const struct act_node *after, const char *key, const char *value, bool root);

/* Inserts a group at the end of the root: with one key, or (`key` NULL) as a scalar. */
bool act_patch_insert_group(struct act_patch_text *text, const struct act_node *root,
                            const char *group, const char *key, const char *value);

/* Makes `GROUP: name` a map with `preset: name` in it. */
bool act_patch_open_group(struct act_patch_text *text, const struct act_node *root,
                          const struct act_node *group);

/* Removes a member of the root (`group` NULL) or of a group, which goes too when it is left
 * empty. */
bool act_patch_remove(struct act_patch_text *text, const struct act_node *root,
                      const struct act_node *group, const struct act_node *member);

/* Puts `value` in the place of a list, or of the text of a block. */
bool act_patch_replace_list(struct act_patch_text *text, const struct act_node *list,
                            const char *value);
/* `plain`: the text without quotes; `value` may be quoted. */
bool act_patch_replace_block(struct act_patch_text *text, const struct act_node *node,
                             const char *plain, const char *value);

#endif
