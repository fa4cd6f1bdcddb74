#include "session/command.h"
#include "core/letters.h"
#include "io/presets.h"
#include "session/session_tabs.h"
#include <actuary/field.h>
#include <stdio.h>
#include <string.h>

enum { NAME_MAX = 96, WORDS_MAX = 5, LISTED = 5, SHOWN = 64 };

static const struct {
    const char *name;
    enum act_field_id field;
} short_names[] = {
    {"tp", ACT_F_parallel_tensor},         {"pp", ACT_F_parallel_pipeline},
    {"cp", ACT_F_parallel_context},        {"ep", ACT_F_parallel_expert},
    {"etp", ACT_F_parallel_expert_tensor}, {"dp", ACT_F_parallel_data},
    {"vpp", ACT_F_parallel_interleave},    {"sp", ACT_F_parallel_sequence_parallel},
    {"mb", ACT_F_training_micro_batch},    {"gb", ACT_F_training_global_batch},
    {"seq", ACT_F_training_sequence},      {"days", ACT_F_training_deadline_days},
    {"gpu", ACT_F_hardware_preset},
};

enum { SHORT_NAMES = sizeof short_names / sizeof short_names[0] };

const char *act_command_short(enum act_field_id field)
{
    for (int i = 0; i < SHORT_NAMES; i++) {
        if (short_names[i].field == field)
            return short_names[i].name;
    }
    return NULL;
}

/* What a name stands for. */
struct meaning {
    enum { NONE, FIELD, ACTION } kind;
    enum act_field_id field;
    enum act_action_id action;
};

/* Blanks, '_' and '-' are the same in a name. */
static char fold(char c)
{
    return c == '_' || c == '-' ? ' ' : act_lower(c);
}

static bool begins(const char *text, const char *name)
{
    for (; *name != '\0'; text++, name++) {
        if (*text == '\0' || fold(*text) != fold(*name))
            return false;
    }
    return true;
}

static bool same(const char *text, const char *name)
{
    return strlen(text) == strlen(name) && begins(text, name);
}

/* Does the text, or a word of it, begin with the name? */
static bool begins_word(const char *text, const char *name)
{
    for (const char *at = text; *at != '\0'; at++) {
        bool start = at == text || at[-1] == ' ' || at[-1] == '.' || at[-1] == '_';
        if (start && begins(at, name))
            return true;
    }
    return false;
}

/* Of several fields with one member's name the one on the home screen is meant, if it is alone. */
static bool member_named(const struct act_plan *plan, const char *name, struct meaning *ret)
{
    int count = 0, best = 0;
    for (int id = 0; id < ACT_FIELD_COUNT; id++) {
        const struct act_field *field = act_field((enum act_field_id)id);
        if (!same(field->member, name) && !same(field->label, name))
            continue;
        int rank = 1 + (act_field_applies(plan, field->id) ? 1 : 0) +
                   ((field->flags & ACT_FIELD_MAIN) != 0 ? 2 : 0);
        count = rank > best ? 1 : rank == best ? count + 1 : count;
        if (rank > best)
            *ret = (struct meaning){.kind = FIELD, .field = field->id};
        best = rank > best ? rank : best;
    }
    return count == 1;
}

static bool exactly_named(const struct act_plan *plan, const char *name, struct meaning *ret)
{
    for (int i = 0; i < SHORT_NAMES; i++) {
        if (same(short_names[i].name, name)) {
            *ret = (struct meaning){.kind = FIELD, .field = short_names[i].field};
            return true;
        }
    }
    for (int id = 0; id < ACT_FIELD_COUNT; id++) {
        if (same(act_field((enum act_field_id)id)->key, name)) {
            *ret = (struct meaning){.kind = FIELD, .field = (enum act_field_id)id};
            return true;
        }
    }
    for (int group = 0; group < ACT_GROUP_COUNT; group++) {
        int preset = act_group_preset((enum act_group)group);
        if (preset >= 0 && same(act_group_name((enum act_group)group), name)) {
            *ret = (struct meaning){.kind = FIELD, .field = (enum act_field_id)preset};
            return true;
        }
    }
    const struct act_action *action = act_action_find(name);
    if (action != NULL) {
        *ret = (struct meaning){.kind = ACTION, .action = action->id};
        return true;
    }
    return member_named(plan, name, ret);
}

