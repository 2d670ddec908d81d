// SPDX-License-Identifier: MIT
#include "vision/board/lens_prior.h"

#include <math.h>

#include "vision/reduced.h"

static const double USUAL_F = 0.8; // of the picture's longer side
static const double USUAL_LOG_F_SIGMA = 0.2;
static const double USUAL_OFF_CENTRE = 0.01; // of the longer side: how far sensors sit beside their lens's axis

static double usual_f_px(const struct lens *l)
{
    return USUAL_F * lens_longer_px(l);
}

int lens_prior_for(struct lens *out, const struct lens *known, const struct frame *f, struct fail *why)
{
    if (!known) {
        *out = (struct lens){ .width = f->width,
                              .height = f->height,
                              .centre = { (f->width - 1) / 2.0, (f->height - 1) / 2.0 } };
        out->f_px = usual_f_px(out);
        return 0;
    }
    static const double rounding_px = 1.5; // of a side, where one picture was made of the other
    double k = (double)f->width / known->width;
    if (fabs(k * known->height - f->height) > rounding_px)
        return rs_fail(why, RS_EINPUT, "the lens file is for %d x %d pixels, this picture has %d x %d: calibrate again",
                       known->width, known->height, f->width, f->height);
    *out = lens_reduced(known, 1 / k);
    out->width = f->width;
    out->height = f->height;
    return 0;
}

bool lens_prior_allows(const struct lens *l)
{
    // Of the longer side, 127 degrees across: the widest lenses of phones have 0.36, and a picture shows it to a fifth
    // or so.
    static const double widest = 0.25;
    return l->f_px >= widest / USUAL_F * usual_f_px(l);
}

bool lens_prior_f_overruled(double f_px, double sigma_px)
{
    return sigma_px < sqrt(0.5) * USUAL_LOG_F_SIGMA * f_px;
}

void lens_priors(struct fit_prior out[FIT_LENS_NUMBERS], const struct lens *l)
{
    // Of webcams and phones, whose own corrections leave little.
    static const struct fit_prior bends_inwards = { -0.03, 0.06 }, bends_farther_out = { 0, 0.03 };
    const double longer = lens_longer_px(l);
    out[FIT_LOG_F] = (struct fit_prior){ log(usual_f_px(l)), USUAL_LOG_F_SIGMA };
    out[FIT_K1] = bends_inwards;
    out[FIT_K2] = bends_farther_out;
    out[FIT_CENTRE_U] = (struct fit_prior){ (l->width - 1) / 2.0, USUAL_OFF_CENTRE * longer };
    out[FIT_CENTRE_V] = (struct fit_prior){ (l->height - 1) / 2.0, USUAL_OFF_CENTRE * longer };
}

void lens_priors_known(struct fit_prior out[FIT_LENS_NUMBERS], const struct lens *known)
{
    for (int i = 0; i < FIT_LENS_NUMBERS; i++)
        out[i] = (struct fit_prior){ 0, 0 };
    if (known->f_sigma_px > 0)
        out[FIT_LOG_F] = (struct fit_prior){ log(known->f_px), known->f_sigma_px / known->f_px };
}
