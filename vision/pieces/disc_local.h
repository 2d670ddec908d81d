// SPDX-License-Identifier: MIT
// disc_local.h: the picture of what is near a place on the board, to first order: a piece is small against its distance
// from the camera. Inline, for it is asked of millions of pixels.
#ifndef RINGSIDE_VISION_PIECES_DISC_LOCAL_H
#define RINGSIDE_VISION_PIECES_DISC_LOCAL_H

#include <math.h>
#include <stdbool.h>

#include "calibration/board.h"
#include "calibration/camera.h"
#include "vision/pieces/disc_spots.h"

struct disc_local {
    struct pt_in at, near; // the place, and the direction of the camera
    struct pt_px foot, top;
    double J[2][2][2];        // at the foot and at the top, of a step towards the camera and of one to its left
    struct pt_in middle;      // of the board, by the same steps
    double hole_radius_in;    // 0: there is none near
    double surface_radius_in; // 0: it ends nowhere near
};

// False where the camera cannot see it. `eye`: where the camera is.
static inline bool disc_local_look(struct disc_local *out, const struct camera *c, struct pt3_in eye,
                                   const struct board *b, struct pt_in at)
{
    struct pt3_in foot = { at.x, at.y, 0 }, top = { at.x, at.y, b->piece_height_in };
    double J[2][2][2], x = eye.x - at.x, y = eye.y - at.y, far = hypot(x, y), r = hypot(at.x, at.y);
    x = far > 0 ? x / far : 1;
    y = far > 0 ? y / far : 0;
    if (!camera_project(&out->foot, c, foot) || !camera_project(&out->top, c, top) || !camera_jacobian(J[0], c, foot) ||
        !camera_jacobian(J[1], c, top))
        return false;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 2; i++) {
            out->J[k][i][0] = J[k][i][0] * x + J[k][i][1] * y;
            out->J[k][i][1] = J[k][i][1] * x - J[k][i][0] * y;
        }
    out->middle = (struct pt_in){ -at.x * x - at.y * y, at.x * y - at.y * x };
    // Rings show what lies farther off than a piece, and than what it hides behind it: up to three times as far where
    // they are the least that blur allows.
    const double shown_in = 3 * (b->piece_radius_in + b->piece_height_in * far / eye.z);
    const bool lines = b->circles > 0; // else it is the floor of a ditch (ditch.h), whose end the board does not give
    out->hole_radius_in = r < b->hole_radius_in + shown_in ? b->hole_radius_in : 0;
    out->surface_radius_in = lines && r > b->surface_radius_in - shown_in ? b->surface_radius_in : 0;
    out->at = at;
    out->near = (struct pt_in){ x, y };
    return true;
}

static inline struct pt_px disc_local_pixel(const struct disc_local *l, struct disc_spot s)
{
    double dx = s.dx, dy = s.dy, up = s.up;
    double fu = l->foot.u + l->J[0][0][0] * dx + l->J[0][0][1] * dy,
           tu = l->top.u + l->J[1][0][0] * dx + l->J[1][0][1] * dy;
    double fv = l->foot.v + l->J[0][1][0] * dx + l->J[0][1][1] * dy,
           tv = l->top.v + l->J[1][1][0] * dx + l->J[1][1][1] * dy;
    return (struct pt_px){ fu + up * (tu - fu), fv + up * (tv - fv) };
}

// How far the plane's point that would be seen at a pixel, if nothing stood before it, lies outside of a circle about
// the board's middle, in pixels; less than 0: inside.
static inline double disc_local_outside_px(const struct disc_local *l, struct pt_px p, double radius_in)
{
    const double(*J)[2] = l->J[0];
    double du = p.u - l->foot.u, dv = p.v - l->foot.v, det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
    double x = (J[1][1] * du - J[0][1] * dv) / det - l->middle.x, y = (J[0][0] * dv - J[1][0] * du) / det - l->middle.y;
    double off = 1 - radius_in / sqrt(x * x + y * y + 1e-12); // of the way from the middle
    double off_u = off * (J[0][0] * x + J[0][1] * y), off_v = off * (J[1][0] * x + J[1][1] * y);
    double px = sqrt(off_u * off_u + off_v * off_v);
    return off < 0 ? -px : px;
}

#endif
