#include "session/choices.h"
#include "io/presets.h"
#include <actuary/field.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_EACH_WAY = 24 };

static bool room_for(struct act_choices *choices, int *room)
{
    if (choices->count < *room)
        return true;
    if (choices->count >= ACT_CHOICES_MAX)
        return false;
    int more = *room == 0 ? 32 : 2 * *room;
    struct act_choice *grown = realloc(choices->choice, (size_t)more * sizeof *grown);
    if (grown == NULL)
        return false;
    choices->choice = grown;
    *room = more;
    return true;
}

static bool add(struct act_choices *choices, int *room, const char *text, bool now)
{
    if (!room_for(choices, room))
        return choices->count >= ACT_CHOICES_MAX;
    struct act_choice *choice = &choices->choice[choices->count++];
    memset(choice, 0, sizeof *choice);
    snprintf(choice->text, sizeof choice->text, "%s", text);
    choice->now = now;
    return true;
}

/* Steps from the present value of `plan` as far as the field goes, at most `limit` times. */
static int walk(const struct act_plan *plan, enum act_field_id field, int direction, int limit,
                double *values)
{
    struct act_plan at = *plan;
    int count = 0;
    double value;
    while (count < limit && act_field_step(&at, field, direction, &value)) {
        values[count++] = value;
        act_field_set_number(&at, field, value);
    }
    return count;
}

static void value_text(const struct act_plan *plan, enum act_field_id field, double value,
                       char *out, size_t size)
{
    struct act_plan at = *plan;
    if (field == ACT_F_parallel_gpus) {
        snprintf(out, size, "%.0f", value);
        return;
    }
    act_field_set_number(&at, field, value);
    act_field_text(&at, field, ACT_STYLE_FILE, out, size);
}

static bool add_steps(const struct act_plan *plan, enum act_field_id field,
                      struct act_choices *choices, int *room)
{
    double below[STEPS_EACH_WAY], above[STEPS_EACH_WAY];
    int down = walk(plan, field, -1, STEPS_EACH_WAY, below);
    int up = walk(plan, field, 1, STEPS_EACH_WAY, above);
    char text[ACT_CHOICE_TEXT];
    bool fine = true;
    for (int i = down - 1; i >= 0 && fine; i--) {
        value_text(plan, field, below[i], text, sizeof text);
        fine = add(choices, room, text, false);
    }
    act_field_text(plan, field, ACT_STYLE_FILE, text, sizeof text);
    fine = fine && add(choices, room, text, true);
    for (int i = 0; i < up && fine; i++) {
        value_text(plan, field, above[i], text, sizeof text);
        fine = add(choices, room, text, false);
    }
    return fine;
}

static bool add_presets(const struct act_plan *plan, enum act_field_id field,
                        enum act_preset_kind kind, struct act_choices *choices, int *room)
{
    const char *now = act_field_string(plan, field);
    for (int i = 0; i < act_preset_count(kind); i++) {
        const char *name = act_preset_name(kind, i);
        if (!add(choices, room, name, strcmp(name, now) == 0))
            return false;
    }
    return true;
}

bool act_choices_make(const struct act_desk *desk, enum act_field_id field, struct act_choices *ret)
{
    const struct act_tab *tab = desk->tab[desk->current];
    const struct act_field *row = act_field(field);
    struct act_plan plan;
    act_plan_resolve(&tab->plan, &plan);
    int room = 0;
    bool fine = true;
    *ret = (struct act_choices){.field = field};
    int kind = act_preset_kind_of_group(row->group);
    if (kind >= 0 && act_group_preset(row->group) == (int)field) {
        fine = add_presets(&plan, field, (enum act_preset_kind)kind, ret, &room);
    } else if (row->kind == ACT_KIND_ENUM || row->kind == ACT_KIND_BOOL) {
        static const char *const truth[] = {"false", "true", NULL};
        const char *const *names = row->kind == ACT_KIND_BOOL ? truth : row->names;
        for (int i = 0; names[i] != NULL && fine; i++)
            fine = add(ret, &room, names[i], act_field_number(&plan, field) == i);
    } else if (row->kind == ACT_KIND_INT || row->kind == ACT_KIND_REAL ||
               row->kind == ACT_KIND_GPUS) {
        fine = add_steps(&plan, field, ret, &room);
    }
    if (fine && ret->count > 0 && (row->flags & ACT_FIELD_AUTO) != 0) {
        fine = add(ret, &room, "auto", false);
        if (fine) {
            struct act_choice *last = &ret->choice[ret->count - 1];
            snprintf(last->note, sizeof last->note, "derived");
        }
    }
    if (!fine)
        act_choices_free(ret);
    return fine;
}

void act_choices_free(struct act_choices *choices)
{
    free(choices->choice);
    choices->choice = NULL;
    choices->count = 0;
}

