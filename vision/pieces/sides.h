// SPDX-License-Identifier: MIT
// sides.h: whose piece is whose, by colour alone and without being told the colours.
#ifndef RINGSIDE_VISION_PIECES_SIDES_H
#define RINGSIDE_VISION_PIECES_SIDES_H

#include "vision/sighting.h"

// How far two colours (CIE L*a*b*) are apart as paints: shadow and glare count less than hue.
double sides_distance(const double a[3], const double b[3]);

// Splits the pieces into one or two sides by their `lab` and gives all pieces of a side the same colour name.
void sides_tell_apart(struct piece_list *list);

#endif
