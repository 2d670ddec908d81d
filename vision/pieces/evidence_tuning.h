// SPDX-License-Identifier: MIT
// evidence_tuning.h: discs from the side of a table are told by these numbers.
#ifndef RINGSIDE_VISION_PIECES_EVIDENCE_TUNING_H
#define RINGSIDE_VISION_PIECES_EVIDENCE_TUNING_H

#include "vision/tuning_field.h"

struct evidence_tuning {

    // Places (disc_evidence.c), inches.
    double tilt_least_rad; // From here on discs are told by evidence: a circle is half as high as wide.
    double rim_clear_in;   // Of the outermost line: a disc that reaches over it lies in the ditch by rule.
    double px_per_in_most; // The picture is reduced to this: a disc 37 pixels across shows all that is measured of it.
    double
        grid_in; // Between places: a third of a disc's radius, the measures of neighbours overlap. 0.15 finds no more.
    double apart_first_in;   // Between hypotheses before they are refined ...
    double apart_refined_in; // ... after it ...
    double apart_in;         // ... and between discs: they do not overlap.
    double hole_clear;       // Of the hole's radius: nearer to the middle a bare hole looks like a disc.
    double
        ring_least_px; // The ground is read so far out at least, times what a ring's scale adds to 1: blur ends there.
    double noise_floor_l;  // 1 sigma of L* that 8-bit steps leave at least ...
    double noise_floor_ab; // ... and of a* and b*.

    // The logistic score: weights of nine measures in units of the picture's noise. Fitted on 38 stills, 14 photographs and 24 renders together;
    // judged on 38 stills and 22 photographs held out: 135 of 140 discs with 1 false.
    double bias;                // With no evidence at all.
    double contrast_over_spill; // ln of the weakest fifth inside over the strongest quarter outside.
    double contrast;            // ln of the weakest fifth inside.
    double tilt_deg;            // Degrees off the vertical.
    double step_low;            // Weakest tenth of the step around the outline.
    double median_contrast;     // ln of the median inside.
    double ground_odd;          // ln of how far the ground around is from the empty board: arms and hands.
    double side_lightness;      // ln of what the side differs in L*.
    double top_chroma;          // ln of what the top differs in a*, b*.
    double from_empty;          // ln of what top or side differ from the empty board.
    double probability_least;   // From which a disc is told. Less tells more discs and more that are none. Even odds.
    double
        place_sigma_px; // 1 sigma of a place found so, pixels each way: on the 38 stills the median error is 0.065 in at some 6 px an inch.
};

extern const struct evidence_tuning evidence_tuning_defaults;

// A row for every field.
extern const struct tuning_fields evidence_tuning_fields;

#endif
