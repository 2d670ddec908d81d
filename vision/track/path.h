// SPDX-License-Identifier: MIT
// path.h: the way of one piece through the trail.
#ifndef RINGSIDE_VISION_TRACK_PATH_H
#define RINGSIDE_VISION_TRACK_PATH_H

#include "vision/track/kept.h"
#include "vision/track/trail.h"

enum { PATH_MAX_STEPS = 64 };

struct path {
    int count;
    double radius_in, sigma_in; // of the piece; of a step's place, each way
    struct path_step {
        double t_s, sigma_t_s;
        struct pt_in at;
    } step[PATH_MAX_STEPS];
};

// Follows what looks like the piece, or runs on as it did, from where it lay, from when it was missed there.
void path_follow(struct path *out, const struct trail *t, const struct kept *k);

// What ran by itself from where the piece lay when it was missed there, whatever it looks like: a fast marble's streak shows
// little of its colour. The first step; NULL when nothing did.
const struct step *path_leaves(const struct trail *t, const struct kept *k);

// Follows what runs at that step, by its motion alone.
void path_run(struct path *out, const struct trail *t, const struct step *first, double radius_in);

// False when it was missed but nothing can have moved it: no hand was beside it, nothing ran by, and it left no trail itself.
// Then it is only seen badly.
bool path_may_have_moved(const struct trail *t, const struct kept *k);

// True when something ran to that place and stayed, from wherever it came.
bool path_arrives(const struct trail *t, struct pt_in at, double radius_in);

#endif
