// SPDX-License-Identifier: MIT
#include "calibration/large_memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum {
    PAGE_BYTES = 64 << 10, // the largest of usual ones: what is advised begins and ends with one
    LEAST_BYTES = 4 << 20, // less need not hold one whole huge page of 2 MiB, that of x86-64 and of most 64-bit ARM
};

// It begins and ends anywhere in a page, and may have been used before: only what is fresh or huge is faster for it.
static void *advised(void *block, size_t bytes)
{
    uintptr_t from = ((uintptr_t)block + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES,
              to = ((uintptr_t)block + bytes) / PAGE_BYTES * PAGE_BYTES;
    if (block && bytes >= LEAST_BYTES)
        (void)madvise((char *)block + (from - (uintptr_t)block), to - from,
                      MADV_HUGEPAGE); // refused by kernels without them
    return block;
}

void *large_memory_alloc(size_t n, size_t size)
{
    return size > 0 && n > SIZE_MAX / size ? NULL : advised(malloc(n * size), n * size);
}

void *large_memory_calloc(size_t n, size_t size)
{
    return size > 0 && n > SIZE_MAX / size ? NULL : advised(calloc(n, size), n * size);
}
