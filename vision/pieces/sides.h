// SPDX-License-Identifier: MIT
// sides.h: whose piece is whose, by colour alone and without being told the colours.
#ifndef RINGSIDE_VISION_PIECES_SIDES_H
#define RINGSIDE_VISION_PIECES_SIDES_H

#include "vision/sighting.h"

// Splits the pieces into one or two sides by their `lab` and gives all pieces of a side the same colour name.
void sides_tell_apart(struct piece_list *list);

#endif
