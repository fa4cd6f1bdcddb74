/* Counts what asks for memory. Programs with this source are linked with
 * --wrap=malloc,calloc,realloc,free, so that every call from an object of theirs comes here. */
#ifndef ACTUARY_TESTS_ALLOCATIONS_H
#define ACTUARY_TESTS_ALLOCATIONS_H

/* Calls of malloc, calloc, realloc and free since the start. */
unsigned long allocations(void);

#endif
