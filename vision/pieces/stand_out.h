// SPDX-License-Identifier: MIT
// stand_out.h: a disc or ring fitted to what it changes of an empty board that is known.
//
// The ground needs no model: lines, grain, pegs and numerals are known as they are. So much less contrast is enough than in
// a photo, where a piece has to be told from all that might be painted on a board.
#ifndef RINGSIDE_VISION_PIECES_STAND_OUT_H
#define RINGSIDE_VISION_PIECES_STAND_OUT_H

#include "vision/board/surface.h"
#include "vision/pieces/solid_fit.h"

// As solid_fit_run, all but fit->uneven, against the empty board that looked at the frame last. False also where too much of
// the board is unknown, and where the outline is the empty board's own: then not a piece came, but one left.
bool stand_out_fit(struct solid_fit *fit, const struct frame *f, const struct surface *empty, const struct solid *s,
                   const struct surroundings *near);

// Places where a face, all of it, differs from the empty board and what is around it does not: up to `most` in all are added to
// the `n` that are given, none within `apart_in` of another. How many there are then.
int stand_out_places(struct pt_in *at, int n, int most, const struct surface *empty, const struct solid *s,
                     double apart_in, const struct found_board *on);

// Does its whole face look like the empty board?
bool stand_out_nowhere(const struct surface *empty, const struct solid *s, struct pt_in at,
                       const struct found_board *on);

#endif
