// SPDX-License-Identifier: MIT
// refit.h: is the board still where it was? The cheap look at a still moment, along the predicted lines only.
#ifndef RINGSIDE_VISION_BOARD_REFIT_H
#define RINGSIDE_VISION_BOARD_REFIT_H

#include "vision/frame.h"
#include "vision/sighting.h"

struct refit {
    bool seen;       // the lines are where the board was, or within a few pixels; false: covered, dark, or knocked away
    double coverage; // 0..1: share of the lines' length that was seen
    double shift_in; // how far the picture of the outermost circle has moved, at most, in inches on the board
    double rms_px;   // of the lines against the new fit
};

// Fits the pose anew; lens, radii and line width stay. When out->seen, *board holds the new pose, otherwise it is as it
// was. Circles do not show a turn about the board's axis: such a turn is not noticed.
void board_refit(struct refit *out, struct found_board *board, const struct frame *f);

#endif
