// SPDX-License-Identifier: MIT
// ellipse.h: an ellipse through points of a picture, and the cameras that would see a circle so.
#ifndef RINGSIDE_CALIBRATION_ELLIPSE_H
#define RINGSIDE_CALIBRATION_ELLIPSE_H

#include <stdbool.h>

#include "calibration/camera.h"

enum { ELLIPSE_POINTS_LEAST = 5, ELLIPSE_CAMERAS = 2 };

struct ellipse {
    struct pt_px centre;
    double major_px, minor_px; // semi-axes
    double turn_rad;           // of the major one, from u towards v
};

// Least squares of the conic's own (algebraic) distance. False when the points lie on no ellipse, or leave it open.
bool ellipse_fit(struct ellipse *out, const struct pt_px *points, int n);

// From its centre to the sides of the upright box around it.
struct pt_px ellipse_half_size(const struct ellipse *e);

// A circle of that radius about the board's centre allows two poses, mirrored at the line of sight; the turn about the
// circle's axis is arbitrary. How many were found, or RS_ENOMEM. Distortion is left out.
int ellipse_cameras(struct camera out[ELLIPSE_CAMERAS], const struct ellipse *e, const struct lens *lens,
                    double radius_in, struct fail *why);

#endif
