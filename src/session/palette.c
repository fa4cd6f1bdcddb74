#include "session/palette.h"
#include "core/fuzzy.h"
#include "io/presets.h"
#include <actuary/field.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *act_entry_kind_name(enum act_entry_kind kind)
{
    static const char *const names[] = {"action", "field", "preset", "scenario"};
    return names[kind];
}

static struct act_entry *add(struct act_palette *palette, int *room, enum act_entry_kind kind)
{
    if (palette->count >= ACT_ENTRIES_MAX)
        return NULL;
    if (palette->count == *room) {
        int more = *room == 0 ? 512 : 2 * *room;
        struct act_entry *grown = realloc(palette->entry, (size_t)more * sizeof *grown);
        if (grown == NULL)
            return NULL;
        palette->entry = grown;
        *room = more;
    }
    struct act_entry *entry = &palette->entry[palette->count++];
    memset(entry, 0, sizeof *entry);
    entry->kind = kind;
    return entry;
}

/* The first sentence, without its point. */
static void first_sentence(const char *help, char *out, size_t size)
{
    const char *stop = strstr(help, ". ");
    size_t length = stop != NULL ? (size_t)(stop - help) : strlen(help);
    if (length > 0 && help[length - 1] == '.')
        length--;
    snprintf(out, size, "%.*s", (int)length, help);
}

static void add_actions(struct act_palette *palette, int *room)
{
    for (int id = 0; id < ACT_ACTION_COUNT; id++) {
        const struct act_action *action = act_action((enum act_action_id)id);
        if (id == ACT_DO_palette)
            continue;
        struct act_entry *entry = add(palette, room, ACT_ENTRY_ACTION);
        if (entry == NULL)
            return;
        entry->command.kind = ACT_COMMAND_ACTION;
        entry->command.action = action->id;
        for (size_t i = 0; action->name[i] != '\0' && i + 1 < sizeof entry->name; i++)
            entry->name[i] = action->name[i] == '_' ? ' ' : action->name[i];
        if (strcmp(action->hint, "&") != 0)
            snprintf(entry->also, sizeof entry->also, "%s", action->hint);
        act_action_key_name(action, entry->key, sizeof entry->key);
        first_sentence(action->help, entry->help, sizeof entry->help);
    }
}

static void add_fields(const struct act_plan *plan, struct act_palette *palette, int *room)
{
    static struct act_plan resolved; /* large; the session is single-threaded */
    act_plan_resolve(plan, &resolved);
    for (int id = 0; id < ACT_FIELD_COUNT; id++) {
        const struct act_field *field = act_field((enum act_field_id)id);
        if (!act_field_applies(plan, field->id))
            continue;
        struct act_entry *entry = add(palette, room, ACT_ENTRY_FIELD);
        if (entry == NULL)
            return;
        entry->command.kind = ACT_COMMAND_FOCUS;
        entry->command.field = field->id;
        entry->command.has_field = true;
        const char *brief = act_command_short(field->id);
        snprintf(entry->name, sizeof entry->name, "%s", field->label);
        snprintf(entry->also, sizeof entry->also, "%s", field->key);
        snprintf(entry->key, sizeof entry->key, "%s", brief != NULL ? brief : "");
        first_sentence(field->help, entry->help, sizeof entry->help);
        act_field_text(&resolved, field->id,
                       plan->decimal_sizes ? ACT_STYLE_SHORT_GB : ACT_STYLE_SHORT, entry->value,
                       sizeof entry->value);
    }
}

static void add_presets(struct act_palette *palette, int *room)
{
    static const char *const what[ACT_PRESET_KINDS] = {
        "Model preset", "Framework preset", "Hardware preset", "Scenario preset, opens in a tab"};
    for (int kind = 0; kind < ACT_PRESET_KINDS; kind++) {
        for (int i = 0; i < act_preset_count((enum act_preset_kind)kind); i++) {
            const char *name = act_preset_name((enum act_preset_kind)kind, i);
            struct act_entry *entry = add(palette, room, ACT_ENTRY_PRESET);
            if (entry == NULL)
                return;
            entry->command.kind = kind == ACT_SCENARIOS ? ACT_COMMAND_OPEN : ACT_COMMAND_SET;
            for (int group = 0; group < ACT_GROUP_COUNT; group++) {
                if (act_preset_kind_of_group((enum act_group)group) == kind)
                    entry->command.field =
                        (enum act_field_id)act_group_preset((enum act_group)group);
            }
            snprintf(entry->command.text, sizeof entry->command.text, "%s", name);
            snprintf(entry->name, sizeof entry->name, "%s", name);
            snprintf(entry->also, sizeof entry->also, "%s",
                     act_preset_kind_name((enum act_preset_kind)kind));
            snprintf(entry->help, sizeof entry->help, "%s", what[kind]);
            entry->preset = (enum act_preset_kind)kind;
        }
    }
}

