/* The preset files as compiled in: written by embed.py at build time. */
#ifndef ACTUARY_IO_EMBEDDED_H
#define ACTUARY_IO_EMBEDDED_H

#include <stddef.h>

struct act_embedded {
    const char *name; /* file name without .yaml */
    const char *text; /* the file; a NUL follows its `size` bytes */
    size_t size;
};

/* By enum act_preset_kind, sorted by name as strcmp has it. */
extern const struct act_embedded *const act_embedded_presets[4];
extern const int act_embedded_counts[4];

#endif
