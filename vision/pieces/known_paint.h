// SPDX-License-Identifier: MIT
// known_paint.h: a piece told by the paint of its side, which surely found pieces of the same picture show.
//
// What a fit explains is measured against all else that is near: a figure painted beside a disc, the hole's rim or a hard
// shadow take it away from a dark disc on a dark board. Once the side's paint is known, none of that matters: where the
// picture shows just that paint all over a piece's face and all around something else, there is a piece.
#ifndef RINGSIDE_VISION_PIECES_KNOWN_PAINT_H
#define RINGSIDE_VISION_PIECES_KNOWN_PAINT_H

#include "vision/frame.h"
#include "vision/pieces/solid_window.h"

enum { KNOWN_PAINT_SAMPLES = 4000 };

struct known_paint {
    double lab[3]; // middle of its pixels
    double reach;  // sides_distance from there within which a pixel is taken to have it
};

// The paint's pixels are taken from pieces one by one, then the paint is known.
struct paint_sampling {
    const struct frame *f;
    const struct solid *solid; // what the pieces are
    int n, grounds;
    double lab[3][KNOWN_PAINT_SAMPLES];    // of faces
    double ground[3][KNOWN_PAINT_SAMPLES]; // of what lies around them
};

// Adds the face of a piece that stands at `at`; `near` as for its fit.
void known_paint_add(struct paint_sampling *s, struct pt_in at, const struct surroundings *near);

// False when too few pixels were added.
bool known_paint_of(struct known_paint *out, const struct paint_sampling *s);

// How a place looks to one who knows the paint.
struct paint_look {
    double face;    // share of the face's pixels that have it
    double outline; // share of the directions in which the face has it and what lies around has not
    double seen;    // share of the directions in which both can be seen, the surface around it
};

// False when the place cannot be seen.
bool known_paint_look(struct paint_look *out, const struct known_paint *paint, const struct frame *f,
                      const struct solid *solid, struct pt_in at, const struct surroundings *near);

#endif
