// SPDX-License-Identifier: MIT
// pieces.h: every disc, ring or marble of one still frame, in inches.
#ifndef RINGSIDE_VISION_PIECES_PIECES_H
#define RINGSIDE_VISION_PIECES_PIECES_H

#include "vision/board/surface.h"
#include "vision/frame.h"
#include "vision/sighting.h"

// Finds the pieces on a found board by fitting the outline that a solid of the board's piece size throws into the
// picture (design: cylinder with top and side, ring with its hole, sphere). Sides are told apart by colour and named.
// RS_ELIB when OpenCV fails. No piece at all is a result: out->count is 0.
int pieces_find(struct piece_list *out, struct frame *f, const struct found_board *on, struct fail *why);

// The same in a stream: `empty` is its empty board, which looked at this very frame last. What looks bare is no piece, and
// what differs from it by the whole of a piece is one, though a photo would not be enough. NULL: as pieces_find.
int pieces_find_on(struct piece_list *out, struct frame *f, const struct found_board *on, const struct surface *empty,
                   struct fail *why);

#endif
