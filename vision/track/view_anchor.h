// SPDX-License-Identifier: MIT
// view_anchor.h: whether the board lies where it lay in the picture, by that picture itself.
//
// Lines may be too faint to be seen in every frame. But a picture that lies where it lay shows that the board does. The
// part with it is kept as the anchor, and registered with later frames tile by tile: each tile's translation by least
// squares on the image gradient (Lucas, Kanade 1981), with an offset of brightness, robust against what else has
// changed. Good for movements below a pixel: of a larger one the gradients do not correlate with those of before, and
// such a tile does not tell.
#ifndef RINGSIDE_VISION_TRACK_VIEW_ANCHOR_H
#define RINGSIDE_VISION_TRACK_VIEW_ANCHOR_H

#include <stdbool.h>
#include <stdint.h>

#include "vision/detection.h"
#include "vision/frame.h"
#include "vision/tuning.h"

struct view_anchor {
    int width, height;    // of the frame
    struct px_range part; // of it
    uint8_t *luma;        // of that part, rows without padding; NULL: none was taken
    size_t capacity;      // of luma
    double t_s;           // the frame's
};

// Takes the part of a decoded frame that shows the board. *a is { 0 } the first time. RS_ENOMEM.
int view_anchor_take(struct view_anchor *a, const struct frame *f, const struct board_pose *pose,
                     const struct track_tuning *t, struct fail *why);
void view_anchor_finish(struct view_anchor *a);

// How far the picture has moved since, pixels: three in four tiles by no more. False, *shift_px as it was, where too
// few tiles tell: nothing is taken, the frame has another size, there is no texture, or most of it has changed.
bool view_anchor_shift(double *shift_px, const struct view_anchor *a, const struct frame *f,
                       const struct track_tuning *t);

#endif
