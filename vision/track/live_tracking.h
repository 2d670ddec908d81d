// SPDX-License-Identifier: MIT
// live_tracking.h: what a camera takes, tracked in a thread of its own, and what becomes known of it in a queue.
//
// It stands between capture.h and whoever judges, who may wait for a disk, a terminal or a person without holding the
// tracker up. The queue is bounded and nothing that happened is ever dropped from it: when it is full the tracker
// waits, which is measured, and frames are dropped at capture, which counts them. Of frames that brought nothing only
// the last is kept.
#ifndef RINGSIDE_VISION_TRACK_LIVE_TRACKING_H
#define RINGSIDE_VISION_TRACK_LIVE_TRACKING_H

#include "vision/picture_trouble.h"
#include "vision/source/capture.h"
#include "vision/track/tracker.h"

// What is wrong with the picture, asked some times a second. All zero but looked_s = -INFINITY: nothing is known yet.
struct picture_watch {
    double looked_s;           // the frame's time when it was last asked
    enum picture_trouble seen; // then
    double seen_since_s;
    enum picture_trouble trouble; // what has lasted for a while
    bool changes;                 // it seems to be another now, and that has not lasted yet
};

// Takes the next frame, and looks at some: more often at those whose pixels are decoded already,
// which costs most of a look. RS_ENOMEM, RS_ELIB.
int picture_watch_look(struct picture_watch *w, struct frame *f, const struct track_tuning *tuning, struct fail *why);

// What was known when a frame had been looked at. The taker frees `events`.
struct tracked_frame {
    double t_s;               // of the frame
    bool last;                // there was no further one: this is what tracker_finish gave
    struct event_list events; // what became sure by it
    struct board_pose pose;   // tracker_board
    enum tracker_state state;
    struct tracker_view view;     // the pieces as they stand in the frame
    bool hand;                    // one is over the board
    enum picture_trouble trouble; // what has been wrong with the picture for a while, whether the board is found or not
    bool trouble_changes;         // it seems to be another now, and that has not lasted yet
    struct fail unfound;          // tracker_inside; empty where there is nothing to say
};

struct live_tracking;

enum live_said { LIVE_NOTHING, LIVE_FRAME, LIVE_ENDED };

struct live_counts {
    long frames;           // that were looked at
    int longest_queue;     // of what was not taken yet
    double longest_wait_s; // of something that had happened, until it was taken
    double held_up_s;      // in which the tracker waited for room in the queue
};

// Starts a thread that feeds `t` with what `c` gives and shows each frame that was looked at to
// `shown`. Tracker and capture are borrowed, and the tracker is not to be touched until
// live_tracking_stop. RS_ENOMEM; RS_ELIB when there can be no thread.
int live_tracking_start(struct live_tracking **out, struct tracker *t, struct capture *c, struct frame_tap shown,
                        const struct track_tuning *tuning, struct fail *why);

// Waits up to wait_s seconds. LIVE_FRAME and *out; LIVE_NOTHING; LIVE_ENDED when the source is at its end, or that was
// asked for, also by a signal, and all was taken: the last of it is what tracker_finish gave. RS_E... as capture_next
// and tracker_feed.
int live_tracking_next(struct tracked_frame *out, struct live_tracking *l, double wait_s, struct fail *why);

// Asks it to end behind the frame that it is at; what is known until then is still to be taken.
void live_tracking_end(struct live_tracking *l);
void live_tracking_counts(struct live_counts *out, struct live_tracking *l);

// Ends the thread, waiting for the frame it is at; what was not taken is lost. NULL is allowed.
void live_tracking_stop(struct live_tracking *l);

#endif
