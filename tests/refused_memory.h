// SPDX-License-Identifier: MIT
// refused_memory.h: what our code asks of memory, led through here by the linker (--wrap in the Makefile), for the one
// file of a test program that includes this.
#ifndef RINGSIDE_TESTS_REFUSED_MEMORY_H
#define RINGSIDE_TESTS_REFUSED_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

// The request after so many further ones gets nothing; below 0: all get what they ask for.
static long before_refusal = -1;

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size);

static bool is_refused(void)
{
    return before_refusal >= 0 && before_refusal-- == 0;
}

void *__wrap_malloc(size_t size)
{
    return is_refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return is_refused() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    return is_refused() ? NULL : __real_realloc(block, size);
}

#endif
