// SPDX-License-Identifier: MIT
#include "vision/encoded.h"

#include <stdlib.h>
#include <string.h>

int encoded_create(struct encoded **out, size_t size, struct fail *why)
{
    struct encoded *e = size < SIZE_MAX - sizeof *e ? malloc(sizeof *e + size) : NULL;
    if (!e)
        return rs_fail(why, RS_ENOMEM, "no memory for a picture of %zu bytes", size);
    *e = (struct encoded){ .size = size };
    atomic_init(&e->holders, 1);
    *out = e;
    return 0;
}

struct encoded *encoded_hold(struct encoded *e)
{
    if (e)
        atomic_fetch_add_explicit(&e->holders, 1, memory_order_relaxed);
    return e;
}

void encoded_release(struct encoded *e)
{
    if (e && atomic_fetch_sub_explicit(&e->holders, 1, memory_order_acq_rel) == 1)
        free(e);
}

bool encoded_is(const struct encoded *e, const void *bytes, size_t size)
{
    return e && e->size == size && memcmp(e->bytes, bytes, size) == 0;
}
