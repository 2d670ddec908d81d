// SPDX-License-Identifier: MIT
// disc_evidence.h: where discs stand on a board of a known pose, each with the probability that one does.
//
// One list of hypotheses over the whole surface, one forward model (the outline that a disc throws into the picture: top
// face, visible side, ground around it), a few measures of each in units of the picture's own noise, one logistic score, one
// selection: no two discs in one place. It tells discs that are a few pixels deep, from any seat; a fit of the solid may
// place them finer.
#ifndef RINGSIDE_VISION_PIECES_DISC_EVIDENCE_H
#define RINGSIDE_VISION_PIECES_DISC_EVIDENCE_H

#include <stdbool.h>

#include "vision/detection.h"
#include "vision/frame.h"
#include "vision/pieces/evidence_tuning.h"

// Whether this view asks for it: discs seen from so far off the vertical that their faces are a few pixels deep, and a fit of
// their outline finds arms and lines instead.
bool disc_evidence_applies(const struct board_pose *pose, const struct evidence_tuning *t);

// Discs on the surface, each with its certainty: of those at 0.9 nine in ten are discs. A disc in the hole, and those in the
// ditch, are not told. Sides are not named yet. RS_ENOMEM, RS_ELIB.
int disc_evidence(struct detection_list *out, struct frame *f, const struct board_pose *pose,
                  const struct evidence_tuning *t, struct fail *why);

#endif
