// SPDX-License-Identifier: MIT
// buffer_pool.h: the memory of pictures, which goes round.
//
// A camera's pictures are larger than what malloc keeps, and who takes memory from the kernel pays for each page at first touch.
// AddressSanitizer keeps nothing that large: without this a review under it takes nearly twice as long. One pool serves the whole
// process, from any thread.
#ifndef RINGSIDE_VISION_BUFFER_POOL_H
#define RINGSIDE_VISION_BUFFER_POOL_H

#include <stddef.h>
#include <stdint.h>

enum {
    BUFFER_POOL_SPARES = 16
}; // buffers that wait for the next picture: as many as are on their way between two threads

// A buffer for so many bytes, unset, NULL when there is no memory.
uint8_t *buffer_take(size_t size);

// With the size it was taken for, in any thread; NULL is allowed. Of too many those that wait longest are freed.
void buffer_give_back(uint8_t *bytes, size_t size);

// Buffers for which memory was taken so far.
long buffers_bought(void);

#endif
