// SPDX-License-Identifier: MIT
// turn.h: the turn of a found board about its axis, from its four quadrant lines.
#ifndef RINGSIDE_VISION_BOARD_TURN_H
#define RINGSIDE_VISION_BOARD_TURN_H

#include "vision/frame.h"
#include "vision/detection.h"

// Turns the board in the picture: its x axis lies from now on where the direction angle_rad (counter-clockwise) lay.
void turn_camera(struct camera *c, double angle_rad);

// The same of a found board, its fit, covariance and straying lines included.
void turn_found(struct board_pose *found, double angle_rad);

// Turns found->camera so that the x axis runs along a quadrant line (the one nearest to where it was). Nothing is turned
// when no four lines stand out; found->turn_seen says which. RS_EIO when there is no memory.
int turn_board(struct board_pose *found, const struct frame *f, struct fail *why);

#endif
