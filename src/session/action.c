#include "session/action.h"
#include "core/letters.h"
#include "io/presets.h"
#include <actuary/field.h>
#include <stdio.h>
#include <string.h>

/* Makes one change of the focused field. */
static bool change(struct act_desk *desk, int64_t now_ms, double value, const char *text)
{
    struct act_tab *tab = act_desk_tab(desk);
    struct act_plan plan;
    double held;
    char why[ACT_MESSAGE_MAX - 80];
    if (act_desk_try(desk, tab, tab->focus, value, text, &plan, &held, why, sizeof why) != 0) {
        act_desk_say(desk, ACT_SAY_ERROR, "%s: %s", act_field(tab->focus)->label, why);
        return false;
    }
    act_desk_commit(desk, &plan, held, tab->focus, true, now_ms);
    return true;
}

/* Moves the focused field to the value that `find` gives. */
static bool move(struct act_desk *desk, int64_t now_ms, int direction,
                 bool (*find)(const struct act_plan *, enum act_field_id, int, double *),
                 const char *what)
{
    struct act_tab *tab = act_desk_tab(desk);
    struct act_plan resolved;
    double value;
    act_plan_resolve(&tab->plan, &resolved);
    if (find(&resolved, tab->focus, direction, &value))
        return change(desk, now_ms, value, NULL);
    act_desk_say(desk, ACT_SAY_NOTE, "%s: %s; Enter edits it", act_field(tab->focus)->label, what);
    return false;
}

/* The preset after or before the present one, in the order of the list. */
static bool next_preset(struct act_desk *desk, int64_t now_ms, int direction)
{
    struct act_tab *tab = act_desk_tab(desk);
    const struct act_field *row = act_field(tab->focus);
    enum act_preset_kind kind = (enum act_preset_kind)act_preset_kind_of_group(row->group);
    int at = act_preset_find(kind, act_field_string(&tab->plan, tab->focus)) + direction;
    if (at < 0 || at >= act_preset_count(kind)) {
        act_desk_say(desk, ACT_SAY_NOTE, "%s: no preset %s; Enter lists them", row->label,
                     direction > 0 ? "after this" : "before this");
        return false;
    }
    return change(desk, now_ms, 0, act_preset_name(kind, at));
}

static bool step(struct act_desk *desk, int64_t now_ms, int direction)
{
    if (act_field(act_desk_tab(desk)->focus)->steps == ACT_STEPS_PRESET)
        return next_preset(desk, now_ms, direction);
    return move(desk, now_ms, direction, act_field_step,
                direction > 0 ? "no valid value above" : "no valid value below");
}

static bool run_step_up(struct act_desk *desk, int64_t now_ms)
{
    return step(desk, now_ms, 1);
}

static bool run_step_down(struct act_desk *desk, int64_t now_ms)
{
    return step(desk, now_ms, -1);
}

static bool run_twice(struct act_desk *desk, int64_t now_ms)
{
    return move(desk, now_ms, 1, act_field_scale, "cannot be doubled");
}

static bool run_half(struct act_desk *desk, int64_t now_ms)
{
    return move(desk, now_ms, -1, act_field_scale, "cannot be halved");
}

/* The last deed is taken back first: the closing of a tab, or a change of the current one. */
static bool reopens(const struct act_desk *desk)
{
    return desk->closed_count > 0 && desk->closed[desk->closed_count - 1].when_ms >=
                                         act_history_when(&desk->tab[desk->current]->history);
}

static bool run_undo(struct act_desk *desk, int64_t now_ms)
{
    (void)now_ms;
    struct act_tab *tab = act_desk_tab(desk);
    if (reopens(desk)) {
        act_desk_reopen(desk, desk->closed_count - 1);
        act_desk_say(desk, ACT_SAY_NOTE, "%s is back", act_desk_tab(desk)->plan.scenario.name);
        return true;
    }
    const char *label = act_history_undo(&tab->history, &tab->plan, &tab->held);
    if (label == NULL) {
        act_desk_say(desk, ACT_SAY_NOTE, "nothing to undo");
        return false;
    }
    act_desk_say(desk, ACT_SAY_NOTE, "undone: %s", label);
    act_estimate_cured(&tab->plan, &tab->result);
    return true;
}

