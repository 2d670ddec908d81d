// SPDX-License-Identifier: MIT
// state.h: what a single game remembers beside what all games share (rules/standing.h).
//
// Plain data, all zero when a game begins: an undo puts it back with the standing. A new game adds its struct.
#ifndef RINGSIDE_REFEREE_GAMES_STATE_H
#define RINGSIDE_REFEREE_GAMES_STATE_H

#include "calibration/units.h"
#include "referee/rules/format.h"

enum { HELD_MAX = 16, CLOSE_IN_MAX = 16 };

enum { TOLD_MAX = 4 };

struct american_marbles_state {
    bool begun;                 // a shot counted, or the judge said how the game stands
    int ahead[SIDES];           // turns taken out of turn: so many of the next are spent, A9
    int warnings[SIDES];        // M59
    int spectators;             // warned, M61
    bool to_lay;                // targets of somebody go back on the X, M60
    bool uncounted;             // a judge gave points: who has how many targets is not known from the score
    bool thrown_told;           // targets that were thrown into the ring, M57
    int shoots_on;              // side + 1 that shoots again from where its taw lies, A1; 0: nobody
    struct pt_in taw_at;        // where that is
    double taw[SIDES];          // radius of the taw chosen in the lag or the first shot, inches; 0: none is chosen
    double taw_sigma_in[SIDES]; // 1 sigma of it
    bool by_innings;            // the game was decided by the score behind the last inning, M55
    int lag_winner;             // side + 1 that won the lag of the next game while the last one was over; 0: nobody
    struct marbles_lag {
        bool running, has_edge;
        double direction_rad, distance_in; // of the far edge's line from the ring's centre
        int thrown;
        struct lag_throw {
            int side;
            bool lies, struck, unsure; // unsure: it is not certain that it struck nothing, or something
            double away_in, sigma_in;  // from the far edge, when it lies
            double start_s;
        } throw[SIDES];
    } lag;
    int close_in; // targets that a close call left in the ring
    struct {
        int id, side; // who would have it if it was out
    } close_target[CLOSE_IN_MAX];
    bool x_told, x_is_right; // the thirteen targets were looked at, M2
    double x_worst_in;       // how far the worst of them lay off when that was told
    bool sizes_told;         // of the targets, M5
    int told;                // taws whose size was told, M3
    struct {
        char colour[OBS_WORD_MAX];
        double radius_in;
    } told_taw[TOLD_MAX];
};

// Between which two quadrant lines a player shoots, as earlier shots say.
struct quarter {
    int number; // 1 to 4, against the clock from the x axis
    int shots;  // from there; 0: not known
};

// Of the games on circles.
struct circles_state {
    struct quarter quarter[SIDES][PLAYERS_MAX];
    int taken;     // pieces that a hand took off the circles since the last shot, and none of them had to come off
    bool proposed; // the last round ended as the board was cleared by hand, and no judge has said that it did
};

struct crokinole_rings_state {
    struct circles_state circles; // first: own.circles is the same
    int held;                     // of `ten`: rings in the hole that count only at the round's end, C8, or that may
    struct held_ten {
        int id, side;
        bool doubtful;  // that it is a ring, in the hole
        bool booked;    // counted at once; kept here because the owner's score may have held it
        bool undecided; // held or booked: the owner's score, which close calls leave open, may have done the other
    } ten[HELD_MAX];
};

union game_state {
    struct american_marbles_state american_marbles;
    struct circles_state circles;
    struct crokinole_rings_state crokinole_rings;
};

#endif
