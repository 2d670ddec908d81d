// SPDX-License-Identifier: MIT
// table.h: which pieces are on the board and where, followed through the observations.
//
// Plain values, no memory of its own: copy it.
#ifndef RINGSIDE_REFEREE_RULES_TABLE_H
#define RINGSIDE_REFEREE_RULES_TABLE_H

#include <stdbool.h>

#include "calibration/observation.h"
#include "referee/rules/line.h"

enum { TABLE_MAX_PIECES = 96 }; // a piece more than that is not followed

struct placed {
    int id;
    enum piece_kind kind;
    char colour[OBS_WORD_MAX];
    struct lying lying;
    bool rested;  // it was at rest at least once: `lying` is known
    bool settled; // it lay here when everything was still: part of the position, not just put down
    bool moving;
    bool by_hand; // a hand moved it since it last lay still
};

struct table {
    int count;
    struct placed piece[TABLE_MAX_PIECES];
};

// NULL when no such piece is on the board.
struct placed *table_find(struct table *t, int id);
const struct placed *table_look(const struct table *t, int id);

// Takes in `seen`, `rest` and `move`; other kinds change nothing. A piece that left is taken off with table_remove.
void table_follow(struct table *t, const struct board *b, const struct observation *o);
void table_remove(struct table *t, int id);

// Everything is still: what lies there is the position now.
void table_settle(struct table *t);

#endif
