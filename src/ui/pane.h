/* The fields at the left: which rows there are, and how they are drawn. Made from the field table;
 * nothing here knows a field by name except the one that stands in each pane's heading. */
#ifndef ACTUARY_UI_PANE_H
#define ACTUARY_UI_PANE_H

#include "session/choices.h"
#include "ui/draw.h"
#include "ui/edit.h"
#include <actuary/field.h>

struct act_row {
    enum act_field_id field;
    enum act_group group;
    bool heading; /* the pane's heading, with its leading field's value */
    bool closed;  /* a heading whose rows are folded away */
};

struct act_rows {
    int count;
    struct act_row row[ACT_FIELD_COUNT];
};

/* The rows for a plan: headings and main fields, all applicable ones when `all`, or those whose
 * label or key contains `filter`. When more than `room` the panes without the focus fold. */
void act_pane_rows(const struct act_plan *plan, bool all, const char *filter,
                   enum act_field_id focus, int room, struct act_rows *ret);
/* Index of a field's row; its heading's when folded away; -1. */
int act_pane_find(const struct act_rows *rows, enum act_field_id field);

struct act_pane {
    const struct act_plan *plan, *resolved;
    const struct act_result *result;
    const struct act_rows *rows;
    int scroll;
    enum act_field_id focus;
    const struct act_edit *edit;   /* being typed into the focused field, or NULL */
    const struct act_choice *near; /* what-if values of the focused field */
    int near_count;
    const struct act_plan *baseline; /* resolved: fields that differ are marked; or NULL */
};

/* The field that stands in a pane's heading. */
enum act_field_id act_pane_heading_field(const struct act_plan *plan, enum act_group group);
/* Does the filter stand in the field's label or key? */
bool act_pane_matches(const struct act_field *field, const char *filter);
/* Main fields are shown, but for counts of things a model does not have (experts of a dense one);
 * so are others that the user gave a value of their own. */
bool act_pane_is_main(const struct act_plan *plan, const struct act_field *field);

void act_pane_draw(struct act_canvas *canvas, struct act_rect rect, const struct act_pane *pane);

/* A row in words, for plain mode: "tensor TP: 4", "PARALLELISM: 64 GPUs, 4 × 2 × 8". *ret_value is
 * where its value begins. */
void act_pane_words(const struct act_pane *pane, const struct act_row *row, char *out, size_t size,
                    size_t *ret_value);

/* The value as the panes show it; returns whether it is a derived one ("auto"). */
bool act_pane_value(const struct act_plan *plan, const struct act_plan *resolved,
                    enum act_field_id field, char *out, size_t size);

#endif
