// SPDX-License-Identifier: MIT
// landmarks.h: is it a board that these circles belong to?
//
// Clocks, targets, plates and records have circles around one centre too. A board has landmarks of its own: quadrant
// lines, pegs on the innermost circle, a hole; and between its circles there is bare wood. A ring lies alone on one
// ground. The picture is unrolled around the centre and each row compared with its neighbours, medians over the
// directions, so that pieces and hands hide little of it.
#ifndef RINGSIDE_VISION_BOARD_LANDMARKS_H
#define RINGSIDE_VISION_BOARD_LANDMARKS_H

#include "vision/frame.h"
#include "vision/detection.h"
#include "vision/tuning.h"

struct landmarks {
    int kinds;                  // of quadrant lines, pegs and hole: how many the board has ...
    bool quadrants, pegs, hole; // ... and which are seen
    int extra_circles;          // circles around the centre that are not the board's
    double extra_times;         // radius of the strongest of them, in radii of the outermost circle
    double ground_step; // of a ring's two sides, as a share of the line's contrast; INFINITY: one of them is not seen
    double ground_texture; // ln of how many times as coarse one side is as the other, its size
};

// Looks at `f`, a copy of the picture reduced by `reduction`, where `found` lies, its turn known. RS_ENOMEM.
int landmarks_look(struct landmarks *out, const struct frame *f, double reduction, const struct board_pose *found,
                   const struct board_tuning *t, struct fail *why);

// 0 when it is a board's; RS_EINPUT, with what else it looks like and what to do, when it is not.
int landmarks_judge(const struct landmarks *seen, const struct board *board, const struct board_tuning *t,
                    struct fail *why);

#endif
