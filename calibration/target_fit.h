// SPDX-License-Identifier: MIT
// target_fit.h: the focal length from the printed target that lies flat beside or inside a circle of known size.
//
// One circle fits a camera of any focal length, looking from somewhat elsewhere. Seen from there a flat chessboard is
// no longer square, or not where the plane's perspective has it of that size: circle, corners and what is believed of
// the lens are fitted together. The circle enters as points along where it was found.
#ifndef RINGSIDE_CALIBRATION_TARGET_FIT_H
#define RINGSIDE_CALIBRATION_TARGET_FIT_H

#include "calibration/camera.h"
#include "calibration/chessboard.h"
#include "calibration/pose_fit.h"

enum { TARGET_FIT_CIRCLE_POINTS = 24 };

struct target_fit {
    // in
    struct camera camera;                    // as the circle alone was fitted; out: with the target
    double radius_in;                        // of the circle, about the board's centre
    double circle_sigma_px;                  // 1 sigma of each of TARGET_FIT_CIRCLE_POINTS independent points along it
    double square_in;                        // of the target
    struct fit_prior lens[FIT_LENS_NUMBERS]; // what is believed of the lens; every sigma above 0

    // out
    double f_sigma_px;
    double corners_px; // rms of the corners in u or v
    double printed;    // size of the target's squares against square_in
};

// RS_EINPUT when the chessboard does not lie flat in the circle's plane, or is not of that size; RS_ENOMEM.
int target_fit_solve(struct target_fit *fit, const struct chessboard *seen, struct fail *why);

#endif
