/* What is done with scenarios as a whole: closed and brought back, copied, moved, pinned. */
#include "session/desk.h"
#include <actuary/field.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int act_desk_index(const struct act_desk *desk, const struct act_tab *tab)
{
    for (int i = 0; i < desk->count; i++) {
        if (desk->tab[i] == tab)
            return i;
    }
    return -1;
}

static void insert(struct act_desk *desk, int at, struct act_tab *tab)
{
    memmove(desk->tab + at + 1, desk->tab + at,
            (size_t)(desk->count - at) * sizeof(struct act_tab *));
    desk->tab[at] = tab;
    desk->count++;
    desk->current = at;
}

static void forget_closed(struct act_desk *desk, int index)
{
    memmove(desk->closed + index, desk->closed + index + 1,
            (size_t)(desk->closed_count - index - 1) * sizeof(struct act_closed));
    desk->closed_count--;
}

/* The oldest that holds nothing unsaved makes room. */
static bool room_for_closed(struct act_desk *desk)
{
    if (desk->closed_count < ACT_CLOSED_MAX)
        return true;
    for (int i = 0; i < desk->closed_count; i++) {
        if (!act_tab_modified(desk->closed[i].tab)) {
            act_tab_forget_kept(desk->closed[i].tab);
            act_tab_free(desk->closed[i].tab);
            forget_closed(desk, i);
            return true;
        }
    }
    return false;
}

bool act_desk_close(struct act_desk *desk, int64_t now_ms)
{
    struct act_tab *tab = act_desk_tab(desk);
    if (desk->count <= 1) {
        act_desk_say(desk, ACT_SAY_NOTE, "the only scenario; q leaves");
        return false;
    }
    if (!room_for_closed(desk)) {
        act_desk_say(desk, ACT_SAY_ERROR,
                     "%d closed scenarios are not saved; u brings the last one back",
                     ACT_CLOSED_MAX);
        return false;
    }
    desk->closed[desk->closed_count++] = (struct act_closed){
        .tab = tab, .at = desk->current, .pinned = desk->pinned == tab, .when_ms = now_ms};
    if (desk->pinned == tab)
        desk->pinned = NULL;
    memmove(desk->tab + desk->current, desk->tab + desk->current + 1,
            (size_t)(desk->count - desk->current - 1) * sizeof(struct act_tab *));
    desk->count--;
    if (desk->current == desk->count)
        desk->current--;
    char name[40];
    act_printable(tab->plan.scenario.name, strlen(tab->plan.scenario.name), name, sizeof name);
    act_desk_say(desk, ACT_SAY_NOTE, "closed %s%s; u brings it back", name,
                 act_tab_modified(tab) ? ", which is not saved" : "");
    return true;
}

bool act_desk_reopen(struct act_desk *desk, int index)
{
    if (index < 0 || index >= desk->closed_count)
        return false;
    struct act_closed closed = desk->closed[index];
    forget_closed(desk, index);
    insert(desk, closed.at < desk->count ? closed.at : desk->count, closed.tab);
    if (closed.pinned && desk->pinned == NULL)
        desk->pinned = closed.tab;
    return true;
}

static bool name_is_taken(const struct act_desk *desk, const char *name)
{
    for (int i = 0; i < desk->count; i++) {
        if (strcmp(desk->tab[i]->plan.scenario.name, name) == 0)
            return true;
    }
    return false;
}

