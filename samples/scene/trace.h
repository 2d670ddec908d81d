// SPDX-License-Identifier: MIT
// trace.h: what a ray meets first.
#ifndef RINGSIDE_SAMPLES_SCENE_TRACE_H
#define RINGSIDE_SAMPLES_SCENE_TRACE_H

#include "samples/scene/scene.h"

struct ray {
    struct vec from, along; // along has length 1
};

enum part { PART_NOTHING, PART_TABLE, PART_SURFACE, PART_HOLE, PART_DITCH, PART_RAIL, PART_SOLID, PART_LIMB };

struct hit {
    enum part part;
    double far_in; // along the ray
    struct vec at, normal;
    int index; // of the solid or limb
};

// The nearest hit closer than `limit_in`; part is PART_NOTHING when there is none.
struct hit trace_first(const struct scene *s, const struct ray *r, double limit_in);

// The nearest hit on the index-th solid alone.
struct hit trace_solid(const struct scene *s, const struct ray *r, int index);

// The ray that a picture's point looks along. False where the lens cannot be undone.
bool trace_pixel(struct ray *out, const struct camera *c, struct pt_px at);

#endif