static bool run_redo(struct act_desk *desk, int64_t now_ms)
{
    (void)now_ms;
    struct act_tab *tab = act_desk_tab(desk);
    const char *label = act_history_redo(&tab->history, &tab->plan, &tab->held);
    if (label == NULL) {
        act_desk_say(desk, ACT_SAY_NOTE, "nothing to redo");
        return false;
    }
    act_desk_say(desk, ACT_SAY_NOTE, "redone: %s", label);
    act_estimate_cured(&tab->plan, &tab->result);
    return true;
}

/* A repair that changes the layout keeps the GPUs that are held, unless it sets data itself. */
static double keep_held(const struct act_desk *desk, const struct act_tab *tab,
                        const struct act_check *check, struct act_plan *plan)
{
    bool layout = false, data = desk->hold_data;
    for (int i = 0; i < check->repairs; i++) {
        enum act_field_id field = check->repair[i].field;
        layout = layout || field == ACT_F_parallel_tensor || field == ACT_F_parallel_pipeline ||
                 field == ACT_F_parallel_context;
        data = data || field == ACT_F_parallel_data;
    }
    if (layout && !data) {
        act_plan_set_gpus(plan, tab->held);
        act_plan_set_given(plan, ACT_F_parallel_data, true);
        return tab->held;
    }
    return data ? act_plan_gpus(plan) : tab->held;
}

static bool run_repair(struct act_desk *desk, int64_t now_ms)
{
    struct act_tab *tab = act_desk_tab(desk);
    const struct act_checks *checks = &tab->result.checks;
    int found = 0;
    while (found < checks->count && checks->check[found].repairs == 0 &&
           checks->check[found].preset == NULL)
        found++;
    if (found == checks->count) {
        act_desk_say(desk, ACT_SAY_NOTE, "no check has a repair");
        return false;
    }
    struct act_check check = checks->check[found]; /* the change makes new ones */
    struct act_plan plan = tab->plan;
    char label[ACT_LABEL_MAX], now[32];
    enum act_field_id field = check.preset != NULL ? check.field[0] : check.repair[0].field;
    struct act_problems problems;
    act_problems_init(&problems, "");
    if (check.preset != NULL &&
        act_preset_apply(&plan,
                         (enum act_preset_kind)act_preset_kind_of_group(act_field(field)->group),
                         check.preset, true, &problems) != 0) {
        act_desk_say(desk, ACT_SAY_ERROR, "the preset %s is broken", check.preset);
        return false;
    }
    act_check_mend(&check, &plan);
    double held = keep_held(desk, tab, &check, &plan);
    snprintf(label, sizeof label, "fix %.80s", check.rule);
    act_desk_commit_as(desk, &plan, held, label, now_ms);
    act_field_text(&plan, field, ACT_STYLE_FILE, now, sizeof now);
    act_desk_say(desk, ACT_SAY_NOTE, "%s set to %s%s; u takes it back", act_field(field)->label,
                 now, check.repairs > 1 ? " and more" : "");
    return true;
}

static bool run_hold(struct act_desk *desk, int64_t now_ms)
{
    (void)now_ms;
    desk->hold_data = !desk->hold_data;
    act_desk_tab(desk)->held = act_plan_gpus(&act_desk_tab(desk)->plan);
    act_desk_say(desk, ACT_SAY_NOTE,
                 desk->hold_data ? "holding data parallel: TP, PP and CP change the GPU count"
                                 : "holding the GPU count: TP, PP and CP change data parallel");
    return true;
}

