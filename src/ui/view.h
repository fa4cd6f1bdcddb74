/* What the screen is doing: one mode at a time, and what each mode needs. */
#ifndef ACTUARY_UI_VIEW_H
#define ACTUARY_UI_VIEW_H

#include "session/desk.h"
#include "session/keep.h"
#include "ui/draw.h"
#include "ui/edit.h"
#include "ui/explain.h"
#include "ui/list.h"
#include "ui/palette.h"
#include "ui/pane.h"
#include "ui/takes.h"
#include "ui/term.h"

enum act_mode {
    ACT_MODE_MAIN,
    ACT_MODE_EDIT,    /* typing into the focused field */
    ACT_MODE_FILTER,  /* typing a filter of fields */
    ACT_MODE_PATH,    /* typing a file name to save under */
    ACT_MODE_MEASURE, /* typing what a run measured, or its log */
    ACT_MODE_REPORT,  /* typing a file name for a report */
    ACT_MODE_LIST,
    ACT_MODE_PALETTE,
    ACT_MODE_ASK, /* a question with one-key answers */
    ACT_MODE_HELP,
    ACT_MODE_GRAPH,   /* memory over one step of a stage */
    ACT_MODE_EXPLAIN, /* where its figures come from */
    ACT_MODE_PRESENT, /* a page a scenario, for a meeting */
    ACT_MODE_NOTES,   /* typing what the page concludes */
    ACT_MODE_TAKES    /* GPUs for a deadline, largest values, changes that help */
};

enum act_after_save { ACT_AFTER_NOTHING, ACT_AFTER_QUIT };

enum act_question {
    ACT_ASK_QUIT,      /* something is not saved */
    ACT_ASK_COMMENTS,  /* saving cannot keep the file's comments and layout */
    ACT_ASK_CHANGED,   /* the file on disk is not the one that was read */
    ACT_ASK_OVERWRITE, /* the name is taken */
    ACT_ASK_REPORT,    /* the report's name is taken */
};

/* Scenarios side by side, in place of the dashboard. */
struct act_compare_view {
    bool on;
    bool only;  /* only the fields that differ */
    int first;  /* scenario in the first column */
    int hidden; /* fields that `only` keeps back, counted by drawing */
};

struct act_view {
    struct act_desk desk;
    struct act_canvas canvas;
    enum act_mode mode;
    bool all_fields;
    char filter[64];
    enum act_field_id filter_from; /* focus when the filter was begun */
    int scroll, fields_height;
    struct act_rows rows;
    struct act_edit edit;         /* of EDIT, FILTER, PATH, MEASURE, REPORT, NOTES */
    enum act_field_id edit_field; /* of EDIT: the focused one, or the name of the scenario */
    struct act_plan edit_before;  /* what the edit began with; the tab shows the last valid text */
    double edit_held;
    char edit_problem[256]; /* why the present text is not valid, or "" */
    struct act_list_view list;
    struct act_palette_view palette;
    bool suspend; /* stop as Ctrl-Z does, once the key is dealt with */
    bool repaint; /* the theme has changed: what is on the screen no longer looks right */
    enum act_question question;
    char path[ACT_PATH_MAX]; /* of the save being asked about */
    bool saves_session;      /* PATH and the questions after it are about the session */
    enum act_after_save after_save;
    struct act_compare_view compare;
    char measured[ACT_PATH_MAX]; /* what was typed of a run, when it was refused */
    int help_scroll, help_rows;  /* rows: of the whole help text, set by drawing */
    int graph_stage;
    struct act_explain_view explain;
    enum act_mode explain_back; /* where explaining began */
    struct act_takes_view takes;
    int64_t now_ms;
    struct act_keeper keeper;
    int64_t watched_ms; /* last look at the files on the disk */
    bool done;
};

/* Draws everything. */
void act_view_draw(struct act_view *view);
/* One key or paste. */
void act_view_key(struct act_view *view, int key);
void act_view_paste(struct act_view *view, const char *text, size_t size);

/* A press of a button at a place of the canvas drawn last. */
void act_view_mouse(struct act_view *view, enum act_button button, int row, int column);

/* The question in words, and the keys that answer it. */
void act_view_question(const struct act_view *view, char *out, size_t size);
const char *act_view_answers(const struct act_view *view);

/* The dashboard, and what stands in its place. */
void act_dashboard_draw(struct act_view *view);
void act_graph_draw(struct act_view *view);
void act_compare_draw(struct act_view *view);
void act_help_draw(struct act_view *view);
void act_present_draw(struct act_view *view);
/* The same as act_dashboard_draw and act_graph_draw for screen readers: lines of words. */
void act_plain_draw(struct act_view *view);
void act_plain_graph_draw(struct act_view *view);
void act_plain_columns_draw(struct act_view *view);
/* Lists and palette as lines. */
void act_plain_list_draw(struct act_view *view);
void act_plain_palette_draw(struct act_view *view);

/* The rows of the panes, the focus on one of them, and the part of them that shows. */
void act_view_settle_focus(struct act_view *view, int height);
/* Keys of the present mode, "Enter keep   Esc as before"; NULL for the main screen, whose keys come
 * from the table of actions. */
const char *act_view_mode_keys(const struct act_view *view);
/* What the line being typed at the foot is; NULL when none is. */
const char *act_view_prompt(const struct act_view *view);
/* The message or problem to show; false: none, and `out` is the first sentence about the focused
 * field. */
bool act_view_hint(const struct act_view *view, char *out, size_t size, enum act_look *ret_look);

#endif
