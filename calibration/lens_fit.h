// SPDX-License-Identifier: MIT
// lens_fit.h: a camera's lens from several views of a chessboard: Zhang's method (PAMI 2000) with square pixels.
//
// The start comes from the views' homographies; then all poses and the lens are fitted together with Tukey's weight.
// Focal length, k1, k2 and the principal point are free within wide priors; p1 and p2 are 0. The covariance counts
// how much the views disagree with each other: a bent sheet, a shutter that rolls or a blurred view make whole views
// wrong, which the scatter of corners within them does not show.
#ifndef RINGSIDE_CALIBRATION_LENS_FIT_H
#define RINGSIDE_CALIBRATION_LENS_FIT_H

#include "calibration/camera.h"
#include "calibration/chessboard.h"
#include "calibration/pose_fit.h"

enum { LENS_FIT_MAX_VIEWS = 60, LENS_FIT_MIN_VIEWS = 3 };

struct lens_fit {
    struct lens lens;
    struct pose pose[LENS_FIT_MAX_VIEWS]; // of each view; lengths in squares
    int corners, used;                    // of all views; those that count
    double rms_px;                        // of those that count, in u or v
    double variance_inflation;            // variance between views over what the corners' noise explains; at least 1
    double covariance[FIT_LENS_NUMBERS * FIT_LENS_NUMBERS]; // in the order of enum fit_lens
};

// The views of one camera, all of frames width x height; the board may be another in each. RS_EINPUT when there are
// fewer than LENS_FIT_MIN_VIEWS, or nothing fits; RS_ENOMEM.
int lens_fit_solve(struct lens_fit *out, const struct chessboard *views, int n, int width, int height,
                   struct fail *why);

// 1 sigma of a number of the lens: of the logarithm of f (a share), of k1 and k2, of the principal point in pixels.
double lens_fit_sigma(const struct lens_fit *fit, enum fit_lens which);

// 1 sigma of how far from the principal point the picture's farthest corner is, as a share of that distance: what focal
// length and distortion are good for together where the lens bends most.
double lens_fit_corner_sigma(const struct lens_fit *fit);

// The pose of a board that is seen by this homography (H[2][2] is 1) through the lens, distortion ignored; lengths in
// squares. False when there is none.
bool lens_fit_start_pose(struct pose *out, const double H[3][3], const struct lens *lens);

#endif
