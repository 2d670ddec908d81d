// SPDX-License-Identifier: MIT
// turn.h: the turn of a found board about its axis, from its four quadrant lines.
#ifndef RINGSIDE_VISION_BOARD_TURN_H
#define RINGSIDE_VISION_BOARD_TURN_H

#include "vision/frame.h"
#include "vision/sighting.h"

// Turns found->camera so that the x axis runs along a quadrant line (the one nearest to where it was). Nothing is changed
// when no four lines stand out. RS_EIO when there is no memory.
int turn_board(struct found_board *found, const struct frame *f, struct fail *why);

#endif
