// SPDX-License-Identifier: MIT
#include "referee/rules/placed.h"

#include <math.h>
#include <string.h>

// Of the board's width: a finger on a drawing of it 65 mm wide, as telephones show it, errs by a millimetre.
static const double POINTED_AT_SHARE = 1.0 / 60;
// Nearer than this to where it lay a piece was only looked at again.
static const double STAYS_WITHIN_IN = 0.1;

int placed_id(int input)
{
    return PUT_ON_IDS + input % (PUT_ON_IDS_END - PUT_ON_IDS);
}

double placed_sigma_in(const struct board *b)
{
    return POINTED_AT_SHARE * 2 * b->circle_in[0];
}

const struct known_piece *placed_over(const struct piece_table *t, struct pt_in at)
{
    for (int i = 0; i < t->count; i++) {
        const struct known_piece *p = &t->piece[i];
        if (p->rested && !p->moving && distance_in(p->lying.at, at) < p->lying.radius_in)
            return p;
    }
    return NULL;
}

bool placed_put_on(struct piece_table *t, const struct known_piece *p)
{
    if (t->count == PIECE_TABLE_MAX)
        return false;
    t->piece[t->count] = *p;
    t->piece[t->count++].put_on = true;
    return true;
}

bool placed_take_off(struct placed *p, struct piece_table *t, int id)
{
    const struct known_piece *it = piece_table_find(t, id);
    if (!it || (!it->put_on && p->off_count == TAKEN_OFF_MAX))
        return false;
    if (!it->put_on)
        p->off[p->off_count++] = *it;
    piece_table_remove(t, id);
    return true;
}

static int off_at(const struct placed *p, int id)
{
    for (int i = 0; i < p->off_count; i++)
        if (p->off[i].id == id)
            return i;
    return -1;
}

bool placed_is_off(const struct placed *p, int id)
{
    return off_at(p, id) >= 0;
}

// Whether it is about one that was taken off. One that moves is there after all.
static bool stays_off(struct placed *p, struct piece_table *t, const struct observation *o)
{
    int i = off_at(p, o->id);
    if (i < 0)
        return false;
    struct known_piece *off = &p->off[i];
    bool moves = o->kind == OBS_MOVE ||
                 (o->kind == OBS_REST &&
                  (o->rest.plane != off->lying.plane || distance_in(off->lying.at, o->rest.at) > STAYS_WITHIN_IN));
    if (moves && t->count < PIECE_TABLE_MAX) {
        t->piece[t->count] = *off;
        t->piece[t->count++].in_position = false;
    } else if (moves) {
        t->unfollowed++;
    }
    if (moves || o->kind == OBS_GONE)
        memmove(off, off + 1, (size_t)(--p->off_count - i) * sizeof *off);
    return !moves;
}

// The nearest that was put on, which the piece that comes to rest must be: no two lie in one place, and one of its
// colour that only came into view may be as far off as a judge errs.
static struct known_piece *same_as(struct piece_table *t, const struct board *b, const struct known_piece *seen,
                                   bool came, struct pt_in at)
{
    double nearest_in = INFINITY;
    struct known_piece *found = NULL;
    for (int i = 0; i < t->count; i++) {
        struct known_piece *p = &t->piece[i];
        bool alike = strcmp(p->colour, seen->colour) == 0;
        double within_in = seen->lying.radius_in * (alike ? 2 : 1), away_in = distance_in(p->lying.at, at);
        if (alike && !came)
            within_in = fmax(within_in, 2 * placed_sigma_in(b));
        if (!p->put_on || away_in >= fmin(within_in, nearest_in))
            continue;
        found = p;
        nearest_in = away_in;
    }
    return found;
}

bool placed_see(struct placed *p, struct piece_table *t, struct shot *s, const struct board *b,
                const struct observation *o)
{
    if (observation_of_piece(o->kind) && o->kind != OBS_CONTACT && stays_off(p, t, o))
        return true;
    const struct known_piece *seen = o->kind == OBS_REST ? piece_table_find(t, o->id) : NULL;
    if (!seen || seen->put_on || (seen->rested && !seen->moving))
        return false;
    const struct outcome *shot = s->running ? shot_outcome(s, o->id) : NULL;
    struct known_piece *is = same_as(t, b, seen, shot && shot->moved, o->rest.at), was = *seen;
    if (!is)
        return false;
    int id = is->id;
    if (shot && shot->moved) { // it came to lie there: whatever was there does not any more
        piece_table_remove(t, id);
        return false;
    }
    was.rested = true; // that one was there before it was seen
    was.in_position = is->in_position;
    was.lying.at = o->rest.at;
    was.lying.plane = o->rest.plane;
    *is = was;
    is->id = id;
    piece_table_remove(t, o->id);
    for (int i = 0; i < t->count; i++)
        if (t->piece[i].id == id)
            t->piece[i].id = o->id;
    shot_rename(s, id, o->id);
    return false;
}
