// SPDX-License-Identifier: MIT
// target.h: the printed calibration target: a chessboard of known squares on a sheet of paper.
#ifndef RINGSIDE_CALIBRATION_TARGET_H
#define RINGSIDE_CALIBRATION_TARGET_H

// One pattern on every paper. Squares are as large as letter and A4 hold with the white edge that the finder needs.
enum { TARGET_COLUMNS = 7, TARGET_ROWS = 9 }; // squares; the corner ones are black
static const double TARGET_SQUARE_IN = 1;

#endif
