// SPDX-License-Identifier: MIT
// disc_score.h: how probable it is that a disc or ring stands at a place, by its measures: logistic regression, whose weights
// `make weights` fits.
#ifndef RINGSIDE_VISION_PIECES_DISC_SCORE_H
#define RINGSIDE_VISION_PIECES_DISC_SCORE_H

#include "vision/pieces/disc_evidence.h"

// What the known empty board, the other pieces and the fit add to the measures of a hypothesis' place.
enum disc_fit_measure {
    FAINT =
        DISC_MEASURES, // what LOG_FROM_EMPTY lacks of plain where the known empty board shows that something is there; else 0
    STRANGE_PAINT, // sigmas from the paint of the likest of the sure pieces; 0 until both sides are known
    // Of the fit; 0 where it went astray.
    FIT_SUPPORT,   // 0..1: share of the outline where the colour steps: an arm's does on two sides
    FIT_EXPLAINED, // 0..1: of the pixels' variance
    FIT_LARGER, // what a larger solid explains more, in a flat view never below -larger_lacks_most; what explains less than
                // bare ground explains nothing
    FIT_COVERED_LARGER, // the same where something stands before it, else 0: arms and shadows are as wide as anything
    FIT_UNEVEN,         // share of the face that has another colour
    HYPOTHESIS_MEASURES
};

// By all measures; and what it comes to at most, by those of the place up to FAINT, where a fit is as good as any.
double disc_score(const double m[HYPOTHESIS_MEASURES], const struct evidence_tuning *t);
double disc_score_at_best(const double m[HYPOTHESIS_MEASURES], const struct evidence_tuning *t);

#endif
