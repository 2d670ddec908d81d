// SPDX-License-Identifier: MIT
// by_chance.h: shots of chance on a board of circles, legal and not.
#ifndef RINGSIDE_TESTS_REFEREE_GAMES_BY_CHANCE_H
#define RINGSIDE_TESTS_REFEREE_GAMES_BY_CHANCE_H

#include <math.h>

#include "tests/cmocka.h"
#include "tests/referee/play.h"

static inline void put_and_move(struct play *p, int id, const char *colour)
{
    struct pt_in edge = { strcmp(colour, play_now(p)->side[0].seat.colour) == 0 ? 8.5 : -8.5, 8.5 };
    play_seen(p, id, colour, false);
    play_rest(p, id, edge, ON_SURFACE);
    play_move(p, id, MOVED_BY_SHOT, edge);
}

// Of a shot of chance: what it moves, and where that ends.
static inline unsigned chance(unsigned *seed, unsigned most)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 16) % most;
}

static inline void rest_by_chance(struct play *p, int id, unsigned *seed)
{
    unsigned r = chance(seed, 140);
    if (r < 8)
        play_rest(p, id, (struct pt_in){ 0, 0 }, IN_HOLE);
    else if (r > 130)
        play_gone(p, id, IN_DITCH);
    else
        play_rest(p, id, (struct pt_in){ r / 10.0 * cos(id), r / 10.0 * sin(id) }, ON_SURFACE);
}

// One in four disc is moved by a shot, what must come off is mostly taken off, and between rounds the board is cleared.
static inline void shoot_by_chance(struct play *p, int id, unsigned *seed)
{
    const struct standing *s = play_now(p);
    const struct piece_table *t = &p->referee.match.table;
    bool first = s->to_shoot == 0 ? chance(seed, 30) > 0 : chance(seed, 30) == 0;
    bool clear = s->side[0].played + s->side[1].played == 0;
    for (int i = t->count - 1; i >= 0; i--)
        if (clear || (standing_owes(s, t->piece[i].id) && chance(seed, 4) > 0))
            play_gone(p, t->piece[i].id, BY_HAND);
    put_and_move(p, id, s->side[first ? 0 : 1].seat.colour);
    for (int i = t->count - 1; i >= 0; i--)
        if (t->piece[i].id != id && chance(seed, 4) == 0) {
            int other = t->piece[i].id;
            play_move(p, other, MOVED_BY_SHOT, t->piece[i].lying.at);
            rest_by_chance(p, other, seed);
        }
    rest_by_chance(p, id, seed);
    play_still(p);
}

// Taken back and done again, all is as it was: the fold over the whole log gives the same match.
static inline void must_fold_to_the_same(struct play *p)
{
    struct standing before = p->referee.match.now;
    play_say(p, "undo", "");
    play_say(p, "redo", "");
    assert_memory_equal(&p->referee.match.now, &before, sizeof before);
}

#endif
