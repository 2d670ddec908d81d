// SPDX-License-Identifier: MIT
// capture.h: a source read in its own thread, so that a camera never waits for whoever looks at its frames.
//
// Some frames are held ready (frame_queue.h). When the reader falls behind, a camera's are dropped and counted, and the
// next one says for how long nothing is known (frame.h: lost_s); a recording that plays a camera waits, so that what it
// shows hangs on no machine's speed.
#ifndef RINGSIDE_VISION_SOURCE_CAPTURE_H
#define RINGSIDE_VISION_SOURCE_CAPTURE_H

#include <stdbool.h>

#include "vision/source/source.h"

struct capture;

enum capture_said { CAPTURE_NOTHING, CAPTURE_FRAME, CAPTURE_ENDED };

// Sees each frame in the thread that has it. It must not wait.
struct frame_tap {
    void (*take)(void *self, const struct frame *f); // NULL: nobody
    void *self;
};

// Starts reading `s`, which is borrowed and not to be touched until capture_stop. `playback`: footage that plays a
// camera; its frames come no faster than their times say, and none is dropped. `tap`: whoever records, before any
// frame is dropped; NULL: nobody. RS_ELIB when there can be no thread; RS_ENOMEM.
int capture_start(struct capture **out, struct source *s, bool playback, const struct frame_tap *tap, struct fail *why);

// Waits up to wait_s seconds. CAPTURE_FRAME and *out, which the caller frees; CAPTURE_NOTHING; CAPTURE_ENDED when the
// source is at its end and every frame was given out; RS_E... when the source failed.
int capture_next(struct frame **out, struct capture *c, double wait_s, struct fail *why);

// Whether the source waits for its camera now (SOURCE_WAITS), and *why for what.
bool capture_waits(struct capture *c, struct fail *why);

// Frames dropped here so far; those that the source itself lost are not among them.
long capture_dropped(struct capture *c);

// What is known of the source, as of the last frame that it gave; any thread may ask.
void capture_info(struct source_info *out, struct capture *c);

// The clock (CLOCK_MONOTONIC) when a frame of time 0 was taken; INFINITY before the first frame. What is done with a
// frame of time t is so much later than the picture as the clock is beyond this and t. A camera's frames come late by
// what it takes to send them, so it is only as exact as the one that came soonest.
double capture_begun_s(struct capture *c);

// Ends the thread, waiting for the frame it is at, and frees c. NULL is allowed.
void capture_stop(struct capture *c);

#endif
