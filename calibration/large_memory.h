// SPDX-License-Identifier: MIT
// large_memory.h: arrays of many megabytes, in huge pages where the system gives them.
//
// The first touch of each page is a fault, and with pages of 4 KiB they were a sixth of what `look` takes for a slanted
// board, in a virtual machine, where they cost most. Linux gives pages of 2 MiB to memory that asks for them
// (madvise(2), MADV_HUGEPAGE); where it does not, all is as ever.
#ifndef RINGSIDE_CALIBRATION_LARGE_MEMORY_H
#define RINGSIDE_CALIBRATION_LARGE_MEMORY_H

#include <stddef.h>

// Room for n items, which the caller frees with free(); what is in it is not said. NULL when there is no memory.
void *large_memory_alloc(size_t n, size_t size);

// The same, all nought.
void *large_memory_calloc(size_t n, size_t size);

#endif
