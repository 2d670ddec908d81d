// SPDX-License-Identifier: MIT
// reduced.h: a smaller copy of a frame, and the lens that would have taken it.
#ifndef RINGSIDE_VISION_REDUCED_H
#define RINGSIDE_VISION_REDUCED_H

#include "calibration/camera.h"
#include "vision/frame.h"

// Each pixel is the mean of the `reduction` times `reduction` that it covers; time and number are kept. The caller frees
// *out. RS_EINPUT when nothing would be left, RS_ELIB.
int frame_reduced(struct frame **out, const struct frame *f, double reduction, struct fail *why);

struct lens lens_reduced(const struct lens *l, double reduction);

#endif
