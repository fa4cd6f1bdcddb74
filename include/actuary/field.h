/* Access to a plan through the table of fields (fields.h): by id, by key, as text.
 * All that panes, files, --set, help, lists, undo labels and comparisons do goes through here. */
#ifndef ACTUARY_FIELD_H
#define ACTUARY_FIELD_H

#include <actuary/plan.h>
#include <actuary/units.h>
#include <stdbool.h>
#include <stddef.h>

enum act_kind {
    ACT_KIND_INT,
    ACT_KIND_REAL,
    ACT_KIND_BOOL,
    ACT_KIND_ENUM,
    ACT_KIND_SET,
    ACT_KIND_LIST,
    ACT_KIND_TEXT,
    ACT_KIND_GPUS
};

enum act_group {
    ACT_GROUP_scenario,
    ACT_GROUP_model,
    ACT_GROUP_training,
    ACT_GROUP_framework,
    ACT_GROUP_parallel,
    ACT_GROUP_hardware,
    ACT_GROUP_calibration,
    ACT_GROUP_cost,
    ACT_GROUP_COUNT
};

/* Where + and - lead. */
enum act_steps {
    ACT_STEPS_NONE,          /* cannot be stepped */
    ACT_STEPS_CYCLE,         /* the next name, around */
    ACT_STEPS_PRESET,        /* chosen from a list only */
    ACT_STEPS_ONE,           /* +1 */
    ACT_STEPS_TENTH,         /* +0.1 */
    ACT_STEPS_PERCENT,       /* 1 % points, from 5 % on 5 % grid when doubled */
    ACT_STEPS_POW2,          /* powers of two */
    ACT_STEPS_HIDDEN,        /* multiples of 128 (of 8 below 128) */
    ACT_STEPS_DECADE,        /* 1, 1.5, 2, 3, 4, 5, 6, 8, 10 … of each decade */
    ACT_STEPS_DIVISOR_HEADS, /* divisors of heads */
    ACT_STEPS_TENSOR,        /* divisors of heads and FFN up to 4 link domains */
    ACT_STEPS_PIPELINE,      /* divisors of layers */
    ACT_STEPS_INTERLEAVE,    /* divisors of layers a stage */
    ACT_STEPS_EXPERT,        /* divisors of experts */
    ACT_STEPS_DATA,          /* powers of two times the odd part in use */
    ACT_STEPS_GPUS           /* whole replicas, doubling */
};

enum act_field_flags {
    ACT_FIELD_MAIN = 1,   /* row of its pane on the home screen */
    ACT_FIELD_AUTO = 2,   /* "auto" is a value */
    ACT_FIELD_PRESET = 4, /* filled in by the group's preset */
    ACT_FIELD_BACK = 8,   /* shown only when all fields are asked for */
    ACT_FIELD_LEVER = 16  /* how the run is carried out, not what is trained */
};

struct act_field {
    enum act_field_id id;
    enum act_group group;
    enum act_kind kind;
    enum act_unit unit;
    size_t offset; /* in struct act_plan; 0 for ACT_KIND_GPUS */
    size_t size;   /* bytes of the member, for texts */
    double min, max;
    const char *initial; /* default as text */
    enum act_steps steps;
    unsigned flags;
    const char *const *names; /* of enums and sets, NULL-terminated; else NULL */
    bool (*applies)(const struct act_plan *);
    const char *key;    /* "parallel.tensor"; "name" for the scenario's own */
    const char *member; /* "tensor" */
    const char *label;  /* "tensor TP" */
    const char *help;   /* one sentence or two */
    const char *source;
};

/* The row of `id`; never NULL for a valid id. */
const struct act_field *act_field(enum act_field_id id);

/* The row whose key is `key` ("parallel.tensor"), else NULL. */
const struct act_field *act_field_find(const char *key);

/* The row whose key is nearest to `key` by edit distance, or NULL when none is near. */
const struct act_field *act_field_nearest(const char *key);

/* "model", "training", …; "" for the scenario's own fields. */
const char *act_group_name(enum act_group group);
/* "MODEL", …: heading of its pane. */
const char *act_group_title(enum act_group group);
/* The group's preset field (model.preset, framework.preset, hardware.preset), or -1. */
int act_group_preset(enum act_group group);

/* Does the field mean anything for this (unresolved or resolved) plan? */
bool act_field_applies(const struct act_plan *plan, enum act_field_id id);

/* Numbers (INT, REAL, BOOL, ENUM, SET, GPUS) as a double; ACT_AUTO as -1. 0 for texts, lists. */
double act_field_number(const struct act_plan *plan, enum act_field_id id);
/* Sets such a number and marks it given; the value must be in range (or ACT_AUTO if allowed).
 * Setting GPUS sets data, and it is data that is then given: parallel.gpus itself never is. */
void act_field_set_number(struct act_plan *plan, enum act_field_id id, double value);
/* The text of a text field. */
const char *act_field_string(const struct act_plan *plan, enum act_field_id id);

/* Parses `text` for the field, checks its range and sets it, marked given. `flags` as for
 * act_quantity_parse. Lists are "[1, 2, 3]" or "1,2,3", sets "a, b". Presets' names are set as
 * text only: filling in the preset is the caller's business.
 * Returns 0, or -1 with a sentence in `why` and the plan untouched. */
int act_field_set_text(struct act_plan *plan, enum act_field_id id, const char *text,
                       unsigned flags, char *why, size_t why_size);

/* Writes the field's value as text; with ACT_STYLE_FILE act_field_set_text reads it back.
 * Returns the whole length as snprintf does. */
size_t act_field_text(const struct act_plan *plan, enum act_field_id id, enum act_style style,
                      char *out, size_t out_size);

/* What values the field takes, for messages and help: "1 to 1024", "none, attention, full". */
size_t act_field_range(enum act_field_id id, char *out, size_t out_size);

/* Same value, given or not. */
bool act_field_equal(const struct act_plan *a, const struct act_plan *b, enum act_field_id id);
/* Copies value and given bit of one field. */
void act_field_copy(struct act_plan *to, const struct act_plan *from, enum act_field_id id);
/* Back to the default of the table, not given. */
void act_field_reset(struct act_plan *plan, enum act_field_id id);

/* The next valid value above (direction > 0) or below the present one, for + and -.
 * `plan` must be resolved. Returns false when there is none (end of range, not steppable).
 * The result is a number for act_field_set_number. */
bool act_field_step(const struct act_plan *plan, enum act_field_id id, int direction,
                    double *ret_value);
/* The valid value nearest to the present one doubled (direction > 0) or halved. */
bool act_field_scale(const struct act_plan *plan, enum act_field_id id, int direction,
                     double *ret_value);

#endif
