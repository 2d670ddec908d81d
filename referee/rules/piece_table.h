// SPDX-License-Identifier: MIT
// piece_table.h: which pieces are on the board and where, followed through the observations.
//
// Plain values, no memory of its own: copy it.
#ifndef RINGSIDE_REFEREE_RULES_PIECE_TABLE_H
#define RINGSIDE_REFEREE_RULES_PIECE_TABLE_H

#include <stdbool.h>

#include "calibration/observation.h"
#include "referee/rules/line.h"

enum { PIECE_TABLE_MAX = 96 }; // as many as are looked for in a picture

struct known_piece {
    int id;
    enum piece_kind kind;
    char colour[OBS_WORD_MAX];
    struct resting_piece lying;
    bool rested;      // it was at rest at least once: `lying` is known
    bool in_position; // it lay here when everything was still: not just put down
    bool moving;
    bool by_hand; // a hand moved it since it last lay still
    bool put_on;  // by a judge: no camera sees it
};

struct piece_table {
    int count;
    int unfollowed; // pieces on the board for which there was no room: nothing but their number is known
    struct known_piece piece[PIECE_TABLE_MAX];
};

// NULL when no such piece is followed.
const struct known_piece *piece_table_find(const struct piece_table *t, int id);

// Takes in `seen`, `rest` and `move`; other kinds change nothing.
void piece_table_follow(struct piece_table *t, const struct board *b, const struct observation *o);

// A piece left the board: once for each.
void piece_table_remove(struct piece_table *t, int id);

// It is known what the piece is, whatever it looks like.
void piece_table_sure(struct piece_table *t, int id);

// A judge said in which area the piece lies: so it is until it moves again.
void piece_table_rule(struct piece_table *t, int id, const struct zone *zone);

// It does not lie where it lies to be counted, until everything is still.
void piece_table_unsettle(struct piece_table *t, int id);

// Everything is still, and the shot that ended is judged: what lies there is the position now.
void piece_table_still(struct piece_table *t);

#endif
