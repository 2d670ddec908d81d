// SPDX-License-Identifier: MIT
// json_list.h: a list as JSON that has all that was put into it, or is none.
#ifndef RINGSIDE_REFEREE_JSON_LIST_H
#define RINGSIDE_REFEREE_JSON_LIST_H

#include <jansson.h>

// Takes over `item`. Where that cannot be told as JSON (NULL), or there is no memory, *list is NULL from then on.
static inline void json_list_add(json_t **list, json_t *item)
{
    if (json_array_append_new(*list, item) == 0)
        return;
    json_decref(*list);
    *list = NULL;
}

#endif
