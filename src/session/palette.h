/* Everything that can be run by name: actions, fields, presets, open scenarios, each with its key
 * and a line of help; ranked by how well a few typed letters fit. */
#ifndef ACTUARY_SESSION_PALETTE_H
#define ACTUARY_SESSION_PALETTE_H

#include "io/presets.h"
#include "session/command.h"

enum { ACT_ENTRIES_MAX = 4096, ACT_ENTRY_TEXT = 128 };

enum act_entry_kind { ACT_ENTRY_ACTION, ACT_ENTRY_FIELD, ACT_ENTRY_PRESET, ACT_ENTRY_SCENARIO };

struct act_entry {
    enum act_entry_kind kind;
    struct act_command command; /* what Enter does */
    char name[ACT_ENTRY_TEXT];
    char also[ACT_ENTRY_TEXT]; /* other names it is found by */
    char key[24];              /* "^R", "tp"; "" */
    char help[ACT_ENTRY_TEXT];
    char value[40]; /* a field's present one */
    int score;
    enum act_preset_kind preset; /* of ACT_ENTRY_PRESET */
    bool described;              /* its help is the preset's title */
};

struct act_palette {
    int count;
    struct act_entry *entry;
    int shown;  /* how many match */
    int *order; /* indexes of those, best first */
};

/* Actions, fields that apply, presets, open scenarios. false when out of memory. */
bool act_palette_make(const struct act_desk *desk, struct act_palette *ret);
void act_palette_free(struct act_palette *palette);
/* Ranks by the pattern: equal scores go by shorter name, then by the order of the tables. */
void act_palette_filter(struct act_palette *palette, const char *pattern);

/* The i-th of those that match, with all its help: presets are looked into only when they are
 * shown. */
const struct act_entry *act_palette_entry(struct act_palette *palette, int index);

/* "action", "field", … */
const char *act_entry_kind_name(enum act_entry_kind kind);

#endif
