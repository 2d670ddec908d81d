// SPDX-License-Identifier: MIT
// solid_fit.h: a disc or ring fitted to the pixels around it.
//
// The model is the picture that a solid of known size throws when it stands at (x, y): top face, side and ground, each of
// one colour (the ground may slope), their borders blurred as the picture is. A pixel sees the solid when its line of
// sight comes near enough to the axis between the solid's foot and top, so height and slant need no extra care. For each
// place the colours are solved linearly, the place itself by Gauss-Newton (variable projection: Golub, Pereyra 1973), with
// Tukey weights against pegs, fingers and highlights.
#ifndef RINGSIDE_VISION_PIECES_SOLID_FIT_H
#define RINGSIDE_VISION_PIECES_SOLID_FIT_H

#include "vision/frame.h"
#include "vision/sighting.h"

struct solid {
    enum piece_kind kind;
    double radius_in, height_in;
    double hole_in; // inner radius of a ring
    double base_in; // z of its foot
};

// The solid that a board's piece looks like. Turned and moulded edges are rounded; what is seen as the rim is where the
// rounding has turned by 45 degrees, a little inside and below the sharp edge that a rule book measures.
struct solid solid_of_piece(const struct board *b, double base_in);

// What else is near and must not be taken for this piece's ground.
struct surroundings {
    const struct found_board *board; // its lines, pegs, hole and edge say nothing of the ground's colour
    const struct solid *neighbour;
    const struct pt_in *neighbour_at;
    int neighbours;
};

struct solid_fit {
    struct pt_in at;    // in: the guess; out: the place
    struct cov_in2 cov; // from the fit alone
    double top[3];      // colour (colour.h) of the top face
    double ground[3];   // of the ground around it
    double contrast;    // between the two, in units of the ground's scatter
    double explained;   // 0..1: how much of the pixels' variance the solid explains beyond the ground alone
    double support;     // 0..1: share of its visible outline where the colour steps as the model says
    double uneven;      // share of the top's pixels that have another colour
    double larger;      // change of `explained` for a solid 12 % larger ...
    double smaller;     // ... and smaller: both are negative for a piece of this size
};

enum solid_care {
    SOLID_GLANCE, // a few hundred pixels: is there a piece at all?
    SOLID_CARE,   // all that helps
};

// False when there are too few pixels to say anything, or the fit wanders off.
bool solid_fit_run(struct solid_fit *fit, const struct frame *f, const struct solid *s, const struct surroundings *near,
                   enum solid_care care);

#endif
