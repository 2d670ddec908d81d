// SPDX-License-Identifier: MIT
// games.h: which calls on games of Crokinole are right, and above all which firm ones are wrong.
//
// An outcome is what became of a disc that a shot moved: the area where it lies, the hole, or that it left the surface. A call
// on a disc that lies on the surface is held against what lies there, any other against the outcomes of its side.
#ifndef RINGSIDE_TESTS_ACCURACY_GAMES_H
#define RINGSIDE_TESTS_ACCURACY_GAMES_H

#include "calibration/fail.h"

// Prints a line a clip, what was wrong and yet firm, and the sums. `paths`: the truth files. RS_EIO, RS_EINPUT, RS_ELIB.
int games_table(const char *ringside, const char (*paths)[512], int files, struct fail *why);

#endif
