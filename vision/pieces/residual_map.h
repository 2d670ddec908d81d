// SPDX-License-Identifier: MIT
// residual_map.h: where marbles may lie on a carpet: the cheap test before the fit.
//
// A marble may be six pixels wide, so what counts is not its rim but that a spot of its size is unlike the carpet: its
// mean colour, or how unevenly bright it is (clear glass has the carpet's mean and a highlight). Both are measured
// against how much spots of the same size differ by the carpet's own texture (a matched filter on whitened data). The
// ring's line is predicted from what it looks like along its length and subtracted first.
#ifndef RINGSIDE_VISION_PIECES_RESIDUAL_MAP_H
#define RINGSIDE_VISION_PIECES_RESIDUAL_MAP_H

#include "vision/frame.h"
#include "vision/peaks.h"
#include "vision/tuning.h"
#include "vision/pieces/roi.h"
#include "vision/detection.h"

enum { RESIDUAL_PEAKS_MAX = 160 };

// How much the carpet's own spots differ: each channel's means, the unevenness of luma; away from the line and near it.
struct residual_scale {
    double centre[4][2], scale[4][2];
};

// Contact points of marbles whose centres are seen there, peak_apart of a marble's radius apart; their score is how
// unlike the carpet they are, in sigmas. How many, or RS_ENOMEM, RS_ELIB. Looks everywhere and says what is usual; or,
// when `where` is not NULL, there alone, by what was usual before.
int residual_map_find(struct peak out[RESIDUAL_PEAKS_MAX], const struct frame *f, const struct board_pose *pose,
                      struct residual_scale *usual, const struct roi *where, const struct marble_tuning *t,
                      struct fail *why);

#endif
