// SPDX-License-Identifier: MIT
// disc_spots.h: where a piece is looked at when only its place is known: its face, the side in sight, rings around it.
#ifndef RINGSIDE_VISION_PIECES_DISC_SPOTS_H
#define RINGSIDE_VISION_PIECES_DISC_SPOTS_H

#include "calibration/board.h"
#include "vision/pieces/disc_contrast.h"

// Inches towards the camera and to its left, and how far up (0 .. 1) of the piece's height.
struct disc_spot {
    double dx, dy, up;
};

struct disc_spots {
    int tops, sides, angles;
    struct disc_spot top[MOST_TOP], side[MOST_SIDE], outline[MOST_ANGLES];
    double scale[OUTLINE_RINGS]; // of the outline, about its middle
};

enum spots_density { SPOTS_COARSE, SPOTS_FULL };

// The directions and distances at which a piece of this board is looked at.
void disc_spots_lay(struct disc_spots *out, const struct board *b, enum spots_density density);

#endif
