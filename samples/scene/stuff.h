// SPDX-License-Identifier: MIT
// stuff.h: the colour of wood, cloth, stone and carpet at a place of a plane.
#ifndef RINGSIDE_SAMPLES_SCENE_STUFF_H
#define RINGSIDE_SAMPLES_SCENE_STUFF_H

#include "samples/scene/scene.h"

// Linear light that comes back from the stuff at (x, y) inches under white light of 1.
struct vec stuff_colour(const struct stuff *m, double x, double y);

#endif
