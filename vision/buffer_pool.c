// SPDX-License-Identifier: MIT
#include "vision/buffer_pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <sanitizer/asan_interface.h> // who uses a buffer that waits is seen there, as with memory that was freed

static struct {
    pthread_mutex_t lock; // guards the rest
    struct spare_buffer {
        uint8_t *bytes;
        size_t size;
    } spare[BUFFER_POOL_SPARES]; // those that wait longest first
    int spares;
    long bought;
} pool = { .lock = PTHREAD_MUTEX_INITIALIZER };

// With the lock held.
static uint8_t *take_out(int i)
{
    uint8_t *bytes = pool.spare[i].bytes;
    ASAN_UNPOISON_MEMORY_REGION(bytes, pool.spare[i].size);
    pool.spares--;
    memmove(&pool.spare[i], &pool.spare[i + 1], (size_t)(pool.spares - i) * sizeof pool.spare[0]);
    return bytes;
}

// The one used last is still in the processor's cache.
uint8_t *buffer_take(size_t size)
{
    uint8_t *bytes = NULL;
    pthread_mutex_lock(&pool.lock);
    for (int i = pool.spares - 1; i >= 0 && !bytes; i--)
        if (pool.spare[i].size == size)
            bytes = take_out(i);
    pool.bought += !bytes;
    pthread_mutex_unlock(&pool.lock);
    return bytes ? bytes : malloc(size);
}

void buffer_give_back(uint8_t *bytes, size_t size)
{
    if (!bytes)
        return;
    pthread_mutex_lock(&pool.lock);
    uint8_t *surplus = pool.spares == BUFFER_POOL_SPARES ? take_out(0) : NULL;
    pool.spare[pool.spares++] = (struct spare_buffer){ bytes, size };
    ASAN_POISON_MEMORY_REGION(bytes, size);
    pthread_mutex_unlock(&pool.lock);
    free(surplus);
}

long buffers_bought(void)
{
    pthread_mutex_lock(&pool.lock);
    long bought = pool.bought;
    pthread_mutex_unlock(&pool.lock);
    return bought;
}
