// SPDX-License-Identifier: MIT
// line_refine.h: from a coarse pose and the circles' rough radii to the fit that the pixels allow.
//
// Trace the lines where the pose predicts them, fit the pose to the traces, and again with a narrower window, until the
// lines lie where they are predicted. Whether the board is the nominal one is decided by the fit: held radii must explain
// the lines as well as free ones.
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
    double coverage; // 0..1: share of the lines' length that is seen where the fit puts it, by length
    bool nominal;    // the radii are the board's own
};

// `camera`: coarse pose in board inches. `lens`: what is believed of the numbers of its lens; sigma 0: held as they are in it.
// RS_EINPUT, with the reason, when the lines do not bear it out.
int line_refine(struct refined *out, const struct frame *f, const struct camera *camera,
                const struct fit_prior lens[FIT_LENS_NUMBERS], const struct pattern *pattern, const struct board *board,
                const struct board_tuning *t, struct fail *why);

#endif
