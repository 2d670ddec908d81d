// SPDX-License-Identifier: MIT
// blocks.h: how much of what is wrong with a picture's pixels was made by compression in blocks.
//
// JPEG, MJPEG and most video round each block of 8 x 8 pixels by itself. Noise and grain differ as much from pixel to pixel
// within a block as across its border; what rounding did differs across the border alone.
#ifndef RINGSIDE_VISION_BOARD_BLOCKS_H
#define RINGSIDE_VISION_BOARD_BLOCKS_H

#include "vision/frame.h"
#include "vision/sighting.h"

// 0..1: of the variance of the pixels' errors where the board lies, the share that a whole block has in common. 1: nothing of
// the picture's own grain is left. 0: not compressed, or cut and resized since.
double blocks_share(const struct frame *f, const struct found_board *on);

#endif
