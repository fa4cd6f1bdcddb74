/* Plans with random values in every field, texts with every sign that means something to YAML. */
#ifndef ACTUARY_TESTS_RANDOM_SCENARIO_H
#define ACTUARY_TESTS_RANDOM_SCENARIO_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/presets.h"
#include <actuary/field.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static inline uint64_t random_next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static inline uint64_t below(uint64_t *seed, uint64_t limit)
{
    return random_next(seed) % limit;
}

/* Between 0 and 1, both possible. */
static inline double unit(uint64_t *seed)
{
    return (double)below(seed, 1 << 20) / ((1 << 20) - 1);
}

/* Spread over the magnitudes of the range, its ends more often than by chance. */
static inline double random_number(const struct act_field *field, uint64_t *seed)
{
    double low = field->min, high = field->max, value;
    switch (below(seed, 8)) {
    case 0:
        value = low;
        break;
    case 1:
        value = high;
        break;
    case 2:
        value = low + (high - low) * unit(seed);
        break;
    default: {
        double floor_value = low > 0 ? low : high * 1e-9;
        value = floor_value * pow(high / floor_value, unit(seed));
        break;
    }
    }
    if (field->kind != ACT_KIND_REAL)
        value = floor(value);
    else if (below(seed, 2))
        value = (1.5 + (double)below(seed, 9)) * pow(10, floor(log10(fmax(value, 1e-3))));
    return fmin(fmax(value, low), high);
}

static inline void random_text(char *text, size_t room, uint64_t *seed)
{
    static const char *const pieces[] = {"a",
                                         "Z",
                                         "0",
                                         " ",
                                         "\"",
                                         "'",
                                         "\\",
                                         "#",
                                         ":",
                                         ": ",
                                         "- ",
                                         "[",
                                         "}",
                                         ",",
                                         "&",
                                         "*",
                                         "!",
                                         "|",
                                         ">",
                                         "%",
                                         "@",
                                         "null",
                                         "true",
                                         "~",
                                         "...",
                                         "?",
                                         "--- ",
                                         "\xC3\xA9",
                                         "\xE8\xAE\xAD",
                                         "\xF0\x9F\x98\x80",
                                         "/",
                                         "`",
                                         "{",
                                         "\xE2\x80\x8B"};
    size_t count = sizeof pieces / sizeof *pieces, size = 0;
    text[0] = '\0';
    for (uint64_t parts = below(seed, 40); parts > 0; parts--) {
        const char *piece = pieces[below(seed, count)];
        if (size + strlen(piece) + 1 >= room)
            break;
        memcpy(text + size, piece, strlen(piece) + 1);
        size += strlen(piece);
    }
}

static inline int random_bits(const struct act_field *field, uint64_t *seed)
{
    int names = 0;
    while (field->names[names])
        names++;
    return (int)below(seed, 1u << names);
}

static inline void set_random(struct act_plan *plan, const struct act_field *field, uint64_t *seed)
{
    char text[4096], why[256];
    bool automatic = (field->flags & ACT_FIELD_AUTO) && below(seed, 4) == 0;
    int names = 0;
    switch (field->kind) {
    case ACT_KIND_GPUS:
        return; /* derived: not saved */
    case ACT_KIND_TEXT:
        random_text(text, field->size < sizeof text ? field->size : sizeof text, seed);
        break;
    case ACT_KIND_LIST: {
        size_t size = 0;
        uint64_t items = 1 + below(seed, below(seed, 8) ? 16 : ACT_LIST_MAX);
        for (uint64_t i = 0; i < items; i++)
            size += (size_t)snprintf(text + size, sizeof text - size, "%s%d", i ? ", " : "",
                                     (int)below(seed, 1025));
        break;
    }
    case ACT_KIND_SET:
        act_field_set_number(plan, field->id, random_bits(field, seed));
        return;
    case ACT_KIND_BOOL:
        act_field_set_number(plan, field->id, automatic ? ACT_AUTO : (double)below(seed, 2));
        return;
    case ACT_KIND_ENUM:
        while (field->names[names])
            names++;
        act_field_set_number(plan, field->id,
                             automatic ? ACT_AUTO : (double)below(seed, (uint64_t)names));
        return;
    case ACT_KIND_INT:
    case ACT_KIND_REAL:
        act_field_set_number(plan, field->id, automatic ? ACT_AUTO : random_number(field, seed));
        return;
    }
    if (automatic)
        snprintf(text, sizeof text, "auto");
    if (act_field_set_text(plan, field->id, text, 0, why, sizeof why) < 0)
        fail_msg("%s: %s", field->key, why);
}

static inline void random_plan(struct act_plan *plan, uint64_t *seed)
{
    struct act_problems problems;
    act_preset_default_plan(plan);
    for (int kind = 0; kind < ACT_SCENARIOS; kind++) {
        int count = act_preset_count((enum act_preset_kind)kind);
        const char *name =
            act_preset_name((enum act_preset_kind)kind, (int)below(seed, (uint64_t)count));
        if (act_preset_apply(plan, (enum act_preset_kind)kind, name, true, &problems) < 0)
            fail_msg("%s: %s", name, problems.problem[0].text);
    }
    uint64_t density = 1 + below(seed, 20);
    for (int i = 0; i < ACT_FIELD_COUNT; i++) {
        const struct act_field *field = act_field((enum act_field_id)i);
        if (act_group_preset(field->group) != i && below(seed, density) == 0)
            set_random(plan, field, seed);
    }
}

#endif
