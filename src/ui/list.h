/* A list over the screen: filters as one types, shows beside each entry what it would lead to. */
#ifndef ACTUARY_UI_LIST_H
#define ACTUARY_UI_LIST_H

#include "session/choices.h"
#include "ui/draw.h"
#include "ui/edit.h"

enum act_list_kind {
    ACT_LIST_FIELD, /* values of a field */
    ACT_LIST_OPEN   /* scenarios to open */
};

struct act_list_view {
    enum act_list_kind kind;
    struct act_choices choices;
    struct act_edit filter;
    int *shown; /* indexes of the choices that match */
    int count;
    int cursor, scroll; /* into shown */
    int page;           /* rows drawn last */
};

/* Opens the values of a field, the cursor on the present one. false when it has no list. */
bool act_list_field(struct act_list_view *list, const struct act_desk *desk,
                    enum act_field_id field);
/* Opens the scenarios: presets, then the YAML files of the current folder and kept work, unless
 * `presets` alone are wanted. */
bool act_list_scenarios(struct act_list_view *list, bool presets);
void act_list_free(struct act_list_view *list);

/* Narrows to what the filter text matches, best matches first in their order. */
void act_list_refilter(struct act_list_view *list);
void act_list_move(struct act_list_view *list, int by);
/* The entry under the cursor, with its result filled in; NULL when nothing matches. */
struct act_choice *act_list_current(struct act_list_view *list, const struct act_desk *desk);

/* An entry of those that match, with its result filled in. */
struct act_choice *act_list_entry(struct act_list_view *list, const struct act_desk *desk,
                                  int index);

void act_list_draw(struct act_list_view *list, struct act_canvas *canvas,
                   const struct act_desk *desk);

#endif