/* "run (2)" from "run", "run (3)" from "run (2)": the first that no open scenario has. */
static void name_copy(const struct act_desk *desk, const char *name, char *out, size_t size)
{
    size_t length = strlen(name);
    if (length > 3 && name[length - 1] == ')') {
        size_t at = length - 1;
        while (at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9')
            at--;
        if (at + 1 < length && at > 2 && name[at - 1] == '(' && name[at - 2] == ' ')
            length = at - 2;
    }
    for (int number = 2; number <= ACT_TABS_MAX + ACT_CLOSED_MAX + 1; number++) {
        char tail[16];
        size_t room = size - 1 - (size_t)snprintf(tail, sizeof tail, " (%d)", number);
        size_t kept = length < room ? length : room;
        while (kept > 0 && kept < length && ((unsigned char)name[kept] & 0xc0) == 0x80)
            kept--; /* whole characters */
        snprintf(out, size, "%.*s%s", (int)kept, name, tail);
        if (!name_is_taken(desk, out))
            return;
    }
}

static void rename_plan(struct act_plan *plan, const char *name)
{
    size_t size = sizeof plan->scenario.name;
    memset(plan->scenario.name, 0, size); /* plans are compared by their bytes */
    snprintf(plan->scenario.name, size, "%s", name);
    act_plan_set_given(plan, ACT_F_scenario_name, true);
}

bool act_desk_duplicate(struct act_desk *desk)
{
    const struct act_tab *from = act_desk_tab(desk);
    char name[sizeof from->plan.scenario.name];
    if (desk->count >= ACT_TABS_MAX) {
        act_desk_say(desk, ACT_SAY_ERROR, "%d scenarios are open; close one first (d)",
                     ACT_TABS_MAX);
        return false;
    }
    struct act_tab *tab = calloc(1, sizeof *tab);
    if (tab == NULL) {
        act_desk_say(desk, ACT_SAY_ERROR, "out of memory");
        return false;
    }
    name_copy(desk, from->plan.scenario.name, name, sizeof name);
    tab->plan = from->plan;
    tab->saved = from->saved; /* a copy of what is saved holds nothing that could be lost */
    rename_plan(&tab->plan, name);
    rename_plan(&tab->saved, name);
    tab->held = from->held;
    tab->focus = from->focus;
    tab->result = from->result;
    insert(desk, desk->current + 1, tab);
    act_desk_say(desk, ACT_SAY_NOTE, "%s; r renames it", name);
    return true;
}

bool act_desk_move(struct act_desk *desk, int by)
{
    int at = desk->current, to = at + by;
    if (to < 0 || to >= desk->count)
        return false;
    struct act_tab *tab = desk->tab[at];
    desk->tab[at] = desk->tab[to];
    desk->tab[to] = tab;
    desk->current = to;
    return true;
}

void act_desk_pin_baseline(struct act_desk *desk)
{
    struct act_tab *tab = act_desk_tab(desk);
    bool was = desk->pinned == tab;
    desk->pinned = was ? NULL : tab;
    if (was)
        act_desk_say(desk, ACT_SAY_NOTE, "no baseline");
    else
        act_desk_say(desk, ACT_SAY_NOTE, "%s is the baseline: others are compared with it",
                     tab->plan.scenario.name);
}

bool act_desk_copy(struct act_desk *desk, int from, int to, enum act_field_id field, int64_t now_ms)
{
    const struct act_tab *source = desk->tab[from];
    struct act_tab *target = desk->tab[to];
    const struct act_field *row = act_field(field);
    struct act_plan plan;
    double held;
    char text[ACT_PATH_MAX + 64], why[ACT_MESSAGE_MAX - 160];
    bool written = row->kind == ACT_KIND_TEXT || row->kind == ACT_KIND_LIST;
    if (!act_field_applies(&source->plan, field) || !act_field_applies(&target->plan, field)) {
        bool here = !act_field_applies(&source->plan, field);
        act_desk_say(desk, ACT_SAY_NOTE, "%s means nothing in %s", row->label,
                     (here ? source : target)->plan.scenario.name);
        return false;
    }
    if (written)
        act_field_text(&source->plan, field, ACT_STYLE_FILE, text, sizeof text);
    if (act_desk_try(desk, target, field, act_field_number(&source->plan, field),
                     written ? text : NULL, &plan, &held, why, sizeof why) != 0) {
        act_desk_say(desk, ACT_SAY_ERROR, "%s of %s: %s", row->label, target->plan.scenario.name,
                     why);
        return false;
    }
    int current = desk->current;
    desk->current = to;
    act_desk_commit(desk, &plan, held, field, false, now_ms);
    desk->current = current;
    return true;
}
