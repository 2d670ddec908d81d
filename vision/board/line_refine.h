// SPDX-License-Identifier: MIT
// line_refine.h: from a coarse pose and the circles' rough radii to the fit that the pixels allow.
//
// Trace the lines where the pose predicts them, fit the pose to the traces, and again with a narrower window, until the
// lines lie where they are predicted. Whether the board is the nominal one is decided by the fit: held radii must
// explain the lines as well as free ones.
#ifndef RINGSIDE_VISION_BOARD_LINE_REFINE_H
#define RINGSIDE_VISION_BOARD_LINE_REFINE_H

#include "calibration/pose_fit.h"
#include "vision/board/circle_pattern.h"
#include "vision/frame.h"
#include "vision/tuning.h"

struct refined {
    struct pose_fit fit; // curve i is circle i (middle of the line); CIRCLE_LINE_INSIDE: 0 inside, 1 outside edge of it
    double width_in;     // of the painted line, blur taken off
    double line_deviation_in[BOARD_MAX_CIRCLES][LINE_DEVIATION_TERMS]; // see struct board
    double coverage; // 0..1: share of the lines' length that is seen where the fit puts it
    bool nominal;    // the radii are the board's own
};

// What is known before. All borrowed.
struct line_request {
    const struct frame *frame; // with pixels
    const struct board *board;
    const struct camera *camera;             // coarse, in board inches
    const struct pattern *pattern;           // the lines as they were found
    struct fit_prior lens[FIT_LENS_NUMBERS]; // what is believed of the lens; sigma 0: held as it is in `camera`
    const struct board_tuning *tuning;
};

// RS_EINPUT, with the reason, when the lines do not bear it out. RS_ENOMEM.
int line_refine(struct refined *out, const struct line_request *asked, struct fail *why);

#endif
