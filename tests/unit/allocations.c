#include "allocations.h"
#include <stddef.h>

/* Names that the linker's --wrap asks for. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

static unsigned long calls;

unsigned long allocations(void)
{
    return calls;
}

void *__wrap_malloc(size_t size)
{
    calls++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    calls++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    calls++;
    return __real_realloc(block, size);
}

void __wrap_free(void *block)
{
    calls++;
    __real_free(block);
}
