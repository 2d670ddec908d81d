// SPDX-License-Identifier: MIT
// piece_size.h: how large the pieces are, in the board's own inches.
//
// A found board takes its scale from its outermost circle, and boards differ: on photographs of real ones discs measure
// from 0.54 to 0.70 in where the outermost circle is taken for 12. The pieces themselves say it.
#ifndef RINGSIDE_VISION_PIECES_PIECE_SIZE_H
#define RINGSIDE_VISION_PIECES_PIECE_SIZE_H

#include "vision/frame.h"
#include "vision/pieces/cylinder_window.h"
#include "vision/detection.h"
#include "vision/tuning.h"

// *scale: by how much the pieces are larger than the board's nominal ones; 1 when they are as they should be, or too
// few can be seen. `place`: where pieces surely stand, the surest first. `bare`: the empty board. 0, or RS_ENOMEM.
int piece_size_measure(double *scale, const struct pt_in *place, int places, const struct frame *f,
                       const struct surroundings *bare, struct fail *why);

// The board with pieces of that scale.
void piece_size_apply(struct board *b, double scale);

#endif
