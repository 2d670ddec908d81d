// SPDX-License-Identifier: MIT
// inside.h: what an eye goes by between two still moments, for people who want to see why it told what it told.
#ifndef RINGSIDE_VISION_FOLLOW_INSIDE_H
#define RINGSIDE_VISION_FOLLOW_INSIDE_H

#include "vision/board/surface.h"
#include "vision/eye.h"
#include "vision/follow/blobs.h"
#include "vision/follow/gate.h"
#include "vision/follow/kept.h"
#include "vision/follow/trail.h"

// Borrowed from the eye; true until the next eye_feed. Nothing to see before a board was found.
struct eye_inside {
    const struct gate *gate;
    const struct blobs *blobs;
    const enum patch_kind *kind; // beside the blobs
    const struct trail *trail;
    const struct kept *piece;
    int pieces;
    const struct surface *empty; // the empty board as learnt so far; NULL: nothing yet
    double upset_s;              // when most of the picture last changed at once; -INFINITY: never
    double measured_s;           // when the pieces were last known to lie where they lie
};

void eye_inside(const struct eye *e, struct eye_inside *out);

#endif
