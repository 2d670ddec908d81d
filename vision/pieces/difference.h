// SPDX-License-Identifier: MIT
// difference.h: background difference: whether a place looks otherwise than the known empty board does there.
#ifndef RINGSIDE_VISION_PIECES_DIFFERENCE_H
#define RINGSIDE_VISION_PIECES_DIFFERENCE_H

#include "vision/board/background.h"
#include "vision/pieces/cylinder.h"

struct known_board {
    const struct background *empty; // that looked at the frame last; NULL: nobody knows it
    struct pt3_in eye;              // from where it was seen
    const struct disc_tuning *t;
};

// What is seen where the face of a solid would be.
enum face_shows {
    FACE_UNKNOWN, // of less than half of it anybody knows what it looks like empty
    FACE_BARE,    // the empty board
    FACE_SHADED,  // the same, if in a shadow; or what has its colours
    FACE_DIFFERS, // nothing that light could make of it
};
enum face_shows difference_of_face(const struct known_board *k, const struct cylinder *s, struct pt_in at);

#endif
