// SPDX-License-Identifier: MIT
// large_memory.h: arrays of many megabytes, in huge pages where the system gives them.
//
// The first touch of each page is a fault, and with pages of 4 KiB a board's search took as long for them as for a third of its
// arithmetic, in a virtual machine for more than that. Linux gives pages of 2 MiB to memory that asks for them
// (madvise(2), MADV_HUGEPAGE); where it does not, nothing is lost.
#ifndef RINGSIDE_CALIBRATION_LARGE_MEMORY_H
#define RINGSIDE_CALIBRATION_LARGE_MEMORY_H

#include <stddef.h>

// Room for n items, which the caller frees with free(); what is in it is not said. NULL when there is no memory.
void *large_alloc(size_t n, size_t size);

// The same, all nought.
void *large_calloc(size_t n, size_t size);

#endif
