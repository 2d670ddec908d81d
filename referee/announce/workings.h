// SPDX-License-Identifier: MIT
// workings.h: how a frame was read, drawn on it, so that a failure can be understood: which patches changed and what they
// were taken for, what ran where, which places were tried for pieces and what those lacked, how far the board's lines
// lie off the fitted board, the empty board as learnt so far, what was told.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_WORKINGS_H
#define RINGSIDE_REFEREE_ANNOUNCE_WORKINGS_H

#include "referee/announce/overlay.h"
#include "vision/track/inside.h"
#include "vision/notes.h"

// All borrowed.
struct workings {
    const struct board_pose *pose; // NULL: nothing is found yet, and only the words are drawn
    const struct tracker_inside *inside;
    const struct notes *notes;
    const struct overlay_lines *told; // what happened, newest last
};

// One happening in a line: "12.433 s  rest 3: black at (3.21, -0.88) in, 1 sigma 0.011". `s` is its own time.
void workings_words(char out[OVERLAY_LINE_MAX], const struct happening *h);

// The frame itself is dimmed, so that what is drawn stands out. RS_ELIB when OpenCV fails.
int workings_draw(struct frame *f, const struct workings *w, struct fail *why);

#endif
