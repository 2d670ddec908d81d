// SPDX-License-Identifier: MIT
// contact.h: what the shooter's piece touched first: a peg that turned it aside, or the piece that then began to move.
#ifndef RINGSIDE_VISION_TRACK_CONTACT_H
#define RINGSIDE_VISION_TRACK_CONTACT_H

#include "vision/track/tracker.h"
#include "vision/track/kept.h"
#include "vision/track/trail.h"

enum { CONTACTS_MAX = 8 };

// Fills in what it touched, in order of time; how many. `by` is the shooter's piece as it lay, absent since it was shot;
// `struck` the first other piece that moved, NULL when none did.
int contact_list(struct happening out[CONTACTS_MAX], const struct kept *by, const struct kept *struck,
                 const struct trail *t, const struct board *b);

#endif
