// SPDX-License-Identifier: MIT
// pieces.h: every disc, ring or marble of one still frame, in inches.
#ifndef RINGSIDE_VISION_PIECES_PIECES_H
#define RINGSIDE_VISION_PIECES_PIECES_H

#include "vision/frame.h"
#include "vision/pieces/pieces_known.h"
#include "vision/detection.h"
#include "vision/tuning.h"

// Finds the pieces on a found board: discs and rings by the evidence at each place where one may stand (discs.h), marbles by what
// is left when the carpet is explained (marbles.h); each placed by the fit of its solid. Sides are told apart by colour and named.
// RS_ELIB when OpenCV fails. No piece at all is a result: out->count is 0.
int pieces_find(struct detection_list *out, struct frame *f, const struct board_pose *pose, const struct tuning *tuning,
                struct fail *why);

// The same where so much is known. What looks bare is no piece; what differs from the empty board by the whole of a piece is
// one, though a photo would not show it; what lies untouched is given out first, as it was.
int pieces_find_on(struct detection_list *out, struct frame *f, const struct board_pose *pose,
                   const struct pieces_known *known, const struct tuning *tuning, struct fail *why);

#endif
