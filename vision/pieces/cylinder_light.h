// SPDX-License-Identifier: MIT
// cylinder_light.h: the light in which discs and rings stand: how it shades them, and the shadows they throw.
//
// One lamp and an even sky (cylinder.h), by the ground around all solids.
#ifndef RINGSIDE_VISION_PIECES_CYLINDER_LIGHT_H
#define RINGSIDE_VISION_PIECES_CYLINDER_LIGHT_H

#include "vision/frame.h"
#include "vision/pieces/cylinder_window.h"

enum { CYLINDER_LIT_PIECES = 14 }; // the first so many say it

// The light that suits the shadows of all solids of near->neighbour best. When they show none, the far light is taken
// to stand above, as strong as the ground beside them is bright; all is sky when they are too few to distinguish
// shadows from what is painted beside them. 0, or RS_ENOMEM.
int cylinder_light_measure(struct cylinder_light *out, const struct frame *f, const struct surroundings *near,
                           struct fail *why);

#endif
