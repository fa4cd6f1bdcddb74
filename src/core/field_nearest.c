/* "Did you mean": the key nearest to one that does not exist. */
#include "core/distance.h"
#include <actuary/field.h>

#include <string.h>

enum { WORD_MAX = 48 };

static int distance(const char *a, const char *b)
{
    return act_distance(a, strlen(a), b, strlen(b));
}

/* Is the word one of the label's, as "tp" of "tensor TP"? */
static bool in_label(const char *label, const char *word)
{
    size_t size = strlen(word);

    for (const char *at = label; *at != '\0';) {
        size_t length = strcspn(at, " ");
        if (length == size && size > 1 && act_distance(at, length, word, size) == 0)
            return true;
        at += length;
        at += strspn(at, " ");
    }
    return false;
}

/* A word of n letters may be off by a third of them, three at most: "x" is near to nothing. */
static bool is_near(const char *word, int edits)
{
    int limit = (int)(strlen(word) / 3);

    return edits <= (limit < 3 ? limit : 3);
}

/* Copies a part of a key; false when it is too long to be one. */
static bool word_of(const char *text, size_t length, char *word)
{
    if (length >= WORD_MAX)
        return false;
    memcpy(word, text, length);
    word[length] = '\0';
    return true;
}

/* What it costs that the row stands in another group than the one named. */
static int group_cost(const char *given, enum act_group group)
{
    enum { NEAR = 1, ELSEWHERE = 3 };
    const char *name = act_group_name(group);

    if (given[0] == '\0' || strcmp(given, name) == 0)
        return 0;
    return is_near(given, distance(given, name)) ? NEAR : ELSEWHERE;
}

const struct act_field *act_field_nearest(const char *key)
{
    const struct act_field *nearest = NULL;
    const char *point = strchr(key, '.');
    const char *rest = point == NULL ? key : point + 1;
    char group[WORD_MAX], member[WORD_MAX];
    int best = 0;

    if (!word_of(key, point == NULL ? 0 : (size_t)(point - key), group) ||
        !word_of(rest, strnlen(rest, WORD_MAX), member) || member[0] == '\0')
        return NULL;
    for (int i = 0; i < ACT_FIELD_COUNT; i++) {
        const struct act_field *field = act_field((enum act_field_id)i);
        int edits = in_label(field->label, member) ? 0 : distance(member, field->member);
        /* The back room only where no field that is shown lies as near. */
        int cost = 2 * (2 * edits + group_cost(group, field->group)) +
                   ((field->flags & ACT_FIELD_BACK) != 0);

        if (is_near(member, edits) && (nearest == NULL || cost < best)) {
            nearest = field;
            best = cost;
        }
    }
    return nearest;
}