static void add_scenarios(const struct act_desk *desk, struct act_palette *palette, int *room)
{
    for (int i = 0; i < desk->count; i++) {
        struct act_entry *entry = add(palette, room, ACT_ENTRY_SCENARIO);
        if (entry == NULL)
            return;
        entry->command.kind = ACT_COMMAND_TAB;
        entry->command.tab = i;
        snprintf(entry->name, sizeof entry->name, "%s", desk->tab[i]->plan.scenario.name);
        snprintf(entry->also, sizeof entry->also, "%.*s", ACT_ENTRY_TEXT - 1, desk->tab[i]->path);
        if (i < 9)
            snprintf(entry->key, sizeof entry->key, "Alt-%d", i + 1);
        snprintf(entry->help, sizeof entry->help, "Open scenario %d%s", i + 1,
                 i == desk->current ? ", the present one" : "");
    }
}

bool act_palette_make(const struct act_desk *desk, struct act_palette *ret)
{
    int room = 0;
    *ret = (struct act_palette){0};
    add_actions(ret, &room);
    add_scenarios(desk, ret, &room);
    add_fields(&desk->tab[desk->current]->plan, ret, &room);
    add_presets(ret, &room);
    ret->order = calloc((size_t)ret->count + 1, sizeof *ret->order);
    if (ret->order == NULL || ret->count == 0) {
        act_palette_free(ret);
        return false;
    }
    act_palette_filter(ret, "");
    return true;
}

void act_palette_free(struct act_palette *palette)
{
    free(palette->entry);
    free(palette->order);
    *palette = (struct act_palette){0};
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

/* Its own name counts most: what is found by another one stands behind. */
static int score_of(const struct act_entry *entry, const char *pattern)
{
    int own = 2 * act_fuzzy_score(pattern, entry->name);
    int brief = 2 * (entry->key[0] != '\0' ? act_fuzzy_score(pattern, entry->key) : 0);
    int other = entry->also[0] != '\0' ? act_fuzzy_score(pattern, entry->also) : 0;
    return most(own, most(entry->kind == ACT_ENTRY_FIELD ? brief : 0, 2 * other - (other > 1)));
}

static const struct act_entry *entries; /* what is sorted: qsort has no context */

static int better_first(const void *a, const void *b)
{
    int i = *(const int *)a, j = *(const int *)b;
    if (entries[i].score != entries[j].score)
        return entries[i].score > entries[j].score ? -1 : 1;
    size_t one = strlen(entries[i].name), two = strlen(entries[j].name);
    if (entries[i].score > 2 && one != two) /* an empty pattern keeps the tables' order */
        return one < two ? -1 : 1;
    return i < j ? -1 : 1;
}

void act_palette_filter(struct act_palette *palette, const char *pattern)
{
    pattern += strspn(pattern, " ");
    palette->shown = 0;
    for (int i = 0; i < palette->count; i++) {
        struct act_entry *entry = &palette->entry[i];
        entry->score = pattern[0] == '\0' ? 2 : score_of(entry, pattern);
        if (entry->score > 0)
            palette->order[palette->shown++] = i;
    }
    entries = palette->entry;
    qsort(palette->order, (size_t)palette->shown, sizeof *palette->order, better_first);
}

const struct act_entry *act_palette_entry(struct act_palette *palette, int index)
{
    struct act_entry *entry = &palette->entry[palette->order[index]];
    if (entry->kind != ACT_ENTRY_PRESET || entry->described)
        return entry;
    struct act_preset_info info;
    struct act_problems problems;
    entry->described = true;
    act_problems_init(&problems, entry->name);
    if (act_preset_describe(entry->preset, entry->name, &info, &problems) == 0 &&
        info.title[0] != '\0') {
        char kind[ACT_ENTRY_TEXT];
        snprintf(kind, sizeof kind, "%.*s", (int)strcspn(entry->help, ","), entry->help);
        snprintf(entry->help, sizeof entry->help, "%.30s: %.90s", kind, info.title);
    }
    return entry;
}
