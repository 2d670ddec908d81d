// SPDX-License-Identifier: MIT
// compression.h: how much of what is wrong with a picture's pixels was made by compression in blocks.
//
// JPEG, MJPEG and most video round each block of 8 x 8 pixels by itself. Noise and grain differ as much from pixel to pixel
// within a block as across its border; what rounding did differs across the border alone.
#ifndef RINGSIDE_VISION_BOARD_COMPRESSION_H
#define RINGSIDE_VISION_BOARD_COMPRESSION_H

#include "vision/frame.h"
#include "vision/detection.h"

// What a whole block has in common of the pixels' errors where the board lies.
struct compression {
    double
        share; // 0..1: of the variance; 1: nothing of the picture's own grain is left, 0: not compressed, or resized since
    double sigma; // 8-bit steps
};

struct compression compression_look(const struct frame *f, const struct board_pose *pose);

#endif
