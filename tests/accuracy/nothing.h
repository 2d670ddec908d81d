// SPDX-License-Identifier: MIT
// nothing.h: boards found where there is none: in pictures without a board, and a ring in a board's picture or the
// other way round. The game on carrom rings is played on Crokinole's circles with Crokinole's pegs and hole: one kind,
// asked for once.
#ifndef RINGSIDE_TESTS_ACCURACY_NOTHING_H
#define RINGSIDE_TESTS_ACCURACY_NOTHING_H

#include "calibration/fail.h"

// Asks the picture of every truth file for every board that is not in it; says each false find with its file. Prints a
// table: family or kind, pictures, false finds of each board. Returns how many, or RS_EIO, RS_EINPUT when a file is not
// what it should be.
int nothing_table(const char (*truth_paths)[512], int n, struct fail *why);

#endif
