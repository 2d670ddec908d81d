// SPDX-License-Identifier: MIT
// pieces.h: every disc, ring or marble of one still frame, in inches.
#ifndef RINGSIDE_VISION_PIECES_PIECES_H
#define RINGSIDE_VISION_PIECES_PIECES_H

#include "vision/frame.h"
#include "vision/pieces/pieces_known.h"
#include "vision/detection.h"
#include "vision/tuning.h"

// Finds the pieces on a found board, in a photograph: discs and rings by the evidence at each place where one may stand
// (discs.h), those in the ditch among them (ditch.h); marbles by what is left when the carpet is explained (marbles.h).
// Each is placed by the fit of its solid; sides are distinguished by colour and named. No piece at all is a result:
// out->count is 0. RS_ENOMEM, RS_ELIB.
int pieces_find(struct detection_list *out, struct frame *f, const struct board_pose *pose, const struct tuning *tuning,
                struct fail *why);

// The same of a frame of a film, of which so much is known:
// - what looks bare is no piece;
// - what differs from the empty board by the whole of a piece is one, though a photograph would not show it;
// - what lies untouched is given out first, as it was;
// - the ditch is looked into only where `known` says so: what falls there is seen falling.
int pieces_find_on(struct detection_list *out, struct frame *f, const struct board_pose *pose,
                   const struct pieces_known *known, const struct tuning *tuning, struct fail *why);

#endif
