// SPDX-License-Identifier: MIT
// px_box.h: the box in the picture that is read, grown by the places that have to be in it.
#ifndef RINGSIDE_VISION_PIECES_PX_BOX_H
#define RINGSIDE_VISION_PIECES_PX_BOX_H

#include <math.h>
#include <stdbool.h>

#include "calibration/camera.h"
#include "vision/frame.h"

struct px_box {
    struct pt_px low, high;
};

static inline struct px_box px_box_empty(void)
{
    return (struct px_box){ { INFINITY, INFINITY }, { -INFINITY, -INFINITY } };
}

// False when the place cannot be seen.
static inline bool px_box_take(struct px_box *box, const struct camera *c, struct pt3_in at)
{
    struct pt_px p;
    if (!camera_project(&p, c, at))
        return false;
    box->low = (struct pt_px){ fmin(box->low.u, p.u), fmin(box->low.v, p.v) };
    box->high = (struct pt_px){ fmax(box->high.u, p.u), fmax(box->high.v, p.v) };
    return true;
}

// A cylinder whose foot's middle is there: places of its foot's rim and of its top's in turn. False when one of them
// cannot be seen.
static inline bool px_box_take_cylinder(struct px_box *box, const struct camera *c, struct pt3_in foot,
                                        double radius_in, double height_in)
{
    enum { POINTS = 16 };
    bool seen = true;
    for (int k = 0; k < POINTS && seen; k++) {
        double angle = 2 * PI * k / POINTS;
        seen = px_box_take(box, c,
                           (struct pt3_in){ foot.x + radius_in * cos(angle), foot.y + radius_in * sin(angle),
                                            foot.z + (k % 2 ? height_in : 0) });
    }
    return seen;
}

// A circle of that radius about a place, level with the board. False when a part of it cannot be seen.
static inline bool px_box_take_circle(struct px_box *box, const struct camera *c, struct pt3_in middle,
                                      double radius_in)
{
    return px_box_take_cylinder(box, c, middle, radius_in, 0);
}

// The pixels of a picture in the box and so far beside it; there is always one.
static inline struct px_range px_box_range(const struct px_box *box, int beside_px, int width, int height)
{
    return (struct px_range){ (int)fmax(fmin(box->low.u, width - 2) - beside_px, 0),
                              (int)fmin(fmax(box->high.u, 1) + beside_px, width),
                              (int)fmax(fmin(box->low.v, height - 2) - beside_px, 0),
                              (int)fmin(fmax(box->high.v, 1) + beside_px, height) };
}

// The pixels to step so that about `most` samples cover the box; at least 1.
static inline double px_box_stride(const struct px_box *box, int most)
{
    return fmax(1, sqrt((box->high.u - box->low.u) * (box->high.v - box->low.v) / most));
}

#endif
