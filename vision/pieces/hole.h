// SPDX-License-Identifier: MIT
// hole.h: does a piece lie in the centre hole?
//
// An empty hole is round, dark or painted, and nearly of a disc's size. What tells a piece: it has the colour of a side's
// other pieces, in full light because its top is level with the board, and evenly so, where an empty hole shows the shadow
// of its own rim. Black pieces in a dark hole are told only where all of it has just their black. A hole that has the ditch's
// colour is empty as far as a picture tells: makers paint both alike, and a twenty is taken away at once.
#ifndef RINGSIDE_VISION_PIECES_HOLE_H
#define RINGSIDE_VISION_PIECES_HOLE_H

#include "vision/frame.h"
#include "vision/pieces/cylinder_fit.h"

// `near`: what stands around it and may hide it; `others`: the pieces found on the surface; `most_uneven`: share of its top that may
// look otherwise than a side's. True when there is a piece; *fit is its fit.
bool hole_holds_piece(struct cylinder_fit *fit, const struct frame *f, const struct surroundings *near,
                      const struct detection_list *others, double most_uneven);

#endif