/* How near at hand a field is: 0 on the home screen, 1 otherwise, 2 where it does not apply. */
static int distance_of(const struct act_plan *plan, const struct act_field *field)
{
    return !act_field_applies(plan, field->id) ? 2 : (field->flags & ACT_FIELD_MAIN) != 0 ? 0 : 1;
}

static void list_one(int *count, const char *name, char *listed, size_t size)
{
    size_t length = strlen(listed);
    if (++*count <= LISTED)
        snprintf(listed + length, size - length, "%s%s", *count > 1 ? ", " : "", name);
}

/* All that the name may be the beginning of: how many, and the first few as text, those near at
 * hand first. A field that does not apply counts only where nothing else does. */
static int begun(const struct act_plan *plan, const char *name, struct meaning *ret, char *listed,
                 size_t size)
{
    int count = 0;
    listed[0] = '\0';
    for (int id = 0; id < ACT_ACTION_COUNT; id++) {
        const struct act_action *action = act_action((enum act_action_id)id);
        if (!begins(action->name, name))
            continue;
        *ret = (struct meaning){.kind = ACTION, .action = action->id};
        list_one(&count, action->name, listed, size);
    }
    for (int far = 0; far < 3 && (far < 2 || count == 0); far++) {
        for (int id = 0; id < ACT_FIELD_COUNT; id++) {
            const struct act_field *field = act_field((enum act_field_id)id);
            if (distance_of(plan, field) != far ||
                !(begins_word(field->label, name) || begins_word(field->key, name)))
                continue;
            *ret = (struct meaning){.kind = FIELD, .field = field->id};
            list_one(&count, field->key, listed, size);
        }
    }
    size_t length = strlen(listed);
    if (count > LISTED)
        snprintf(listed + length, size - length, " and %d more", count - LISTED);
    return count;
}

/* The first `words` words of the text, single blanks between them, and what follows. A '=' ends a
 * name. false when there are fewer. */
static bool first_words(const char *text, int words, char name[NAME_MAX], const char **ret_rest)
{
    size_t at = 0;
    for (int i = 0; i < words; i++) {
        text += strspn(text, " ");
        size_t length = strcspn(text, " =");
        if (length == 0 || at + length + 2 > NAME_MAX)
            return false;
        if (at > 0)
            name[at++] = ' ';
        memcpy(name + at, text, length);
        at += length;
        text += length;
    }
    name[at] = '\0';
    *ret_rest = text;
    return true;
}

static const char *value_of(const char *rest)
{
    rest += strspn(rest, " ");
    if (*rest == '=')
        rest++;
    return rest + strspn(rest, " ");
}

/* The field or preset that may have been meant, or NULL. */
static const char *near_name(const char *name)
{
    const struct act_field *field = act_field_nearest(name);
    const char *preset = NULL;
    for (int kind = 0; kind < ACT_PRESET_KINDS && field == NULL && preset == NULL; kind++)
        preset = act_preset_nearest((enum act_preset_kind)kind, name);
    return field != NULL ? field->key : preset;
}

/* Finds what the text begins with: the longest name that is exactly one, else a beginning. */
static int find_name(const struct act_plan *plan, const char *text, struct meaning *ret,
                     const char **ret_rest, char *why, size_t why_size)
{
    char name[NAME_MAX], listed[256], shown[SHOWN];
    for (int words = WORDS_MAX; words > 0; words--) {
        if (first_words(text, words, name, ret_rest) && exactly_named(plan, name, ret))
            return 0;
    }
    if (!first_words(text, 1, name, ret_rest)) {
        act_printable(text, strlen(text), shown, sizeof shown);
        snprintf(why, why_size, "%s: begins with no name", shown);
        return -1;
    }
    int count = begun(plan, name, ret, listed, sizeof listed);
    for (int words = 2; count > 1 && words <= WORDS_MAX; words++) {
        struct meaning longer;
        const char *rest;
        char more[256];
        if (!first_words(text, words, name, &rest) ||
            begun(plan, name, &longer, more, sizeof more) != 1)
            continue;
        *ret = longer;
        *ret_rest = rest;
        return 0;
    }
    if (count == 1)
        return 0;
    first_words(text, 1, name, ret_rest);
    act_printable(name, strlen(name), shown, sizeof shown);
    const char *near = near_name(name);
    if (count > 1)
        snprintf(why, why_size, "%s may be %s", shown, listed);
    else if (near != NULL)
        snprintf(why, why_size, "%s: no such name; did you mean %s?", shown, near);
    else
        snprintf(why, why_size, "%s: no such name; \"actuary list fields\" shows the fields",
                 shown);
    return -1;
}

