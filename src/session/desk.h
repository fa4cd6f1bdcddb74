/* What is open: scenarios as tabs, each with its plan, its saved copy, its history and its last
 * estimate; what is held while typing; the message to show. No screen. */
#ifndef ACTUARY_SESSION_DESK_H
#define ACTUARY_SESSION_DESK_H

#include "io/buffer.h"
#include "io/lock.h"
#include "io/problem.h"
#include "io/save.h"
#include "io/settings.h"
#include "session/history.h"
#include <actuary/estimate.h>
#include <stdbool.h>
#include <stdint.h>

/* ACT_TABS_MAX scenarios can be opened; closed ones that are brought back come on top. */
enum { ACT_TABS_MAX = 32, ACT_CLOSED_MAX = 32, ACT_PATH_MAX = 1024, ACT_MESSAGE_MAX = 400 };

struct act_tab {
    struct act_plan plan;
    struct act_plan saved;   /* as on disk, or as opened: "modified" is a comparison with it */
    char path[ACT_PATH_MAX]; /* "" until it has a file */
    char preset[64];         /* scenario preset it was opened from, or "" */
    /* File of the autosave folder (keep.h) that holds its unsaved work, "" for none: as `kept_plan`
     * when it is the work of `plan` at some moment. Removed once saved or dropped. */
    char kept[ACT_PATH_MAX];
    struct act_plan kept_plan;
    struct act_lock kept_lock;
    struct act_stamp stamp;
    struct act_stamp noticed; /* what was found on the disk and said */
    struct act_lock lock;     /* of `path`: others are told that it is open here */
    struct act_buffer text; /* of the file as read or saved, empty without one: saving patches it */
    bool drop;              /* its changes are not wanted: said while leaving */
    struct act_history history;
    /* GPUs the user has: with GPUs held, layout changes set data from it. It may exceed what the
     * layout uses ("1,008 of 1,024 used"), and a layout being tried may need more. */
    double held;
    double mfu; /* the last one given, which `m` goes back to; 0: none yet */
    enum act_field_id focus;
    struct act_result result; /* of plan, kept up to date by every change */
};

enum act_message_kind { ACT_SAY_NOTHING, ACT_SAY_NOTE, ACT_SAY_ERROR };

/* A tab that was closed, and where it goes when it is brought back. */
struct act_closed {
    struct act_tab *tab;
    int at;
    bool pinned;
    int64_t when_ms;
};

struct act_desk {
    struct act_tab *tab[ACT_TABS_MAX + ACT_CLOSED_MAX];
    int count, current;
    struct act_tab *pinned; /* the baseline, one of `tab`; or NULL */
    struct act_closed closed[ACT_CLOSED_MAX];
    int closed_count;
    char session[ACT_PATH_MAX]; /* file that lists the tabs (session_tabs.h), or "" */
    struct act_stamp session_stamp;
    bool hold_data;               /* hold data parallel instead of the GPU count */
    struct act_settings settings; /* applied to every scenario that is opened */
    enum act_message_kind said;
    char message[ACT_MESSAGE_MAX];
};

void act_desk_free(struct act_desk *desk);
void act_tab_free(struct act_tab *tab);
struct act_tab *act_desk_tab(struct act_desk *desk); /* the current one; never NULL once open */

