// SPDX-License-Identifier: MIT
// position.h: what lies where, in which zone and with how many points: a photograph's whole judgement.
//
// Pure: the same pieces on the same board always give the same words.
#ifndef RINGSIDE_REFEREE_RULES_POSITION_H
#define RINGSIDE_REFEREE_RULES_POSITION_H

#include <stdbool.h>
#include <stddef.h>

#include "calibration/board.h"
#include "referee/rules/line.h"
#include "referee/rules/piece_table.h"

struct zoned_piece {
    struct known_piece piece;
    struct zone zone;
};

struct side_total {
    char colour[OBS_WORD_MAX];
    struct points points;
    int pieces; // in play
};

struct position {
    int count;
    struct zoned_piece at[PIECE_TABLE_MAX];
    int sides; // in the order in which they came into view; those that only lie in the ditch are left out
    struct side_total side[PIECE_TABLE_MAX];
    bool counts; // the zones of this board have points: totals say something
};

// All pieces of the table that are at rest.
void position_of(struct position *out, const struct piece_table *t, const struct board *b);

// "black  15  (0.13 in inside the line)", "target 4  in  (centre 0.21 in inside the line)".
void position_words(char *out, size_t size, const struct zoned_piece *p);

#endif
