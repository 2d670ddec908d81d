// SPDX-License-Identifier: MIT
// buffer_pool.h: the memory of a source's pictures, which goes round.
//
// Who takes a picture's memory from the kernel pays for each of its pages at first touch. Pictures of one source are of
// one size or two, and few at a time: what was given back waits for the next one. Whoever holds a pool is counted, and
// the last one ends it, so that pictures outlive their source. From any thread.
#ifndef RINGSIDE_VISION_BUFFER_POOL_H
#define RINGSIDE_VISION_BUFFER_POOL_H

#include <stddef.h>
#include <stdint.h>

enum { BUFFER_POOL_SPARES = 16 }; // buffers that wait: as many as are on their way between two threads

struct buffer_pool;

struct buffer_pool *buffer_pool_create(void);                // held by the caller; NULL when there is no memory
struct buffer_pool *buffer_pool_hold(struct buffer_pool *p); // p; NULL is allowed
void buffer_pool_release(struct buffer_pool *p);             // NULL is allowed

// A buffer for so many bytes, unset, NULL when there is no memory.
uint8_t *buffer_pool_take(struct buffer_pool *p, size_t size);

// With the size it was taken for; NULL is allowed. Of too many the one that waits longest is freed.
void buffer_pool_give_back(struct buffer_pool *p, uint8_t *bytes, size_t size);

// How often none that waited would do.
long buffer_pool_bought(struct buffer_pool *p);

#endif
