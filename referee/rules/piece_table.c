// SPDX-License-Identifier: MIT
#include "referee/rules/piece_table.h"

#include <string.h>

// Nearer than this to where it lay a piece was only looked at again: what a judge said of it stands.
static const double LOOKED_AT_AGAIN_IN = 0.1;

const struct known_piece *piece_table_find(const struct piece_table *t, int id)
{
    for (int i = 0; i < t->count; i++)
        if (t->piece[i].id == id)
            return &t->piece[i];
    return NULL;
}

static struct known_piece *find(struct piece_table *t, int id)
{
    const struct known_piece *p = piece_table_find(t, id);
    return p ? &t->piece[p - t->piece] : NULL;
}

void piece_table_follow(struct piece_table *t, const struct board *b, const struct observation *o)
{
    struct known_piece *p = find(t, o->id);
    if (o->kind == OBS_SEEN && !p && t->count == PIECE_TABLE_MAX) {
        t->unfollowed++;
    } else if (o->kind == OBS_SEEN) {
        bool made_to_size = o->seen.kind != PIECE_MARBLE || !(o->seen.radius_in > 0); // discs and rings are
        p = p ? p : &t->piece[t->count++];
        *p = (struct known_piece){ .id = o->id, .kind = o->seen.kind };
        memcpy(p->colour, o->seen.colour, sizeof p->colour);
        p->lying.taw = o->seen.taw;
        p->lying.certainty = o->seen.certainty;
        p->lying.radius_in = made_to_size ? b->piece_radius_in : o->seen.radius_in;
        p->lying.radius_sigma_in = made_to_size ? 0 : o->seen.radius_sigma_in;
    } else if (o->kind == OBS_REST && p) {
        bool there = p->lying.plane == o->rest.plane && distance_in(p->lying.at, o->rest.at) < LOOKED_AT_AGAIN_IN;
        p->lying.at = o->rest.at;
        p->lying.cov = o->rest.cov;
        p->lying.plane = o->rest.plane;
        p->lying.certainty = o->rest.certainty > 0 ? o->rest.certainty : p->lying.certainty;
        p->lying.ruled = p->lying.ruled && !p->moving && there;
        p->rested = true;
        p->moving = p->by_hand = false;
    } else if (o->kind == OBS_MOVE && p) {
        p->moving = true;
        p->by_hand = o->move.by == MOVED_BY_HAND;
    }
}

void piece_table_remove(struct piece_table *t, int id)
{
    struct known_piece *p = find(t, id);
    if (p) {
        memmove(p, p + 1, (size_t)(&t->piece[t->count] - (p + 1)) * sizeof *p);
        t->count--;
    } else if (t->unfollowed > 0) {
        t->unfollowed--;
    }
}

void piece_table_sure(struct piece_table *t, int id)
{
    struct known_piece *p = find(t, id);
    if (p)
        p->lying.certainty = 1;
}

void piece_table_rule(struct piece_table *t, int id, const struct zone *zone)
{
    struct known_piece *p = find(t, id);
    if (p)
        zone_rule(&p->lying, zone);
}

void piece_table_unsettle(struct piece_table *t, int id)
{
    struct known_piece *p = find(t, id);
    if (p)
        p->in_position = false;
}

void piece_table_still(struct piece_table *t)
{
    for (int i = 0; i < t->count; i++)
        t->piece[i].in_position = t->piece[i].rested && !t->piece[i].moving;
}
