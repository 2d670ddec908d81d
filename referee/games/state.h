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

// Between which two quadrant lines a player shoots, as earlier shots say.
struct quarter {
    int number; // 1 to 4, against the clock from the x axis
    int shots;  // from there; 0: not known
};

struct crokinole_state {
    struct quarter quarter[SIDES][PLAYERS_MAX];
    int taken; // discs that a hand took off the board since the last shot, and none of them had to come off
};

struct crokinole_rings_state {
    struct quarter quarter[SIDES][PLAYERS_MAX];
    int taken;
    int held; // rings in the hole that count only at the round's end, C8
    struct {
        int id, side;
    } ten[HELD_MAX];
};

union game_state {
    struct american_marbles_state american_marbles;
    struct crokinole_state crokinole;
    struct crokinole_rings_state crokinole_rings;
};

#endif