/* Copies a value, without the quotes around it. */
static void take_value(const char *from, char out[ACT_COMMAND_MAX])
{
    size_t length = strlen(from);
    while (length > 0 && from[length - 1] == ' ')
        length--;
    if (length >= 2 && from[0] == '"' && from[length - 1] == '"') {
        from++;
        length -= 2;
    }
    snprintf(out, ACT_COMMAND_MAX, "%.*s", (int)length, from);
}

static bool quote_is_open(const char *text)
{
    bool open = false;
    for (; *text != '\0'; text++)
        open = *text == '"' ? !open : open;
    return open;
}

bool act_command_next(const char **line, char out[ACT_COMMAND_MAX + 1])
{
    const char *at = *line;
    bool quoted = false;
    size_t size = 0;
    if (*at == '\0')
        return false;
    for (; *at != '\0' && (quoted || *at != ';'); at++) {
        quoted = *at == '"' ? !quoted : quoted;
        if (size < ACT_COMMAND_MAX)
            out[size++] = *at;
    }
    out[size] = '\0';
    *line = *at == ';' ? at + 1 : at;
    return true;
}

/* Words that are no action's name, or whose action asks on the screen what stands here. */
static bool parse_verb(const struct act_desk *desk, const char *text, struct act_command *ret,
                       char *why, size_t why_size, int *ret_result)
{
    static const struct {
        const char *name;
        enum act_command_kind kind;
        bool needs_value;
    } verbs[] = {{"open", ACT_COMMAND_OPEN, true},    {"save", ACT_COMMAND_SAVE, false},
                 {"save_as", ACT_COMMAND_SAVE, true}, {"write", ACT_COMMAND_SAVE, false},
                 {"tab", ACT_COMMAND_TAB, true},      {"close", ACT_COMMAND_CLOSE, false}};
    char name[NAME_MAX];
    const char *rest;
    if (!first_words(text, 1, name, &rest))
        return false;
    size_t i = 0, count = sizeof verbs / sizeof verbs[0];
    while (i < count && !same(verbs[i].name, name))
        i++;
    if (i == count)
        return false;
    take_value(value_of(rest), ret->text);
    if (verbs[i].needs_value && ret->text[0] == '\0')
        return false; /* the action of that name, which asks */
    ret->kind = verbs[i].kind;
    *ret_result = 0;
    if (ret->kind == ACT_COMMAND_CLOSE && ret->text[0] != '\0') {
        snprintf(why, why_size, "close closes the current scenario and takes no name");
        *ret_result = -1;
    }
    if (ret->kind != ACT_COMMAND_TAB)
        return true;
    for (int tab = 0; tab < desk->count; tab++) {
        char number[16];
        snprintf(number, sizeof number, "%d", tab + 1);
        if (strcmp(ret->text, number) == 0 ||
            act_same_letters(ret->text, desk->tab[tab]->plan.scenario.name)) {
            ret->tab = tab;
            return true;
        }
    }
    snprintf(why, why_size, "tab takes the number or name of an open scenario, 1 to %d",
             desk->count);
    *ret_result = -1;
    return true;
}

/* A preset's name alone. */
static bool parse_preset(const char *text, struct act_command *ret)
{
    char name[ACT_COMMAND_MAX];
    take_value(text, name);
    for (int kind = 0; kind < ACT_PRESET_KINDS; kind++) {
        if (act_preset_find((enum act_preset_kind)kind, name) < 0)
            continue;
        memcpy(ret->text, name, sizeof ret->text);
        ret->kind = kind == ACT_SCENARIOS ? ACT_COMMAND_OPEN : ACT_COMMAND_SET;
        for (int group = 0; group < ACT_GROUP_COUNT; group++) {
            if (act_preset_kind_of_group((enum act_group)group) == kind)
                ret->field = (enum act_field_id)act_group_preset((enum act_group)group);
        }
        return true;
    }
    return false;
}

