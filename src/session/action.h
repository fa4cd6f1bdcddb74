/* The one table of actions. Keys, hint line, help, palette and --do are made from it.
 *
 * A row whose `run` is set is carried out on the desk alone; the others move or open something
 * on the screen and are carried out by ui/app, which switches over the id. */
#ifndef ACTUARY_SESSION_ACTION_H
#define ACTUARY_SESSION_ACTION_H

#include "session/desk.h"
#include <stdbool.h>
#include <stdint.h>

/* Keys beyond plain characters, above Unicode. */
enum act_key {
    ACT_KEY_NONE = 0x110000,
    ACT_KEY_UP,
    ACT_KEY_DOWN,
    ACT_KEY_LEFT,
    ACT_KEY_RIGHT,
    ACT_KEY_HOME,
    ACT_KEY_END,
    ACT_KEY_PAGE_UP,
    ACT_KEY_PAGE_DOWN,
    ACT_KEY_INSERT,
    ACT_KEY_DELETE,
    ACT_KEY_BACK_TAB,
    ACT_KEY_F1,
    ACT_KEY_F5,
    ACT_KEY_PASTE,
    ACT_KEY_ALT = 0x200000, /* added to the character */
    ACT_KEY_TAB = '\t',
    ACT_KEY_ENTER = '\r',
    ACT_KEY_ESC = 27,
    ACT_KEY_BACKSPACE = 127
};

/* X(id, keys, run, hint, help): keys are separated by blanks, the first is the one shown; run is
 * the run_… function of action.c, `screen` when the screen carries it out; the hint is the word on
 * the key line ("" keeps it off, "&" joins the key to the next row's); rows stand in order of
 * importance. */
#define ACT_ACTIONS(X)                                                                             \
    X(edit, "Enter", screen, "edit", "Type a new value, or open the list of a choice.")            \
    X(step_up, "+ =", step_up, "&", "Next valid value.")                                           \
    X(step_down, "-", step_down, "step", "Previous valid value.")                                  \
    X(half, "{", half, "&", "Half the value.")                                                     \
    X(twice, "}", twice, "half, double", "Double the value.")                                      \
    X(undo, "u", undo, "undo", "Take the last change back.")                                       \
    X(redo, "^R U", redo, "redo", "Do again what was taken back.")                                 \
    X(repair, "x", repair, "fix", "Apply the repair of the first check that has one.")             \
    X(open, "o", screen, "open", "Open a scenario: a preset, a file here, or any path.")           \
    X(save, "s", screen, "save", "Save the scenario to its file.")                                 \
    X(save_as, "S", screen, "", "Save under another name.")                                        \
    X(palette, ": ^P", screen, "command",                                                          \
      "Run anything by name: \"tp 8\" sets a field, \"h100\" finds presets, \"undo\" undoes.")     \
    X(compare, "c", screen, "compare",                                                             \
      "Scenarios side by side: results with their differences, and fields.")                       \
    X(pin, "p", pin, "pin",                                                                        \
      "Pin this scenario as the baseline of all differences; again: no baseline.")                 \
    X(filter, "/", screen, "find", "Show the fields whose name contains a text.")                  \
    X(all_fields, "a", screen, "all fields",                                                       \
      "Show every field that applies, or only the main ones.")                                     \
    X(graph, "t", screen, "over time",                                                             \
      "Memory over one step on a stage: where its peak is, and of what.")                          \
    X(explain, "i", screen, "explain",                                                             \
      "Where memory figures come from: formula, values put in, source, the chapter's own.")        \
    X(report, "w", screen, "report",                                                               \
      "Write a report on the open scenarios to send: HTML, Markdown or CSV.")                      \
    X(present, "P F5", screen, "present",                                                          \
      "A page a scenario for a meeting: verdict, large figures, differences, a conclusion.")       \
    X(takes, "y", screen, "what it takes",                                                         \
      "GPUs for a deadline, the largest values, and the changes that would help; Enter makes "     \
      "one.")                                                                                      \
    X(hold, "H", hold, "hold",                                                                     \
      "While TP, PP, CP change, hold the GPU count or hold data parallel.")                        \
    X(mfu, "m", mfu, "MFU", "Estimate the step, or go back to the given MFU.")                     \
    X(measure, "M", screen, "measured run",                                                        \
      "Pin a measured run on this layout: a step time, tokens/s/GPU, a peak, or a training log.")  \
    X(help, "? F1", screen, "help", "Keys of this place and help on the field.")                   \
    X(quit, "q", screen, "quit", "Leave; asks when something is not saved.")                       \
    X(list, "Space", screen, "",                                                                   \
      "List the values of the field with their results; toggles yes and no.")                      \
    X(reset, "Del Backspace", screen, "", "Back to the preset's or the default value.")            \
    X(next_choice, "Right l", step_up, "", "Next value of a choice or number.")                    \
    X(previous_choice, "Left h", step_down, "", "Previous value of a choice or number.")           \
    X(up, "Up k", screen, "", "Field above.")                                                      \
    X(down, "Down j", screen, "", "Field below.")                                                  \
    X(page_up, "PgUp", screen, "", "A page up.")                                                   \
    X(page_down, "PgDn", screen, "", "A page down.")                                               \
    X(first, "Home g", screen, "", "First field.")                                                 \
    X(last, "End G", screen, "", "Last field.")                                                    \
    X(next_pane, "Tab", screen, "", "Next pane.")                                                  \
    X(previous_pane, "Shift-Tab", screen, "", "Pane before.")                                      \
    X(next_tab, "]", next_tab, "", "Next open scenario; Alt-1 to Alt-9 go to one.")                \
    X(previous_tab, "[", previous_tab, "", "Scenario before.")                                     \
    X(duplicate, "n", duplicate, "",                                                               \
      "Copy this scenario into a tab of its own; in a filter: next match.")                        \
    X(new_preset, "N", screen, "", "New scenario from a preset; in a filter: match before.")       \
    X(rename, "r", screen, "", "Give this scenario another name.")                                 \
    X(close, "d", close, "", "Close this scenario; u brings it back, quitting asks about it.")     \
    X(move_left, "<", move_left, "", "Move this scenario's tab to the left.")                      \
    X(move_right, ">", move_right, "", "Move it to the right.")                                    \
    X(save_session, "O", screen, "",                                                               \
      "Save which scenarios are open, and the baseline, as a session.")                            \
    X(cancel, "Esc", screen, "", "Leave the list, the edit or the filter; forget the message.")    \
    X(interrupt, "^C", screen, "", "As Esc; with nothing to leave, as quit.")                      \
    X(theme, "T", screen, "", "Next theme: default, terminal, light, dark, high-contrast, mono.")  \
    X(mouse, "", screen, "", "Mouse on or off: clicks focus and press, the wheel steps.")          \
    X(units, "", units, "", "Sizes in GiB or in GB.")                                              \
    X(redraw, "^L", screen, "", "Paint the screen again.")                                         \
    X(suspend, "^Z", screen, "", "Stop and give the terminal back; fg continues.")

