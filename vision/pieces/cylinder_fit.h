// SPDX-License-Identifier: MIT
// cylinder_fit.h: a disc or ring fitted to the pixels around it.
//
// The model (cylinder_model.h) is the picture that a solid of known size throws when it stands at (x, y) in the
// picture's light. Colours enter linearly and are solved for each place, the place itself by Gauss-Newton with the
// colours projected out (variable projection: Golub, Pereyra 1973; Kaufman 1975), with Tukey weights against pegs,
// fingers and highlights. How far the outline lies outside of the model's, and the rounding of the edges, are fitted
// too, under a prior.
#ifndef RINGSIDE_VISION_PIECES_CYLINDER_FIT_H
#define RINGSIDE_VISION_PIECES_CYLINDER_FIT_H

#include "vision/frame.h"
#include "vision/pieces/cylinder.h"
#include "vision/pieces/cylinder_window.h"
#include "vision/detection.h"

struct cylinder_fit {
    struct pt_in at;    // in: the guess; out: the place
    double rounding_in; // radius of its edges' rounding; in: like blur_in and grow_in, of a near fit before
    double blur_in;     // sigma of its edges; in: 0 when there was no fit before
    struct cov_in2 cov; // from the fit alone
    double grow_in;     // how far its outline seems to lie outside of the model's
    double top[3];      // colour (colour.h) of the top face
    double ground[3];   // of the ground around it
    double floor[3];    // of what is seen through a ring's hole
    double contrast;    // between top and ground, in units of the ground's scatter
    double explained;   // 0..1: how much of the pixels' variance the solid explains beyond the ground alone
    double support;     // 0..1: share of its visible outline where the colour steps as the model says
    double uneven;      // share of the top's pixels that the model does not explain
    double larger;      // change of `explained` for a solid 12 % larger ...
    double smaller;     // ... and smaller: both are negative for a piece of this size
};

enum { OUTLINE_SECTORS = 24 }; // directions in which an outline is looked for

enum fit_effort {
    FIT_SIZE,  // how large is it? `grow_in` is free; sets `larger` and `smaller`
    FIT_JUDGE, // is there one? Sets `larger`
    FIT_NEAR,  // about where is it? Sets neither
    FIT_PLACE, // where is it? Sets neither, and goes on until the place converges
};

// False when there are too few pixels to say anything, or the fit wanders off.
bool cylinder_fit_run(struct cylinder_fit *fit, const struct frame *f, const struct cylinder *s,
                      const struct surroundings *near, enum fit_effort care);

#endif
