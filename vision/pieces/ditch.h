// SPDX-License-Identifier: MIT
// ditch.h: the discs of a photograph that lie in the ditch around the surface.
//
// They are off the board and do not count, but people see them in the picture, and they show the sides' paints. The
// ditch is searched as a board of its own, which lies lower and whose hole is the surface: edges vote for places
// (hough.h), and the evidence there (disc_evidence.h) and the fit of the solid (cylinder_fit.h) are weighed by logistic
// regression, whose weights `make weights` fits.
#ifndef RINGSIDE_VISION_PIECES_DITCH_H
#define RINGSIDE_VISION_PIECES_DITCH_H

#include "vision/detection.h"
#include "vision/frame.h"
#include "vision/pieces/hough.h"
#include "vision/tuning.h"

enum ditch_measure {
    DITCH_LOG_VOTES,     // share of its rim from which edges vote for it
    DITCH_OVER_SPILL,    // as LOG_CONTRAST_OVER_SPILL of a piece on the surface (disc_evidence.h) ...
    DITCH_STEP,          // ... and as STEP_LOW
    DITCH_SUPPORT,       // 0..1: of the visible outline
    DITCH_UNEVEN,        // share of its top that has another colour
    DITCH_FAR_OUT,       // inches beyond the ditches of round boards, where cups and spare discs stand
    DITCH_LOG_PAINT_OFF, // from the nearest piece on the board, sigmas; as far as can be where there is none
    DITCH_MEASURES
};

struct ditch_hypothesis {
    struct pt_in at;
    double measure[DITCH_MEASURES];
    double probability;
    struct detection piece; // that would lie there
};

struct ditch_hypotheses {
    int count;
    struct ditch_hypothesis item[HOUGH_PEAKS_MAX];
};

// The pose of the board that a ditch is: its plane z = 0 is the ditch's floor, x and y are as on the surface.
struct board_pose ditch_pose(const struct board_pose *surface, const struct disc_tuning *tuning);

// Adds the discs in the ditch to the pieces found on the board, as far as the list has room. None are looked for where
// rings are played with (boards for them have round pockets there), where the ditch is no deeper than a disc, or where
// the view is so flat that edges do not vote. `tried` receives all hypotheses. RS_ENOMEM, RS_ELIB.
int ditch_find(struct detection_list *list, struct ditch_hypotheses *tried, struct frame *f,
               const struct board_pose *pose, const struct tuning *tuning, struct fail *why);

#endif
