/* "Did you mean": the name nearest to one mistyped. */
#ifndef ACTUARY_IO_NEAREST_H
#define ACTUARY_IO_NEAREST_H

/* The nearest of a NULL-terminated list of names, or NULL when none is near enough to be meant. */
const char *act_nearest(const char *const *names, const char *word);

#endif
