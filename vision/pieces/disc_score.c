// SPDX-License-Identifier: MIT
#include "vision/pieces/disc_score.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"

// From a flat view a rim takes no votes, and what has a piece's width is shadows and arms more often than not; from a steep one neither
// what is hidden nor what is covered counts.
static double piece_logit(const double m[HYPOTHESIS_MEASURES], const struct evidence_tuning *t)
{
    if (m[FLAT] > 0)
        return t->flat_bias + t->flat_over_spill * m[LOG_CONTRAST_OVER_SPILL] + t->flat_step * m[STEP_LOW] +
               t->flat_ground_odd * m[LOG_GROUND_ODD] + t->flat_top_chroma * m[LOG_TOP_AB] +
               t->flat_from_empty * m[LOG_FROM_EMPTY] + t->flat_over_hole * m[OVER_HOLE] + t->flat_hidden * m[HIDDEN] +
               t->flat_covered * m[COVERED] + t->flat_support * m[FIT_SUPPORT] + t->flat_explained * m[FIT_EXPLAINED] +
               t->flat_larger * m[FIT_LARGER] + t->flat_covered_larger * m[FIT_COVERED_LARGER] +
               t->known_faint * m[FAINT];
    return t->steep_bias + t->steep_over_spill * m[LOG_CONTRAST_OVER_SPILL] + t->steep_step * m[STEP_LOW] +
           t->steep_ground_odd * m[LOG_GROUND_ODD] + t->steep_top_chroma * m[LOG_TOP_AB] +
           t->steep_from_empty * m[LOG_FROM_EMPTY] + t->steep_votes * m[VOTES] + t->steep_over_hole * m[OVER_HOLE] +
           t->steep_support * m[FIT_SUPPORT] + t->steep_explained * m[FIT_EXPLAINED] + t->steep_larger * m[FIT_LARGER] +
           t->steep_uneven * m[FIT_UNEVEN] + t->known_faint * m[FAINT];
}

double disc_score_at_best(const double m[HYPOTHESIS_MEASURES], const struct evidence_tuning *t)
{
    double best[HYPOTHESIS_MEASURES];
    memcpy(best, m, sizeof best);
    best[FIT_SUPPORT] = best[FIT_EXPLAINED] = 1;
    best[FIT_LARGER] = -t->larger_lacks_most;
    best[FIT_COVERED_LARGER] = m[COVERED] > 0 ? best[FIT_LARGER] : 0;
    best[FIT_UNEVEN] = 0;
    return logistic(piece_logit(best, t));
}

double disc_score(const double m[HYPOTHESIS_MEASURES], const struct evidence_tuning *t)
{
    double p = logistic(piece_logit(m, t));
    return m[STRANGE_PAINT] >= t->paint_most_sigmas ? fmin(p, t->third_paint_most) : p;
}
