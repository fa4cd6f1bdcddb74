#include "io/nearest.h"
#include "core/distance.h"

#include <stddef.h>
#include <string.h>

const char *act_nearest(const char *const *names, const char *word)
{
    size_t size = strnlen(word, ACT_DISTANCE_MAX + 1);
    if (size == 0 || size > ACT_DISTANCE_MAX)
        return NULL;
    /* A name cut short is meant before any other: "llama2" of "llama2-70b". */
    for (size_t i = 0; names[i] && size >= 3; i++)
        if (act_distance(word, size, names[i], strnlen(names[i], size)) == 0)
            return names[i];
    const char *best = NULL;
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
