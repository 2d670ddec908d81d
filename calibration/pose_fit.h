// SPDX-License-Identifier: MIT
// pose_fit.h: pose, focal length, distortion and circle radii from picture points that lie on concentric circles.
//
// Each point is taken back to the board plane; its residual is how far it lies off its circle's radius, in pixels along
// the radius; by Tukey's weight points on pieces and hands stop counting (least_squares.h). Slopes are taken at the
// circle, not at the point: there they would go with its noise, and bias the fit. Two or more circles determine the
// pose and, off the vertical, the focal length (concentric circles of unknown radii under perspective: Kim, Gurdjos,
// Kweon, PAMI 2005); what they leave open is held by the priors and shows in the covariance. The turn about the board's
// axis cannot be seen in circles and stays as given.
#ifndef RINGSIDE_CALIBRATION_POSE_FIT_H
#define RINGSIDE_CALIBRATION_POSE_FIT_H

#include <stdbool.h>

#include "calibration/camera.h"
#include "calibration/fail.h"
#include "calibration/least_squares.h"

// The edges of a painted line are seen a little outside its paint: on the whole, and more on the side of the board's x
// or y axis than opposite.
enum fit_bleed { FIT_BLEED_ALL, FIT_BLEED_X, FIT_BLEED_Y, FIT_BLEED_NUMBERS };

enum { FIT_MAX_CURVES = 8, FIT_MAX_PARAMETERS = 5 + FIT_LENS_NUMBERS + FIT_BLEED_NUMBERS + FIT_MAX_CURVES };

struct fit_point {
    int curve;       // which circle
    struct pt_px at; // where its line was seen
};

struct pose_fit {
    // in: the start; out: the result
    struct camera camera;
    double radius_in[FIT_MAX_CURVES];
    double bleed_px[FIT_BLEED_NUMBERS];

    // in
    int curves;
    bool free_radius[FIT_MAX_CURVES];        // at least one must be held: it gives the scale
    struct fit_prior lens[FIT_LENS_NUMBERS]; // sigma 0: held as it is in the camera
    double bleed_sigma_px;                   // of each bleed, around nought. 0: they are held
    int bleeds[FIT_MAX_CURVES]; // curve is a line's edge towards the centre: -1; away from it: 1; a line's middle: 0

    // How many neighbouring points share one error: paint, wood and lens are not fresh noise at every sample. Each run
    // of so many points counts once against the priors and in the covariance. At least 1.
    double points_per_independent;

    // out
    double rms_px;                                              // of the points that count
    double noise_px;                                            // robust scale of the residuals, 1 sigma
    int used;                                                   // points that count
    int parameters;                                             // rows of `covariance`
    double covariance[FIT_MAX_PARAMETERS * FIT_MAX_PARAMETERS]; // private order; use the functions below
    // 1 sigma of what lies in the middle, along this direction, from another pose that explains the points too; nought
    // where none does. Of pose_fit_keep_likelier; a fit leaves it as it is.
    struct pt_in other_pose_in;
};

// RS_EINPUT when there are too few points or the fit does not settle, RS_ENOMEM (then camera, radii and bleeds are as
// given). `points` borrowed.
int pose_fit_solve(struct pose_fit *fit, const struct fit_point *points, int n, struct fail *why);

// The cost of the fit, points and beliefs about lens and bleeding together: half the sum of squares, each in its sigma,
// that of the points being `sigma_px`. Of two fits to the same points the one that costs less is the likelier.
double pose_fit_cost(const struct pose_fit *fit, double sigma_px);

// Keeps in `fit` the likelier of two fits to the same points, that of the points being `sigma_px`. How likely the other
// is, and how far off it has the board's middle, is in the covariance of places from then on.
void pose_fit_keep_likelier(struct pose_fit *fit, const struct pose_fit *other, double sigma_px);

// 1 sigma of a place that the camera cannot see, behind it or beyond what its lens shows: so large that no call beside
// it is firm, and finite, so that covariances add up.
static const double UNSEEN_SIGMA_IN = 1e4;

// Covariance of the place where a fixed pixel, now seen at `at` on the plane z = height_in, is taken to be;
// UNSEEN_SIGMA_IN each way where no pixel sees it.
struct cov_in2 pose_fit_place_cov(const struct pose_fit *fit, struct pt_in at, double height_in);

// 1 sigma of such a place across a circle of that radius around the middle: the root mean square of eight places on it.
double pose_fit_across_sigma_in(const struct pose_fit *fit, double radius_in);

// 1 sigma of the distance between a fixed pixel and circle `curve`, where that runs in this direction: what a call
// beside the line hangs on. Where its radius was fitted too, much of what is unknown moves the line and the place
// alike. UNSEEN_SIGMA_IN where the line cannot be seen.
double pose_fit_line_sigma_in(const struct pose_fit *fit, int curve, double angle_rad);

// Turns the board by `angle_rad` under the camera, and the covariance with it: what points to the board's x axis
// afterwards pointed `angle_rad` beside it before. How well that turn is known is not in the covariance.
void pose_fit_turn(struct pose_fit *fit, double angle_rad);

// Multiplies every sigma of the fit: when later views of the same board are known to be `times` as good or bad.
void pose_fit_widen(struct pose_fit *fit, double times);

// 1 sigma of the focal length, pixels; 0 when it was held.
double pose_fit_f_sigma_px(const struct pose_fit *fit);

#endif
