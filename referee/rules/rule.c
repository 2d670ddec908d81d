// SPDX-License-Identifier: MIT
#include "referee/rules/rule.h"

#include <stdio.h>
#include <string.h>

void rules_walk(const struct rule *rules, int count, struct judging *j)
{
    for (int i = 0; i < count; i++) {
        if (!rules[i].when || !rules[i].when(j))
            continue;
        rules[i].then(j);
        if (rules[i].ends)
            return;
    }
}

int standing_side(struct standing *s, const char *colour)
{
    for (int i = 0; i < s->sides; i++)
        if (strcmp(s->side[i].colour, colour) == 0)
            return i;
    if (s->sides == SIDES || colour[0] == '\0')
        return -1;
    snprintf(s->side[s->sides].colour, sizeof s->side[0].colour, "%s", colour);
    return s->sides++;
}

int standing_other(const struct standing *s, int side)
{
    return s->sides == SIDES ? 1 - side : side;
}

void standing_words(char *out, size_t size, const struct standing *s)
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < s->sides && used < size; i++)
        used +=
            (size_t)snprintf(out + used, size - used, "%s%s %d", i ? ", " : "", s->side[i].colour, s->side[i].score);
}

const struct outcome *judging_next(const struct judging *j, const struct outcome *after)
{
    const struct outcome *end = j->shot->piece + j->shot->count;
    for (const struct outcome *o = after ? after + 1 : j->shot->piece; o < end; o++)
        if (o->moved)
            return o;
    return NULL;
}

void standing_start(struct standing *s)
{
    struct standing fresh = { .sides = s->sides, .to_shoot = -1, .starter = -1, .round = 1, .winner = -1 };
    fresh.permit_needed = s->permit_needed;
    for (int i = 0; i < s->sides; i++)
        memcpy(fresh.side[i].colour, s->side[i].colour, sizeof fresh.side[i].colour);
    *s = fresh;
}
