// SPDX-License-Identifier: MIT
// floor.h: how well a piece's place is known.
#ifndef RINGSIDE_VISION_PIECES_FLOOR_H
#define RINGSIDE_VISION_PIECES_FLOOR_H

#include "calibration/camera.h"
#include "calibration/pose_fit.h"
#include "vision/sighting.h"

// However well a piece is seen: shadows, grain, what fit and camera do not know. Chosen between calls that are close without
// need and errors beyond what is said.
static const double DISC_FLOOR_SIGMA_IN = 0.0080;
static const double MARBLE_FLOOR_SIGMA_IN = 0.03; // shadow and highlights too
// Edges that are not quite what the model says move a disc's fit by so many pixels, however large it is seen; far away and
// seen from the side a pixel is more of an inch.
static const double DISC_FLOOR_SIGMA_PX = 0.12;
// Swirls and shading move a marble's fit by so many pixels, however large it is seen: with it 91 to 97 % of the errors lie
// within two of the stated sigma, fewer where marbles are 5 px wide.
static const double MARBLE_FLOOR_SIGMA_PX = 0.3;

// How many times the variance that a piece's fit states is true in this picture. A fit takes a handful of neighbouring pixels to
// share one error; what compression did, a block shares.
double floor_fit_times(const struct clarity *c);

// The covariance of a place: what the piece's own fit says, how well the board is known where the piece is seen, and the
// floor.
struct cov_in2 floor_cov(struct cov_in2 fit, const struct found_board *on, struct pt_in at, double seen_at_in,
                         double floor_sigma_in);

#endif
