/* Lines typed as commands, in the palette and after --do: one reader for both.
 *
 *     tp 8                     a field by short name, key, part of its key, or label, and its value
 *     set parallel.tensor 8    the same; "=" may stand between
 *     hardware h100-sxm        a group is its preset
 *     tp                       moves the focus there
 *     undo, repair, half gpus  an action, on the focused field or on the one named
 *     reset recompute          back to the preset's or the default value
 *     open FILE (a scenario or a session), save, save FILE, tab 2, close
 *     h100-sxm                 a preset alone: put in, or opened
 *
 * Several stand on a line with ';' between them, a value in double quotes may hold one; quotes
 * must be closed. A name may be cut short where that leaves one meaning; where it leaves several
 * they are listed. */
#ifndef ACTUARY_SESSION_COMMAND_H
#define ACTUARY_SESSION_COMMAND_H

#include "session/action.h"

enum { ACT_COMMAND_MAX = 1024 };

enum act_command_kind {
    ACT_COMMAND_NOTHING, /* an empty line */
    ACT_COMMAND_SET,
    ACT_COMMAND_FOCUS,
    ACT_COMMAND_ACTION, /* `has_field`: on that field */
    ACT_COMMAND_OPEN,
    ACT_COMMAND_SAVE, /* text "": to its own file */
    ACT_COMMAND_TAB,
    ACT_COMMAND_CLOSE,
    ACT_COMMAND_RESET
};

struct act_command {
    enum act_command_kind kind;
    enum act_field_id field;
    bool has_field;
    enum act_action_id action;
    int tab;
    char text[ACT_COMMAND_MAX]; /* value or path */
};

/* Takes the next command's text off a line; false at its end. A line that is too long is one
 * command that act_command_parse refuses. */
bool act_command_next(const char **line, char out[ACT_COMMAND_MAX + 1]);

/* Reads one command. 0, or -1 with one sentence in `why`. */
int act_command_parse(const struct act_desk *desk, const char *text, struct act_command *ret,
                      char *why, size_t why_size);

enum act_done {
    ACT_DONE,
    ACT_DONE_NOTHING, /* an action that had nothing to do; the desk's message says why, if there is
                         one: what stands in it behind "; " are keys of the screen */
    ACT_DONE_WRONG,   /* the desk's message says what is wrong */
    ACT_DONE_SCREEN   /* nothing was done: only the screen can (actions without `run`) */
};

/* Carries a command out on the desk. Saving never overwrites what was not read from there, and
 * nothing is asked: where the screen would ask, it is refused. */
enum act_done act_command_run(struct act_desk *desk, const struct act_command *command,
                              int64_t now_ms);

/* "tp" for tensor; NULL for fields without a short name. */
const char *act_command_short(enum act_field_id field);

#endif
