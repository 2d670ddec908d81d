// SPDX-License-Identifier: MIT
// lens_prior.h: what is believed of a camera before anything is known of it.
//
// Webcams and phones see 55 to 80 degrees across and bend lines a little inwards at the corners. A picture that tells
// more overrules this; a picture that does not (one circle, a view from straight above) leaves it standing.
#ifndef RINGSIDE_VISION_BOARD_LENS_PRIOR_H
#define RINGSIDE_VISION_BOARD_LENS_PRIOR_H

#include <math.h>
#include <stdbool.h>

#include "calibration/pose_fit.h"

static const double USUAL_F = 0.8; // of the picture's longer side
static const double USUAL_LOG_F_SIGMA = 0.2;
static const double USUAL_OFF_CENTRE = 0.01; // of the longer side: how far sensors sit beside their lens's axis

static inline double lens_prior_f_px(const struct lens *l)
{
    return USUAL_F * lens_longer_px(l);
}

// What wants a wider lens are not circles around one centre.
static inline bool lens_prior_allows(const struct lens *l)
{
    // Of the longer side, 127 degrees across: the widest lenses of phones have 0.36, and a picture tells it to a fifth or so.
    static const double widest = 0.25;
    return l->f_px >= widest / USUAL_F * lens_prior_f_px(l);
}

// Does a focal length known to that sigma rest on more than what was believed before?
static inline bool lens_prior_f_overruled(double f_px, double sigma_px)
{
    return sigma_px < sqrt(0.5) * USUAL_LOG_F_SIGMA * f_px;
}

// Frees every number of the lens within what is usual. What the picture leaves open of them stays as usual, and shows in
// the covariance.
static inline void lens_priors(struct fit_prior out[FIT_LENS_NUMBERS], const struct lens *l)
{
    const double longer = lens_longer_px(l);
    out[FIT_LOG_F] = (struct fit_prior){ log(lens_prior_f_px(l)), USUAL_LOG_F_SIGMA };
    out[FIT_K1] = (struct fit_prior){ -0.03, 0.06 };
    out[FIT_K2] = (struct fit_prior){ 0, 0.03 };
    out[FIT_CENTRE_U] = (struct fit_prior){ (l->width - 1) / 2.0, USUAL_OFF_CENTRE * longer };
    out[FIT_CENTRE_V] = (struct fit_prior){ (l->height - 1) / 2.0, USUAL_OFF_CENTRE * longer };
}

// Of a lens that was calibrated: it is held as it is, but for the focal length, which is within its sigma.
static inline void lens_priors_known(struct fit_prior out[FIT_LENS_NUMBERS], const struct lens *known)
{
    for (int i = 0; i < FIT_LENS_NUMBERS; i++)
        out[i] = (struct fit_prior){ 0, 0 };
    if (known->f_sigma_px > 0)
        out[FIT_LOG_F] = (struct fit_prior){ log(known->f_px), known->f_sigma_px / known->f_px };
}

#endif
