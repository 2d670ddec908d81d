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

// Of the games on circles.
struct circles_state {
    struct quarter quarter[SIDES][PLAYERS_MAX];
    int taken; // pieces that a hand took off the circles since the last shot, and none of them had to come off
};

struct crokinole_rings_state {
    struct circles_state circles; // first: own.circles is the same
    int held;                     // rings in the hole that count only at the round's end, C8
    struct {
        int id, side;
    } ten[HELD_MAX];
};

union game_state {
    struct american_marbles_state american_marbles;
    struct circles_state circles;
    struct crokinole_rings_state crokinole_rings;
};

#endif
