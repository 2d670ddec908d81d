// SPDX-License-Identifier: MIT
// hough.h: where round pieces of a known size may stand: the cheap test before the fit.
//
// The picture is laid out on the plane of the pieces' top faces, where each is a circle of the same size whatever the
// slant; every edge votes for the two places from which it could be the rim (Hough with known radius and gradient
// direction: Kimme, Ballard, Sklansky, "Finding circles by an array of accumulators", CACM 1975).
#ifndef RINGSIDE_VISION_PIECES_HOUGH_H
#define RINGSIDE_VISION_PIECES_HOUGH_H

#include "vision/board/background.h"
#include "vision/frame.h"
#include "vision/detection.h"
#include "vision/peaks.h"
#include "vision/tuning.h"

enum { HOUGH_PEAKS_MAX = 160 };

// Places of the top plane, which for an upright piece are also its foot's, strongest first, vote_apart_radii of a piece
// apart; the score is the share of a full rim that voted, 0..1. `empty`: not where it looked bare last; NULL: anywhere.
// `grain`: of each channel, the gradient that grain and noise make by themselves; measured where it is 0, else taken as
// it is. Returns how many, or RS_ENOMEM, RS_ELIB.
int hough_find(struct peak out[HOUGH_PEAKS_MAX], double grain[3], const struct frame *f, const struct board_pose *pose,
               const struct background *empty, const struct disc_tuning *t, struct fail *why);

#endif
