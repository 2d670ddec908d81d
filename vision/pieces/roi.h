// SPDX-License-Identifier: MIT
// roi.h: circles on the board: all of what has to be looked at.
#ifndef RINGSIDE_VISION_PIECES_ROI_H
#define RINGSIDE_VISION_PIECES_ROI_H

#include <stdbool.h>

#include "vision/detection.h"
#include "vision/frame.h"

enum { ROI_CIRCLES_MAX = 2 * MAX_PIECES };

struct roi {
    int count;
    bool full; // there were more than fit: all of the board has to be looked at
    struct roi_circle {
        struct pt_in at;
        double reach_in;
    } item[ROI_CIRCLES_MAX];
};

void roi_add(struct roi *p, struct pt_in at, double reach_in);
bool roi_holds(const struct roi *p, struct pt_in at);

// From where to where the line at y_in leads through them, each larger by beyond_in; false when it misses them all.
bool roi_span(double *from_in, double *to_in, const struct roi *p, double y_in, double beyond_in);

// The part of `f` that shows what changed and the surroundings that a piece there is compared with, and the pose as
// if the camera had taken no more; all of the frame where `changed` is NULL or empty, or next to nothing of it is
// seen. The caller frees *out when it is not `f`. RS_ENOMEM.
int roi_cut_out(struct frame **out, struct board_pose *pose, struct frame *f, const struct roi *changed,
                struct fail *why);

#endif
