// SPDX-License-Identifier: MIT
// arrivals.h: which of the pieces that lie somewhere now is what ran there.
#ifndef RINGSIDE_VISION_TRACK_ARRIVALS_H
#define RINGSIDE_VISION_TRACK_ARRIVALS_H

#include "vision/track/association.h"
#include "vision/track/trajectory.h"

// The one new piece to which something ran; negative when there are none or several.
int arrival_only(const struct association *a, const struct motions *m);

// The one new piece that looks like it; negative when there are none or several.
int arrival_alike(const struct association *a, const struct detection *like, const struct track_tuning *tuning);

// Whether what ran from `first` was last seen where that piece is measured now, within its width and 1 sigma.
bool arrival_ends_run(const struct detection *p, const struct motions *m, const struct motion *first);

// The first motion of what ran to the f-th new piece; NULL when nothing did, and when f < 0.
const struct motion *arrival_run_to(const struct association *a, const struct motions *m, int f);

// The new piece at which what ran from `first` arrived: one that lies where it ran to; else the one that looks most
// like it; else, for what ran on from a contact may look like neither, the only one at which anything arrived, past
// which it came, or beside which no hand has been since. Negative when there is none.
int arrival_of_run(const struct association *a, const struct moment *moment, const struct motion *first,
                   const struct motion *clearest);

#endif
