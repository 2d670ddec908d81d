// SPDX-License-Identifier: MIT
// refit.h: is the board still where it was? The cheap look at a still moment, along the predicted lines only.
//
// The pose is fitted to the circles, the turn about the axis to the quadrant lines. A zoom and a camera that comes
// nearer look the same from above; there the distance takes both. Off the vertical they differ in perspective, and a
// focal length that was learnt from the picture is fitted with the pose, held by what a lens can breathe.
#ifndef RINGSIDE_VISION_BOARD_REFIT_H
#define RINGSIDE_VISION_BOARD_REFIT_H

#include "vision/frame.h"
#include "vision/detection.h"
#include "vision/tuning.h"

struct refit {
    bool seen;            // the lines are near where the board was; false: covered, dark, or knocked away
    double shift_in;      // board_shift_in from the board as it was given
    double sigma_in;      // 1 sigma of a place at the outermost circle, across and along it together; at the worst of 8
    double line_sigma_in; // 1 sigma across the outermost circle; at the worst of 8 places
    double rms_px;        // of the circles against the new fit
};

// Fits the pose anew; radii, line width and distortion stay. When out->seen, *board holds the new camera, otherwise it
// is as it was. A board whose quadrant lines were never seen (board->turn_seen), or are not now, keeps its turn:
// circles do not show it. RS_ENOMEM.
int board_refit(struct refit *out, struct board_pose *board, const struct frame *f, const struct tuning *tuning,
                struct fail *why);

// How far the picture of the board has moved between two cameras: the largest displacement of any place on it, in
// inches on the board. INFINITY when a part of it is out of the view of one.
double board_shift_in(const struct board *b, const struct camera *from, const struct camera *to);

#endif
