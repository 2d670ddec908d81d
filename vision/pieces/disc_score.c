// SPDX-License-Identifier: MIT
#include "vision/pieces/disc_score.h"

#include <math.h>

static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

double disc_score_glance(const double m[DISC_MEASURES], const struct evidence_tuning *t)
{
    return logistic(t->glance_bias + t->glance_over_spill * m[LOG_CONTRAST_OVER_SPILL] + t->glance_step * m[STEP_LOW] +
                    t->glance_ground_odd * m[LOG_GROUND_ODD] + t->glance_top_chroma * m[LOG_TOP_AB] +
                    t->glance_from_empty * m[LOG_FROM_EMPTY] + t->glance_votes * m[VOTES] + t->glance_flat * m[FLAT] +
                    t->glance_over_hole * m[OVER_HOLE] + t->glance_hidden * m[HIDDEN] + t->glance_covered * m[COVERED]);
}

// What its place and its paint say of a hypothesis before it is fitted.
static double place_logit(const double m[HYPOTHESIS_MEASURES], const struct evidence_tuning *t)
{
    return t->piece_bias + t->piece_over_spill * m[LOG_CONTRAST_OVER_SPILL] + t->piece_step * m[STEP_LOW] +
           t->piece_ground_odd * m[LOG_GROUND_ODD] + t->piece_top_chroma * m[LOG_TOP_AB] +
           t->piece_from_empty * m[LOG_FROM_EMPTY] + t->piece_votes * m[VOTES] + t->piece_flat * m[FLAT] +
           t->piece_over_hole * m[OVER_HOLE] + t->piece_hidden * m[HIDDEN] + t->piece_covered * m[COVERED] +
           t->piece_strange_paint * m[STRANGE_PAINT];
}

double disc_score_at_best(const double m[HYPOTHESIS_MEASURES], const struct evidence_tuning *t)
{
    static const double larger_lacks =
        0.15; // of the variance: more than any piece loses when it is taken for a larger one
    double larger = t->piece_larger + (m[COVERED] > 0 ? t->piece_covered_larger : 0);
    return logistic(place_logit(m, t) + t->piece_support + t->piece_explained - larger_lacks * larger);
}

double disc_score(const double m[HYPOTHESIS_MEASURES], const struct evidence_tuning *t)
{
    double p = logistic(place_logit(m, t) + t->piece_failed * m[FIT_FAILED] + t->piece_support * m[FIT_SUPPORT] +
                        t->piece_explained * m[FIT_EXPLAINED] + t->piece_larger * m[FIT_LARGER] +
                        t->piece_covered_larger * m[FIT_COVERED_LARGER] + t->piece_uneven * m[FIT_UNEVEN]);
    return m[STRANGE_PAINT] >= t->paint_most_sigmas ? fmin(p, t->third_paint_most) : p;
}
