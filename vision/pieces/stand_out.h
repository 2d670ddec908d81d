// SPDX-License-Identifier: MIT
// stand_out.h: a disc or ring fitted to what it changes of an empty board that is known.
//
// The ground needs no model: lines, grain, pegs and numerals are known as they are. So much less contrast is enough than in
// a photo, where a piece has to be told from all that might be painted on a board.
#ifndef RINGSIDE_VISION_PIECES_STAND_OUT_H
#define RINGSIDE_VISION_PIECES_STAND_OUT_H

#include "vision/board/background.h"
#include "vision/pieces/solid_fit.h"

// As solid_fit_run, but that fit->uneven is the variance of its face in units of the noise's, against the empty board that looked at the frame last. False also where too much of
// the board is unknown, where its grain shows through, as in a shadow, and where the outline is the empty board's own: then not
// a piece came, but one left.
bool stand_out_fit(struct solid_fit *fit, const struct frame *f, const struct background *empty, const struct solid *s,
                   const struct surroundings *near);

#endif
