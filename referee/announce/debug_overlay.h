// SPDX-License-Identifier: MIT
// debug_overlay.h: how a frame was read, drawn on it, so that a failure can be understood: which patches changed and
// what they were taken for, what ran where, which places were tried for pieces and what those lacked, how far the
// board's lines lie off the fitted board, the empty board as learnt so far, what was reported.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_DEBUG_OVERLAY_H
#define RINGSIDE_REFEREE_ANNOUNCE_DEBUG_OVERLAY_H

#include "referee/announce/overlay.h"
#include "vision/track/tracker.h"
#include "vision/notes.h"

// All borrowed.
struct debug_overlay {
    const struct board_pose *pose; // NULL: nothing is found yet, and only the words are drawn
    const struct tracker_inside *inside;
    const struct notes *notes;
    const struct overlay_lines *reported; // what happened, newest last
};

// One event in a line: "12.433 s  rest 3: black at (3.21, -0.88) in, 1 sigma 0.011".
void debug_overlay_words(char out[OVERLAY_LINE_MAX], const struct event *e);

// The frame itself is dimmed, so that what is drawn stands out. RS_ELIB when OpenCV fails; RS_ENOMEM.
int debug_overlay_draw(struct frame *f, const struct debug_overlay *d, struct fail *why);

#endif
