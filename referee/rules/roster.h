// SPDX-License-Identifier: MIT
// roster.h: which paints are on the board, so that a side keeps its name in another light or after a new start.
//
// Vision tells the sides of one recording apart and names each with one word; what it named "black" in the morning may
// be "grey" under the evening's lamp. A third word on a board of two sides is one of the two: the one whose paint it is
// nearer to by far. Plain values.
#ifndef RINGSIDE_REFEREE_RULES_ROSTER_H
#define RINGSIDE_REFEREE_RULES_ROSTER_H

#include "calibration/observation.h"

enum { ROSTER_MAX = 8 };

struct roster {
    int count;
    struct {
        char colour[OBS_WORD_MAX];
        double lab[3]; // mean CIE L*a*b* of the pieces seen
        int seen;
    } paint[ROSTER_MAX];
};

// Notes the piece that came into view, and gives its `seen.colour` the word that its paint has here. Pieces without a
// measured colour keep theirs.
void roster_name(struct roster *r, struct observation *seen);

#endif
