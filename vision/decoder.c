// SPDX-License-Identifier: MIT
#include "vision/decoder.h"

#include <stdlib.h>
#include <string.h>

void decoder_begin(struct decoder *d, const struct decoder_kind *kind)
{
    *d = (struct decoder){ .kind = kind };
    atomic_init(&d->holders, 1);
    atomic_init(&d->coarseness, COARSEST);
    pthread_mutex_init(&d->decoding, NULL);
    pthread_mutex_init(&d->lock, NULL);
}

void decoder_finish(struct decoder *d)
{
    for (int i = 0; i < d->spares; i++)
        free(d->spare[i].bytes);
    pthread_mutex_destroy(&d->decoding);
    pthread_mutex_destroy(&d->lock);
}

struct decoder *decoder_hold(struct decoder *d)
{
    if (d)
        atomic_fetch_add_explicit(&d->holders, 1, memory_order_relaxed);
    return d;
}

void decoder_release(struct decoder *d)
{
    if (d && atomic_fetch_sub_explicit(&d->holders, 1, memory_order_acq_rel) == 1)
        d->kind->end(d);
}

// With the lock held.
static void take_out(struct decoder *d, int i)
{
    d->spares--;
    memmove(&d->spare[i], &d->spare[i + 1], (size_t)(d->spares - i) * sizeof d->spare[0]);
}

// The one used last is still in the processor's cache.
uint8_t *decoder_buffer(struct decoder *d, size_t size)
{
    uint8_t *bytes = NULL;
    pthread_mutex_lock(&d->lock);
    for (int i = d->spares - 1; i >= 0 && !bytes; i--)
        if (d->spare[i].size == size) {
            bytes = d->spare[i].bytes;
            take_out(d, i);
        }
    pthread_mutex_unlock(&d->lock);
    if (bytes)
        return bytes;
    atomic_fetch_add(&d->bought, 1);
    return malloc(size);
}

void decoder_give_back(struct decoder *d, uint8_t *bytes, size_t size)
{
    uint8_t *surplus = NULL;
    if (!bytes)
        return;
    pthread_mutex_lock(&d->lock);
    if (d->spares == DECODER_SPARES) {
        surplus = d->spare[0].bytes;
        take_out(d, 0);
    }
    d->spare[d->spares++] = (struct spare_buffer){ bytes, size };
    pthread_mutex_unlock(&d->lock);
    free(surplus);
}

int decoder_decode(struct decoder *d, uint8_t *bgr, struct encoded *e, int coarseness, struct fail *why)
{
    atomic_fetch_add(coarseness == 1 ? &d->whole : &d->coarse, 1);
    pthread_mutex_lock(&d->decoding);
    int rc = d->kind->decode(d, bgr, e, coarseness, why);
    pthread_mutex_unlock(&d->decoding);
    return rc;
}
