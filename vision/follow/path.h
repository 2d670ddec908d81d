// SPDX-License-Identifier: MIT
// path.h: the way of the shooter's piece through the trail, and where it was turned aside.
#ifndef RINGSIDE_VISION_FOLLOW_PATH_H
#define RINGSIDE_VISION_FOLLOW_PATH_H

#include "vision/follow/kept.h"
#include "vision/follow/trail.h"

enum { PATH_MAX_STEPS = 64 };

struct path {
    int count;
    struct {
        double t_s;
        struct pt_in at;
    } step[PATH_MAX_STEPS];
};

// Where it was turned aside: somewhere between two steps.
struct bend {
    double t_s, sigma_t_s;
    struct pt_in at;
};

// Follows what looks like the piece from where it lay, from when it was missed there.
void path_follow(struct path *out, const struct trail *t, const struct kept *k);

// The first bend; false when it ran straight. Slowing down by friction is no bend.
bool path_bend(struct bend *out, const struct path *p);

// True when a piece of that radius touches a peg there, as far as it is known where it is.
bool path_beside_peg(const struct board *b, struct pt_in at);

#endif