static int parse_action(const struct act_plan *plan, const struct act_action *action,
                        const char *rest, struct act_command *ret, char *why, size_t why_size)
{
    static const enum act_action_id of_field[] = {
        ACT_DO_step_up,     ACT_DO_step_down,       ACT_DO_half,
        ACT_DO_twice,       ACT_DO_reset,           ACT_DO_edit,
        ACT_DO_next_choice, ACT_DO_previous_choice, ACT_DO_list};
    bool takes_field = false;
    ret->kind = action->id == ACT_DO_reset ? ACT_COMMAND_RESET : ACT_COMMAND_ACTION;
    ret->action = action->id;
    if (*rest == '\0')
        return 0;
    for (size_t i = 0; i < sizeof of_field / sizeof of_field[0]; i++)
        takes_field = takes_field || of_field[i] == action->id;
    if (!takes_field) {
        snprintf(why, why_size, "%s takes nothing behind it", action->name);
        return -1;
    }
    struct meaning meaning;
    if (find_name(plan, rest, &meaning, &rest, why, why_size) != 0)
        return -1;
    if (meaning.kind != FIELD || *value_of(rest) != '\0') {
        snprintf(why, why_size, "%s takes the name of a field", action->name);
        return -1;
    }
    ret->field = meaning.field;
    ret->has_field = true;
    return 0;
}

int act_command_parse(const struct act_desk *desk, const char *text, struct act_command *ret,
                      char *why, size_t why_size)
{
    const struct act_plan *plan = &desk->tab[desk->current]->plan;
    struct meaning meaning;
    char name[NAME_MAX];
    const char *rest;
    int result;
    *ret = (struct act_command){.kind = ACT_COMMAND_NOTHING};
    if (strnlen(text, ACT_COMMAND_MAX) >= ACT_COMMAND_MAX) {
        snprintf(why, why_size, "a command has at most %d bytes", ACT_COMMAND_MAX - 1);
        return -1;
    }
    if (quote_is_open(text)) { /* it has swallowed the commands behind it */
        snprintf(why, why_size, "a quote is not closed");
        return -1;
    }
    text += strspn(text, " \t\r\n");
    text += *text == ':' ? 1 : 0; /* as it is typed on the screen */
    text += strspn(text, " ");
    if (*text == '\0')
        return 0;
    bool set = first_words(text, 1, name, &rest) && same("set", name);
    if (set)
        text = rest + strspn(rest, " ");
    if (!set && parse_verb(desk, text, ret, why, why_size, &result))
        return result;
    if (!set && parse_preset(text, ret))
        return 0;
    if (find_name(plan, text, &meaning, &rest, why, why_size) != 0)
        return -1;
    rest = value_of(rest);
    if (meaning.kind == ACTION && set) {
        snprintf(why, why_size, "set takes a field and a value; %s is an action",
                 act_action(meaning.action)->name);
        return -1;
    }
    if (meaning.kind == ACTION)
        return parse_action(plan, act_action(meaning.action), rest, ret, why, why_size);
    ret->field = meaning.field;
    ret->has_field = true;
    ret->kind = *rest == '\0' ? ACT_COMMAND_FOCUS : ACT_COMMAND_SET;
    if (set && *rest == '\0') {
        char range[160];
        act_field_range(meaning.field, range, sizeof range);
        snprintf(why, why_size, "%s: needs a value: %s", act_field(meaning.field)->key, range);
        return -1;
    }
    take_value(rest, ret->text);
    return 0;
}

static enum act_done wrong(struct act_desk *desk, const char *what, const char *why)
{
    char shown[SHOWN];
    act_printable(what, strlen(what), shown, sizeof shown);
    act_desk_say(desk, ACT_SAY_ERROR, "%s: %s", shown, why);
    return ACT_DONE_WRONG;
}

