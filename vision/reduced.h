// SPDX-License-Identifier: MIT
// reduced.h: a smaller copy of a frame, or of a part of it, and the lens that would have taken it.
#ifndef RINGSIDE_VISION_REDUCED_H
#define RINGSIDE_VISION_REDUCED_H

#include "calibration/camera.h"
#include "vision/frame.h"

// Each pixel is the mean of the `reduction` times `reduction` that it covers; time and number are kept. The caller
// frees *out. RS_EINPUT when nothing would be left, RS_ELIB.
int frame_reduced(struct frame **out, const struct frame *f, double reduction, struct fail *why);

// The same for `part` of the copy, which lies within it; the rest stays black, and costs nothing. RS_ENOMEM too.
int frame_reduced_part(struct frame **out, const struct frame *f, double reduction, const struct px_range *part,
                       struct fail *why);

// The part of a frame that begins at (left, top) and lies within it; time and number are kept. The caller frees *out.
// RS_ENOMEM.
int frame_part(struct frame **out, const struct frame *f, int left, int top, int width, int height, struct fail *why);

struct lens lens_reduced(const struct lens *l, double reduction);

#endif
