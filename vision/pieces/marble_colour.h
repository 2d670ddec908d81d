// SPDX-License-Identifier: MIT
// marble_colour.h: what a person would call a marble's colour: that of its lit side.
#ifndef RINGSIDE_VISION_PIECES_MARBLE_COLOUR_H
#define RINGSIDE_VISION_PIECES_MARBLE_COLOUR_H

#include "vision/pieces/marble_fit.h"

// `mean`: of all of the marble that is seen (colour.h), lit and shaded; as the light shines on all of them. One of the
// names of colour.h, but for those of wood.
const char *marble_colour(const double mean[3], const struct light *l);

#endif