static enum act_done set_field(struct act_desk *desk, const struct act_command *command,
                               int64_t now_ms)
{
    struct act_tab *tab = act_desk_tab(desk);
    const struct act_field *field = act_field(command->field);
    struct act_plan plan;
    double held;
    char why[ACT_MESSAGE_MAX - 100];
    if (act_desk_try(desk, tab, field->id, 0, command->text, &plan, &held, why, sizeof why) != 0)
        return wrong(desk, field->key, why);
    act_desk_commit(desk, &plan, held, field->id, false, now_ms);
    tab->focus = act_field_applies(&plan, field->id) ? field->id : tab->focus;
    return ACT_DONE;
}

static enum act_done reset_field(struct act_desk *desk, const struct act_command *command,
                                 int64_t now_ms)
{
    struct act_tab *tab = act_desk_tab(desk);
    enum act_field_id field = command->has_field ? command->field : tab->focus;
    struct act_plan plan;
    double held;
    if (!act_desk_reset(desk, tab, field, &plan, &held))
        return wrong(desk, act_field(field)->key, "has no default to go back to");
    act_desk_commit(desk, &plan, held, field, false, now_ms);
    return ACT_DONE;
}

static enum act_done open_scenario(struct act_desk *desk, const char *path)
{
    struct act_problems problems;
    char text[700];
    act_problems_init(&problems, path);
    if (act_session_open(desk, path, &problems) == 0)
        return ACT_DONE;
    act_problem_text(&problems, 0, text, sizeof text);
    act_desk_say(desk, ACT_SAY_ERROR, "%.*s", ACT_MESSAGE_MAX - 1, text);
    return ACT_DONE_WRONG;
}

static enum act_done save(struct act_desk *desk, const char *path)
{
    const struct act_tab *tab = act_desk_tab(desk);
    bool own = path[0] == '\0' || strcmp(path, tab->path) == 0;
    if (path[0] == '\0' && tab->path[0] == '\0')
        return wrong(desk, "save", "the scenario has no file yet; save FILE gives it one");
    if (strlen(path) >= ACT_PATH_MAX)
        return wrong(desk, "save", "the path is too long");
    if (own && act_tab_loses_text(tab))
        return wrong(
            desk, tab->path,
            "cannot be changed in place, so comments and layout would be lost; save FILE takes "
            "another name");
    return act_desk_save(desk, path[0] == '\0' ? NULL : path, false) == ACT_SAVED ? ACT_DONE
                                                                                  : ACT_DONE_WRONG;
}

enum act_done act_command_run(struct act_desk *desk, const struct act_command *command,
                              int64_t now_ms)
{
    struct act_tab *tab = act_desk_tab(desk);
    enum act_done done;
    desk->said = ACT_SAY_NOTHING;
    switch (command->kind) {
    case ACT_COMMAND_SET:
        return set_field(desk, command, now_ms);
    case ACT_COMMAND_FOCUS:
        if (!act_field_applies(&tab->plan, command->field))
            return wrong(desk, act_field(command->field)->key, "does not apply to this plan");
        tab->focus = command->field;
        return ACT_DONE;
    case ACT_COMMAND_RESET:
        return reset_field(desk, command, now_ms);
    case ACT_COMMAND_OPEN:
        return open_scenario(desk, command->text);
    case ACT_COMMAND_SAVE:
        return save(desk, command->text);
    case ACT_COMMAND_TAB:
        desk->current = command->tab;
        return ACT_DONE;
    case ACT_COMMAND_CLOSE:
        if (act_tab_modified(tab))
            return wrong(desk, tab->plan.scenario.name, "is not saved; save it first");
        return act_desk_close(desk, now_ms) ? ACT_DONE : wrong(desk, "close", "the only scenario");
    case ACT_COMMAND_ACTION:
        if (command->has_field)
            tab->focus = command->field;
        if (act_action(command->action)->run == NULL)
            return ACT_DONE_SCREEN;
        done = act_action(command->action)->run(desk, now_ms) ? ACT_DONE : ACT_DONE_NOTHING;
        return desk->said == ACT_SAY_ERROR ? ACT_DONE_WRONG : done;
    default:
        return ACT_DONE;
    }
}
