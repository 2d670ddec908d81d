// SPDX-License-Identifier: MIT
#include "calibration/grow.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool grow_list(void *list, int *room, int needed, size_t size)
{
    enum { FIRST_ROOM = 16 };
    if (needed <= *room)
        return true;
    int twice = *room > INT_MAX / 2 ? INT_MAX : *room > 0 ? 2 * *room : FIRST_ROOM;
    size_t wanted = (size_t)(needed > twice ? needed : twice);
    void *item; // copied in and out: a pointer to another type may not be written through
    memcpy(&item, list, sizeof item);
    item = wanted <= SIZE_MAX / size ? realloc(item, wanted * size) : NULL;
    if (!item)
        return false;
    memcpy(list, &item, sizeof item);
    *room = (int)wanted;
    return true;
}
