// SPDX-License-Identifier: MIT
// evidence.h: who moved a piece, a shot or a hand, and where it was last seen: read off the trail.
#ifndef RINGSIDE_VISION_TRACK_EVIDENCE_H
#define RINGSIDE_VISION_TRACK_EVIDENCE_H

#include "vision/track/tracker.h"
#include "vision/track/kept.h"
#include "vision/track/trail.h"

// True when a piece that vanished from its place was seen to run from there by itself, or no hand was beside it.
bool evidence_by_shot(const struct trail *t, const struct kept *k, const struct board *b);

// The first step of something that runs by itself; NULL when nothing does.
const struct step *evidence_first_run(const struct trail *t, const struct board *b);

// How far something ran.
struct run {
    int steps;
    int straight; // steps that went on as the one before did: what only seems to run, in noise, jumps to and fro
    double path_in;
    const struct step *last;
    const struct step *clearest; // where it differs most from what it hides: nearest to its own colour
};
void evidence_follow(struct run *out, const struct trail *t, const struct step *first, const struct board *b);

// The last step, at `since_s` or after, that may be a piece of that colour; NULL when there is none.
const struct step *evidence_last_of(const struct trail *t, const double lab[3], double since_s);

// Which plane a piece stands on there: the hole, the surface, the ditch, or the floor outside.
enum piece_place evidence_plane(const struct board *b, struct pt_in at);

// Where a piece went that was shot at `since_s` and lies nowhere now: where the last of its colour was seen, unless its own
// way led to the edge before. There it is gone; what goes on is another one.
enum left_for evidence_left_for(const struct trail *t, const struct kept *k, double since_s, const struct board *b);

#endif