static void try_choice(const struct act_desk *desk, enum act_field_id field,
                       struct act_choice *choice)
{
    const struct act_tab *tab = desk->tab[desk->current];
    struct act_plan plan;
    double held;
    char why[256];
    choice->tried = true;
    if (act_desk_try(desk, tab, field, 0, choice->text, &plan, &held, why, sizeof why) != 0) {
        choice->refused = true;
        snprintf(choice->note, sizeof choice->note, "%.*s", ACT_CHOICE_TEXT - 1, why);
        return;
    }
    act_desk_summarise(
        &plan, field == ACT_F_parallel_gpus || field == ACT_F_parallel_data ? HUGE_VAL : tab->held,
        &choice->summary);
}

/* A preset's title stands beside it. */
static void describe_preset(enum act_field_id field, struct act_choice *choice)
{
    const struct act_field *row = act_field(field);
    int kind = act_preset_kind_of_group(row->group);
    if (kind >= 0 && act_group_preset(row->group) == (int)field) {
        struct act_preset_info info;
        struct act_problems problems;
        act_problems_init(&problems, choice->text);
        if (act_preset_describe((enum act_preset_kind)kind, choice->text, &info, &problems) == 0)
            snprintf(choice->note, sizeof choice->note, "%.*s", ACT_CHOICE_TEXT - 1, info.title);
    }
}

void act_choices_try(const struct act_desk *desk, struct act_choices *choices, int index)
{
    struct act_choice *choice = &choices->choice[index];
    if (choice->tried)
        return;
    try_choice(desk, choices->field, choice);
    if (!choice->refused)
        describe_preset(choices->field, choice);
}

static int near_names(const struct act_plan *plan, const struct act_field *row, int limit,
                      struct act_choice *ret)
{
    static const char *const truth[] = {"false", "true", NULL};
    const char *const *names = row->kind == ACT_KIND_BOOL ? truth : row->names;
    int total = 0;
    while (names[total] != NULL)
        total++;
    int now = (int)act_field_number(plan, row->id);
    int first = total <= limit || now < limit / 2 ? 0 : now - limit / 2;
    if (first > total - limit && total >= limit)
        first = total - limit;
    int count = 0;
    for (int i = first; i < total && count < limit; i++) {
        ret[count] = (struct act_choice){.now = i == now};
        snprintf(ret[count++].text, ACT_CHOICE_TEXT, "%s", names[i]);
    }
    return count;
}

/* The presets before and after the present one, as + and - would go. */
static int near_presets(const struct act_plan *plan, const struct act_field *row,
                        enum act_preset_kind kind, struct act_choice *ret)
{
    int now = act_preset_find(kind, act_field_string(plan, row->id));
    int count = 0;
    for (int at = now - 1; at <= now + 1; at++) {
        const char *name =
            at >= 0 && at < act_preset_count(kind) ? act_preset_name(kind, at) : NULL;
        if (name == NULL || now < 0)
            continue;
        ret[count] = (struct act_choice){.now = at == now};
        snprintf(ret[count++].text, ACT_CHOICE_TEXT, "%s", name);
    }
    return count;
}

int act_choices_near(const struct act_desk *desk, enum act_field_id field, int limit,
                     struct act_choice *ret)
{
    const struct act_tab *tab = desk->tab[desk->current];
    const struct act_field *row = act_field(field);
    struct act_plan plan;
    int count = 0;
    act_plan_resolve(&tab->plan, &plan);
    if (row->kind == ACT_KIND_ENUM || row->kind == ACT_KIND_BOOL) {
        count = near_names(&plan, row, limit, ret);
    } else if (row->steps == ACT_STEPS_PRESET && limit >= 3) {
        enum act_preset_kind kind = (enum act_preset_kind)act_preset_kind_of_group(row->group);
        count = near_presets(&plan, row, kind, ret);
    } else if (row->kind == ACT_KIND_INT || row->kind == ACT_KIND_REAL ||
               row->kind == ACT_KIND_GPUS) {
        double below[2], above[2];
        int each = limit >= 5 ? 2 : 1;
        int down = walk(&plan, field, -1, each, below);
        int up = walk(&plan, field, 1, each, above);
        for (int i = down - 1; i >= 0 && count < limit; i--) {
            ret[count] = (struct act_choice){0};
            value_text(&plan, field, below[i], ret[count++].text, ACT_CHOICE_TEXT);
        }
        if (count < limit) {
            ret[count] = (struct act_choice){.now = true};
            act_field_text(&plan, field, ACT_STYLE_FILE, ret[count++].text, ACT_CHOICE_TEXT);
        }
        for (int i = 0; i < up && count < limit; i++) {
            ret[count] = (struct act_choice){0};
            value_text(&plan, field, above[i], ret[count++].text, ACT_CHOICE_TEXT);
        }
    }
    for (int i = 0; i < count; i++) {
        if (ret[i].now) {
            ret[i].tried = true;
            act_desk_summarise(&tab->plan, tab->held, &ret[i].summary);
        } else {
            try_choice(desk, field, &ret[i]);
        }
    }
    return count;
}
