// SPDX-License-Identifier: MIT
// sphere_light.h: the light that marbles stand in: where shadows fall, how dark they are, how marbles are lit.
//
// A search over the directions and lengths of shadows for those under which the marbles explain the picture best;
// without a lamp there are none. What lamp and sky do to the marbles' brightness is then fitted to all of them at once.
#ifndef RINGSIDE_VISION_PIECES_SPHERE_LIGHT_H
#define RINGSIDE_VISION_PIECES_SPHERE_LIGHT_H

#include "calibration/fail.h"
#include "vision/pieces/sphere_fit.h"

// What is believed of the light before anything is seen: no lamp.
struct sphere_light sphere_light_unknown(const struct marble_tuning *tuning);

// Sets the light under which the given marbles explain the picture best; the scene's own is not looked at. RS_ENOMEM.
int sphere_light_measure(struct sphere_light *out, const struct sphere_scene *scene, const struct sphere_fit *marbles,
                         int n, struct fail *why);

#endif
