// SPDX-License-Identifier: MIT
#include "vision/buffer_pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// AddressSanitizer sees who uses a buffer that waits. Who uses one that somebody else has taken since it does not see,
// as it would with memory that was freed.
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(bytes, size) ((void)(bytes), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(bytes, size) ((void)(bytes), (void)(size))
#endif

struct spare_buffer {
    uint8_t *bytes;
    size_t size;
};

struct buffer_pool {
    atomic_int holders;
    pthread_mutex_t lock;                          // guards the rest
    struct spare_buffer spare[BUFFER_POOL_SPARES]; // those that wait longest first
    int spares;
    long bought;
};

struct buffer_pool *buffer_pool_create(void)
{
    struct buffer_pool *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    atomic_init(&p->holders, 1);
    pthread_mutex_init(&p->lock, NULL);
    return p;
}

struct buffer_pool *buffer_pool_hold(struct buffer_pool *p)
{
    if (p)
        atomic_fetch_add_explicit(&p->holders, 1, memory_order_relaxed);
    return p;
}

// With the lock held, or by the last holder.
static uint8_t *take_out(struct buffer_pool *p, int i)
{
    struct spare_buffer out = p->spare[i];
    ASAN_UNPOISON_MEMORY_REGION(out.bytes, out.size);
    p->spares--;
    memmove(&p->spare[i], &p->spare[i + 1], (size_t)(p->spares - i) * sizeof p->spare[0]);
    p->spare[p->spares].bytes = NULL; // or LeakSanitizer finds what is lost still held
    return out.bytes;
}

void buffer_pool_release(struct buffer_pool *p)
{
    if (!p || atomic_fetch_sub_explicit(&p->holders, 1, memory_order_acq_rel) != 1)
        return;
    while (p->spares > 0)
        free(take_out(p, p->spares - 1));
    pthread_mutex_destroy(&p->lock);
    free(p);
}

// The one used last is still in the processor's cache.
uint8_t *buffer_pool_take(struct buffer_pool *p, size_t size)
{
    uint8_t *bytes = NULL;
    pthread_mutex_lock(&p->lock);
    for (int i = p->spares - 1; i >= 0 && !bytes; i--)
        if (p->spare[i].size == size)
            bytes = take_out(p, i);
    p->bought += !bytes;
    pthread_mutex_unlock(&p->lock);
    return bytes ? bytes : malloc(size);
}

void buffer_pool_give_back(struct buffer_pool *p, uint8_t *bytes, size_t size)
{
    if (!bytes)
        return;
    pthread_mutex_lock(&p->lock);
    uint8_t *surplus = p->spares == BUFFER_POOL_SPARES ? take_out(p, 0) : NULL;
    p->spare[p->spares++] = (struct spare_buffer){ bytes, size };
    ASAN_POISON_MEMORY_REGION(bytes, size);
    pthread_mutex_unlock(&p->lock);
    free(surplus);
}

long buffer_pool_bought(struct buffer_pool *p)
{
    pthread_mutex_lock(&p->lock);
    long bought = p->bought;
    pthread_mutex_unlock(&p->lock);
    return bought;
}