/* Given and estimated in turn. The chapter's prudent figure stands in for one never given. */
static bool run_mfu(struct act_desk *desk, int64_t now_ms)
{
    static const double prudent = 0.30;
    struct act_tab *tab = act_desk_tab(desk);
    struct act_plan plan = tab->plan;
    bool estimated = plan.hardware.mfu == ACT_AUTO;
    if (!estimated && plan.framework.family == ACT_TEXTBOOK) {
        act_desk_say(desk, ACT_SAY_NOTE, "the textbook has no step to estimate: MFU stays given");
        return false;
    }
    if (!estimated)
        tab->mfu = plan.hardware.mfu;
    double back = tab->mfu > 0 ? tab->mfu : prudent;
    act_field_set_number(&plan, ACT_F_hardware_mfu, estimated ? back : ACT_AUTO);
    act_desk_commit(desk, &plan, tab->held, ACT_F_hardware_mfu, false, now_ms);
    act_desk_say(desk, ACT_SAY_NOTE,
                 estimated ? "MFU given as %.0f %%: layout moves no days; m estimates it again"
                           : "MFU estimated: layout moves days; m gives %.0f %% again",
                 100 * back);
    return true;
}

static bool run_next_tab(struct act_desk *desk, int64_t now_ms)
{
    (void)now_ms;
    desk->current = (desk->current + 1) % desk->count;
    return desk->count > 1;
}

static bool run_previous_tab(struct act_desk *desk, int64_t now_ms)
{
    (void)now_ms;
    desk->current = (desk->current + desk->count - 1) % desk->count;
    return desk->count > 1;
}

static bool run_units(struct act_desk *desk, int64_t now_ms)
{
    (void)now_ms;
    act_desk_use_decimal(desk, !desk->settings.decimal);
    act_desk_say(desk, ACT_SAY_NOTE,
                 desk->settings.decimal ? "sizes in GB (10^9 bytes)" : "sizes in GiB (2^30 bytes)");
    return true;
}

static bool run_pin(struct act_desk *desk, int64_t now_ms)
{
    (void)now_ms;
    act_desk_pin_baseline(desk);
    return true;
}

static bool run_duplicate(struct act_desk *desk, int64_t now_ms)
{
    (void)now_ms;
    return act_desk_duplicate(desk);
}

static bool run_close(struct act_desk *desk, int64_t now_ms)
{
    return act_desk_close(desk, now_ms);
}

static bool run_move_left(struct act_desk *desk, int64_t now_ms)
{
    (void)now_ms;
    return act_desk_move(desk, -1);
}

static bool run_move_right(struct act_desk *desk, int64_t now_ms)
{
    (void)now_ms;
    return act_desk_move(desk, 1);
}

/* "tensor TP 8 copied to …" */
static void say_copied(struct act_desk *desk, const struct act_tab *from, const char *to)
{
    char value[64];
    act_field_text(&from->plan, from->focus, ACT_STYLE_FILE, value, sizeof value);
    act_desk_say(desk, ACT_SAY_NOTE, "%s %s copied to %s", act_field(from->focus)->label, value,
                 to);
}

static bool run_copy_right(struct act_desk *desk, int64_t now_ms)
{
    struct act_tab *from = act_desk_tab(desk);
    if (desk->current + 1 >= desk->count) {
        act_desk_say(desk, ACT_SAY_NOTE, "no scenario at the right; n duplicates this one");
        return false;
    }
    if (!act_desk_copy(desk, desk->current, desk->current + 1, from->focus, now_ms))
        return false;
    desk->current++;
    act_desk_tab(desk)->focus = from->focus;
    say_copied(desk, from, act_desk_tab(desk)->plan.scenario.name);
    return true;
}

static bool run_copy_all(struct act_desk *desk, int64_t now_ms)
{
    struct act_tab *from = act_desk_tab(desk);
    char to[64];
    int copied = 0;
    for (int i = 0; i < desk->count; i++)
        copied += i != desk->current && act_desk_copy(desk, desk->current, i, from->focus, now_ms);
    if (desk->count < 2)
        act_desk_say(desk, ACT_SAY_NOTE, "the only scenario; n duplicates it");
    if (copied == 0)
        return false;
    snprintf(to, sizeof to, "%d scenario%s; u in each takes it back", copied,
             copied == 1 ? "" : "s");
    say_copied(desk, from, to);
    return true;
}

