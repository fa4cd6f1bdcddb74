/* "Did you mean": the name nearest to one mistyped. */
#ifndef ACTUARY_IO_NEAREST_H
#define ACTUARY_IO_NEAREST_H

/* The nearest of a NULL-terminated list of names, or NULL when none is near enough to be meant. A
 * name cut short is meant before any other: "llama2" of "llama2-70b". */
const char *act_nearest(const char *const *names, const char *word);
/* The shortest name that begins with the word and ends with `ending`, as capitals and blanks let
 * it; the first of those that are equally long. NULL: none. */
const char *act_nearest_longer(const char *const *names, const char *word, const char *ending);

#endif