void act_desk_say(struct act_desk *desk, enum act_message_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Opens a file or scenario preset as a new tab and makes it current. A file that is already open
 * is only made current; one that another actuary has open is opened, and that is said. 0, or -1
 * with the desk unchanged and problems filled. */
int act_desk_open(struct act_desk *desk, const char *path_or_preset, struct act_problems *problems);
/* Changes the unit of sizes for every open scenario. */
void act_desk_use_decimal(struct act_desk *desk, bool decimal);

bool act_tab_modified(const struct act_tab *tab);
bool act_desk_modified(const struct act_desk *desk); /* any tab, closed ones too */

/* ---- tabs: desk_tabs.c ---- */

/* Takes the current tab away, without losing it: act_desk_reopen brings it back. Returns false with
 * a message for the last one, and when too many closed ones hold unsaved work. */
bool act_desk_close(struct act_desk *desk, int64_t now_ms);
/* Brings a closed tab back to where it stood and makes it current. `index` counts from the one that
 * was closed first; returns false when there is none. */
bool act_desk_reopen(struct act_desk *desk, int index);
/* A copy of the current scenario beside it, current, under a name of its own and without a file.
 * false with a message when no more can be open. */
bool act_desk_duplicate(struct act_desk *desk);
/* Moves the current tab by one place; false at the ends. */
bool act_desk_move(struct act_desk *desk, int by);
/* Makes the current tab the baseline, or none when it is. */
void act_desk_pin_baseline(struct act_desk *desk);
/* Sets a field of tab `to` to its value in tab `from`, as an undoable change of `to` that holds
 * what is held there. false with a message when it cannot be set. Nothing changes what is current.
 */
bool act_desk_copy(struct act_desk *desk, int from, int to, enum act_field_id field,
                   int64_t now_ms);
/* Place of a tab, from 0; -1 when it is not open. */
int act_desk_index(const struct act_desk *desk, const struct act_tab *tab);

/* `plan` with one field changed as the planner changes it: with GPUs held, a change of tensor,
 * pipeline or context sets data; a GPU count sets data. `text` is used for texts and lists,
 * `value` otherwise. Presets named are filled in. 0, or -1 with a sentence. Tries nothing on the
 * desk: what-if and lists use it too. */
int act_desk_try(const struct act_desk *desk, const struct act_tab *tab, enum act_field_id field,
                 double value, const char *text, struct act_plan *ret_plan, double *ret_held,
                 char *why, size_t why_size);

/* `plan` with one field back at its preset's or default value, as a change of the planner: what is
 * held stays held. Returns false for fields that have none (the GPU count, a preset's name). */
bool act_desk_reset(const struct act_desk *desk, const struct act_tab *tab, enum act_field_id field,
                    struct act_plan *ret_plan, double *ret_held);

/* Makes `plan` the tab's plan: recorded for undo under "LABEL old -> new", estimated. */
void act_desk_commit(struct act_desk *desk, const struct act_plan *plan, double held,
                     enum act_field_id field, bool merge, int64_t now_ms);
/* The same with a label of its own, for changes of several fields. */
void act_desk_commit_as(struct act_desk *desk, const struct act_plan *plan, double held,
                        const char *label, int64_t now_ms);
/* Shows `plan` as the tab's without recording it (an edit in progress): the caller puts the plan
 * it began with back before it commits or gives up. */
void act_desk_preview(struct act_desk *desk, const struct act_plan *plan, double held);

/* The tab's plan as the text of a file: that of its own file with nothing but the changes in it,
 * or written anew when there is none or that cannot be done (*ret_anew, may be NULL). 0 or -1. */
int act_tab_write(const struct act_tab *tab, struct act_buffer *out, bool *ret_anew);
/* Would saving lose comments and layout of the tab's file? */
bool act_tab_loses_text(const struct act_tab *tab);
/* Removes the file of kept work, if there is one. */
void act_tab_forget_kept(struct act_tab *tab);

/* Saves the current tab to `path` (NULL: its own). */
enum act_save_result act_desk_save(struct act_desk *desk, const char *path, bool force);
/* Reads the current tab's file again, as one undoable step. 0 or -1 with problems. */
int act_desk_reload(struct act_desk *desk, struct act_problems *problems, int64_t now_ms);
/* Looks whether files have changed on the disk since they were read or saved, and says so, once
 * for each change. Returns whether it did. */
bool act_desk_watch(struct act_desk *desk);

/* With GPUs held: how the layout leaves some over, "1,008 of 1,024 GPUs used, …", or takes more
 * than there are; "" when neither. */
void act_desk_leftover(const struct act_tab *tab, char *out, size_t size);

/* The file name offered for a tab without one: its name in plain letters, ".yaml". */
void act_desk_suggest_path(const struct act_tab *tab, char *out, size_t size);

/* What a result comes down to, for what-if rows and lists. */
struct act_summary {
    bool valid;
    enum act_fit fit;
    double peak, usable, days, cost, gpus;
    bool priced;
    int errors;
    char note[32]; /* more GPUs than held, or the first broken rule, in few words; or "" */
};
/* `held`: GPUs the user has (HUGE_VAL: any number). */
void act_desk_summarise(const struct act_plan *plan, double held, struct act_summary *ret);

#endif
