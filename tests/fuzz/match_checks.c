// SPDX-License-Identifier: MIT
#include "tests/fuzz/match_checks.h"

#include <string.h>

#include "tests/fuzz/fuzz.h"

void match_check(const struct match *m)
{
    const struct standing *s = &m->now;
    fuzz_must(s->sides >= 0 && s->sides <= SIDES, "there are at most two sides");
    fuzz_must(s->to_shoot >= -1 && s->to_shoot < SIDES, "one of the sides is to shoot, or none");
    fuzz_must(s->winner >= -1 && s->winner < SIDES, "one of the sides won, or none");
    fuzz_must(m->table.count >= 0 && m->table.count <= PIECE_TABLE_MAX, "the table holds what it has room for");
    fuzz_must(s->owed >= 0 && s->owed <= OWED_MAX, "no more is owed than there is room for");
    for (int i = 0; i < s->sides; i++)
        fuzz_must(s->side[i].score >= 0 && s->side[i].played >= 0 && s->side[i].twenties >= 0,
                  "no side has less than nothing");
}

void match_check_same(const struct match *a, const struct match *b)
{
    const struct standing *x = &a->now, *y = &b->now;
    bool same = x->sides == y->sides && x->to_shoot == y->to_shoot && x->round == y->round && x->over == y->over &&
                x->winner == y->winner && x->owed == y->owed && x->game == y->game && x->starter == y->starter &&
                memcmp(&x->own, &y->own, sizeof x->own) == 0;
    for (int i = 0; i < x->sides && same; i++)
        same = x->side[i].score == y->side[i].score && x->side[i].played == y->side[i].played &&
               x->side[i].twenties == y->side[i].twenties && x->side[i].games == y->side[i].games &&
               strcmp(x->side[i].seat.colour, y->side[i].seat.colour) == 0;
    fuzz_must(same, "corrected on the way or known from the beginning, it is one match");
}
