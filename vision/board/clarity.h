// SPDX-License-Identifier: MIT
// clarity.h: what the picture is like where a found board lies: how much of each line it shows, how sharp, how lit, and
// how much of it compression made.
//
// Each line is looked at as a profile across it, medians over all directions, so that pieces do not count; the blur is
// the one under which a line of the measured width shows the steepest slope that this profile has. JPEG, MJPEG and most
// video round each block of 8 x 8 pixels by itself: noise and grain differ as much from pixel to pixel within a block
// as across its border; what rounding did differs across the border alone.
#ifndef RINGSIDE_VISION_BOARD_CLARITY_H
#define RINGSIDE_VISION_BOARD_CLARITY_H

#include "vision/detection.h"
#include "vision/frame.h"
#include "vision/tuning.h"

// RS_ENOMEM.
int clarity_measure(struct clarity *out, const struct frame *f, const struct board_pose *pose,
                    const struct board_tuning *t, struct fail *why);

// The blur to fit pieces with, sigma in pixels: a usual one where nobody measured.
double board_blur_px(const struct board_pose *pose, const struct board_tuning *t);

#endif
