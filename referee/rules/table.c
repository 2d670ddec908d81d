// SPDX-License-Identifier: MIT
#include "referee/rules/table.h"

#include <string.h>

const struct placed *table_look(const struct table *t, int id)
{
    for (int i = 0; i < t->count; i++)
        if (t->piece[i].id == id)
            return &t->piece[i];
    return NULL;
}

struct placed *table_find(struct table *t, int id)
{
    for (int i = 0; i < t->count; i++)
        if (t->piece[i].id == id)
            return &t->piece[i];
    return NULL;
}

static void add(struct table *t, const struct board *b, const struct observation *o)
{
    struct placed *p = table_find(t, o->id);
    if (!p) {
        if (t->count == TABLE_MAX_PIECES)
            return;
        p = &t->piece[t->count++];
    }
    *p = (struct placed){ .id = o->id, .kind = o->seen.kind };
    memcpy(p->colour, o->seen.colour, sizeof p->colour);
    p->lying.taw = o->seen.taw;
    p->lying.taw_certainty = o->seen.taw_certainty;
    // Discs and rings are made to size, marbles are not.
    p->lying.radius_in = o->seen.kind == PIECE_MARBLE && o->seen.radius_in > 0 ? o->seen.radius_in : b->piece_radius_in;
}

static void put(struct placed *p, const struct observation *o)
{
    p->lying.at = o->rest.at;
    p->lying.cov = o->rest.cov;
    p->lying.plane = o->rest.plane;
    p->rested = true;
    p->moving = p->by_hand = false;
}

void table_follow(struct table *t, const struct board *b, const struct observation *o)
{
    struct placed *p = table_find(t, o->id);
    if (o->kind == OBS_SEEN)
        add(t, b, o);
    else if (o->kind == OBS_REST && p)
        put(p, o);
    else if (o->kind == OBS_MOVE && p) {
        p->moving = true;
        p->by_hand = o->move.by == MOVED_BY_HAND;
    }
}

void table_remove(struct table *t, int id)
{
    struct placed *p = table_find(t, id);
    if (!p)
        return;
    int i = (int)(p - t->piece);
    memmove(p, p + 1, (size_t)(t->count - i - 1) * sizeof *p);
    t->count--;
}

void table_settle(struct table *t)
{
    for (int i = 0; i < t->count; i++)
        t->piece[i].settled = t->piece[i].rested && !t->piece[i].moving;
}
