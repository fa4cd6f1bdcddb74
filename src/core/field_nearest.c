/* "Did you mean": the key nearest to one that does not exist. */
#include <actuary/field.h>

#include <string.h>

enum { WORD_MAX = 48 };

/* Edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`: Damerau's distance
 * in its restricted form, no part being edited twice. Both are shorter than WORD_MAX. */
static int distance(const char *a, const char *b)
{
    int rows[3][WORD_MAX + 1];
    int *before = rows[0], *above = rows[1], *row = rows[2];
    size_t width = strlen(b);

    for (size_t j = 0; j <= width; j++)
        above[j] = (int)j;
    for (size_t i = 1; a[i - 1] != '\0'; i++) {
        row[0] = (int)i;
        for (size_t j = 1; j <= width; j++) {
            int best = above[j - 1] + (a[i - 1] != b[j - 1]);

            if (above[j] + 1 < best)
                best = above[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            row[j] = best;
        }
        int *spare = before;
        before = above;
        above = row;
        row = spare;
    }
    return above[width];
}

/* A word of n letters may be off by a third of them, three at most: "tp" is near to nothing. */
static bool is_near(const char *word, int edits)
{
    int limit = (int)(strlen(word) / 3);

    return edits <= (limit < 3 ? limit : 3);
}

/* Copies up to `end` in lower case; false when it is too long to be a key. */
static bool lower_word(const char *text, size_t length, char *word)
{
    if (length >= WORD_MAX)
        return false;
    for (size_t i = 0; i < length; i++)
        word[i] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] - 'A' + 'a') : text[i];
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

    if (!lower_word(key, point == NULL ? 0 : (size_t)(point - key), group) ||
        !lower_word(rest, strnlen(rest, WORD_MAX), member) || member[0] == '\0')
        return NULL;
    for (int i = 0; i < ACT_FIELD_COUNT; i++) {
        const struct act_field *field = act_field((enum act_field_id)i);
        int edits = distance(member, field->member);
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
