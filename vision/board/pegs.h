// SPDX-License-Identifier: MIT
// pegs.h: the pegs of a board of circles, upright bars on its innermost circle.
#ifndef RINGSIDE_VISION_BOARD_PEGS_H
#define RINGSIDE_VISION_BOARD_PEGS_H

#include "calibration/board.h"
#include "calibration/camera.h"
#include "vision/detection.h"
#include "vision/frame.h"
#include "vision/tuning.h"

// Pegs as they stand on a board, which says how many and how wide they are.
struct pegs {
    int count; // 0: none are known
    struct pt_in at[BOARD_MAX_PEGS];
};

// Where grey is read from: 0 to 255, between pixels, and something of that range outside of the picture.
struct grey_picture {
    double (*at)(const void *picture, double u, double v);
    const void *picture;
};

// 0..1: how much of the pegs stands where it should, at the turn that shows most of them, and where they stand then.
// The one that shows least is left out: it may be hidden. A board of fewer than two pegs has none: 0.
double pegs_measure(struct pegs *out, const struct board *b, const struct camera *c, struct grey_picture grey,
                    const struct oblique_tuning *t);

// The same in a frame with pixels; none where less of them than pegs_least stands.
void pegs_find(struct pegs *out, const struct frame *f, const struct board_pose *pose, const struct oblique_tuning *t);

#endif
