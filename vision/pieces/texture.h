// SPDX-License-Identifier: MIT
// texture.h: over how many pixels what a carpet's picture is off by hangs together.
//
// A model that is fitted to n pixels is known as well as n independent ones would determine it only where they are
// independent. Tufts, a lens out of focus and a JPEG's blocks make many neighbours off by the same.
#ifndef RINGSIDE_VISION_PIECES_TEXTURE_H
#define RINGSIDE_VISION_PIECES_TEXTURE_H

#include "vision/detection.h"
#include "vision/frame.h"

// The area, in pixels, over which luma's correlation on the floor within the outermost circle sums up to 1 (the
// integral scale of the texture), by differences of pixels so far apart: what changes slowly, as light does, counts as
// even. `noise`: 1 sigma of what each pixel is off by itself, 8-bit steps, which is left out; `reach_px`: what is
// farther apart is independent. 1 where nothing can be seen. `f` is decoded.
double texture_correlated_px(const struct frame *f, const struct board_pose *pose, double noise, double reach_px);

#endif
