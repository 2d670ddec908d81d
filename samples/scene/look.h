// SPDX-License-Identifier: MIT
// look.h: what is painted on the round things that stand about: dials, dishes, covers, targets, rugs, records.
//
// A thing's seed decides its numbers (how many rings, how wide, which ornament), so two of a kind seldom look alike.
#ifndef RINGSIDE_SAMPLES_SCENE_LOOK_H
#define RINGSIDE_SAMPLES_SCENE_LOOK_H

#include "samples/scene/scene.h"

// Linear light of the thing's top under white light of 1, (x, y) inches from its centre.
struct vec look_colour(const struct solid *o, double x, double y);

// How glossy it is (0 matt .. 1 varnish) and how wide its reflections are, radians.
void look_gloss(double *gloss, double *rough, const struct solid *o);

#endif
