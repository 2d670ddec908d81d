// SPDX-License-Identifier: MIT
// usual.h: what is believed of a camera before anything is known of it.
//
// Webcams and phones see 55 to 80 degrees across and bend lines a little inwards at the corners. A picture that tells
// more overrules this; a picture that does not (one circle, a view from straight above) leaves it standing.
#ifndef RINGSIDE_VISION_BOARD_USUAL_H
#define RINGSIDE_VISION_BOARD_USUAL_H

#include <math.h>

#include "calibration/pose_fit.h"

static const double USUAL_F = 0.8; // of the picture's longer side
static const double USUAL_LOG_F_SIGMA = 0.2;

static inline double usual_f_px(const struct lens *l)
{
    return USUAL_F * (l->width > l->height ? l->width : l->height);
}

static inline struct fit_prior usual_log_f(const struct lens *l)
{
    return (struct fit_prior){ log(usual_f_px(l)), USUAL_LOG_F_SIGMA };
}

static inline struct fit_prior usual_k1(void)
{
    return (struct fit_prior){ -0.03, 0.06 };
}

#endif
