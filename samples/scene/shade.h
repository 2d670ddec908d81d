// SPDX-License-Identifier: MIT
// shade.h: the light that a ray brings back.
#ifndef RINGSIDE_SAMPLES_SCENE_SHADE_H
#define RINGSIDE_SAMPLES_SCENE_SHADE_H

#include "samples/scene/noise.h"
#include "samples/scene/trace.h"

// Linear light before exposure. Soft shadows take one place of the lamp by chance: average several rays.
struct vec shade_ray(const struct scene *s, const struct ray *r, struct chance *c);

#endif
