// SPDX-License-Identifier: MIT
// state.h: what a single game remembers beside what all games share (rules/rule.h).
//
// Plain data, all zero when a game begins: an undo puts it back with the rest of the standing. A new game adds its struct.
#ifndef RINGSIDE_REFEREE_GAMES_STATE_H
#define RINGSIDE_REFEREE_GAMES_STATE_H

#include "referee/rules/format.h"

enum { HELD_MAX = 16 };

struct american_marbles_state {
    int turns[SIDES];    // taken in this game, M53
    int warnings[SIDES]; // M59
};

struct crokinole_state {
    int booked[SIDES]; // this round: discs lifted from the hole, in points, N4
};

struct crokinole_rings_state {
    int held; // rings in the hole that count only at the round's end, C8
    int held_id[HELD_MAX];
};

union game_state {
    struct american_marbles_state american_marbles;
    struct crokinole_state crokinole;
    struct crokinole_rings_state crokinole_rings;
};

#endif
