// SPDX-License-Identifier: MIT
// reconstruction.h: what event reconstruction knows from one still moment to the next.
#ifndef RINGSIDE_VISION_TRACK_RECONSTRUCTION_H
#define RINGSIDE_VISION_TRACK_RECONSTRUCTION_H

#include "vision/pieces/side_classifier.h"
#include "vision/track/association.h"
#include "vision/track/trajectory.h"

struct reconstruction {
    const struct track_tuning *tuning; // borrowed
    int last_id;
    int count;
    struct track track[MAX_PIECES];
    struct side_colours colours;
    struct motions motions;
    double before_s; // of the frame before this one
    double broken_s; // when a stillness with a hand in it ended: what runs soon after was shot then; -INFINITY: none
    bool shot_open;  // a shot was reported since the last still moment
    double last_given_out_s; // of what was given out
    struct event_list ready; // in no order, not given out yet
};

#endif
