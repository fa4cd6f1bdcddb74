/* What the modes of the screen offer each other. */
#ifndef ACTUARY_UI_MODES_H
#define ACTUARY_UI_MODES_H

#include "session/action.h"
#include "ui/view.h"

/* moving.c: `settle` puts the focus on one of the rows and scrolls so that it shows. */
void act_mode_settle(struct act_view *view, int height);
void act_mode_focus_row(struct act_view *view, int index);
void act_mode_move_focus(struct act_view *view, int by);
void act_mode_move_pane(struct act_view *view, int direction);

/* typing.c: an edit begins with a text, tries every state of it, and ends on its own keys. */
void act_mode_start_edit(struct act_view *view, const char *text);
void act_mode_rename(struct act_view *view);
void act_mode_try_edit(struct act_view *view);
void act_mode_edit_key(struct act_view *view, int key);
/* The focused field's list, or an edit of its text. */
void act_mode_open_field(struct act_view *view);
/* Toggles a yes or no; otherwise lists the field's values. */
void act_mode_list_or_toggle(struct act_view *view);
void act_mode_list_key(struct act_view *view, int key);

/* acting.c: carries an action out, on the desk or on the screen. */
void act_mode_run(struct act_view *view, enum act_action_id id);
/* Where the memory figures of a stage come from. */
void act_mode_explain(struct act_view *view, int stage);

/* commanding.c */
void act_mode_palette_key(struct act_view *view, int key);
/* typing.c: a line about a measured run. */
void act_mode_ask_run(struct act_view *view);
void act_mode_run_key(struct act_view *view, int key);

/* leave.c */
void act_mode_ask(struct act_view *view, enum act_question question);
void act_mode_ask_key(struct act_view *view, int key);
void act_mode_ask_path(struct act_view *view);
void act_mode_ask_session(struct act_view *view);
void act_mode_path_key(struct act_view *view, int key);
void act_mode_save(struct act_view *view);
/* The same under a name that was given. */
void act_mode_save_to(struct act_view *view, const char *path);
/* Leaves when nothing is unsaved, else asks about one scenario after the other. */
void act_mode_quit(struct act_view *view);

/* dashboard.c: the two lines at the bottom of every place */
void act_foot_hint(struct act_view *view, struct act_rect rect, bool key_line);
/* The hint line in words. */
void act_plain_hint(struct act_view *view, struct act_rect rect);
void act_foot_keys(struct act_view *view, struct act_rect rect, enum act_place place);

/* compare.c: scenarios side by side */
void act_compare_start(struct act_view *view);
/* The actions that only columns have, and moving between them. */
void act_compare_action(struct act_view *view, enum act_action_id id);

/* report.c */
void act_mode_ask_report(struct act_view *view);
void act_mode_report_key(struct act_view *view, int key);
/* The answer to ACT_ASK_REPORT. */
void act_mode_report_answer(struct act_view *view, int key);

/* presenting.c */
void act_mode_present_key(struct act_view *view, int key);
void act_mode_notes_key(struct act_view *view, int key);

#endif
