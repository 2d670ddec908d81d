// SPDX-License-Identifier: MIT
// disc_ground.h: what the empty board looks like in a picture, all of it, though people, arms and pieces hide much.
//
// A board has one look at each radius, its paint, in a light that changes slowly from one side to the other: the median
// of a circle, and two waves around it that grow with the radius. Colours are CIE L*a*b* in units of the picture's
// noise (disc_contrast.h), to which the waves are added: near enough where light changes by a fraction.
#ifndef RINGSIDE_VISION_PIECES_DISC_GROUND_H
#define RINGSIDE_VISION_PIECES_DISC_GROUND_H

#include "calibration/units.h"
#include "vision/pieces/disc_contrast.h"

enum { GROUND_STEPS = 140 }; // radii, a tenth of an inch apart or, on a large board, more, and as many directions

// What the pieces stand on, as the picture shows it.
struct disc_ground {
    bool known;
    double noise[3];              // CIE L*a*b*: what a pixel differs from its surroundings by
    double reach_in;              // radius of the outermost line: beyond it light is as at the line
    float empty[GROUND_STEPS][3]; // the board at each radius, divided by that
    float light[4][3];            // what the light adds at the outermost line
};

// The picture on circles around the board's middle: where it is looked at, and what is seen there if anything is.
struct ground_view {
    struct pt_in at[GROUND_STEPS][GROUND_STEPS];
    struct noise_lab lab[GROUND_STEPS][GROUND_STEPS];
    bool seen[GROUND_STEPS][GROUND_STEPS];
};
void disc_ground_places(struct ground_view *view, double reach_in);

// Sets empty and light. `noise` and `reach_in` are known already; what differs by more than `least` times the noise is
// not the board.
void disc_ground_fit(struct disc_ground *out, const struct ground_view *view, double least);

// What the bare board looks like at a place, as if it were painted there as at that radius.
struct noise_lab disc_ground_at(const struct disc_ground *g, struct pt_in at, double radius_in);

// CIE L* of the paint of most of the board within the outermost line, in the light at that place.
double disc_ground_l(const struct disc_ground *g, struct pt_in at);

// How many times the noise what is seen differs from the bare board, whatever lamp that mirrors: light of a lamp adds,
// as white, to what varnished wood shows. Such a lamp fills a channel at least, or is known to be mirrored beside it.
double disc_ground_odd(const struct disc_ground *g, const struct noise_lab *seen, const struct noise_lab *empty,
                       bool lamp_beside);

// Whether that may be the bare board mirroring a lamp, though else it would not be: then it says nothing of a piece.
bool disc_ground_may_glare(const struct disc_ground *g, const struct noise_lab *seen, const struct noise_lab *empty,
                           double least, bool lamp_beside);

#endif
