/* ASCII letters, the same in every locale: <ctype.h> and strcasecmp follow LC_CTYPE, and in
 * Turkish I is no capital i. */
#ifndef ACTUARY_CORE_LETTERS_H
#define ACTUARY_CORE_LETTERS_H

#include <stdbool.h>
#include <stddef.h>

bool act_is_letter(char c);
char act_lower(char c);

/* Are the texts the same, letter case aside? */
bool act_same_letters(const char *a, const char *b);

/* Does the text begin with the first `length` bytes of `part`, letter case aside? */
bool act_begins_letters(const char *text, const char *part, size_t length);

/* Do the first `length` bytes of `part` stand somewhere in the text, letter case aside? */
bool act_contains_letters(const char *text, const char *part, size_t length);

#endif
