/* The planner as its tests see it. What depends on the wording of the screen stands here, once. */
#ifndef ACTUARY_TESTS_TUI_PLANNER_H
#define ACTUARY_TESTS_TUI_PLANNER_H

#include "harness.h"

enum planner_verdict {
    PLANNER_NO_VERDICT,
    PLANNER_FITS,
    PLANNER_TIGHT,
    PLANNER_DOES_NOT_FIT,
    PLANNER_BREAKS_RULES /* it fits, and a rule is broken */
};

/* Starts the planner on a file or preset; NULL: on the built-in example. */
struct tui *planner_start(int rows, int cols, const char *file);

enum planner_verdict planner_verdict(struct tui *t);
/* The verdict row's text. */
const char *planner_strip(struct tui *t);
void planner_expect_verdict(struct tui *t, enum planner_verdict verdict);
void planner_expect_fit(struct tui *t, bool fits); /* a tight fit is a fit */

/* Row of the focused field: that of the real cursor. */
int planner_focused_row(struct tui *t);
/* Moves the focus to the field with this label, from the first one down. */
void planner_focus(struct tui *t, const char *label);
/* Value of the field with this label as the fields' pane shows it; overwritten by the next call. */
const char *planner_value(struct tui *t, const char *label);
void planner_expect_value(struct tui *t, const char *label, const char *value);
/* Does the pane show this field with this value? (for tui_wait_until) */
struct planner_field {
    const char *label, *value;
};
bool planner_shows_value(struct tui *t, const void *field);

/* Focuses a field and gives it a new value by typing. */
void planner_set(struct tui *t, const char *label, const char *value);

/* Waits for the frame of the newest size, after any number of tui_set_size. */
void planner_sync_size(struct tui *t);

/* Compares the screen with what Ctrl-L paints: curses and the terminal agree on every cell. */
void planner_expect_repaint_equal(struct tui *t, const char *what);

/* Saves under a name in the work folder; the answer is on the screen. */
void planner_save_as(struct tui *t, const char *name);

/* Does the screen ask whether to leave? */
bool planner_asks_to_leave(struct tui *t);
/* Leaves from any state without saving; fails unless the status is 0 and the terminal is given
 * back. */
void planner_leave(struct tui *t);
/* Expects the end, status 0, terminal given back, after keys that end the program. */
void planner_expect_left(struct tui *t);

#endif
