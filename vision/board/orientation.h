// SPDX-License-Identifier: MIT
// orientation.h: the turn of a found board about its axis, from its four quadrant lines.
#ifndef RINGSIDE_VISION_BOARD_ORIENTATION_H
#define RINGSIDE_VISION_BOARD_ORIENTATION_H

#include "vision/frame.h"
#include "vision/detection.h"
#include "vision/tuning.h"

// Turns a found board in the picture (camera_turn), its fit, covariance and line deviations included.
void board_pose_turn(struct board_pose *found, double angle_rad);

// Turns found->camera so that the x axis runs along a quadrant line (the one nearest to where it was). Nothing is
// turned when no four lines stand out; found->turn_seen says which. RS_ENOMEM.
int board_orient(struct board_pose *found, const struct frame *f, const struct board_tuning *t, struct fail *why);

#endif
