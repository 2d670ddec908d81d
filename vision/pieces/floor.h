// SPDX-License-Identifier: MIT
// floor.h: how well a piece's place is known at best, and how small a piece can be told.
#ifndef RINGSIDE_VISION_PIECES_FLOOR_H
#define RINGSIDE_VISION_PIECES_FLOOR_H

// However well a piece is seen. Measured: edges more or less rounded, shadows, what fit and camera do not know.
static const double DISC_FLOOR_SIGMA_IN = 0.011;
static const double MARBLE_FLOOR_SIGMA_IN = 0.03; // shadow and highlights too

#endif
