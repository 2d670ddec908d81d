// SPDX-License-Identifier: MIT
// rest.h: is this a moment to measure? Each quiet is measured once, and once more when its hand turns out to be resting.
#ifndef RINGSIDE_VISION_TRACK_REST_H
#define RINGSIDE_VISION_TRACK_REST_H

#include "vision/track/gate.h"

// A still moment: since when, and whether a hand may hide something.
struct rest {
    double since_s;
    bool hand;
};

// Start of the quiets in which the pieces were last measured.
struct rests {
    double told_s[QUIETS];
};

// From now on every quiet is new.
void rests_forget(struct rests *r);

// `hand`: one is seen; `departed`: something is on its way, so the field alone is worth a look.
bool rests_take(struct rest *out, struct rests *r, const struct gate *g, bool hand, bool departed);

// Without any change for so long everything lies still: longer than a rebound's turning point.
static const double REST_QUIET_S = 0.2;

#endif
