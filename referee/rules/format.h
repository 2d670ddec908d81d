// SPDX-License-Identifier: MIT
// format.h: how a game is played for points: how many pieces, rounds and points, and who sits where. Plain data.
#ifndef RINGSIDE_REFEREE_RULES_FORMAT_H
#define RINGSIDE_REFEREE_RULES_FORMAT_H

#include <stdbool.h>

#include "calibration/observation.h"

enum { SIDES = 2, PLAYERS_MAX = 2 }; // two sides, of one player or of two who take turns
enum { FORMAT_COUNT_MAX = 1000000 }; // more pieces, rounds or points than anybody plays

// What a round brings.
enum scoring {
    SCORE_ROUND_POINTS, // round_points to the side with more points, half of it to each when they are equal
    SCORE_DIFFERENCE,   // the side with more gets what it has more
    SCORE_SUM,          // each side gets its points
};

struct format {
    char name[OBS_WORD_MAX];
    int players;     // on a side
    int pieces_each; // that a side plays in a round; 0: no such number
    enum scoring scoring;
    int round_points;
    int rounds;           // rounds or innings of a game; 0: as many as it takes
    int target;           // score that wins; 0: none
    bool twenties_decide; // equal scores at the end: more twenties win
    bool ties_stand;      // marbles: equal scores after the last inning are a draw, A2
    bool from_edge;       // marbles: who shoots again does so from outside the line, A1
};

// Who sits where. A colour that is empty is learnt when the side plays; a name that is empty is the colour.
struct seat {
    char name[OBS_WORD_MAX], colour[OBS_WORD_MAX];
    char player[PLAYERS_MAX][OBS_WORD_MAX];
};

// What is agreed before the first shot.
struct match_setup {
    struct format format;
    int seats; // 0: sides take their seats as they shoot
    struct seat seat[SIDES];
    int first;          // seat that begins; -1: whoever shoots first
    bool permit_needed; // the judge gives permission for each shot
};

#endif
