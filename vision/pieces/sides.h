// SPDX-License-Identifier: MIT
// sides.h: whose piece is whose, by colour alone and without being told the colours.
#ifndef RINGSIDE_VISION_PIECES_SIDES_H
#define RINGSIDE_VISION_PIECES_SIDES_H

#include "vision/detection.h"

enum { DISC_SIDES = 2, SIDES_MOST = 4 }; // discs are played in two colours, rings in up to four

// How far two colours (CIE L*a*b*) are apart as paints: shadow and glare count less than hue.
double sides_distance(const double a[3], const double b[3]);

// Which pieces have the same paint (paint.h): side[i] is that of the i-th piece, 0 .. result - 1. How many sides there are,
// at most DISC_SIDES of discs and SIDES_MOST of rings: then those that are most alike are one.
int sides_group(int side[MAX_PIECES], const struct detection_list *list);

// Gives all pieces of a side the same colour name, and no two sides the same.
void sides_tell_apart(struct detection_list *list);

#endif
