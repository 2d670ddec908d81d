// SPDX-License-Identifier: MIT
// chessboard.h: the inner corners of a chessboard as seen in a picture, whole or in part.
//
// Lengths on it are counted in squares: a lens shows itself in the form of the grid, whatever its size. So any
// chessboard does, of any number of squares, and a part of it is as good as a smaller one.
#ifndef RINGSIDE_CALIBRATION_CHESSBOARD_H
#define RINGSIDE_CALIBRATION_CHESSBOARD_H

#include <stdbool.h>

#include "calibration/units.h"

enum { CHESSBOARD_MAX_CORNERS = 300 };

struct chessboard {
    int columns, rows;                           // inner corners; columns * rows is at most the limit
    struct pt_px corner[CHESSBOARD_MAX_CORNERS]; // row by row; which row is the first, and in which sense, is by chance
};

int chessboard_corners(const struct chessboard *b);

// Where corner i lies on the board, in squares; the middle of the grid is (0, 0).
struct pt_in chessboard_place(const struct chessboard *b, int i);

// The plane-to-picture map that fits the corners best, lens distortion ignored; H[2][2] is 1. False when they lie on a
// line or fall together.
bool chessboard_homography(double H[3][3], const struct chessboard *b);

// The shortest side of any square, pixels.
double chessboard_least_side_px(const struct chessboard *b);

// How far the corners of `b` are from those of `a`, half of them less, pixels; neither order nor number needs to agree.
double chessboard_moved_px(const struct chessboard *a, const struct chessboard *b);

#endif
