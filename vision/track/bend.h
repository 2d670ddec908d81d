// SPDX-License-Identifier: MIT
// bend.h: where something turned a running piece aside.
//
// Between two contacts a piece runs straight and friction slows it evenly. A bend is believed when no straight way explains
// the steps and two ways that meet in one moment do; that moment is where they meet, between two frames.
#ifndef RINGSIDE_VISION_TRACK_BEND_H
#define RINGSIDE_VISION_TRACK_BEND_H

#include "vision/track/path.h"

// A way without contacts: at a moment, how fast, and how it slows.
struct way {
    double t_s;
    struct pt_in at;
    double x_in_s, y_in_s;
    double slows_in_s2;
};

struct bend {
    double t_s, sigma_t_s;
    struct pt_in at;
    bool peg;                 // a peg did it, as far as place and rebound tell
    struct way before, after; // both as they are at that moment
    int next;                 // the first step after it
};

// The first bend of the path from step `from` on; false when it runs straight. Where on their circle the pegs stand is not
// known, only that circle.
bool bend_find(struct bend *out, const struct path *p, int from, const struct board *b);

// The straight way that explains steps `from` .. `to` - 1 best, as it is at the first of them. False for fewer than two.
bool bend_straight(struct way *out, const struct path *p, int from, int to);

struct pt_in bend_at(const struct way *w, double t_s);

#endif
