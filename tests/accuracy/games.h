// SPDX-License-Identifier: MIT
// games.h: which calls on games of Crokinole are right, and above all which firm ones are wrong.
//
// An outcome is what became of a disc that a shot moved: the area where it lies, the hole, or that it left the surface.
// A call is held against what lies there or, where nothing fits, against the outcomes of its side: where a flat view
// measures a place badly the area can still be right. So it is with what is told to lie somewhere, of which no more may
// be firm than lie there.
#ifndef RINGSIDE_TESTS_ACCURACY_GAMES_H
#define RINGSIDE_TESTS_ACCURACY_GAMES_H

#include "calibration/fail.h"

// Prints a line a clip, what was wrong and yet firm, and the sums. `paths`: the truth files. RS_EIO, RS_EINPUT,
// RS_ELIB.
int games_table(const char *ringside, const char (*paths)[512], int files, struct fail *why);

#endif
