// SPDX-License-Identifier: MIT
// find.h: one board in a picture, or none: where it lies, and the camera that sees it so.
#ifndef RINGSIDE_VISION_BOARD_FIND_H
#define RINGSIDE_VISION_BOARD_FIND_H

#include "calibration/camera.h"
#include "vision/frame.h"
#include "vision/detection.h"
#include "vision/tuning.h"

// Looks for `wanted` in the frame. `lens` may be NULL: then the focal length is fitted, or taken at a webcam's usual
// value where the picture leaves it open (one circle, or a view from straight above); f_sigma_px says how well it is
// known. Where tuning->hint says that it lies, and nowhere else: RS_EINPUT when that is outside the picture. out->found
// is false, with the reason in *why, when there is no such board; that is a result and returns 0.
// RS_ENOMEM; RS_ELIB when OpenCV fails; RS_EINPUT when the lens is not one for pictures of this shape; RS_EENDED
// between two tries (interrupt.h): a search in which nothing is found takes seconds on a small computer.
int board_find(struct board_pose *out, struct frame *f, const struct board *wanted, const struct lens *lens,
               const struct tuning *tuning, struct fail *why);

#endif
