// SPDX-License-Identifier: MIT
// units.h: pixels and inches as two types, so that the compiler refuses to mix them.
#ifndef RINGSIDE_CALIBRATION_UNITS_H
#define RINGSIDE_CALIBRATION_UNITS_H

#include <math.h>
#include <stddef.h>

#define PI 3.14159265358979323846
#define countof(a) (sizeof(a) / sizeof((a)[0]))

// Picture: u right, v down; the centre of the top-left pixel is (0, 0). Lens distortion included.
struct pt_px {
    double u, v;
};

// A place of a picture in a copy of it that is `reduction` times smaller, and the other way round. The centre of a
// reduced pixel is the middle of those it covers, not the first of them.
static inline struct pt_px pixel_reduced(struct pt_px p, double reduction)
{
    return (struct pt_px){ (p.u + 0.5) / reduction - 0.5, (p.v + 0.5) / reduction - 0.5 };
}

static inline struct pt_px pixel_enlarged(struct pt_px p, double reduction)
{
    return (struct pt_px){ (p.u + 0.5) * reduction - 0.5, (p.v + 0.5) * reduction - 0.5 };
}

// Board: inches, x right and y up seen from above, the centre of the board (of the ring) is (0, 0).
struct pt_in {
    double x, y;
};

// Between two places of the board.
static inline double distance_in(struct pt_in a, struct pt_in b)
{
    return hypot(a.x - b.x, a.y - b.y);
}

// From p to the nearest point of the way from a to b.
static inline double distance_to_way_in(struct pt_in p, struct pt_in a, struct pt_in b)
{
    double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
    double part = length2 > 0 ? fmin(fmax(((p.x - a.x) * dx + (p.y - a.y) * dy) / length2, 0), 1) : 0;
    return hypot(a.x + part * dx - p.x, a.y + part * dy - p.y);
}

// Board with height: z out of the playing surface, towards the camera.
struct pt3_in {
    double x, y, z;
};

static inline struct pt3_in surface_at(struct pt_in at)
{
    return (struct pt3_in){ at.x, at.y, 0 };
}

// Symmetric 2x2 covariance of a place on the board, square inches.
struct cov_in2 {
    double xx, xy, yy;
};

#endif
