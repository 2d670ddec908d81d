// SPDX-License-Identifier: MIT
#include "calibration/json_memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

// jansson 2.14 reads and writes beyond its own buffer when that could not grow. So it is given memory from here where
// the system refuses it, enough for what it is about to a good end; none of it is given back, the command fails anyway.
static _Thread_local struct reserve {
    _Alignas(max_align_t) char bytes[1 << 16];
    size_t used;
    bool refused;
} reserve;

static void *take(size_t size)
{
    void *out = malloc(size);
    if (out)
        return out;
    reserve.refused = true;
    if (size > sizeof reserve.bytes)
        return NULL;
    size_t whole = (size + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t);
    if (whole > sizeof reserve.bytes - reserve.used)
        return NULL;
    reserve.used += whole;
    return reserve.bytes + reserve.used - whole;
}

static bool is_reserve(const void *p)
{
    return (const char *)p >= reserve.bytes && (const char *)p < reserve.bytes + sizeof reserve.bytes;
}

static void give(void *p)
{
    if (!is_reserve(p))
        free(p);
}

void json_memory_watch(void)
{
    json_set_alloc_funcs(take, give);
}

char *json_memory_text(const json_t *o, size_t how)
{
    char *text = json_dumps(o, how);
    return is_reserve(text) ? NULL : text;
}

int json_memory_check(const char *what, struct fail *why)
{
    bool lost = reserve.refused;
    reserve.refused = false;
    return lost ? rs_fail(why, RS_ENOMEM, "no memory for %.300s", what) : 0;
}
