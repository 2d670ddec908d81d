// SPDX-License-Identifier: MIT
// story.h: what happened between two still moments, told from what lay before, what lies now and what ran between.
//
// Nothing is told while things move: which of two blurs was which piece is only sure when both lie still again. So what
// happened comes late, but in order, with the times at which it happened.
#ifndef RINGSIDE_VISION_TRACK_STORY_H
#define RINGSIDE_VISION_TRACK_STORY_H

#include "vision/track/tracker.h"
#include "vision/track/kept.h"
#include "vision/track/match.h"
#include "vision/track/paints.h"
#include "vision/track/trail.h"

struct story {
    int next_id;
    int count;
    struct kept piece[MAX_PIECES];
    struct paints paints;
    struct trail trail;
    double before_s;         // of the frame before this one
    double broken_s;         // when a quiet with a hand in it ended: what runs soon after was shot then
    bool shot_open;          // a shot was told since the last still moment
    double last_told_s;      // of what was given out
    struct happenings ready; // in no order, all of them since the last still moment
};

// Takes in a frame between two still moments: which pieces vanished from their places, what runs.
void story_watch(struct story *s, const struct gate *g, const struct blobs *b, const enum patch_kind *kind,
                 const struct board_pose *pose);

// At a still moment: adds what happened to `ready`, and what lies now becomes what lay before.
void story_tell(struct story *s, const struct moment *m);

// The camera moved: what lies on the board lies somewhere else in the picture. Nothing has happened to it by that, and what
// seemed to run from knocked_s on were the board's own edges.
void story_new_view(struct story *s, const struct gate *g, const struct board_pose *pose, double knocked_s);

// 0..1: how many of the pieces the picture does not show where they were.
double story_missed(const struct story *s, const struct gate *g);

// Adds one happening; lost when there are more than fit.
void story_add(struct story *s, const struct happening *h);

// All that is ready, in order of time. The time of a happening never falls, though what is told late happened earlier than
// a camera's word told at once.
void story_give_out(struct story *s, struct happenings *out);

#endif
