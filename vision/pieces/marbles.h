// SPDX-License-Identifier: MIT
// marbles.h: the marbles of one still frame, and which of them is the taw.
#ifndef RINGSIDE_VISION_PIECES_MARBLES_H
#define RINGSIDE_VISION_PIECES_MARBLES_H

#include "vision/frame.h"
#include "vision/sighting.h"

// As pieces_find, for a board that is played with marbles. `colour` and `taw` are set.
int marbles_find(struct piece_list *out, const struct frame *f, const struct found_board *on, struct fail *why);

#endif
