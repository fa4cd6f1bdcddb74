/* Which presets there are, and their texts: those compiled in and those of the user's folders. */
#ifndef ACTUARY_IO_PRESET_STORE_H
#define ACTUARY_IO_PRESET_STORE_H

#include "io/presets.h"
#include <stddef.h>

/* User presets of one kind that are looked at; further ones are ignored. */
enum { ACT_USER_PRESETS_MAX = 4096 };

struct act_preset_file {
    const char *name;
    char *path;       /* of a user's preset, else NULL */
    const char *text; /* NULL until a user's preset is read */
    size_t size;
    struct act_plan *plan; /* what act_preset_file_keep was given, else NULL */
};

/* The preset at an index, or NULL when there is none. */
const struct act_preset_file *act_preset_file(enum act_preset_kind kind, int index);

/* Keeps a copy of what a preset was read to: lists and what-if rows need the same ones again and
 * again. Without memory nothing is kept. */
void act_preset_file_keep(enum act_preset_kind kind, int index, const struct act_plan *plan);

/* The text of a preset that exists, read at the first call; NULL with a reason. */
const char *act_preset_file_text(enum act_preset_kind kind, const char *name, size_t *ret_size,
                                 char *why, size_t why_size);

#endif
