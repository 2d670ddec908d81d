// SPDX-License-Identifier: MIT
// nothing.h: pictures of round things that are no board, to see that none is found in them.
//
// Left out are honest doubles: a hoop on a carpet, one wet ring under a cup, a court's single circle look just like a
// bare ring, and a sheet printed with a board's lines is its picture.
#ifndef RINGSIDE_SAMPLES_SCENE_NOTHING_H
#define RINGSIDE_SAMPLES_SCENE_NOTHING_H

#include <stdint.h>

#include "calibration/fail.h"

// How many families there are, and the i-th one's name ("clocks").
int nothing_families(void);
const char *nothing_family(int i);

// Writes FOLDER/nothing_NNN.jpg and .json, NNN the number; family number % nothing_families(), `width` pixels wide.
// RS_EIO when the folder cannot be written.
int nothing_write(const char *folder, int number, uint64_t seed, int width, struct fail *why);

#endif
