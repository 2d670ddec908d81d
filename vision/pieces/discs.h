// SPDX-License-Identifier: MIT
// discs.h: every disc or ring of one still frame, in inches.
//
// One list of hypotheses (disc_hypotheses.h), a fit of the solid for those that are worth it (cylinder_fit.h), one
// logistic score over what the picture shows and how the fit went, one selection: no two pieces in one place. The score
// is the probability that a piece stands there, as far as the pictures hold on which its weights were fitted
// (tests/accuracy/weights.c).
#ifndef RINGSIDE_VISION_PIECES_DISCS_H
#define RINGSIDE_VISION_PIECES_DISCS_H

#include "vision/board/pegs.h"
#include "vision/pieces/disc_hypotheses.h"
#include "vision/pieces/pieces_known.h"
#include "vision/tuning.h"

// What stays the same between two measurements of one view: measured only with all of the board. { 0 } at first.
struct discs_seen {
    struct disc_ground ground;
    double grain[3]; // hough.h
    struct pegs pegs;
    struct cylinder_light light;
    int lit;           // from so many pieces
    double noise;      // of a pixel's luma, 8-bit steps, then
    double denoise_px; // blur of the denoised copy; 0: none is made
};

// The pieces, with the probability of each as its certainty; sides are not classified yet. *tried: all places that may
// hold one, and what speaks for each; NULL: nobody asks. As pieces_find_on.
int discs_find(struct detection_list *out, struct disc_hypotheses *tried, struct frame *f,
               const struct board_pose *pose, const struct pieces_known *known, const struct tuning *tuning,
               struct fail *why);

#endif
