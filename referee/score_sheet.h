// SPDX-License-Identifier: MIT
// score_sheet.h: a match round by round (marbles: inning by inning), read off the standing as it goes.
#ifndef RINGSIDE_REFEREE_SCORE_SHEET_H
#define RINGSIDE_REFEREE_SCORE_SHEET_H

#include <stdio.h>

#include "referee/announce/announcer.h"

struct sheet_round {
    int game, round;
    int starter;                   // side that began it; -1: nobody knows
    struct points points[SIDES];   // that it brought
    struct points total[SIDES];    // points that were on the board and kept; of games with rounds of points
    struct points twenties[SIDES]; // kept in it
    struct points score[SIDES];    // of the game, behind it
    bool ends_game;                // and
    int winner;                    // index of a side, -1 for a draw
    bool close;                    // which close calls may have otherwise
};

// Grows as it must; { 0 } is an empty one, it ends with score_sheet_free.
struct score_sheet {
    int rounds, room;
    struct sheet_round *round;
    struct sheet_round now; // the one that is played, filled as it goes
    // How the sides stood when it began; of a game that is over, when its last one did.
    struct player_side before[SIDES];
    int ended; // rounds of the game, as far as they are on the sheet
    bool over; // the game is, the next has not begun
};

// Takes in how the match stands, behind each ruling of it. RS_ENOMEM.
int score_sheet_follow(struct score_sheet *s, const struct match *m, struct fail *why);

// Game by game, a round a line, both sides side by side; `m` is the match that it is of.
void score_sheet_print(FILE *to, const struct score_sheet *s, const struct match *m);
void score_sheet_free(struct score_sheet *s);

#endif
