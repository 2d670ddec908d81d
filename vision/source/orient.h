// SPDX-License-Identifier: MIT
// orient.h: pictures turned upright, as EXIF and video containers say how the camera was held.
#ifndef RINGSIDE_VISION_SOURCE_ORIENT_H
#define RINGSIDE_VISION_SOURCE_ORIENT_H

#include <stddef.h>
#include <stdint.h>

#include "vision/frame.h"

// How to turn what was stored to see it upright; the numbers are those of EXIF's Orientation tag.
enum orientation {
    ORIENT_UPRIGHT = 1,
    ORIENT_MIRROR = 2, // left and right swapped
    ORIENT_HALF_TURN = 3,
    ORIENT_MIRROR_HALF = 4, // top and bottom swapped
    ORIENT_TRANSPOSE = 5,   // rows become columns
    ORIENT_RIGHT = 6,       // a quarter turn clockwise
    ORIENT_TRANSVERSE = 7,
    ORIENT_LEFT = 8, // a quarter turn anticlockwise
};

// Replaces *f by its turned copy and frees the old one; t_s and number stay. RS_ENOMEM when memory is short, then *f is
// as it was.
int frame_orient(struct frame **f, enum orientation how, struct fail *why);

// What the EXIF block of a JPEG says; ORIENT_UPRIGHT when there is none or it makes no sense.
enum orientation jpeg_orientation(const uint8_t *jpeg, size_t size);

#endif