#define run_screen NULL
#define ACT_ACTION_ROW(id, keys, run, hint, help)                                                  \
    {ACT_DO_##id, ACT_PLACE_MAIN, #id, keys, hint, help, run_##run},
#define ACT_COLUMN_ROW(id, keys, run, hint, help)                                                  \
    {ACT_DO_##id, ACT_PLACE_COLUMNS, #id, keys, hint, help, run_##run},
static const struct act_action table[] = {ACT_ACTIONS(ACT_ACTION_ROW)
                                              ACT_COLUMN_ACTIONS(ACT_COLUMN_ROW)};

const struct act_action *act_action(enum act_action_id id)
{
    return &table[id];
}

const struct act_action *act_action_find(const char *name)
{
    for (int id = 0; id < ACT_ACTION_COUNT; id++) {
        const char *own = table[id].name, *at = name;
        while (*own != '\0' && *at != '\0' &&
               (act_lower(*at) == *own || (*own == '_' && (*at == ' ' || *at == '-')))) {
            own++;
            at++;
        }
        if (*own == '\0' && *at == '\0')
            return &table[id];
    }
    return NULL;
}

struct named_key {
    const char *name;
    int key;
};

static const struct named_key named_keys[] = {
    {"Up", ACT_KEY_UP},
    {"Down", ACT_KEY_DOWN},
    {"Left", ACT_KEY_LEFT},
    {"Right", ACT_KEY_RIGHT},
    {"Home", ACT_KEY_HOME},
    {"End", ACT_KEY_END},
    {"PgUp", ACT_KEY_PAGE_UP},
    {"PgDn", ACT_KEY_PAGE_DOWN},
    {"Del", ACT_KEY_DELETE},
    {"Tab", ACT_KEY_TAB},
    {"Shift-Tab", ACT_KEY_BACK_TAB},
    {"Enter", ACT_KEY_ENTER},
    {"Esc", ACT_KEY_ESC},
    {"F1", ACT_KEY_F1},
    {"F5", ACT_KEY_F5},
    {"Space", ' '},
    {"Backspace", ACT_KEY_BACKSPACE},
};

int act_key_named(const char *name, size_t length)
{
    if (length == 1)
        return (unsigned char)name[0];
    if (length == 2 && name[0] == '^')
        return name[1] & 0x1f;
    for (size_t i = 0; i < sizeof named_keys / sizeof named_keys[0]; i++) {
        if (strlen(named_keys[i].name) == length && memcmp(named_keys[i].name, name, length) == 0)
            return named_keys[i].key;
    }
    return ACT_KEY_NONE;
}

int act_action_key(const struct act_action *action, int index)
{
    const char *at = action->keys;
    for (;;) {
        at += strspn(at, " ");
        size_t length = strcspn(at, " ");
        if (length == 0)
            return 0;
        if (index-- == 0)
            return act_key_named(at, length);
        at += length;
    }
}

static const struct act_action *find(enum act_place place, int key)
{
    for (int id = 0; id < ACT_ACTION_COUNT; id++) {
        const struct act_action *action = act_action((enum act_action_id)id);
        int candidate;
        for (int i = 0; action->place == place && (candidate = act_action_key(action, i)) != 0;
             i++) {
            if (candidate == key)
                return action;
        }
    }
    return NULL;
}

const struct act_action *act_action_of_key(int key)
{
    return find(ACT_PLACE_MAIN, key);
}

const struct act_action *act_action_in_columns(int key)
{
    const struct act_action *action = find(ACT_PLACE_COLUMNS, key);
    return action != NULL ? action : find(ACT_PLACE_MAIN, key);
}

void act_action_key_name(const struct act_action *action, char *out, size_t size)
{
    snprintf(out, size, "%.*s", (int)strcspn(action->keys, " "), action->keys);
}
