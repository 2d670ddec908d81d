// SPDX-License-Identifier: MIT
// inside.h: what an eye goes by between two still moments, for people who want to see why it told what it told.
#ifndef RINGSIDE_VISION_TRACK_INSIDE_H
#define RINGSIDE_VISION_TRACK_INSIDE_H

#include "vision/board/background.h"
#include "vision/track/tracker.h"
#include "vision/track/blobs.h"
#include "vision/track/gate.h"
#include "vision/track/kept.h"
#include "vision/track/trail.h"

// Borrowed from the eye; true until the next tracker_feed. Nothing to see before a board was found.
struct tracker_inside {
    const struct gate *gate;
    const struct blobs *blobs;
    const enum patch_kind *kind; // beside the blobs
    const struct trail *trail;
    const struct kept *piece;
    int pieces;
    const struct background *empty; // the empty board as learnt so far; NULL: nothing yet
    double upset_s;                 // when most of the picture last changed at once; -INFINITY: never
    double measured_s;              // when the pieces were last known to lie where they lie
};

void tracker_inside(const struct tracker *e, struct tracker_inside *out);

#endif
