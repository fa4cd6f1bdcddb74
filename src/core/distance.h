/* How far apart two words are, for "did you mean". */
#ifndef ACTUARY_CORE_DISTANCE_H
#define ACTUARY_CORE_DISTANCE_H

#include <stddef.h>

enum { ACT_DISTANCE_MAX = 64 }; /* longest word */

/* Insertions, deletions, changes and swaps of neighbours that turn a into b (Damerau's distance in
 * its restricted form, no part being edited twice). Capitals count as small letters, blanks and
 * underscores as '-'. Both sizes are at most ACT_DISTANCE_MAX. */
int act_distance(const char *a, size_t a_size, const char *b, size_t b_size);

#endif
