// SPDX-License-Identifier: MIT
// measurement.h: the finder's look at the pieces of a still frame, and when it is taken ahead of its moment.
//
// A look takes as long as the rest window, and a call waits for both. So a camera's pieces are measured as soon as they
// seem to have stopped, while the frames of the window come in; when it has passed the measures hold if all that was
// seen lies where it lay in that frame, to within what its place is known by, and are taken anew else. Frames and their
// times decide, never the clock. Footage is in no hurry.
#ifndef RINGSIDE_VISION_TRACK_MEASUREMENT_H
#define RINGSIDE_VISION_TRACK_MEASUREMENT_H

#include "vision/pieces/discs.h"
#include "vision/pieces/marbles.h"
#include "vision/track/events.h"
#include "vision/track/pose_tracking.h"

struct measurement {
    const struct tracker_stages *stages; // borrowed, as is
    const struct tuning *tuning;
    struct background *empty;    // the empty board; NULL before the first look and for marbles
    struct marbles_seen marbles; // what looks before this one showed
    struct discs_seen discs;     // the same
    struct detection_list seen;  // in the last look
    int lying;                   // so many of them, the first, were not measured: they lie as they lay
    uint8_t *ahead;              // the reduced picture in which it was taken ahead of time; NULL: it was not
    double ahead_s, ahead_of_s;  // when one last was, and the beginning of its stillness
    bool ahead_held;             // and whether it was of use
};

void measurement_begin(struct measurement *m, const struct tracker_stages *stages, const struct tuning *tuning);
void measurement_finish(struct measurement *m);

// Measures the pieces, *m->seen, in a frame in which nothing has moved since now->t_s, or takes what was measured
// ahead. RS_ENOMEM, RS_ELIB.
int measurement_take(struct measurement *m, struct frame *f, const struct reconstruction *s, const struct moment *now,
                     struct fail *why);

// Measures them for what now->t_s may come to: not before things have stopped, once in a stillness, and seldom where
// that is for nothing. Errors as measurement_take.
int measurement_take_ahead(struct measurement *m, struct frame *f, const struct reconstruction *s,
                           const struct moment *now, struct fail *why);

#endif
