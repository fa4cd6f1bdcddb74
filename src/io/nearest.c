#include "io/nearest.h"
#include "core/distance.h"

#include <stddef.h>
#include <string.h>

const char *act_nearest_longer(const char *const *names, const char *word, const char *ending)
{
    const char *best = NULL;
    size_t size = strnlen(word, ACT_DISTANCE_MAX + 1), end = strlen(ending);

    if (size == 0 || size > ACT_DISTANCE_MAX)
        return NULL;
    for (size_t i = 0; names[i]; i++) {
        size_t length = strlen(names[i]);
        if (length >= size + end && strcmp(names[i] + length - end, ending) == 0 &&
            act_distance(word, size, names[i], size) == 0 && (!best || length < strlen(best)))
            best = names[i];
    }
    return best;
}

const char *act_nearest(const char *const *names, const char *word)
{
    size_t size = strnlen(word, ACT_DISTANCE_MAX + 1);
    if (size == 0 || size > ACT_DISTANCE_MAX)
        return NULL;
    const char *best = size >= 3 ? act_nearest_longer(names, word, "") : NULL;
    if (best)
        return best;
    int best_distance = (int)(size + 2) / 3 + 1;
    for (size_t i = 0; names[i]; i++) {
        size_t name_size = strlen(names[i]);
        if (name_size > ACT_DISTANCE_MAX)
            continue;
        int found = act_distance(word, size, names[i], name_size);
        if (found < best_distance) {
            best_distance = found;
            best = names[i];
        }
    }
    return best;
}
