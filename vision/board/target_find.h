// SPDX-License-Identifier: MIT
// target_find.h: the printed target lying on the plane of a found board, and the focal length measured from it.
#ifndef RINGSIDE_VISION_BOARD_TARGET_FIND_H
#define RINGSIDE_VISION_BOARD_TARGET_FIND_H

#include "calibration/target_fit.h"
#include "vision/frame.h"
#include "vision/detection.h"

// 1 when the target lies there and out->camera is the board's camera with it, its lens saying how well f is known. 0
// with the reason in *why when none is seen, or it does not lie flat there. RS_ELIB, RS_ENOMEM.
int target_find(struct target_fit *out, struct frame *f, const struct board_pose *pose, struct fail *why);

#endif
