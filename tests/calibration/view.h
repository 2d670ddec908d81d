// SPDX-License-Identifier: MIT
// view.h: cameras for tests: a board seen from a distance under a tilt.
#ifndef RINGSIDE_TESTS_CALIBRATION_VIEW_H
#define RINGSIDE_TESTS_CALIBRATION_VIEW_H

#include <math.h>

#include "calibration/camera.h"

// Looks at the board's centre from `distance_in` away, leaning `tilt_rad` from straight above, turned about the board's
// axis by `turn_rad`.
static inline struct camera view_of_board(int width, int height, double f_px, double k1, double tilt_rad,
                                          double turn_rad, double distance_in)
{
    double ct = cos(tilt_rad), st = sin(tilt_rad), c = cos(turn_rad), s = sin(turn_rad);
    struct camera view = {
        .lens = { .width = width,
                  .height = height,
                  .f_px = f_px,
                  .centre = { (width - 1) / 2.0, (height - 1) / 2.0 },
                  .k1 = k1 },
        .pose = { .R = { { c, -s, 0 }, { -ct * s, -ct * c, -st }, { st * s, st * c, -ct } },
                  .t_in = { 0, 0, distance_in } },
    };
    return view;
}

#endif
