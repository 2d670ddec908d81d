// SPDX-License-Identifier: MIT
// frame_queue.h: frames that wait to be looked at, never too many, and what is not known where some were dropped.
//
// When there are too many one is dropped whose neighbours are near enough to each other to follow a piece from one to
// the next (FRAMES_BRIDGED_S); only where there is none such the oldest is, and then the next that is given out says
// for how long nothing was seen (frame.h: lost_s). What has waited for 1.5 s is thinned likewise. One thread at a time.
#ifndef RINGSIDE_VISION_SOURCE_FRAME_QUEUE_H
#define RINGSIDE_VISION_SOURCE_FRAME_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

#include "vision/frame.h"

// A full look at the board takes up to 0.9 s of a core, in which 60 a second bring 54: all of those are kept. A
// camera's JPEGs of 1080p, 0.4 MB each with their coarse pictures, take 26 MB then. What comes decoded (a network's
// pictures: 6 MB each) is kept beyond the least only as far as there are bytes for it; the least of 4K takes 400 MB.
enum frame_queue_limits {
    FRAME_QUEUE_LEAST = 16,
    FRAME_QUEUE_MOST = 64,
    FRAME_QUEUE_BYTES = 64 << 20,
};

struct frame_queue {
    struct waiting_frame {
        struct frame *frame;
        bool missing;                // the one before it was dropped
    } waiting[FRAME_QUEUE_MOST + 1]; // the oldest first
    int count;
    size_t bytes; // that they hold
    bool waits;   // who puts frames there waits for room: none is too late
    long dropped;
    double given_s; // time of the last that was given out
    double known_s; // time of the last one given out that is to be believed
    bool missing;   // one was dropped since then
    // Since when nothing is known by what frames given out since then said, which were doubtful and
    // so could not pass it on themselves; INFINITY: none said so.
    double unknown_since_s;
};

void frame_queue_init(struct frame_queue *q);
void frame_queue_finish(struct frame_queue *q); // frees what waits

// Takes `f` over. The frame that is dropped for it, which the caller frees; NULL: none.
struct frame *frame_queue_put(struct frame_queue *q, struct frame *f);

// The oldest, which the caller frees; count must not be 0.
struct frame *frame_queue_take(struct frame_queue *q);

#endif
