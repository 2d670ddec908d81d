// SPDX-License-Identifier: MIT
#include "vision/pieces/difference.h"

#include <math.h>

#include "calibration/algebra.h"

enum face_shows difference_of_face(const struct known_board *k, const struct cylinder *s, struct pt_in at)
{
    enum { RAYS = 36, RINGS = 3 };
    const double inner = s->hole_in / s->radius_in;
    double by = 0, unshaded = 0;
    int known = 0;
    for (int i = 0; i < RAYS && k->empty; i++) {
        double part = inner + (k->t->known_face_part - inner) * (i % RINGS + 1) / RINGS, angle = 2 * PI * i / RAYS;
        struct pt_in p = { at.x + part * s->radius_in * cos(angle), at.y + part * s->radius_in * sin(angle) };
        struct background_difference d =
            background_differs(k->empty, background_sight(&k->eye, p, s->base_in + s->height_in));
        if (isnan(d.by))
            continue;
        by += d.by;
        unshaded += d.unshaded;
        known++;
    }
    if (2 * known < RAYS)
        return FACE_UNKNOWN;
    if (by < k->t->known_bare * known)
        return FACE_BARE;
    return unshaded < k->t->known_shadow * known ? FACE_SHADED : FACE_DIFFERS;
}
