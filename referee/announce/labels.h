// SPDX-License-Identifier: MIT
// labels.h: where words about pieces stand in a picture: beside their piece, on no piece and on no other words.
//
// Plain arithmetic over boxes. Each label goes, in the order given, to the free place nearest to its piece, of sixteen
// directions around it; where it has to go far, a line leads back. One for which the picture has no place is left out:
// what lies there is worth more than what is said of it.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_LABELS_H
#define RINGSIDE_REFEREE_ANNOUNCE_LABELS_H

#include <stdbool.h>

#include "calibration/units.h"

// Pixels; an edge shared covers nothing.
struct label_box {
    double u0, v0, u1, v1;
};

bool label_box_overlaps(struct label_box a, struct label_box b);

struct label_wish {
    struct label_box piece; // what it is about
    double width_px, height_px;
};

struct label_place {
    bool placed;
    struct label_box box;
    bool far;              // a line leads
    struct pt_px from, to; // from the label's edge to the piece's
};

// Boxes that nothing may cover: pieces, tables. All within 0 .. width, 0 .. height of the picture counts as room.
struct label_room {
    double width_px, height_px;
    int count;
    const struct label_box *kept;
};

// out[i] is that of wish[i].
void labels_place(struct label_place *out, const struct label_wish *wish, int n, const struct label_room *room);

#endif
