// SPDX-License-Identifier: MIT
// pegs.h: the pegs of a board of circles, upright bars on its innermost circle.
#ifndef RINGSIDE_VISION_BOARD_PEGS_H
#define RINGSIDE_VISION_BOARD_PEGS_H

#include "calibration/board.h"
#include "calibration/camera.h"
#include "vision/detection.h"
#include "vision/frame.h"

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

struct peg_contrast {
    double share; // of the luma beside it: a peg is surely seen
    double code;  // luma: what differs by less may be noise
};

// 0..1: how much of the pegs stands where it should, at the turn that shows most of them, and where they stand then. The one that
// shows least is left out: it may be hidden. A board of fewer than two pegs has none: 0.
double pegs_measure(struct pegs *out, const struct board *b, const struct camera *c, struct grey_picture grey,
                    struct peg_contrast plain);

// The same in a frame with pixels; none where less of them than `least` stands.
void pegs_find(struct pegs *out, const struct frame *f, const struct board_pose *pose, struct peg_contrast plain,
               double least);

#endif
