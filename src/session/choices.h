/* What a field could become: the names of an enum, the presets of a group, or the valid values
 * around a number, each with the result it would lead to. */
#ifndef ACTUARY_SESSION_CHOICES_H
#define ACTUARY_SESSION_CHOICES_H

#include "session/desk.h"

enum { ACT_CHOICES_MAX = 4096, ACT_CHOICE_TEXT = 256 };

struct act_choice {
    char text[ACT_CHOICE_TEXT]; /* what act_desk_try takes */
    char note[ACT_CHOICE_TEXT]; /* a word about it: a preset's title */
    char label[24];             /* shown for `text` unless it is "" */
    bool now;                   /* the present value */
    bool tried;                 /* summary is filled in */
    bool refused;               /* it cannot be chosen; note says why */
    struct act_summary summary;
};

struct act_choices {
    enum act_field_id field;
    int count;
    struct act_choice *choice;
};

/* All choices of a field, without results; count 0 for fields without a list (texts, lists,
 * plain numbers have their valid steps). false when out of memory. */
bool act_choices_make(const struct act_desk *desk, enum act_field_id field,
                      struct act_choices *ret);
void act_choices_free(struct act_choices *choices);
/* Fills in the result of one choice; does nothing when it is there. */
void act_choices_try(const struct act_desk *desk, struct act_choices *choices, int index);

/* The what-if rows of a field: up to two valid values below, the present one, up to two above, in
 * order. Enums and booleans give all names when there are few, presets the ones beside it in
 * their list. Returns how many of
 * ret[0 … limit-1] are filled. */
int act_choices_near(const struct act_desk *desk, enum act_field_id field, int limit,
                     struct act_choice *ret);

#endif
