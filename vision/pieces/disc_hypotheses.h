// SPDX-License-Identifier: MIT
// disc_hypotheses.h: the places that may hold a disc or ring, what speaks for each, and how probable one is there by
// that: logistic regression, whose weights `make weights` fits.
#ifndef RINGSIDE_VISION_PIECES_DISC_HYPOTHESES_H
#define RINGSIDE_VISION_PIECES_DISC_HYPOTHESES_H

#include "vision/board/background.h"
#include "vision/detection.h"
#include "vision/pieces/cylinder_fit.h"
#include "vision/pieces/disc_evidence.h"
#include "vision/pieces/ditch.h"
#include "vision/pieces/hole.h"

// What the known empty board, the other pieces and the fit add to the measures of a hypothesis' place.
enum disc_fit_measure {
    FAINT = DISC_MEASURES, // what LOG_FROM_EMPTY lacks of plain where the known empty board shows something; else 0
    STRANGE_PAINT,         // sigmas from the paint of the likest of the sure pieces; 0 until both sides are known
    // Of the fit; 0 where it went astray.
    FIT_SUPPORT,        // 0..1: share of the outline where the colour steps: an arm's does on two sides
    FIT_EXPLAINED,      // 0..1: of the pixels' variance
    FIT_LARGER,         // what a larger solid explains more, in a flat view never below -larger_lacks_most; what
                        // explains less than bare ground explains nothing
    FIT_COVERED_LARGER, // the same where something stands before it, else 0: arms and shadows are as wide as anything
    FIT_UNEVEN,         // share of the face that has another colour
    HYPOTHESIS_MEASURES
};

// What is seen of a piece that is taken for whole, or for one before which something stands.
struct disc_reading {
    double measure[HYPOTHESIS_MEASURES];
    double lab[3]; // of what is there, CIE L*a*b*
};

struct disc_hypothesis {
    struct pt_in at;
    struct disc_reading seen; // the likelier reading
    bool two_readings;        // neither is sure before a fit is known
    struct disc_reading other;
    double at_best;          // probability if a fit is as good as any
    bool fitted;             // by that it was worth a fit, which stayed near
    struct cylinder_fit fit; // of a fitted one
    double probability;      // by all measures; 0: not worth a fit
};

struct disc_hypotheses {
    int count;
    struct disc_hypothesis item[DISC_PLACES];
    double scale;                // of the pieces' size, to the board's nominal one
    struct hole_hypothesis hole; // beside those listed
    struct ditch_hypotheses ditch;
};

// What places are measured in.
struct disc_scene {
    struct disc_evidence *e;
    const struct cylinder *shape;   // of every piece on the surface
    const struct background *empty; // NULL: not known
    struct pt3_in eye;
    int pegs;                // solids that are hidden in `e` whatever else is
    double apart_in;         // of the middles of two pieces at least
    struct place_filter may; // stand there
    const struct evidence_tuning *t;
};

// What is seen at each place, and how probable a piece is there by that at best; most promising first. Places where
// nothing is seen, or none may stand, are left out.
void disc_hypotheses_measure(struct disc_hypotheses *all, const struct disc_scene *s);

// How probable it is at most, by the measures of the place up to FAINT: where a fit is as good as any.
double disc_hypothesis_at_best(const double m[HYPOTHESIS_MEASURES], const struct evidence_tuning *t);

// How probable a piece is at a place that was fitted, or not worth it: by the reading that is likelier with the fit,
// which stays. Glare on a face looks like something before it, until the face is known to end where a piece's does.
void disc_hypothesis_score(struct disc_hypothesis *h, const struct evidence_tuning *t);

// Looks again beside pieces that are likely: of pieces that touch each shows less until the others are known, two of
// them together lie elsewhere than each, and of two or three that touch none may be likely but with the others.
void disc_hypotheses_measure_beside(struct disc_hypotheses *all, const struct disc_scene *s);

// The most probable first.
void disc_hypotheses_sort(struct disc_hypotheses *all);

// Of a sorted list those of so much probability at best, none of them so near to a likelier one: how many.
int disc_hypotheses_likely(struct disc_hypothesis *out[MAX_PIECES], struct disc_hypotheses *all, double least,
                           double apart_in);

#endif
