#include "session/history.h"
#include <actuary/field.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MERGE_MS = 1000 };

/* A run of bytes that differ; its old bytes and then its new bytes follow in `bytes`. */
struct run {
    uint16_t offset, size;
};

struct act_change {
    char label[ACT_LABEL_MAX];
    int merge;
    int64_t when_ms;
    double held_before, held_after;
    int runs;
    struct run *run;
    unsigned char *bytes;
};

_Static_assert(sizeof(struct act_plan) <= UINT16_MAX, "runs are 16 bits");

static void change_free(struct act_change *change)
{
    if (change == NULL)
        return;
    free(change->run);
    free(change->bytes);
    free(change);
}

void act_history_free(struct act_history *history)
{
    for (int i = 0; i < history->count; i++)
        change_free(history->change[i]);
    free(history->change);
    *history = (struct act_history){0};
}

static struct act_change *change_new(const struct act_plan *before, const struct act_plan *after)
{
    const unsigned char *a = (const unsigned char *)before;
    const unsigned char *b = (const unsigned char *)after;
    const size_t size = sizeof(struct act_plan);
    int runs = 0;
    size_t bytes = 0;
    for (size_t i = 0; i < size; i++) {
        if (a[i] != b[i]) {
            bytes++;
            if (i == 0 || a[i - 1] == b[i - 1])
                runs++;
        }
    }
    struct act_change *change = calloc(1, sizeof *change);
    if (change == NULL)
        return NULL;
    change->run = calloc((size_t)runs + 1, sizeof *change->run);
    change->bytes = malloc(2 * bytes + 1);
    if (change->run == NULL || change->bytes == NULL) {
        change_free(change);
        return NULL;
    }
    size_t at = 0;
    for (size_t i = 0; i < size;) {
        if (a[i] == b[i]) {
            i++;
            continue;
        }
        size_t end = i;
        while (end < size && a[end] != b[end])
            end++;
        change->run[change->runs++] = (struct run){(uint16_t)i, (uint16_t)(end - i)};
        memcpy(change->bytes + at, a + i, end - i);
        memcpy(change->bytes + at + (end - i), b + i, end - i);
        at += 2 * (end - i);
        i = end;
    }
    return change;
}

static void change_apply(const struct act_change *change, struct act_plan *plan, bool forward)
{
    unsigned char *to = (unsigned char *)plan;
    const unsigned char *from = change->bytes;
    for (int i = 0; i < change->runs; i++) {
        size_t size = change->run[i].size;
        memcpy(to + change->run[i].offset, from + (forward ? size : 0), size);
        from += 2 * size;
    }
}

static bool make_room(struct act_history *history)
{
    if (history->count < history->room)
        return true;
    if (history->count >= ACT_UNDO_MAX) { /* the oldest step falls off */
        change_free(history->change[0]);
        memmove(history->change, history->change + 1,
                (size_t)(history->count - 1) * sizeof *history->change);
        history->count--;
        history->done--;
        return true;
    }
    int room = history->room == 0 ? 32 : 2 * history->room;
    room = room < ACT_UNDO_MAX ? room : ACT_UNDO_MAX;
    struct act_change **grown = realloc(history->change, (size_t)room * sizeof(*grown));
    if (grown == NULL)
        return false;
    history->change = grown;
    history->room = room;
    return true;
}

/* Joins the new step to the last one, so that holding + is one undo. Same field only, so the
 * merged label keeps the old value it started from. */
static bool merge_into(struct act_history *history, const struct act_plan *before,
                       const struct act_plan *after, double held_after, const char *label,
                       int64_t now_ms)
{
    struct act_change *last = history->change[history->done - 1];
    struct act_plan start = *before;
    change_apply(last, &start, false);
    struct act_change *joined = change_new(&start, after);
    if (joined == NULL)
        return false;
    joined->merge = last->merge;
    joined->when_ms = now_ms;
    joined->held_before = last->held_before;
    joined->held_after = held_after;
    char was[ACT_LABEL_MAX], now[ACT_LABEL_MAX];
    const char *arrow = " -> ";
    snprintf(was, sizeof was, "%s", last->label);
    char *cut = strstr(was, arrow);
    const char *tail = strstr(label, arrow);
    if (cut != NULL && tail != NULL) {
        *cut = '\0';
        snprintf(now, sizeof now, "%.44s%.48s", was, tail);
    } else {
        snprintf(now, sizeof now, "%s", label);
    }
    memcpy(joined->label, now, sizeof joined->label);
    change_free(last);
    history->change[history->done - 1] = joined;
    if (joined->runs == 0) { /* there and back again: nothing to undo */
        change_free(joined);
        history->count = --history->done;
    }
    return true;
}

bool act_history_record(struct act_history *history, const struct act_plan *before,
                        const struct act_plan *after, double held_before, double held_after,
                        const char *label, int merge, int64_t now_ms)
{
    const struct act_change *last = history->done > 0 ? history->change[history->done - 1] : NULL;
    bool joins = merge >= 0 && last != NULL && history->done == history->count &&
                 last->merge == merge && now_ms - last->when_ms <= MERGE_MS;
    if (joins)
        return merge_into(history, before, after, held_after, label, now_ms);
    struct act_change *change = change_new(before, after);
    if (change == NULL)
        return false;
    while (history->count > history->done)
        change_free(history->change[--history->count]);
    if (!make_room(history)) {
        change_free(change);
        return false;
    }
    snprintf(change->label, sizeof change->label, "%s", label);
    change->merge = merge;
    change->when_ms = now_ms;
    change->held_before = held_before;
    change->held_after = held_after;
    history->change[history->count++] = change;
    history->done = history->count;
    return true;
}

const char *act_history_undo(struct act_history *history, struct act_plan *plan, double *held)
{
    if (history->done == 0)
        return NULL;
    const struct act_change *change = history->change[--history->done];
    change_apply(change, plan, false);
    *held = change->held_before;
    return change->label;
}

const char *act_history_redo(struct act_history *history, struct act_plan *plan, double *held)
{
    if (history->done == history->count)
        return NULL;
    const struct act_change *change = history->change[history->done++];
    change_apply(change, plan, true);
    *held = change->held_after;
    return change->label;
}

int64_t act_history_when(const struct act_history *history)
{
    return history->done > 0 ? history->change[history->done - 1]->when_ms : INT64_MIN;
}
