// SPDX-License-Identifier: MIT
// placed.h: pieces that lie on the board by a judge's word: those that no camera saw, and not those that a camera sees
// and that are not there.
//
// What is put on stands in the table of pieces like any other, until it is taken off, the board is cleared, or a camera
// sees a piece there: then it is that one. What is taken off is out of the table until it moves. Seeing knows nothing
// of either. Plain values.
#ifndef RINGSIDE_REFEREE_RULES_PLACED_H
#define RINGSIDE_REFEREE_RULES_PLACED_H

#include "referee/rules/piece_table.h"
#include "referee/rules/shot.h"

enum {
    PUT_ON_IDS = 900000, // above every id that a log may have: a piece that is put on has the input's number behind it
    PUT_ON_IDS_END = 1000000,
    TAKEN_OFF_MAX = 32
};

struct placed {
    int emptied_behind; // the last shot behind which the board was emptied; 0: none
    int off_count;
    struct known_piece off[TAKEN_OFF_MAX]; // as it lies for the camera
};

int placed_id(int input); // of the piece that the input of that number puts on

// 1 sigma of where a judge says that a piece lies, inches.
double placed_sigma_in(const struct board *b);

// The piece that lies there, nearer than its own radius; NULL for none.
const struct known_piece *placed_over(const struct piece_table *t, struct pt_in at);

// False when there is no room for it.
bool placed_put_on(struct piece_table *t, const struct known_piece *p);

// False when it is not in the table, or there is no room to remember it.
bool placed_take_off(struct placed *p, struct piece_table *t, int id);

bool placed_is_off(const struct placed *p, int id);

// Before the table follows it. True when the observation is about a piece that was taken off and does not move: nobody
// else looks at it.
bool placed_see(struct placed *p, struct piece_table *t, struct shot *s, const struct board *b,
                const struct observation *o);

#endif
