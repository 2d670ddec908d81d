// SPDX-License-Identifier: MIT
#include "vision/decoder.h"

int decoder_begin(struct decoder *d, const struct decoder_kind *kind, struct fail *why)
{
    *d = (struct decoder){ .kind = kind, .pool = buffer_pool_create() };
    atomic_init(&d->holders, 1);
    atomic_init(&d->coarseness, COARSEST);
    pthread_mutex_init(&d->decoding, NULL);
    return d->pool ? 0 : rs_fail(why, RS_ENOMEM, "no memory to decode pictures");
}

void decoder_finish(struct decoder *d)
{
    pthread_mutex_destroy(&d->decoding);
    buffer_pool_release(d->pool);
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

int decoder_decode(uint8_t *bgr, struct decoder *d, struct encoded *e, int coarseness, struct fail *why)
{
    atomic_fetch_add(coarseness == 1 ? &d->whole : &d->coarse, 1);
    pthread_mutex_lock(&d->decoding);
    int rc = d->kind->decode(bgr, d, e, coarseness, why);
    pthread_mutex_unlock(&d->decoding);
    return rc;
}
