// SPDX-License-Identifier: MIT
// lens_prior.h: what is believed of a camera's lens before anything is known of it.
//
// Webcams and phones see 55 to 80 degrees across and bend lines a little inwards at the corners. A picture that shows
// more overrules this; a picture that does not (one circle, a view from straight above) leaves it standing.
#ifndef RINGSIDE_VISION_BOARD_LENS_PRIOR_H
#define RINGSIDE_VISION_BOARD_LENS_PRIOR_H

#include <stdbool.h>

#include "calibration/pose_fit.h"
#include "vision/frame.h"

// The lens for pictures of the frame's size: the known one, or where that is NULL the usual one, which bends nothing.
// RS_EINPUT when the known one is for pictures of another shape.
int lens_prior_for(struct lens *out, const struct lens *known, const struct frame *f, struct fail *why);

// False of a lens wider than any: what wants one are not circles around one centre.
bool lens_prior_allows(const struct lens *l);

// Does a focal length known to that sigma rest on more than what was believed before?
bool lens_prior_f_overruled(double f_px, double sigma_px);

// Frees every number of the lens within what is usual. What the picture leaves open of them stays as usual, and shows
// in the covariance.
void lens_priors(struct fit_prior out[FIT_LENS_NUMBERS], const struct lens *l);

// Of a lens that was calibrated: it is held as it is, but for the focal length, which is within its sigma.
void lens_priors_known(struct fit_prior out[FIT_LENS_NUMBERS], const struct lens *known);

#endif
