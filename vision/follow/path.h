// SPDX-License-Identifier: MIT
// path.h: the way of one piece through the trail.
#ifndef RINGSIDE_VISION_FOLLOW_PATH_H
#define RINGSIDE_VISION_FOLLOW_PATH_H

#include "vision/follow/kept.h"
#include "vision/follow/trail.h"

enum { PATH_MAX_STEPS = 64 };

struct path {
    int count;
    double sigma_in; // of a step's place, each way
    struct path_step {
        double t_s, sigma_t_s;
        struct pt_in at;
    } step[PATH_MAX_STEPS];
};

// Follows what looks like the piece from where it lay, from when it was missed there.
void path_follow(struct path *out, const struct trail *t, const struct kept *k);

#endif
