// SPDX-License-Identifier: MIT
// solid_light.h: the light in which a picture's discs and rings stand: how it shades them, and the shadows they throw.
//
// One far light and an even sky. The far light moves the shadow of what is z above the board by z times the same vector;
// the penumbra is as wide as the light is seen from the board. The sky is partly hidden beside a solid.
#ifndef RINGSIDE_VISION_PIECES_SOLID_LIGHT_H
#define RINGSIDE_VISION_PIECES_SOLID_LIGHT_H

#include "vision/frame.h"
#include "vision/pieces/solid.h"

struct solid_light {
    struct pt_in away; // inches that a shadow moves for each inch of height
    double far;        // 0..1: the far light's share of what falls on the board; 0: no far light is known, all is sky
    double width;      // sigma of the penumbra, in inches for each inch of height
    double hidden;     // 0..1: of the sky behind a solid's side what is dark beside it; the rest the solid sends back
};

struct surroundings;

// Light on a face with this outward normal; 1 on one that looks up.
double solid_light_shade(const struct solid_light *l, struct pt3_in normal);

// Light where the line of sight meets the plane of the foot, beside the solid or through its hole; 1 where nothing is near.
double solid_light_beside(const struct solid_light *l, const struct solid_stand *s, struct pt_in low);
double solid_light_in_hole(const struct solid_light *l, const struct solid_stand *s, struct pt_in low);

// The light that suits the shadows of all solids of near->neighbour best. When they show none, the far light is taken to
// stand above, as strong as the ground beside them is bright; all is sky when they are too few to tell shadows from what is
// painted beside them.
void solid_light_measure(struct solid_light *out, const struct frame *f, const struct surroundings *near);

#endif
