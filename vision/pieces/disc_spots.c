// SPDX-License-Identifier: MIT
#include "vision/pieces/disc_spots.h"

#include <math.h>

#include "calibration/units.h"

enum { TOP_CIRCLES = 4 };
static const double RING_SCALE[OUTLINE_RINGS] = { 0.6, 0.82, 1.2, 1.4, 1.65 };

// Angles are counted counter-clockwise from the direction of the camera.
struct density {
    int on_circle[TOP_CIRCLES]; // of the top face
    int side_angles, side_heights;
    int outline_angles;
};
static const struct density DENSITY[] = {
    [SPOTS_COARSE] = { { 1, 0, 6, 8 }, 5, 1, 16 }, [SPOTS_FULL] = { { 1, 6, 12, 16 }, 9, 3, 32 }
};

void disc_spots_lay(struct disc_spots *out, const struct board *b, enum spots_density density)
{
    const struct density *d = &DENSITY[density];
    // Of a disc's face from the middle to near the rim, of a ring's what there is of it.
    const double disc[TOP_CIRCLES] = { 0, 0.3, 0.55, 0.8 };
    double radius_in = b->piece_radius_in, hole = b->piece_hole_radius_in / radius_in;
    *out = (struct disc_spots){ .angles = d->outline_angles };
    for (int k = 0; k < TOP_CIRCLES; k++)
        for (int i = 0; i < d->on_circle[k]; i++) {
            double a = 2 * PI * i / d->on_circle[k],
                   r = (hole > 0 ? hole + (1 - hole) * (0.3 + 0.4 * k / (TOP_CIRCLES - 1)) : disc[k]) * radius_in;
            out->top[out->tops++] = (struct disc_spot){ r * cos(a), r * sin(a), 1 };
        }
    for (int h = 1; h <= d->side_heights; h++)
        for (int i = 0; i < d->side_angles; i++) {
            double a = PI / 3 * (2.0 * i / (d->side_angles - 1) - 1);
            out->side[out->sides++] =
                (struct disc_spot){ radius_in * cos(a), radius_in * sin(a), (double)h / (d->side_heights + 1) };
        }
    for (int i = 0; i < d->outline_angles; i++) {
        double a = 2 * PI * i / d->outline_angles, up = cos(a) > 0.05 ? 0 : 1; // the top's rim hides what is behind
        out->outline[i] = (struct disc_spot){ radius_in * cos(a), radius_in * sin(a), up };
    }
    for (int k = 0; k < OUTLINE_RINGS; k++)
        out->scale[k] = k == 0 && hole > 0 ? (1 + hole) / 2 : RING_SCALE[k];
}
