/* A page a scenario, for a meeting: what is trained on what, does it fit, how long, how much. */
#ifndef ACTUARY_UI_PRESENT_H
#define ACTUARY_UI_PRESENT_H

#include "session/desk.h"

/* The scenario that the others are compared with. */
const struct act_tab *act_present_baseline(const struct act_desk *desk);

/* What the page concludes unless the user writes something else: a sentence or two. */
void act_present_sentence(const struct act_tab *tab, char *out, size_t size);
/* The user's own words, "" when there are none: notes that came with a preset are the preset's. */
const char *act_present_notes(const struct act_tab *tab);

#endif
