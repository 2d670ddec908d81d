// SPDX-License-Identifier: MIT
// noise_floor.h: how well a piece's place is known.
#ifndef RINGSIDE_VISION_PIECES_NOISE_FLOOR_H
#define RINGSIDE_VISION_PIECES_NOISE_FLOOR_H

#include "calibration/camera.h"
#include "calibration/pose_fit.h"
#include "vision/detection.h"
#include "vision/frame.h"
#include "vision/tuning.h"

// However well a piece is seen: shadows, grain, what fit and camera do not know. Chosen between calls that are close
// without need and errors beyond what is said.
static const double DISC_FLOOR_SIGMA_IN = 0.0070;
// Edges that are not quite what the model says move a disc's fit by so many pixels, however large it is seen; far away
// and seen from the side a pixel is more of an inch.
static const double DISC_FLOOR_SIGMA_PX = 0.10;
// Shadow and highlights too.
static const double MARBLE_FLOOR_SIGMA_IN = 0.01;
// Blur and the camera's own sharpening move a marble's outline by so many pixels, however plain it is.
static const double MARBLE_FLOOR_SIGMA_PX = 0.15;
// A marble's fit takes errors for those of a few pixels each; swirls, shading and tufts go on over half the ball.
// Errors are twice what it says, for marbles that it places to 0.004 in as for those that it places to 0.04 in.
static const double MARBLE_FIT_SIGMAS = 2;

// Two errors that know nothing of each other; and that of a place which may as well lie a step away.
static inline struct cov_in2 cov_sum(struct cov_in2 a, struct cov_in2 b)
{
    return (struct cov_in2){ a.xx + b.xx, a.xy + b.xy, a.yy + b.yy };
}

static inline struct cov_in2 cov_of_step(double x_in, double y_in)
{
    return (struct cov_in2){ x_in * x_in, x_in * y_in, y_in * y_in };
}

// How many times the variance that a piece's fit states is true in this picture. A fit takes a handful of neighbouring
// pixels to share one error; what compression did, a block shares.
double floor_fit_times(const struct clarity *c, enum piece_kind piece);

// What a sigma in the picture, the same in all directions, is on the board, for what is seen at a height;
// UNSEEN_SIGMA_IN each way where it cannot be seen.
struct cov_in2 floor_px_cov(const struct camera *c, struct pt_in at, double seen_at_in, double sigma_px);

// 1 sigma in the picture of a place that is known by an outline of that radius, whose middle is seen at `at`, where
// channels are full: how much light fell there no code tells, so an edge seems to lie up to a blur off, on the side of
// what is darker. 0 where none is.
double floor_clipped_px(const struct frame *f, const struct board_pose *pose, struct pt3_in at, double radius_in,
                        double blur_px, const struct board_tuning *t);

// The covariance of a place: what the piece's own fit says, how well the board is known where the piece is seen, and
// the floor.
struct cov_in2 floor_cov(struct cov_in2 fit, const struct board_pose *pose, struct pt_in at, double seen_at_in,
                         double floor_sigma_in);

#endif
