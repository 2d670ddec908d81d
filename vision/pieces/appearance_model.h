// SPDX-License-Identifier: MIT
// appearance_model.h: what the pieces of a side look like, learnt from those of the same picture that were found surely.
//
// What a fit explains is measured against all else that is near: a figure painted beside a disc, the hole's rim or a hard
// shadow take it away from a dark disc on a dark board. Once the side's paint is known, none of that matters: where the
// picture shows just that paint all over a piece's face and all around something else, there is a piece.
#ifndef RINGSIDE_VISION_PIECES_APPEARANCE_MODEL_H
#define RINGSIDE_VISION_PIECES_APPEARANCE_MODEL_H

#include "vision/frame.h"
#include "vision/pieces/appearance_tuning.h"
#include "vision/pieces/cylinder_window.h"

enum { APPEARANCE_SAMPLES = 4000 };

struct appearance_model {
    double lab[3]; // middle of its pixels
    const struct appearance_tuning *tuning;
    double reach; // colour_paint_distance from there within which a pixel is taken to have it
};

// The paint's pixels are taken from pieces one by one, then the paint is known.
struct appearance_samples {
    const struct frame *f;
    const struct cylinder *shape; // what the pieces are
    const struct appearance_tuning *tuning;
    int n, grounds;                       // of the following; pixels beyond so many tell nothing new
    double lab[3][APPEARANCE_SAMPLES];    // of faces
    double ground[3][APPEARANCE_SAMPLES]; // of what lies around them
};

// Adds the face of a piece that stands at `at`; `near` as for its fit.
void appearance_add(struct appearance_samples *s, struct pt_in at, const struct surroundings *near);

// False when too few pixels were added.
bool appearance_learn(struct appearance_model *out, const struct appearance_samples *s);

// How a place looks to one who knows the paint.
struct appearance_match {
    double face;    // share of the face's pixels that have it
    double outline; // share of the directions in which the face has it and what lies around has not
    double seen;    // share of the directions in which both can be seen, the surface around it
};

// False when the place cannot be seen.
bool appearance_compare(struct appearance_match *out, const struct appearance_model *paint, const struct frame *f,
                        const struct cylinder *shape, struct pt_in at, const struct surroundings *near);

#endif