/* What keys do only where scenarios stand side by side; the others keep what they do. */
#define ACT_COLUMN_ACTIONS(X)                                                                      \
    X(leave_columns, "c", screen, "dashboard",                                                     \
      "Back to the dashboard, on the same field of this scenario.")                                \
    X(leave, "Esc", screen, "", "End the filter; without one, as c.")                              \
    X(only_differences, "=", screen, "only differences",                                           \
      "Only the fields that differ, or those that are equal too.")                                 \
    X(copy_right, "Y", copy_right, "copy right",                                                   \
      "Copy the value to the scenario at the right, and go there.")                                \
    X(copy_all, "A", copy_all, "to all", "Copy the value to all other scenarios.")                 \
    X(left, "Left h", previous_tab, "", "Scenario at the left.")                                   \
    X(right, "Right l", next_tab, "", "Scenario at the right.")

#define ACT_ACTION_ID(id, ...) ACT_DO_##id,
enum act_action_id {
    ACT_ACTIONS(ACT_ACTION_ID) ACT_COLUMN_ACTIONS(ACT_ACTION_ID) ACT_ACTION_COUNT
};

/* Where a key stands for an action. */
enum act_place {
    ACT_PLACE_MAIN,   /* the dashboard, and columns unless they have something else on the key */
    ACT_PLACE_COLUMNS /* columns only */
};

struct act_action {
    enum act_action_id id;
    enum act_place place;
    const char *name; /* "step_up" */
    const char *keys;
    const char *hint;
    const char *help;
    /* Carries it out on the desk; false when there was nothing to do (a message may say why). */
    bool (*run)(struct act_desk *desk, int64_t now_ms);
};

const struct act_action *act_action(enum act_action_id id);
/* The action of that name ("step_up"; '-' and ' ' count as '_', letter case does not), or NULL. */
const struct act_action *act_action_find(const char *name);
/* The key of that name ("Enter", "^R", "x"), or ACT_KEY_NONE. */
int act_key_named(const char *name, size_t length);
/* The action a key stands for on the main screen, or NULL. */
const struct act_action *act_action_of_key(int key);
/* The action of a key where scenarios stand side by side, or NULL. */
const struct act_action *act_action_in_columns(int key);
/* The i-th key of an action, or 0 past its end. */
int act_action_key(const struct act_action *action, int index);
/* Its first key as text, for hints: "Enter", "^R". */
void act_action_key_name(const struct act_action *action, char *out, size_t size);

#endif
