// SPDX-License-Identifier: MIT
// regain.h: the same board and pieces again after the camera was moved: which way round they lie now.
//
// A board looks the same after a quarter turn, a bare ring after any. So a board found again lies as it did before as
// nearly as can be, and then the pieces that lie on it are asked.
#ifndef RINGSIDE_VISION_TRACK_REGAIN_H
#define RINGSIDE_VISION_TRACK_REGAIN_H

#include "vision/track/kept.h"

// The turn about the board's axis, radians, that brings `now` nearest to `before`; by whole quarters only when `quarters`.
double regain_least_turn(const struct camera *now, const struct camera *before, bool quarters);

// The turn that makes most of the pieces seen now lie where alike ones lay; 0 when none does better than none at all.
double regain_turn_of_pieces(const struct kept *kept, int n, const struct detection_list *seen, bool quarters);

// The board's axes are turned by that much: every place on it has other coordinates from now on.
void regain_turn_pieces(struct detection_list *seen, double turn_rad);

#endif
